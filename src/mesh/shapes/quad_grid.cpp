#include "mesh/shapes/quad_grid.hpp"

#include "cleave/core/machine.hpp"
#include "cleave/core/parallel.hpp"
#include "cleave/mesh/topology.hpp"
#include "mesh/changes.hpp"
#include "mesh/groups.hpp"
#include "mesh/ids.hpp"

namespace cleave {
namespace {

std::vector<Index> facets_of(const std::vector<std::pair<Index, Side>>& sides) {
  std::vector<Index> facets;
  for (const auto& [quad, side] : sides) facets.push_back(facet_code(4 * quad + side, 2));
  return facets;
}

}  // namespace

QuadGrid::QuadGrid(ElementType of_type, std::size_t quads, std::size_t corners) : type(of_type) {
  mesh.type = ElementType::t3;
  mesh.elements = parallel_vector<Index>(threads_for(0), 12 * quads);
  mesh.structured_colours = parallel_vector<int>(threads_for(0), 4 * quads);
  // Corners and centres, and for T6 a mid-side node on each of the 6 facets per quad.
  mesh.nodes.reserve((type == ElementType::t6 ? 7 : 1) * quads + 2 * corners);
}

void QuadGrid::set_quad(Index quad, const std::array<Index, 4>& corners, Turn turn, Index centre, int parity) {
  for (int side = 0; side < 4; ++side) {
    const std::size_t e = 4 * static_cast<std::size_t>(quad) + side;
    Index start = corners[side];
    Index end = corners[(side + 1) % 4];
    if (turn == Turn::right) std::swap(start, end);
    Index* const row = mesh.elements.data() + 3 * e;
    row[0] = start, row[1] = end, row[2] = centre;
    mesh.structured_colours[e] = side + 4 * parity;
  }
}

void QuadGrid::finish(const std::vector<std::pair<Index, Side>>& opened) {
  connect(mesh, generated);
  open_facets(mesh, facets_of(opened));
  if (type == ElementType::t6) add_mid_sides(mesh);
  number_as_they_lie(mesh);
}

void QuadGrid::add_group(std::string name, const std::vector<std::pair<Index, Side>>& sides) {
  mesh.groups.push_back(make_group(mesh, std::move(name), facets_of(sides)));
}

}  // namespace cleave
