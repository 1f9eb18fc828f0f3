/// Arrays that are declared once: a test declares some and finds them in all that is done with arrays.
#include "body/fields.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "backend/backend.hpp"
#include "body/save_fields.hpp"
#include "cleave/core/error.hpp"

using namespace cleave;

namespace {

using Backend = test::Backend;

/// Copies node `from` to node `to`.
struct CopyNode {
  static constexpr KernelTraits traits{.name = "node copy"};
  NodeCopier copy;
  Index from, to;
  bool flagged;
  CLEAVE_HD Index size() const { return 1; }
  CLEAVE_HD void operator()(Index) const { copy(from, to, flagged); }
};

/// A body of a few rows with arrays of every kind.
struct Body {
  Backend backend;
  Fields<Backend> fields;
  RowCounts rows;
  Field<Backend, Vec2> position = fields.add<Vec2>("position", {.on = On::node, .saved = true, .split = Split::copy});
  Field<Backend, Vec2> force = fields.add<Vec2>("force", {.on = On::node, .split = Split::zero});
  Field<Backend, std::uint8_t> motion =
      fields.add_filled("motion", {.on = On::node, .saved = true, .split = Split::copy_flagged}, std::uint8_t{0});
  Field<Backend, Sym2> damping = fields.add<Sym2>("damping", {.on = On::node, .split = Split::copy_flagged});
  Field<Backend, Vec2> pair =
      fields.add<Vec2>("pair", {.on = On::node, .width = 2, .saved = true, .split = Split::copy_flagged});
  Field<Backend, double> scratch = fields.add<double>("scratch", {.on = On::node});
  Field<Backend, double> state =
      fields.add<double>("state", {.on = On::element, .width = 2, .block = 32, .saved = true});
  Field<Backend, double> of_one_law =
      fields.add<double>("law", {.on = On::element, .rows = 3, .rows_of_body = 3, .saved = true});
  Field<Backend, double> work = fields.add_filled("work", {.on = On::cohesive, .width = 3, .saved = true}, 0.5);
  Field<Backend, double> missing;

  void reserve(Index nodes, Index elements, Index cohesive) {
    rows[On::node] = nodes;
    rows[On::element] = elements;
    rows[On::cohesive] = cohesive;
    for (const On on : {On::node, On::element, On::cohesive}) fields.reserve(backend, on, rows[on]);
  }
  std::string saved() {
    std::stringstream out;
    StateWriter to(out);
    save_fields(fields, rows, true, to, [&](auto& copy) { copy.start(backend); });
    return out.str();
  }
};

std::vector<double> numbers(std::size_t count, double first) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(first + static_cast<double>(i));
  return values;
}

std::vector<Vec2> vectors(std::size_t count, Real first) {
  std::vector<Vec2> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back({first + static_cast<Real>(i), -first});
  return values;
}

}  // namespace

TEST_CASE("an array that nobody declares has no values", "[fields]") {
  Body body;
  CHECK_FALSE(body.missing);
  CHECK(body.missing.data() == nullptr);
  CHECK(body.missing.size() == 0);
  CHECK(body.work);
}

TEST_CASE("declared arrays grow by their kind and keep what they hold", "[fields]") {
  Body body;
  body.reserve(2, 5, 1);
  CHECK(body.position.size() == 2);
  CHECK(body.pair.size() == 4);
  CHECK(body.state.size() == 64);  // a whole block
  CHECK(body.of_one_law.size() == 3);
  CHECK(body.work.size() == 3);
  body.position.upload(vectors(2, 4));
  body.work.upload({1, 2, 3});
  body.reserve(3, 5, 2);
  CHECK(body.position.size() == 3);
  CHECK(body.position.download(3)[1].x == 5);
  CHECK(std::isnan(body.position.download(3)[2].x));
  CHECK(body.motion.download(3) == std::vector<std::uint8_t>{0, 0, 0});
  CHECK(body.work.download(6) == std::vector<double>{1, 2, 3, 0.5, 0.5, 0.5});
  CHECK(body.of_one_law.size() == 3);
}

TEST_CASE("declared arrays count their bytes", "[fields]") {
  Body body;
  body.reserve(2, 5, 1);
  std::size_t bytes = 0;
  body.fields.for_each([&](AnyField<Backend>& field) { bytes += field.bytes(); });
  CHECK(bytes == 2 * (4 * sizeof(Vec2) + 1 + sizeof(Sym2) + 8) + 8 * (64 + 3 + 3));
}

TEST_CASE("rows in use of saved arrays go to a stream and back", "[fields]") {
  Body body;
  body.reserve(2, 5, 1);
  body.position.upload(vectors(2, 4));
  body.motion.upload({7, 8});
  body.pair.upload(vectors(4, 10));
  body.scratch.upload({1, 2});
  body.state.upload(numbers(64, 100));
  body.of_one_law.upload({21, 22, 23});
  body.work.upload({1, 2, 3});
  const std::string state = body.saved();
  CHECK(state.size() == 2 * (3 * sizeof(Vec2) + 1) + 8 * (64 + 3 + 3));

  Body other;
  other.reserve(2, 5, 1);
  std::stringstream in(state);
  StateReader from(in);
  other.fields.load(from, other.rows);
  from.end();
  CHECK(other.saved() == state);
  CHECK(other.motion.download(2) == std::vector<std::uint8_t>{7, 8});
  std::vector<double> in_use(64, 0.0);  // others of the block are not part of the state
  for (Index row = 0; row < 5; ++row)
    for (int f = 0; f < 2; ++f) in_use[32 * f + row] = 100 + 32 * f + row;
  CHECK(other.state.download(64) == in_use);
  CHECK(std::isnan(other.scratch.download(2)[0]));

  std::stringstream cut(state.substr(0, state.size() - 1));
  StateReader from_cut(cut);
  CHECK_THROWS_AS(other.fields.load(from_cut, other.rows), InputError);
}

TEST_CASE("a copy of a node takes over what its arrays say", "[fields]") {
  Body body;
  body.reserve(3, 1, 0);
  body.position.upload(vectors(3, 4));
  body.force.upload(vectors(3, 20));
  body.motion.upload({7, 8, 0});
  body.damping.upload({{1, 2, 3}, {4, 5, 6}, {}});
  body.pair.upload(vectors(6, 10));
  body.scratch.upload({1, 2, 3});
  body.backend.launch(CopyNode{body.fields.node_copier(), 1, 2, false});
  CHECK(body.position.download(3)[2].x == 5);
  CHECK(body.force.download(3)[2].x == 0);
  CHECK(body.force.download(3)[1].x == 21);
  CHECK(body.motion.download(3)[2] == 0);
  CHECK(body.pair.download(6)[4].x == 14);
  body.backend.launch(CopyNode{body.fields.node_copier(), 1, 2, true});
  CHECK(body.motion.download(3)[2] == 8);
  const Sym2 damping = body.damping.download(3)[2];
  CHECK((damping.xx == 4 && damping.yy == 5 && damping.xy == 6));
  CHECK(body.pair.download(6)[4].x == 12);
  CHECK(body.pair.download(6)[5].x == 13);
  CHECK(body.scratch.download(3)[2] == 3);
}

TEST_CASE("an array is refused by name whose copies of nodes cannot begin as it says", "[fields]") {
  Fields<Backend> fields;
  const Split split = GENERATE(Split::copy, Split::zero, Split::copy_flagged);
  CHECK_THROWS_WITH(fields.add<Index>("pressure", {.on = On::node, .split = split}), Catch::Contains("pressure: "));
  CHECK_NOTHROW(fields.add<Vec2>("force", {.on = On::node, .split = split}));
  if (split != Split::copy_flagged)
    CHECK_THROWS_WITH(fields.add<Vec2>("pair", {.on = On::node, .width = 2, .split = split}),
                      Catch::Contains("pair: "));
}
