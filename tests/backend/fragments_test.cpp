/// Fragments on random sets of cuts, against a serial union-find.
#include "kernels/fragments.hpp"

#include <catch2/catch.hpp>

#include "backend/backend.hpp"
#include "backend/device_mesh.hpp"
#include "reference/topology.hpp"

namespace cleave::test {

TEMPLATE_TEST_CASE("fragments are the components of what still holds", "[fragments]", T3, T6) {
  Backend backend;
  const int which = GENERATE(0, 1, 2, 3);
  const Mesh mesh = which == 0   ? rectangle(TestType::type, {1, 1}, {1, 1})
                    : which == 1 ? rectangle(TestType::type, {4, 2}, {4, 2})
                    : which == 2 ? rectangle(TestType::type, {40, 26}, {4, 2.6}, {0, 0}, 1)
                                 : ring(TestType::type, {8, 120}, 1, 1.3);
  const auto facets = reference::interior_facets(mesh);
  const Index elements = mesh.element_count();
  std::mt19937 random(6);
  for (const double share : {0.0, 0.3, 0.6, 0.8, 0.95, 1.0}) {
    // Of the cut facets some still hold, some have failed.
    DeviceMesh<TestType> device(mesh, 3 * elements);
    auto rows = device.rows.download(elements);
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
    device.rows.upload(rows);
    auto dead = upload(failed);
    auto parent = filled<Index>(elements + 1, -7), count = filled<Index>(1, 0);
    const HoldingFacets<TestType> holding{device.table(), dead.data()};
    backend.launch(StartFragments<TestType>{holding, parent.data(), count.data()});
    backend.launch(JoinFragments<TestType>{holding, parent.data()});
    backend.launch(FinishFragments<TestType>{holding, parent.data(), count.data()});
    const auto expected = reference::fragments(mesh, facets, open);
    const auto result = parent.download(elements + 1);
    INFO(open.size() << " of " << facets.size() << " facets open");
    CHECK(std::vector<Index>(result.begin(), result.end() - 1) == std::vector<Index>(expected.begin(), expected.end()));
    CHECK(result[elements] == -7);
    CHECK(count.download(1)[0] == reference::count_distinct(expected));
    if (share == 1.0) CHECK(count.download(1)[0] == elements);
  }
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
  Backend backend;
  DeviceMesh<TestType> device(mesh, 1);
  auto eroded = upload(flags);
  auto failed = filled<std::uint8_t>(1, 0);
  auto parent = filled<Index>(elements, -7), count = filled<Index>(1, 0);
  const HoldingFacets<TestType> holding{device.table(), failed.data(), eroded.data()};
  backend.launch(StartFragments<TestType>{holding, parent.data(), count.data()});
  backend.launch(JoinFragments<TestType>{holding, parent.data()});
  backend.launch(FinishFragments<TestType>{holding, parent.data(), count.data()});
  CHECK(parent.download(elements) == expected);
  CHECK(count.download(1)[0] == 2);
}

TEST_CASE("a body of no elements has no fragments", "[fragments]") {
  Backend backend;
  auto parent = filled<Index>(1, -7), count = filled<Index>(1, 0);
  const HoldingFacets<T6> none{};
  backend.launch(StartFragments<T6>{none, parent.data(), count.data()});
  backend.launch(JoinFragments<T6>{none, parent.data()});
  backend.launch(FinishFragments<T6>{none, parent.data(), count.data()});
  CHECK(count.download(1)[0] == 0);
  CHECK(parent.download(1)[0] == -7);
}

}  // namespace cleave::test
