#include <algorithm>
#include <vector>

#include "cleave/mesh/facet.hpp"
#include "cleave/mesh/generators.hpp"
#include "cleave/mesh/topology.hpp"
#include "helpers.hpp"

using namespace cleave;
using namespace cleave::test;

namespace {

/// T3 of a few nodes, whose places do not matter.
Mesh triangles(Index nodes, const std::vector<Index>& elements) {
  Mesh mesh;
  mesh.type = ElementType::t3;
  mesh.nodes.resize(nodes);
  mesh.elements = elements;
  connect(mesh);
  return mesh;
}

/// The square of that many quads without every seventh triangle or so: nodes have several stars, more than one thread
/// has to do, and elements that follow each other lie far apart.
Mesh full_of_holes(int quads) {
  const Mesh whole = rectangle(ElementType::t3, {quads, quads}, {1, 1});
  const Index count = whole.element_count(), step = 7919;  // prime to the count
  std::vector<Index> elements;
  for (Index i = 0; i < count; ++i)
    if (const auto e = static_cast<Index>(std::int64_t{i} * step % count); e % 7 != i % 5)
      for (int corner = 0; corner < 3; ++corner) elements.push_back(whole.node(e, corner));
  return triangles(whole.node_count(), elements);
}

/// Places at nodes, element after element: a star that is met for the first time is followed from its beginning.
std::vector<std::uint8_t> places_one_by_one(const Mesh& mesh) {
  std::vector<std::uint8_t> place(mesh.elements.size(), 255), count(mesh.nodes.size(), 0);
  const auto beside = [&](Index corner, int facet) {  // the corner of the next element there, or -1
    const Index code = mesh.neighbour(corner / 3, (corner % 3 + facet) % 3);
    return is_intact(code) ? 3 * element_of(code) + (facet_of(code) + facet) % 3 : -1;
  };
  constexpr int after = 1, before = 2;
  for (Index first = 0; first < std::ssize(mesh.elements); ++first) {
    if (place[first] != 255) continue;
    Index at = first;
    for (Index next = beside(at, before); next >= 0 && next != first; next = beside(at, before)) at = next;
    if (beside(at, before) == first) at = first;  // all around
    for (; at >= 0 && place[at] == 255; at = beside(at, after)) place[at] = count[mesh.elements[first]]++;
  }
  return place;
}

}  // namespace

TEST_CASE("elements around a node are counted counter-clockwise, from the boundary on", "[stars]") {
  // A square 0 1 2 3 with node 4 in its middle: elements below, above, on the right, on the left.
  const Mesh mesh = triangles(5, {0, 1, 4, 2, 3, 4, 1, 2, 4, 4, 3, 0});
  CHECK(star_positions(mesh) == std::vector<std::uint8_t>{0, 1, 0, 0, 1, 2, 0, 1, 1, 3, 0, 1});
}

TEST_CASE("elements that touch in a node only follow each other", "[stars]") {
  const Mesh mesh = triangles(5, {0, 1, 2, 2, 3, 4});
  CHECK(star_positions(mesh) == std::vector<std::uint8_t>{0, 0, 0, 1, 0, 0});
}

TEST_CASE("stars of a large mesh equal those found one by one, also with several at a node", "[stars]") {
  const Mesh mesh = full_of_holes(130);
  const std::vector<std::uint8_t> place = places_one_by_one(mesh);
  CHECK(mesh.element_count() > 50'000);
  CHECK(star_positions(mesh) == place);
  // Several stars: as many beginnings as elements that nobody is before.
  std::vector<int> stars(mesh.nodes.size(), 0);
  for (Index e = 0; e < mesh.element_count(); ++e)
    for (int corner = 0; corner < 3; ++corner) stars[mesh.node(e, corner)] += mesh.neighbour(e, (corner + 2) % 3) < 0;
  CHECK(std::count_if(stars.begin(), stars.end(), [](int number) { return number > 1; }) > 1000);
}

TEST_CASE("the smaller element at a mid-side comes first", "[stars]") {
  const Mesh mesh = rectangle(ElementType::t6, {6, 4}, {6, 4});
  const std::vector<std::uint8_t> position = star_positions(mesh);
  std::vector<int> seen(mesh.node_count(), 0);
  bool in_order = true;
  for (Index e = 0; e < mesh.element_count(); ++e)
    for (int i = 3; i < 6; ++i) in_order = in_order && position[6 * e + i] == seen[mesh.node(e, i)]++;
  CHECK(in_order);
}
