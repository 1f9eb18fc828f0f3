#include "mesh/io/vtk_grid.hpp"

#include <iterator>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "cleave/mesh/topology.hpp"
#include "mesh/groups.hpp"
#include "mesh/io/file_mesh.hpp"

namespace cleave {
namespace {

constexpr std::string_view group_prefix = "group:";
constexpr std::string_view facets_prefix = "facets:";
constexpr std::string_view own_prefix = "vtk";  ///< of arrays by which VTK keeps its books
constexpr const char* lines_group = "lines";
constexpr std::size_t most_values = 100;  ///< arrays with more different values number something else than groups

/// VTK's numbers of the cells that are read.
constexpr std::pair<std::int64_t, Shape> cell_shapes[] = {
    {1, Shape::point},      {3, Shape::line2}, {21, Shape::line3}, {5, Shape::triangle3},
    {22, Shape::triangle6}, {9, Shape::quad4}, {23, Shape::quad8}, {28, Shape::quad9}};

/// Makes a mesh of a grid: points and cells keep their numbers.
class GridMesh {
 public:
  GridMesh(const VtkGrid& grid, const MeshReading& how, InputFile& file)
      : grid_(grid),
        file_(file),
        mesh_(file, {"group of points", "group of lines", "group of cells"}, how),
        used_(grid.points.size() / 3) {}

  Mesh make() {
    for (std::size_t i = 0; i < grid_.points.size(); i += 3)
      mesh_.add_node(static_cast<std::int64_t>(i / 3), {grid_.points[i], grid_.points[i + 1]}, grid_.points[i + 2],
                     no_place);
    read_cell_groups();
    add_cells(true);
    add_cells(false);
    mesh_.add_names(names_);
    Mesh mesh = mesh_.make("write the cells of the surface, too");
    add_point_groups(mesh);
    return mesh;
  }

 private:
  [[noreturn]] void fail(const std::string& message) const { file_.fail_at(no_place, message); }

  void check(const VtkArray& array, std::string_view what) const {
    if (array.components != 1) fail(fmt::format("{0} data '{1}' must hold one integer per {0}", what, array.name));
    const std::size_t needed = what == "point" ? grid_.points.size() / 3 : grid_.types.size();
    if (array.values.size() != needed)
      fail(fmt::format("{} data '{}' has {} values, {} are needed", what, array.name, array.values.size(), needed));
    if (array.name.starts_with(group_prefix) &&
        std::all_of(array.values.begin(), array.values.end(), [](double value) { return value == 0; }))
      fail(fmt::format("{0} data '{1}' is 0 at every {0}: remove the group, or give it some", what, array.name));
  }

  /// The number of the group of that name, from 1 on.
  Index number(const std::string& name) {
    const auto [entry, fresh] = number_of_.try_emplace(name, static_cast<Index>(names_.size()) + 1);
    if (fresh) names_.push_back(name);
    return entry->second;
  }

  /// Finds the groups of the cells. A file with groups by name has other numbers for other ends.
  void read_cell_groups() {
    groups_.resize(grid_.types.size());
    const auto names_groups = [](const VtkArray& array) { return VtkGrid::is_group(array.name); };
    const bool by_name =
        !grid_.point_data.empty() || std::any_of(grid_.cell_data.begin(), grid_.cell_data.end(), names_groups);
    for (const VtkArray& array : grid_.cell_data) by_name ? read_names(array) : read_numbers(array);
    if (by_name || !names_.empty()) return;
    for (std::size_t cell = 0; cell < groups_.size(); ++cell)
      if (grid_.types[cell] == 3 || grid_.types[cell] == 21) groups_[cell].push_back(number(lines_group));
  }

  void read_names(const VtkArray& array) {
    if (!array.name.starts_with(group_prefix)) return;
    check(array, "cell");
    const Index group = number(array.name.substr(group_prefix.size()));
    for (std::size_t cell = 0; cell < groups_.size(); ++cell)
      if (array.values[cell] != 0) groups_[cell].push_back(group);
  }

  void read_numbers(const VtkArray& array) {
    check(array, "cell");
    std::set<double> different;
    for (std::size_t cell = 0; cell < groups_.size() && different.size() <= most_values; ++cell)
      different.insert(array.values[cell]);
    if (different.size() > most_values) return;
    for (std::size_t cell = 0; cell < groups_.size(); ++cell)
      groups_[cell].push_back(number(fmt::format("{}={:.0f}", array.name, array.values[cell])));
  }

  Shape shape_of(std::size_t cell, std::size_t size) const {
    const std::int64_t type = grid_.types[cell];
    const auto* const known = std::find_if(std::begin(cell_shapes), std::end(cell_shapes),
                                           [&](const auto& entry) { return entry.first == type; });
    if (known == std::end(cell_shapes))
      fail(fmt::format(
          "cell {} has VTK type {}: only triangles with 3 nodes (type 5) or 6 nodes (type 22) are simulated", cell,
          type));
    const Shape shape = known->second;
    if (is_quad(shape) && !mesh_.splits_quads())
      fail(fmt::format("cell {} has VTK type {}, a quadrangle: {}", cell, type, how_to_split));
    if (size != static_cast<std::size_t>(nodes_of(shape)))
      fail(fmt::format("cell {} lists {} nodes, its VTK type {} has {}", cell, size, type, nodes_of(shape)));
    return shape;
  }

  bool is_unused(std::int64_t point) const {
    return point >= 0 && static_cast<std::size_t>(point) < used_.size() && !used_[static_cast<std::size_t>(point)];
  }

  /// Adds the triangles and quads, or the lines and points that lie on them.
  void add_cells(bool surfaces) {
    for (std::size_t cell = 0, begin = 0; cell < grid_.types.size(); ++cell) {
      const auto end = static_cast<std::size_t>(grid_.ends[cell]);
      const auto nodes = std::span(grid_.connectivity).subspan(begin, end - begin);
      begin = end;
      const Shape shape = shape_of(cell, nodes.size());
      if ((dimension_of(shape) == 2) != surfaces) continue;
      if (shape == Shape::point && is_unused(nodes[0])) continue;  // such as the centre of an arc
      mesh_.add_element(static_cast<std::int64_t>(cell), shape, nodes, groups_[cell], no_place);
      for (const std::int64_t node : nodes) used_[static_cast<std::size_t>(node)] = true;
    }
  }

  /// Adds groups by point data and by facets of cells, and puts all in the order of the arrays, those of points first.
  void add_point_groups(Mesh& mesh) const {
    std::map<std::string, Group> added;
    std::vector<std::string> order;
    for (const VtkArray& array : grid_.point_data) {
      if (!array.name.starts_with(group_prefix)) continue;
      check(array, "point");
      order.push_back(array.name.substr(group_prefix.size()));
      Group& group = added[order.back()];
      for (Index n = 0; n < mesh.node_count(); ++n) {
        const auto point = static_cast<std::size_t>(mesh.original_nodes[n]);
        if (point < array.values.size() && array.values[point] != 0) group.nodes.push_back(n);
      }
      group.facets = boundary_facets_of(mesh, group.nodes);
    }
    for (const VtkArray& array : grid_.cell_data) {
      if (!array.name.starts_with(facets_prefix)) continue;
      order.push_back(array.name.substr(facets_prefix.size()));
      Group& group = added[order.back()];
      group.facets.clear();
      read_facets(mesh, array, group);
    }
    for (Group& group : mesh.groups) {
      const auto found = added.find(group.name);
      if (found == added.end()) continue;
      group.facets.insert(group.facets.end(), found->second.facets.begin(), found->second.facets.end());
      group.inside.insert(group.inside.end(), found->second.inside.begin(), found->second.inside.end());
      group.nodes.insert(group.nodes.end(), found->second.nodes.begin(), found->second.nodes.end());
      group = make_group(mesh, group.name, group.facets, group.nodes, group.elements, group.inside);
      added.erase(found);
    }
    for (auto& [name, group] : added)
      mesh.groups.push_back(make_group(mesh, name, group.facets, group.nodes, {}, group.inside));
    order.insert(order.end(), names_.begin(), names_.end());
    const auto place = [&](const Group& group) { return std::find(order.begin(), order.end(), group.name); };
    std::sort(mesh.groups.begin(), mesh.groups.end(),
              [&](const Group& a, const Group& b) { return place(a) < place(b); });
  }

  /// Facets as sums of 2^k over the facets of a triangle as the file lists its corners.
  void read_facets(const Mesh& mesh, const VtkArray& array, Group& group) const {
    check(array, "cell");
    const std::vector<Index>& turned = mesh_.turned();
    for (Index e = 0; e < mesh.element_count(); ++e) {
      const auto cell = static_cast<std::size_t>(mesh.original_elements[e]);
      if (cell >= array.values.size()) continue;  // second half of a quad
      const double sum = array.values[cell];
      const bool triangle = grid_.types[cell] == 5 || grid_.types[cell] == 22;
      if (!(sum >= 0 && sum <= (triangle ? 7 : 0)))
        fail(fmt::format(
            "cell data '{}' is {} at cell {}: expected 0 to 7, the sum of 1, 2 and 4 for the facets opposite "
            "the corners of a triangle",
            array.name, sum, cell));
      const bool swaps = std::binary_search(turned.begin(), turned.end(), e);
      for (int k = 0; k < 3; ++k) {
        if ((static_cast<int>(sum) >> k & 1) == 0) continue;
        const Index code = facet_code(e, swaps && k > 0 ? 3 - k : k);
        (is_intact(mesh.neighbours[code]) ? group.inside : group.facets).push_back(code);
      }
    }
  }

  const VtkGrid& grid_;
  InputFile& file_;
  FileMesh mesh_;
  std::vector<bool> used_;                  // [point] whether a triangle or quad, or a line, has it
  std::vector<std::vector<Index>> groups_;  // [cell] numbers of its groups
  std::vector<std::string> names_;          // [number - 1]
  std::map<std::string, Index> number_of_;
};

}  // namespace

bool VtkGrid::is_group(std::string_view array) {
  return array.starts_with(group_prefix) || array.starts_with(facets_prefix);
}

bool VtkGrid::may_number(std::string_view array, std::string_view type, std::uint64_t components) {
  return components == 1 && (type.starts_with("Int") || type.starts_with("UInt")) && !array.starts_with(own_prefix);
}

Mesh mesh_of_grid(const VtkGrid& grid, const MeshReading& how, InputFile& file) {
  return GridMesh(grid, how, file).make();
}

}  // namespace cleave
