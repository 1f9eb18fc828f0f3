/// The mesh on the host: node table, bulk elements, groups.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "cleave/core/types.hpp"
#include "cleave/mesh/facet.hpp"

namespace cleave {

/// A position on the host, m. Meshes are double precision for solvers of any precision.
struct Point {
  double x = 0;
  double y = 0;
};
inline double distance(Point a, Point b) { return std::hypot(b.x - a.x, b.y - a.y); }

/// A rectangle along the axes, m.
struct Box {
  Point low, high;

  double width() const { return high.x - low.x; }
  double height() const { return high.y - low.y; }
  Point centre() const { return {(low.x + high.x) / 2, (low.y + high.y) / 2}; }
  bool meets(const Box& other) const {
    return low.x <= other.high.x && other.low.x <= high.x && low.y <= other.high.y && other.low.y <= high.y;
  }
  void include(Point p) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  void include(const Box& other) {
    include(other.low);
    include(other.high);
  }
  Box grown(double by) const { return {{low.x - by, low.y - by}, {high.x + by, high.y + by}}; }
};
/// The box around points, of which there is at least one.
template <class Points>
Box box_around(const Points& points) {
  Box box{*std::begin(points), *std::begin(points)};
  for (const Point& p : points) box.include(p);
  return box;
}

/// Linear (3 nodes) or quadratic (6 nodes) triangle. Corners counter-clockwise; T6 mid-side nodes 3, 4, 5 lie on the
/// edges (0,1), (1,2), (2,0), the order of VTK_QUADRATIC_TRIANGLE and of Gmsh element type 9.
enum class ElementType { t3, t6 };

constexpr int nodes_per_element(ElementType type) { return type == ElementType::t3 ? 3 : 6; }
constexpr int nodes_per_facet(ElementType type) { return type == ElementType::t3 ? 2 : 3; }

/// Slot of facet node `i` of facet `k` in the element's row, in the element's counter-clockwise order:
/// T3 (start, end), T6 (start, mid-side, end).
constexpr int facet_node_slot(ElementType type, int k, int i) {
  constexpr int mid[3] = {4, 5, 3};
  if (type == ElementType::t3) return i == 0 ? (k + 1) % 3 : (k + 2) % 3;
  return i == 0 ? (k + 1) % 3 : i == 1 ? mid[k] : (k + 2) % 3;
}

/// A named part of the mesh: facets and nodes, for boundary conditions, or triangles, for materials. A group may hold
/// both. Its triangles add no nodes, so that a condition on the outline of a part does not hold the part. Facets inside
/// the body are separate from those on the boundary: loads do not act on them, and `mesh.cracks` opens them.
struct Group {
  std::string name;
  std::vector<Index> facets{};    ///< facet codes 3e + k on the boundary, ascending, each once
  std::vector<Index> nodes{};     ///< every node of those facets and any node named by itself, ascending, each once
  std::vector<Index> elements{};  ///< triangles, ascending, each once
  std::vector<Index> inside{};    ///< facets inside the body, each by the smaller of its two codes, ascending
};

/// Group of all boundary facets of a mesh before cracks are opened, unless the mesh brings its own of that name.
inline constexpr const char* outside_group = "outside";

/// Result of straightening the curved sides of a file.
struct Straightening {
  Index nodes = 0;         ///< number of mid-side nodes moved to the middle of their side
  double farthest = 0;     ///< largest distance that a node was moved, m
  double area_change = 0;  ///< change of the body's area by it, m^2
};

/// Nodes of the input numbering, for values that come in its order.
struct InputNodes {
  Index first = 0;            ///< smallest id of a node of the mesh file
  Index count = 0;            ///< number of nodes of the file, with those of no triangle; 0: ids are positions from 0
  Index first_copy = 0;       ///< smallest id of a copy that a crack has made of a node; all other ids are smaller
  std::vector<Index> copied;  ///< [copy] id of the node that it is a copy of
};

/// Largest number of elements of a mesh: facet codes, three per element, must fit into Index.
inline constexpr Index most_elements = std::numeric_limits<Index>::max() / facets_per_element;

/// Largest number of elements of a body such that everything can be numbered when all facets are broken. Per two
/// elements these are 9 Gauss points of 3 facets; with T6 15 slots: 12 element nodes and copies of 3 mid-side nodes.
constexpr Index most_elements_of_body(ElementType type) {
  const int of_two_elements = type == ElementType::t3 ? 9 : 15;
  return static_cast<Index>(2 * std::int64_t{std::numeric_limits<Index>::max()} / of_two_elements);
}

/// Messages use the input numbering, which the user knows: node and element tags of a Gmsh file (any numbers), and
/// positions from 0 for a .vtu file or a generator.
struct Mesh {
  ElementType type = ElementType::t6;
  std::vector<Point> nodes;              ///< [node] position, m
  std::vector<Index> elements;           ///< [element][nodes_per_element] node ids
  std::vector<Index> neighbours;         ///< [element][facet] facet code of the other side, or boundary_facet
  std::vector<Group> groups;             ///< in the order in which they were declared
  std::vector<Index> original_nodes;     ///< [node] id in the input numbering; empty: the position
  std::vector<Index> original_elements;  ///< [element] id in the input numbering; empty: the position
  InputNodes input_nodes;                ///< what their ids say about a mesh file
  std::vector<int> structured_colours;   ///< [element] exact 8-colouring of a structured mesh, else empty
  Straightening straightened;            ///< curved sides of a file, if straightening was requested
  Index turned = 0;                      ///< number of triangles that were clockwise in the file

  Index node_count() const { return static_cast<Index>(nodes.size()); }
  Index element_count() const { return static_cast<Index>(elements.size()) / nodes_per_element(type); }
  Index node(Index element, int slot) const {
    return elements[static_cast<std::size_t>(element) * nodes_per_element(type) + slot];
  }
  Index neighbour(Index element, int facet) const {
    return neighbours[facets_per_element * static_cast<std::size_t>(element) + facet];
  }
  /// Node `i` of a facet, see facet_node_slot.
  Index facet_node(Index code, int i) const { return node(element_of(code), facet_node_slot(type, facet_of(code), i)); }
  /// Start and end of a facet, counter-clockwise around its element.
  std::array<Index, 2> ends(Index code) const {
    return {facet_node(code, 0), facet_node(code, nodes_per_facet(type) - 1)};
  }
  std::array<Point, 2> end_points(Index code) const {
    const auto [start, end] = ends(code);
    return {nodes[start], nodes[end]};
  }

  /// The group of that name, or nullptr.
  const Group* find_group(const std::string& name) const;
};

}  // namespace cleave
