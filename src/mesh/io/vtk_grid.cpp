#include "mesh/io/vtk_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "cleave/core/error.hpp"
#include "cleave/mesh/topology.hpp"
#include "mesh/groups.hpp"
#include "mesh/io/formats.hpp"
#include "mesh/io/line_facets.hpp"
#include "mesh/io/vtk_cells.hpp"

namespace cleave {
namespace {

constexpr std::string_view group_prefix = "group:";
constexpr std::string_view facets_prefix = "facets:";
constexpr std::string_view own_prefix = "vtk";  ///< of arrays by which VTK keeps its books
constexpr const char* lines_group = "lines";
constexpr std::size_t most_values = 100;  ///< arrays with more different values number something else than groups

/// Makes the groups of a connected mesh from the data and lines of its grid.
class GridGroups {
 public:
  /// @param turned  triangles whose facets 1 and 2 have changed places, ascending
  GridGroups(const VtkGrid& grid, VtkCells& cells, const std::vector<Index>& turned, const std::string& source)
      : grid_(grid), cells_(cells), mesh_(cells.mesh), turned_(turned), source_(source) {}

  void make() {
    find_lines();
    for (const VtkArray& array : grid_.point_data) read_points(array);
    for (const VtkArray& array : grid_.cell_data)
      if (array.name.starts_with(facets_prefix)) read_facets(array);
    for (const VtkArray& array : grid_.cell_data)
      if (array.name.starts_with(group_prefix)) read_cells(array);
    // A file with groups by name has other numbers for other ends.
    if (order_.empty()) read_numbers();
    for (const std::string& name : order_) {
      Parts& p = parts_[name];
      mesh_.groups.push_back(
          make_group(mesh_, name, std::move(p.facets), std::move(p.nodes), std::move(p.elements), std::move(p.inside)));
    }
  }

 private:
  struct Parts {
    std::vector<Index> facets, nodes, elements, inside;
  };

  Parts& parts(const std::string& name) {
    const auto [entry, fresh] = parts_.try_emplace(name);
    if (fresh) order_.push_back(name);
    return entry->second;
  }

  [[noreturn]] void fail(const std::string& message) const { throw InputError(source_ + ": " + message); }

  void check(const VtkArray& array, std::string_view what) const {
    if (array.components != 1) fail(fmt::format("{0} data '{1}' must hold one integer per {0}", what, array.name));
    if (std::all_of(array.values.begin(), array.values.end(), [](double value) { return value == 0; }) &&
        array.name.starts_with(group_prefix))
      fail(fmt::format("{0} data '{1}' is 0 at every {0}: remove the group, or give it some", what, array.name));
  }

  /// Nodes of a group, with the boundary facets between them unless another array says the facets.
  void read_points(const VtkArray& array) {
    if (!array.name.starts_with(group_prefix)) return;
    check(array, "point");
    const std::string name = array.name.substr(group_prefix.size());
    Parts& p = parts(name);
    for (Index n = 0; n < cells_.from_points; ++n)
      if (array.values[mesh_.original_nodes[n]] != 0) p.nodes.push_back(n);
    const std::string by_facets = std::string(facets_prefix) + name;
    if (std::none_of(grid_.cell_data.begin(), grid_.cell_data.end(),
                     [&](const VtkArray& other) { return other.name == by_facets; }))
      p.facets = boundary_facets_of(mesh_, p.nodes);
  }

  /// Facets as sums of 2^k.
  void read_facets(const VtkArray& array) {
    check(array, "cell");
    Parts& p = parts(array.name.substr(facets_prefix.size()));
    for (Index e = 0; e < mesh_.element_count(); ++e) {
      const Index cell = cells_.cell_of[e];
      const double sum = array.values[cell];
      const bool triangle = grid_.types[cell] == 5 || grid_.types[cell] == 22;
      if (!(sum >= 0 && sum <= (triangle ? 7 : 0)))
        fail(fmt::format(
            "cell data '{}' is {} at cell {}: expected 0 to 7, the sum of 1, 2 and 4 for the facets opposite "
            "the corners of a triangle",
            array.name, sum, cell));
      const bool turned = std::binary_search(turned_.begin(), turned_.end(), e);
      for (int k = 0; k < 3; ++k)
        if ((static_cast<int>(sum) >> k & 1) != 0) add_facet(p, facet_code(e, turned && k > 0 ? 3 - k : k));
    }
  }

  void read_cells(const VtkArray& array) {
    check(array, "cell");
    Parts& p = parts(array.name.substr(group_prefix.size()));
    for (Index e = 0; e < mesh_.element_count(); ++e)
      if (array.values[cells_.cell_of[e]] != 0) p.elements.push_back(e);
    for (std::size_t m = 0; m < cells_.marks.size(); ++m)
      if (array.values[cells_.marks[m].cell] != 0) add_mark(p, m);
  }

  /// Cells with the same number in an array are a group; lines without numbers are one, too.
  void read_numbers() {
    for (const VtkArray& array : grid_.cell_data) {
      std::set<double> different;
      for (std::size_t c = 0; c < array.values.size() && different.size() <= most_values; ++c)
        different.insert(array.values[c]);
      if (different.size() > most_values) continue;
      const auto group = [&](Index cell) -> Parts& {
        return parts(fmt::format("{}={:.0f}", array.name, array.values[cell]));
      };
      for (std::size_t m = 0; m < cells_.marks.size(); ++m) add_mark(group(cells_.marks[m].cell), m);
      for (Index e = 0; e < mesh_.element_count(); ++e) group(cells_.cell_of[e]).elements.push_back(e);
    }
    if (!order_.empty()) return;
    for (std::size_t m = 0; m < cells_.marks.size(); ++m)
      if (cells_.marks[m].node_count > 1) add_mark(parts(lines_group), m);
  }

  void find_lines() {
    std::vector<std::pair<Index, Index>> ends;
    for (const VtkMark& mark : cells_.marks) {
      const bool known = mark.node_count > 1 && mark.nodes[0] >= 0 && mark.nodes[1] >= 0;
      ends.push_back(known ? std::pair(mark.nodes[0], mark.nodes[1]) : std::pair(Index{0}, Index{0}));
    }
    facet_of_mark_ = facets_between(mesh_, ends);
  }

  void add_mark(Parts& p, std::size_t m) {
    const VtkMark& mark = cells_.marks[m];
    if (mark.node_count == 1) return p.nodes.push_back(mark.nodes[0]);
    if (!facet_of_mark_[m])
      fail(fmt::format("cell {}, a line, is no side of a triangle: write the file without it", mark.cell));
    const Index code = *facet_of_mark_[m];
    const int count = nodes_per_facet(mesh_.type);
    if (mark.node_count != count ||
        (count == 3 && mark.nodes[2] != mesh_.node(element_of(code), facet_node_slot(mesh_.type, facet_of(code), 1))))
      fail(fmt::format(
          "cell {}, a line with {} nodes, has not the nodes of the side of a triangle where it lies: use one "
          "element order throughout",
          mark.cell, mark.node_count));
    add_facet(p, code);
  }

  void add_facet(Parts& p, Index code) const {
    (is_intact(mesh_.neighbours[code]) ? p.inside : p.facets).push_back(code);
  }

  const VtkGrid& grid_;
  VtkCells& cells_;
  Mesh& mesh_;
  const std::vector<Index>& turned_;
  const std::string& source_;
  std::vector<std::optional<Index>> facet_of_mark_;
  std::map<std::string, Parts> parts_;
  std::vector<std::string> order_;
};

}  // namespace

bool VtkGrid::is_group(std::string_view array) {
  return array.starts_with(group_prefix) || array.starts_with(facets_prefix);
}

bool VtkGrid::may_number(std::string_view array, std::string_view type, std::uint64_t components) {
  return components == 1 && (type.starts_with("Int") || type.starts_with("UInt")) && !array.starts_with(own_prefix);
}

Mesh mesh_of_grid(const VtkGrid& grid, const MeshReading& how, const std::string& source) {
  VtkCells cells = cells_of_grid(grid, how, source);
  const std::vector<Index> turned = finish_mesh(cells.mesh, cells.z, how, source);
  GridGroups(grid, cells, turned, source).make();
  return std::move(cells.mesh);
}

}  // namespace cleave
