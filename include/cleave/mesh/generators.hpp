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

// Specimens, connected. Quads have sides of about `cell_size`, m, and are smaller near a hole: a side is divided into
// the nearest whole number of parts. All throw InputError when two of their lines are nearer to each other than a
// quarter of that, and when there are more quads than can be numbered. Groups are left, right, bottom, top where there
// are such sides, and those named below. Slits have doubled nodes but at tips inside.

/// Disc about the origin, with nodes on both axes and the group outer. With a platen length, m: the groups upper_platen
/// and lower_platen are the facets of the outline with their middle in the arc of that length about its top and bottom,
/// at least one on either side of the axis.
Mesh disc(ElementType type, double cell_size, double radius, double platen_length = 0);

/// Rectangle with a round hole, by default in the middle, and its group hole. The centre may lie on a side or a corner,
/// for a half or a quarter of the plate; else the hole lies inside, or InputError is thrown.
Mesh plate_with_hole(ElementType type, double cell_size, std::array<double, 2> size, double hole_radius,
                     std::array<double, 2> origin = {0, 0}, std::optional<std::array<double, 2>> hole_centre = {});

/// Kalthoff's plate: two slits from the left side, symmetric about mid-height. Groups notch (the faces of both) and of
/// the left side left_below, left_between and left_above.
Mesh kalthoff(ElementType type, double cell_size, std::array<double, 2> size, double notch_length, double notch_spacing,
              std::array<double, 2> origin = {0, 0});

/// Compact tension specimen of ASTM E399 and E1820 for its width W: from 0.25 W left of the origin to W right of it and
/// 0.6 W up and down, with holes of the radius 0.125 W at (0, +-0.275 W) and a slit from the left side on y = 0 to x =
/// notch_length, which is more than 0.25 W and less than W. Groups notch, upper_hole, lower_hole, and of these
/// upper_pin, lower_pin: the quarter farthest from the slit, where a pin that opens it presses.
Mesh compact_tension(ElementType type, double cell_size, double width, double notch_length);

/// Compact compression specimen (H. Maigre, D. Rittel): rectangle with half a round hole at mid-height of its left side
/// and a slit of notch_length from there to the right. Pressed together at the right, the hole and the slit open.
/// Groups hole, notch, and of top and bottom upper_platen and lower_platen, of platen_length from the right side, which
/// must end behind the hole.
Mesh compact_compression(ElementType type, double cell_size, std::array<double, 2> size, double hole_radius,
                         double notch_length, double platen_length, std::array<double, 2> origin = {0, 0});

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
