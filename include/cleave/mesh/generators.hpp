/// Structured meshes of crossed quads: each quad is cut by both diagonals into 4 triangles around a centre node; and
/// unstructured ones made from them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// Rectangle, connected, with groups left, right, bottom, top and, with a notch, left_below, left_above (the left side
/// on either side of it) and notch (both faces; the nodes on it are doubled except the tip). Triangle 4 * (row * nx +
/// column) + k, k = 0..3 the south, east, north, west one. Length and height of the notch (by default mid-height) are
/// whole numbers of quads, less than the rectangle's. Nodes: corners row by row, centres row by row, copies of the
/// notch nodes (upper face), mid-side nodes.
Mesh rectangle(ElementType type, std::array<int, 2> divisions, std::array<double, 2> size,
               std::array<double, 2> origin = {0, 0}, double notch_length = 0, std::optional<double> notch_height = {});

/// Ring about the origin, connected, with groups inner and outer; divisions are radial x circumferential. Triangle
/// 4 * (i * divisions[1] + j) + k of quad i outwards and j around, k = 0..3 the one on the inner side, on the radial
/// line j + 1, on the outer side, on the radial line j. Throws InputError when the centre of a quad would lie outside
/// it.
Mesh ring(ElementType type, std::array<int, 2> divisions, double inner_radius, double outer_radius);

/// Unstructured mesh of the same region from a connected T3 mesh: its interior nodes at random, about evenly spread,
/// triangulated by Delaunay's rule, as elements of `type`. Nodes and facets of the boundary, a notch's too, and the
/// groups of these stay; groups lose their triangles. The same seed gives the same mesh on every machine.
Mesh delaunay(Mesh mesh, ElementType type, std::uint64_t seed);

/// Moves interior corner nodes of a connected mesh by a uniform random vector in +-amplitude * cell size (per
/// direction) and puts T6 mid-side nodes back on the middle of their edges. The same seed gives the same mesh on every
/// machine. Cell size at a node: the shortest edge between corners that meets there. Nodes draw in the order of their
/// original ids. Throws InputError when an element turns over.
void perturb(Mesh& mesh, double amplitude, std::uint64_t seed);

}  // namespace cleave
