/// Neighbours, checks and counts of a mesh, and node stars: the elements around each node, in order.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// Fills mesh.neighbours from the corner nodes of a mesh that passes check_mesh. Throws InputError that names the
/// elements if a facet has more than two, if two elements traverse a facet in the same direction, or if they have
/// different mid-side nodes on it. The report starts with `source`, as in check_mesh.
void connect(Mesh& mesh, const std::string& source = "mesh");

/// Throws InputError if the mesh cannot be simulated: a coordinate that is not finite, a node id out of range, an
/// element with a repeated node, zero area or clockwise corners, a T6 mid-side node off the middle of its edge by more
/// than 0.1 % of its length, a node that no element uses or that is both a corner and a mid-side node, no elements. The
/// report names the first ten offenders in input numbering. Does not need neighbours.
/// @param source  the file (or "generated mesh") with which the report starts
void check_mesh(const Mesh& mesh, const std::string& source);

/// Tolerance of check_fit for equal places, relative to a facet's length. It exceeds the error of single-precision
/// coordinates in a mesh with a thousand facets in a row.
inline constexpr double fit_tolerance = 1e-4;

/// Throws InputError if parts of a connected mesh that passes check_mesh lie on each other without being joined: two
/// nodes at one place, a node on a facet of other elements, overlapping elements. The report counts each kind and names
/// the first ten, with original ids and coordinates.
/// @param doubled  existing groups whose nodes may coincide with other nodes
/// @param depths   [element] how deep other elements may lie in it, m; empty: none may
void check_fit(const Mesh& mesh, const std::vector<std::string>& doubled, const std::string& source,
               const std::vector<double>& depths = {});

struct MeshCounts {
  Index nodes = 0;
  Index corner_nodes = 0;
  Index elements = 0;
  Index facets = 0;  ///< interior + boundary
  Index interior_facets = 0;
  Index boundary_facets = 0;
  Index euler = 0;                       ///< corner nodes - facets + elements
  Index components = 0;                  ///< parts whose elements are joined by facets
  std::vector<Index> corner_nodes_of{};  ///< [n] number of corner nodes with n elements; [0] is 0
};
MeshCounts count(const Mesh& mesh);

/// [part] first element of each set of elements that facets join, ascending.
std::vector<Index> first_elements_of_parts(const Mesh& mesh);

/// Number of facets of a mesh.
Index facet_count(const Mesh& mesh);

struct MeshQuality {
  double smallest_angle = 0;     ///< degrees
  double largest_angle = 0;      ///< degrees
  double smallest_altitude = 0;  ///< m
  double shortest_facet = 0;     ///< m
  double longest_facet = 0;      ///< m
  double area = 0;               ///< m^2
};
MeshQuality quality(const Mesh& mesh);

/// [element] 1 for each of the four elements around a node whose sides there form two lines, straight within 3 degrees,
/// as in a quad cut by both diagonals; else 0. The mesh must be connected.
std::vector<std::uint8_t> elements_of_crossed_quads(const Mesh& mesh);

/// Centroid of an element's corner triangle, m.
Point centroid(const Mesh& mesh, Index element);

/// Angle of an element at a corner, degrees.
double corner_angle(const Mesh& mesh, Index element, int corner);
/// The middle of a facet's corners, m.
Point facet_middle(const Mesh& mesh, Index code);
/// Length of a facet between its corners, m.
double facet_length(const Mesh& mesh, Index code);

/// Twice the signed area of an element's corner triangle, m^2.
double twice_area(const Mesh& mesh, Index element);

/// [element][node slot] Position of the element in the star of the node. Around a corner elements are counted
/// counter-clockwise, from the boundary or, inside the body, from the smallest element id. Elements that touch the
/// others only in the corner follow after them. At a mid-side node the smaller element id comes first. No node may have
/// more than 255 elements.
///
///     \  7  /
///      \ 1 /
///     8 2 n 0 3      Inside the body, the elements 3, 7, 8, 9 around node n
///      / 3 \         have the positions 0, 1, 2, 3: counter-clockwise
///     /  9  \        from the smallest id on.
std::vector<std::uint8_t> star_positions(const Mesh& mesh);

}  // namespace cleave
