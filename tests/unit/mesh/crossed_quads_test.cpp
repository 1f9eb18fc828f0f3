#include <algorithm>
#include <catch2/catch.hpp>

#include "cleave/mesh/generators.hpp"
#include "cleave/mesh/topology.hpp"

using namespace cleave;

namespace {

Index found_in(const Mesh& mesh) {
  const auto found = elements_of_crossed_quads(mesh);
  return static_cast<Index>(std::count(found.begin(), found.end(), 1));
}

}  // namespace

TEST_CASE("triangles of crossed quads are found, also at the boundary") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  Mesh mesh = rectangle(type, {6, 4}, {3, 2}, {1, 1}, 1.0);
  CHECK(found_in(mesh) == mesh.element_count());
  CHECK(found_in(ring(type, {20, 160}, 0.08, 0.15)) == 20 * 160 * 4);
  perturb(mesh, 0.2, 3);
  CHECK(found_in(mesh) < mesh.element_count() / 4);
}
