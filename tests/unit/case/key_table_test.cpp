/// The table of keys follows the reader into every branch.
#include <catch2/catch.hpp>
#include <stdexcept>

#include "case/section.hpp"
#include "cleave/case/keys.hpp"

using namespace cleave::case_file;
using Catch::Contains;

namespace {

const std::string head = "| key | values | unit | default | meaning |\n|---|---|---|---|---|\n";

template <class Read>
std::string rows_of(const Read& read) {
  return table_of(describe_keys([&](const Value& root, Report& report) {
    Section s(Node(root, "", report));
    read(s);
  }));
}

}  // namespace

TEST_CASE("a row has range, unit, default and meaning") {
  CHECK(rows_of([](Section& s) {
          double mass = 0;
          int count = 3;
          std::optional<double> width;
          s.required("mass", mass, {"of it", "kg"}, above(0));
          s.optional("count", count, {"of parts"}, at_least(1));
          s.optional("width", width, {"of a part", "m"}, "auto", from_to(0, 2));
        }) == head +
                  "| `mass` | number > 0 | kg | required | of it |\n"
                  "| `count` | whole number >= 1 | - | `3` | of parts |\n"
                  "| `width` | `auto`, number in [0, 2] | m | `auto` | of a part |\n");
}

TEST_CASE("keys of alternatives, of words and of lists are found, where the reader asks for them") {
  CHECK(rows_of([](Section& s) {
          double value = 0;
          std::string word = "b";
          const std::string kind = s.exactly_one({"one", "other"});
          if (kind == "one") s.required("one", value, {"the one"});
          if (kind == "other") {
            const bool known = s.required("other", word, {"the other"}, std::vector<std::string>{"a", "b"});
            if (known && word == "b") s.optional("deep", value, {"in the other, for b"});
          }
          if (const auto list = s.optional_node("list", {"a list"}, list_of(any_map()))) {
            for (const Node& item : list->items()) Section(item).required("in", value, {"in the list"});
          }
        }) == head +
                  "| `one` | number | - | this or `other` | the one |\n"
                  "| `other` | `a`, `b` | - | this or `one` | the other |\n"
                  "| `deep` | number | - | `0` | in the other, for b |\n"
                  "| `list` | list of maps | - | - | a list |\n"
                  "| `list.N.in` | number | - | required | in the list |\n");
}

TEST_CASE("a section that may be absent in one branch is listed once") {
  CHECK(rows_of([](Section& s) {
          std::string word = "a";
          s.required("word", word, {"a word"}, std::vector<std::string>{"a", "b"});
          if (word == "a") s.optional_section("part", {"a part"}, "none");
          if (word == "b") s.required_section("part", {"a part"});
        }) == head +
                  "| `word` | `a`, `b` | - | required | a word |\n"
                  "| `part` | `none`, map | - | `none` | a part |\n");
}

TEST_CASE("a key without a meaning is an error") {
  CHECK_THROWS_WITH(rows_of([](Section& s) { s.has("secret"); }), Contains("secret"));
  CHECK_THROWS_AS(rows_of([](Section& s) { s.exactly_one({"one", "other"}); }), std::logic_error);
}

TEST_CASE("the table of the case file has the keys of every kind of mesh, boundary and curve") {
  const std::string table = cleave::case_keys();
  for (const char* key : {"mesh.file",
                          "mesh.size",
                          "mesh.notch.height",
                          "mesh.outer_radius",
                          "mesh.regions.NAME.box",
                          "material.density",
                          "material.N.on",
                          "material.viscosity",
                          "material.hardening.table",
                          "kinematics",
                          "boundary.N.follow",
                          "cohesive.tangential.shape",
                          "cohesive.insertion.region.box",
                          "time.steps",
                          "time.end",
                          "boundary.N.in_cracks",
                          "boundary.N.fix",
                          "boundary.N.velocity.y",
                          "curves.NAME.exponential",
                          "curves.NAME.linear_decay",
                          "curves.NAME.table",
                          "run.threads"}) {
    CHECK_THAT(table, Contains(std::string("| `") + key + "` |"));
  }
}
