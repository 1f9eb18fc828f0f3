/// Content of a mesh file of any format, and its conversion to a Mesh.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cleave/mesh/files.hpp"
#include "cleave/mesh/mesh.hpp"
#include "mesh/io/input_file.hpp"

namespace cleave {

/// Element shapes of files. Mid-side nodes follow the corners, in the order of Mesh; the ninth node of a quad is in its
/// middle.
enum class Shape { point, line2, line3, triangle3, triangle6, quad4, quad8, quad9 };

constexpr int nodes_of(Shape shape) {
  constexpr int count[] = {1, 2, 3, 3, 6, 4, 8, 9};
  return count[static_cast<int>(shape)];
}
constexpr int dimension_of(Shape shape) { return shape == Shape::point ? 0 : shape <= Shape::line3 ? 1 : 2; }
constexpr bool is_quad(Shape shape) { return shape >= Shape::quad4; }

/// Nodes of an element of a file, as many as its shape has.
using FileNodes = std::array<std::int64_t, 9>;

/// Advice of messages about quads, if they are not to be split.
inline constexpr const char* how_to_split = "mesh.split_quads: true makes two triangles of each quad";

/// A group of a file: dimension of its elements (0, 1, 2) and its number.
using GroupKey = std::pair<int, Index>;

/// Nodes, elements and groups with the numbers of the file. Readers add them in the order of the file, with their
/// places; invalid ones throw InputError with the place.
class FileMesh {
 public:
  /// @param file  the file in messages; must outlive this object
  /// @param group_kinds  names of groups in this format: "physical line"
  FileMesh(InputFile& file, std::array<std::string, 3> group_kinds, const MeshReading& how)
      : file_(file), group_kinds_(std::move(group_kinds)), how_(how) {}

  bool splits_quads() const { return how_.split_quads; }

  /// Reserves memory for at most that many nodes or elements, limited by the size of the file.
  void expect_nodes(std::int64_t count);
  void expect_elements(std::int64_t count);

  void add_node(std::int64_t tag, Point at, double z, Place place);
  bool has_nodes() const { return !mesh_.nodes.empty(); }

  /// @param shape   a quad only if quads are split; the node in its middle, if it has one, goes to that of the diagonal
  /// @param nodes   tags of nodes, which must have been added
  /// @param groups  numbers of the groups of the shape's dimension with this element; 0 is none
  void add_element(std::int64_t tag, Shape shape, std::span<const std::int64_t> nodes, std::span<const Index> groups,
                   Place place);

  /// A name belongs to one group of each dimension, and each group has one name. Groups without a name are known by
  /// their number, which must not be the name of another group of that dimension.
  void add_name(GroupKey key, std::string_view name, Place place);

  /// Calls the groups of number i + 1 of all dimensions names[i]; call this at the end of the file.
  void add_names(const std::vector<std::string>& names);

  /// The mesh, checked and connected; call this at the end of the file, whose bytes are freed. Groups are sorted by
  /// name; those without a name follow.
  /// @param no_triangles  advice if the file has no triangles
  Mesh make(const std::string& no_triangles);
  /// Triangles that make() has turned, ascending: their facets 1 and 2 have changed places.
  const std::vector<Index>& turned() const { return turned_; }

 private:
  /// A line or a point in a group.
  struct Marker {
    GroupKey key;
    std::int64_t tag = 0;
    Place place = 0;
    std::array<Index, 3> nodes{};  // both ends, then the mid-side node
    int node_count = 0;
  };
  struct Name {
    GroupKey key;
    std::string name;
    Place place = 0;
  };

  std::string text_of(const GroupKey& key) const;
  void index_nodes();
  Index find_node(std::int64_t element, std::int64_t tag, Place place);
  void add_surface(std::int64_t tag, Shape shape, std::span<const Index> nodes, std::span<const Index> groups,
                   Place place);
  bool repeats_last(std::span<const Index> nodes, std::span<const Index> groups) const;
  void add_triangle(std::int64_t tag, std::span<const Index> nodes, Place place);
  void add_quad(std::int64_t tag, std::span<const Index> nodes, Place place);
  void number_halves();
  void drop_unused_nodes();
  std::vector<std::optional<Index>> facets_of_markers() const;
  std::set<GroupKey> used_groups() const;
  void check_names_are_used(const std::set<GroupKey>& used) const;
  void check_numbers_are_no_names(const std::set<GroupKey>& used) const;
  void check_marker(const Marker& marker, std::optional<Index> facet) const;
  void make_groups();

  InputFile& file_;
  std::array<std::string, 3> group_kinds_;
  MeshReading how_;
  Mesh mesh_;
  std::vector<double> z_;                                    // [node] m
  std::vector<std::int64_t> node_tags_;                      // [node]
  std::vector<Place> node_places_;                           // [node]
  std::vector<std::pair<std::int64_t, Index>> node_of_tag_;  // ascending; empty if tags are consecutive
  std::size_t indexed_ = 0;                                  // number of nodes that can be looked up
  std::vector<std::int64_t> element_tags_;                   // [element]
  std::vector<Index> second_halves_;                         // elements whose tag is that of their quad
  std::vector<std::array<Index, 2>> diagonals_;              // ends; element node -1 - i is the middle of diagonal i
  std::vector<Index> last_nodes_;                            // of the last triangle or quad
  Index last_element_ = 0;                                   // the first element made of it
  std::vector<std::pair<Index, Index>> surface_members_;     // number of a group, element
  std::vector<Name> names_;
  std::vector<Marker> markers_;
  std::vector<Index> turned_;
  Place first_triangle_ = 0;
  std::size_t expected_elements_ = 0;
};

}  // namespace cleave
