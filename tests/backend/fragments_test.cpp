/// Fragments on random sets of cuts, against a serial union-find.
#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <random>
#include <set>

#include "backend/backend.hpp"
#include "backend/device_mesh.hpp"
#include "fracture/fragment_state.hpp"
#include "reference/topology.hpp"

namespace cleave::test {

namespace {

/// A body whose fragments are counted.
template <class Element>
struct Counted {
  explicit Counted(const Mesh& mesh, Index room) : device(mesh, room), present(filled<Index>(1, 0)) {
    fragments.declare(fields);
    fields.reserve(backend, On::cohesive, room);
    fields.reserve(backend, On::element, mesh.element_count());
    fragments.start(backend, mesh, {0, mesh.element_count()});
  }
  /// @param flags             [element] ElementFlag; null: none is eroded
  /// @param only_if_failures  see CountedFragments
  Index count(const std::vector<std::uint8_t>& failed, const std::uint8_t* flags = nullptr,
              bool only_if_failures = false) {
    auto dead = upload(failed);
    const auto cohesive = static_cast<Index>(failed.size());
    present.upload({cohesive});
    failures.upload({0});
    fragments.count(backend, {device.table(), fragments.own, dead.data(), flags}, cohesive, present.data(),
                    {number.data(), failures.data(), only_if_failures});
    return number.download(1)[0];
  }
  std::vector<Index> labels() {
    fragments.label(backend);
    return fragments.of_element.download(device.mesh.element_count());
  }

  Backend backend;
  DeviceMesh<Element> device;
  Backend::Buffer<Index> present, number = filled<Index>(1, -7), failures = filled<Index>(1, 0);
  Fields<Backend> fields;
  FragmentState<Backend, Element> fragments;
};

Mesh mesh_number(int which, ElementType type) {
  if (which == 0) return rectangle(type, {1, 1}, {1, 1});
  if (which == 1) return rectangle(type, {4, 2}, {4, 2});
  if (which == 2) return rectangle(type, {40, 26}, {4, 2.6}, {0, 0}, 1);
  return ring(type, {8, 120}, 1, 1.3);
}

}  // namespace

TEMPLATE_TEST_CASE("fragments are components connected by facets that hold", "[fragments]", T3, T6) {
  const Mesh mesh = mesh_number(GENERATE(0, 1, 2, 3), TestType::type);
  const auto facets = reference::interior_facets(mesh);
  const Index elements = mesh.element_count();
  std::mt19937 random(6);
  for (const double share : {0.0, 0.3, 0.6, 0.8, 0.95, 1.0}) {
    // Of the cut facets some still hold, some have failed.
    Counted<TestType> body(mesh, 3 * elements);
    auto rows = body.device.rows.download(elements);
    const ElementTable<TestType> host = rows.table();
    std::set<int> open;
    std::vector<std::uint8_t> failed;
    for (const auto& f : facets) {
      if (uniform(random, 0, 1) > share + 0.2) continue;
      const bool dead = share == 1.0 || uniform(random, 0, 1) < share;
      const Index c = static_cast<Index>(failed.size());
      failed.push_back(dead);
      if (dead) open.insert(f.code());
      host.cohesive_facet(c, 0) = facet_code(f.a, f.ka);
      host.cohesive_facet(c, 1) = facet_code(f.b, f.kb);
      host.neighbour(f.a, f.ka) = cohesive_code(c, 0);
      host.neighbour(f.b, f.kb) = cohesive_code(c, 1);
    }
    body.device.rows.upload(rows);
    const auto expected = reference::fragments(mesh, facets, open);
    INFO(open.size() << " of " << facets.size() << " facets open");
    CHECK(body.count(failed) == reference::count_distinct(expected));
    CHECK(body.labels() == std::vector<Index>(expected.begin(), expected.end()));
    if (share == 1.0) CHECK(body.count(failed) == elements);
  }
}

TEMPLATE_TEST_CASE("fragments are counted while facets fail", "[fragments]", T3, T6) {
  const Mesh mesh = mesh_number(GENERATE(1, 2, 3), TestType::type);
  const auto facets = reference::interior_facets(mesh);
  Counted<TestType> body(mesh, static_cast<Index>(facets.size()));
  // All facets are cohesive; they fail in a random order, and are inserted in another.
  std::mt19937 random(11);
  std::vector<std::size_t> order(facets.size());
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  auto rows = body.device.rows.download(mesh.element_count());
  const ElementTable<TestType> host = rows.table();
  Index c = 0;
  for (const auto& f : facets) {
    host.cohesive_facet(c, 0) = facet_code(f.a, f.ka);
    host.cohesive_facet(c, 1) = facet_code(f.b, f.kb);
    host.neighbour(f.a, f.ka) = cohesive_code(c, 0);
    host.neighbour(f.b, f.kb) = cohesive_code(c++, 1);
  }
  body.device.rows.upload(rows);
  std::vector<std::uint8_t> failed(facets.size(), 0);
  std::set<int> open;
  CHECK(body.count(failed) == 1);
  std::size_t next = 0;
  for (int round = 1; next < order.size(); ++round) {
    // Few at a time at first, so that most blocks stay as they are.
    for (const std::size_t end = std::min(order.size(), next + 1 + next / 4); next < end; ++next) {
      failed[order[next]] = 1;
      open.insert(facets[order[next]].code());
    }
    const auto expected = reference::fragments(mesh, facets, open);
    INFO(next << " of " << facets.size() << " facets have failed");
    CHECK(body.count(failed, nullptr, true) == reference::count_distinct(expected));
    CHECK(body.failures.download(1)[0] == 1);
    if (round % 2 == 0) CHECK(body.labels() == std::vector<Index>(expected.begin(), expected.end()));
  }
  CHECK(body.count(failed) == mesh.element_count());
  body.number.upload({-7});
  CHECK(body.count(failed, nullptr, true) == -7);  // nothing has failed, nothing is counted
  CHECK(body.failures.download(1)[0] == 0);
}

TEMPLATE_TEST_CASE("eroded elements hold nothing together and are no fragments", "[fragments][erosion]", T3, T6) {
  // Crossed quads in a row: without the four triangles of the third one, two parts of eight and four are left.
  const Mesh mesh = rectangle(TestType::type, {4, 1}, {4, 1});
  const Index elements = mesh.element_count();
  REQUIRE(elements == 16);
  std::vector<std::uint8_t> flags(elements, 0);
  std::vector<Index> expected(elements, 0);
  Index behind = elements;
  const auto x_of = [&](Index e) {
    return (mesh.nodes[mesh.node(e, 0)].x + mesh.nodes[mesh.node(e, 1)].x + mesh.nodes[mesh.node(e, 2)].x) / 3;
  };
  for (Index e = 0; e < elements; ++e) {
    if (x_of(e) > 2 && x_of(e) < 3) flags[e] |= ElementFlag::eroded;
    if (x_of(e) > 3) behind = std::min(behind, e);
  }
  Index before = elements;
  for (Index e = 0; e < elements; ++e)
    if (x_of(e) < 2) before = std::min(before, e);
  for (Index e = 0; e < elements; ++e) expected[e] = flags[e] != 0 ? -1 : x_of(e) < 2 ? before : behind;
  Counted<TestType> body(mesh, 1);
  auto eroded = upload(flags);
  CHECK(body.count({}, eroded.data()) == 2);
  CHECK(body.labels() == expected);
}

TEST_CASE("a body of no elements has no fragments", "[fragments]") {
  Backend backend;
  FragmentState<Backend, T6> none;
  Fields<Backend> fields;
  none.declare(fields);
  none.start(backend, Mesh{}, {0, 0});
  auto present = filled<Index>(1, 0), count = filled<Index>(1, -7), failures = filled<Index>(1, 0);
  none.count(backend, {}, 0, present.data(), {count.data(), failures.data(), false});
  none.label(backend);
  CHECK(count.download(1)[0] == 0);
}

TEST_CASE("concurrent joins of sets succeed once each", "[fragments]") {
  std::vector<Index> parent{0, 1, 2, 3, 4};
  CHECK(join_sets(parent.data(), 3, 4));
  CHECK(join_sets(parent.data(), 1, 4));
  CHECK_FALSE(join_sets(parent.data(), 3, 1));
  CHECK_FALSE(join_sets(parent.data(), 2, 2));
  CHECK(join_sets(parent.data(), 4, 2));
  for (Index i = 1; i < 5; ++i) CHECK(root_of(parent.data(), i) == 1);
  CHECK(root_of(parent.data(), 0) == 0);
}

}  // namespace cleave::test
