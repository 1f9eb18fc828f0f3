/// Structured meshes of crossed quads, where both diagonals cut each quad into 4 triangles around a centre node, and
/// unstructured meshes made from them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// Rectangle, connected, with groups left, right, bottom, top and, with a notch, left_below, left_above (the left side
/// below and above the notch) and notch (both faces; its nodes are doubled except the tip). Triangle 4 * (row * nx +
/// column) + k, k = 0..3, is the south, east, north, west one of its quad. Length and height of the notch (by default
/// mid-height) are whole numbers of quads, less than those of the rectangle. Node order: corners row by row, centres
/// row by row, copies of the notch nodes (upper face), mid-side nodes.
Mesh rectangle(ElementType type, std::array<int, 2> divisions, std::array<double, 2> size,
               std::array<double, 2> origin = {0, 0}, double notch_length = 0, std::optional<double> notch_height = {});

/// Ring about the origin, connected, with groups inner and outer; divisions are radial x circumferential. Triangle 4 *
/// (i * divisions[1] + j) + k of quad i outwards and j around, k = 0..3, is the one on the inner side, on the radial
/// line j + 1, on the outer side, on the radial line j. Throws InputError if the centre of a quad would lie outside the
/// quad.
Mesh ring(ElementType type, std::array<int, 2> divisions, double inner_radius, double outer_radius);

// Specimens, connected. The sides of quads are about `cell_size` long, m, and shorter near a hole: a side is divided
// into the nearest whole number of parts. All functions throw InputError if two of their lines are closer than a
// quarter of `cell_size`, or if there are too many quads to number. Groups are left, right, bottom, top for the sides
// that exist, and those named below. The nodes of slits are doubled except at tips inside the body.

/// Disc about the origin, with nodes on both axes and the group outer. With a platen length, m, the groups upper_platen
/// and lower_platen hold the facets of the outline whose middle lies in the arc of that length about its top and
/// bottom, at least one on either side of the axis.
Mesh disc(ElementType type, double cell_size, double radius, double platen_length = 0);

/// Rectangle with a round hole, by default in the middle, and the group hole. The centre may lie on a side or a corner,
/// for a half or a quarter of the plate; otherwise the hole must lie inside, or InputError is thrown.
Mesh plate_with_hole(ElementType type, double cell_size, std::array<double, 2> size, double hole_radius,
                     std::array<double, 2> origin = {0, 0}, std::optional<std::array<double, 2>> hole_centre = {});

/// Kalthoff's plate: two slits from the left side, symmetric about mid-height. Groups notch (the faces of both) and of
/// the left side left_below, left_between and left_above.
Mesh kalthoff(ElementType type, double cell_size, std::array<double, 2> size, double notch_length, double notch_spacing,
              std::array<double, 2> origin = {0, 0});

/// Compact tension specimen of ASTM E399 and E1820 for its width W. It reaches from 0.25 W left of the origin to W
/// right of it and 0.6 W up and down, with holes of radius 0.125 W at (0, +-0.275 W) and a slit on y = 0 from the left
/// side to x = notch_length, which is more than 0.25 W and less than W. Groups notch, upper_hole, lower_hole, and
/// upper_pin, lower_pin: the quarter of each hole farthest from the slit, which a pin that opens the slit presses.
Mesh compact_tension(ElementType type, double cell_size, double width, double notch_length);

/// Compact compression specimen (H. Maigre, D. Rittel): rectangle with half a round hole at mid-height of its left side
/// and a slit of notch_length to the right of it. Compression at the right opens the hole and the slit. Groups hole,
/// notch, upper_platen and lower_platen: the last platen_length of the top and bottom sides, which must end right of
/// the hole.
Mesh compact_compression(ElementType type, double cell_size, std::array<double, 2> size, double hole_radius,
                         double notch_length, double platen_length, std::array<double, 2> origin = {0, 0});

/// Unstructured mesh of the region of a connected T3 mesh, as elements of `type`: random, evenly spread interior nodes,
/// triangulated by Delaunay's rule. Nodes and facets of the boundary (with notches) and their groups stay; groups lose
/// their triangles. The same seed gives the same mesh on every machine.
Mesh delaunay(Mesh mesh, ElementType type, std::uint64_t seed);

/// Moves interior corner nodes of a connected mesh by a uniform random vector in +-amplitude * cell size (per
/// direction), and T6 mid-side nodes to the middle of their edges. The cell size of a node is the shortest edge between
/// corners that meets there. Nodes draw in the order of their original ids, so the same seed gives the same mesh on
/// every machine. Throws InputError if an element turns over.
void perturb(Mesh& mesh, double amplitude, std::uint64_t seed);

}  // namespace cleave
