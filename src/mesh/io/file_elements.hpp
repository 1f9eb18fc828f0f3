/// Elements of a mesh file that are no triangles: quads cut in two, and the facets of lines.
#pragma once

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// The nodes of both triangles, in the order of Mesh, as positions among the nodes of the quad: corners 0 to 3,
/// mid-side nodes 4 to 7 of the sides (0,1), (1,2), (2,3), (3,0), and 8, the middle of the diagonal. The diagonal goes
/// from the first to the third corner of the first triangle:
///
///     3---6---2        3---6---2
///     |     / |        | \     |
///     7   8   5   or   7   8   5
///     | /     |        |     \ |
///     0---4---1        0---4---1
///
/// The diagonal is the one whose triangles are less flat, or the first of two equally good ones.
/// @param corners  in either direction around the quad
std::array<std::array<int, 6>, 2> halves_of_quad(const std::array<Point, 4>& corners);

/// A facet between each pair of nodes, in either order; empty for a pair without one.
std::vector<std::optional<Index>> facets_between(const Mesh& mesh, const std::vector<std::pair<Index, Index>>& ends);

}  // namespace cleave
