#include "mesh/io/vtk_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "cleave/core/error.hpp"
#include "cleave/mesh/topology.hpp"
#include "mesh/groups.hpp"
#include "mesh/ids.hpp"
#include "mesh/io/file_mesh.hpp"
#include "mesh/io/formats.hpp"
#include "mesh/io/split_quad.hpp"

namespace cleave {
namespace {

constexpr std::string_view group_prefix = "group:";
constexpr std::string_view facets_prefix = "facets:";

/// A kind of cell that is read.
struct CellKind {
  std::int64_t type;  ///< VTK's number
  std::int64_t nodes;
  ElementType element;
};
constexpr CellKind cell_kinds[] = {{5, 3, ElementType::t3},
                                   {22, 6, ElementType::t6},
                                   {9, 4, ElementType::t3},
                                   {23, 8, ElementType::t6},
                                   {28, 9, ElementType::t6}};
constexpr bool is_quad(const CellKind& kind) { return kind.type != 5 && kind.type != 22; }

/// Returns z of each node, m.
std::vector<double> read_nodes(const VtkGrid& grid, Mesh& mesh, const std::string& source) {
  std::vector<double> z;
  const std::size_t count = grid.points.size() / 3;
  if (count > static_cast<std::size_t>(std::numeric_limits<Index>::max())) {
    throw InputError(fmt::format("{}: it has {} points, at most {} can be numbered", source, count,
                                 std::numeric_limits<Index>::max()));
  }
  mesh.nodes.reserve(count);
  z.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    mesh.nodes.push_back({grid.points[3 * i], grid.points[3 * i + 1]});
    z.push_back(grid.points[3 * i + 2]);
  }
  return z;
}

/// Fills nodes and elements of a mesh from the cells of a grid.
class CellReader {
 public:
  CellReader(const VtkGrid& grid, const MeshReading& how, const std::string& source, Mesh& mesh, std::vector<double>& z)
      : grid_(grid), how_(how), source_(source), mesh_(mesh), z_(z), given_(mesh.node_count()) {}

  /// Returns the cell of each element.
  std::vector<Index> read() {
    const std::size_t count = grid_.types.size();
    mesh_.elements.reserve(grid_.connectivity.size());
    for (std::size_t cell = 0, begin = 0; cell < count; ++cell) {
      const auto end = static_cast<std::size_t>(grid_.ends[cell]);
      read_cell(cell, std::span(grid_.connectivity).subspan(begin, end - begin));
      begin = end;
    }
    return std::move(cell_of_);
  }

 private:
  const CellKind& kind_of(std::size_t cell, std::size_t size) const {
    const std::int64_t type = grid_.types[cell];
    const auto* const kind =
        std::find_if(std::begin(cell_kinds), std::end(cell_kinds), [&](const CellKind& k) { return k.type == type; });
    if (kind == std::end(cell_kinds))
      throw InputError(
          fmt::format("{}: cell {} has VTK type {}: only triangles with 3 nodes (type 5) or 6 nodes (type 22) "
                      "are simulated",
                      source_, cell, type));
    if (is_quad(*kind) && !how_.split_quads)
      throw InputError(fmt::format("{}: cell {} has VTK type {}, a quadrangle: {}", source_, cell, type, how_to_split));
    if (static_cast<std::int64_t>(size) != kind->nodes)
      throw InputError(
          fmt::format("{}: cell {} lists {} nodes, its VTK type {} has {}", source_, cell, size, type, kind->nodes));
    return *kind;
  }

  void read_cell(std::size_t cell, std::span<const std::int64_t> listed) {
    const CellKind& kind = kind_of(cell, listed.size());
    if (cell_of_.empty()) mesh_.type = kind.element;
    if (kind.element != mesh_.type)
      throw InputError(fmt::format("{}: cell {} has {} nodes, but cell {} has {}: use one element order throughout",
                                   source_, cell, listed.size(), cell_of_.front(), nodes_of_cell(cell_of_.front())));
    std::array<Index, 9> nodes{};
    for (std::size_t i = 0; i < listed.size(); ++i) {
      if (listed[i] < 0 || listed[i] >= given_)
        throw InputError(fmt::format("{}: cell {} lists node {}, which does not exist: there are {} nodes, from 0 on",
                                     source_, cell, listed[i], given_));
      nodes[i] = static_cast<Index>(listed[i]);
    }
    if (!is_quad(kind)) return add(cell, std::span(nodes).first(listed.size()));
    const auto corner = [&](int i) { return mesh_.nodes[nodes[i]]; };
    const auto halves = halves_of_quad({corner(0), corner(1), corner(2), corner(3)});
    if (kind.element == ElementType::t6) put_in_the_middle(kind, nodes, nodes[halves[0][0]], nodes[halves[0][2]]);
    for (const std::array<int, 6>& half : halves) {
      std::array<Index, 6> own{};
      for (std::size_t i = 0; i < own.size(); ++i) own[i] = nodes[half[i]];
      add(cell, std::span(own).first(nodes_per_element(mesh_.type)));
    }
  }

  /// The last node of the quad goes to the middle of a and b; a quad without one gets it.
  void put_in_the_middle(const CellKind& kind, std::array<Index, 9>& nodes, Index a, Index b) {
    if (kind.nodes == 8) {
      nodes[8] = mesh_.node_count();
      mesh_.nodes.emplace_back();
      z_.push_back((z_[a] + z_[b]) / 2);
    }
    mesh_.nodes[nodes[8]] = {(mesh_.nodes[a].x + mesh_.nodes[b].x) / 2, (mesh_.nodes[a].y + mesh_.nodes[b].y) / 2};
  }

  void add(std::size_t cell, std::span<const Index> nodes) {
    if (mesh_.element_count() == most_elements)
      throw InputError(
          fmt::format("{}: there are more than {} triangles, which cannot be numbered", source_, most_elements));
    mesh_.elements.insert(mesh_.elements.end(), nodes.begin(), nodes.end());
    cell_of_.push_back(static_cast<Index>(cell));
  }
  std::int64_t nodes_of_cell(Index cell) const { return grid_.ends[cell] - (cell == 0 ? 0 : grid_.ends[cell - 1]); }

  const VtkGrid& grid_;
  const MeshReading& how_;
  const std::string& source_;
  Mesh& mesh_;
  std::vector<double>& z_;
  Index given_;  // number of nodes in the file
  std::vector<Index> cell_of_;
};

using NamedIds = std::vector<std::pair<std::string, std::vector<Index>>>;

void check_one_each(const VtkArray& array, std::string_view what, const std::string& source) {
  if (array.components == 1) return;
  throw InputError(fmt::format("{0}: {1} data '{2}' must hold one integer per {1}", source, what, array.name));
}

/// The ids of the nodes or elements with a value other than 0, by the name of the group.
/// @param what  point or cell
/// @param rows  [id] its point or cell
NamedIds members(const std::vector<VtkArray>& arrays, std::string_view what, const std::vector<Index>& rows,
                 const std::string& source) {
  NamedIds groups;
  for (const VtkArray& array : arrays) {
    if (!array.name.starts_with(group_prefix)) continue;
    check_one_each(array, what, source);
    std::vector<Index> ids;
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (array.values[rows[i]] != 0) ids.push_back(static_cast<Index>(i));
    if (ids.empty()) {
      throw InputError(fmt::format("{0}: {1} data '{2}' is 0 at every {1}: remove the group, or give it some", source,
                                   what, array.name));
    }
    groups.emplace_back(array.name.substr(group_prefix.size()), std::move(ids));
  }
  return groups;
}

/// The facets that cell data say, as sums of 2^k, by the name of the group.
/// @param cells  [element] its cell
NamedIds facets_of_cells(const VtkGrid& grid, const std::vector<Index>& cells, const std::string& source) {
  NamedIds groups;
  for (const VtkArray& array : grid.cell_data) {
    if (!array.name.starts_with(facets_prefix)) continue;
    check_one_each(array, "cell", source);
    std::vector<Index> codes;
    for (std::size_t e = 0; e < cells.size(); ++e) {
      const double sum = array.values[cells[e]];
      const bool triangle = grid.types[cells[e]] == 5 || grid.types[cells[e]] == 22;
      if (!(sum >= 0 && sum <= (triangle ? 7 : 0)))
        throw InputError(
            fmt::format("{}: cell data '{}' is {} at cell {}: expected 0 to 7, the sum of 1, 2 and 4 for "
                        "the facets opposite the corners of a triangle",
                        source, array.name, sum, cells[e]));
      for (int k = 0; k < 3; ++k)
        if ((static_cast<int>(sum) >> k & 1) != 0) codes.push_back(facet_code(static_cast<Index>(e), k));
    }
    groups.emplace_back(array.name.substr(facets_prefix.size()), std::move(codes));
  }
  return groups;
}

/// Takes the ids of that name out of the list.
std::optional<std::vector<Index>> take(NamedIds& list, const std::string& name) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const auto& entry) { return entry.first == name; });
  if (found == list.end()) return {};
  std::vector<Index> ids = std::move(found->second);
  list.erase(found);
  return ids;
}

/// @param cells   [element] its cell
/// @param turned  triangles whose facets 1 and 2 have changed places, ascending
void read_groups(const VtkGrid& grid, Mesh& mesh, const std::vector<Index>& cells, const std::vector<Index>& turned,
                 const std::string& source) {
  NamedIds elements_of = members(grid.cell_data, "cell", cells, source);
  NamedIds facets_of = facets_of_cells(grid, cells, source);
  for (auto& [name, codes] : facets_of)
    for (Index& code : codes)
      if (facet_of(code) != 0 && std::binary_search(turned.begin(), turned.end(), element_of(code)))
        code = facet_code(element_of(code), 3 - facet_of(code));
  const auto add = [&](const std::string& name, const std::vector<Index>& codes, std::vector<Index> nodes) {
    std::vector<Index> facets, inside;
    for (const Index code : codes) (is_intact(mesh.neighbours[code]) ? inside : facets).push_back(code);
    mesh.groups.push_back(make_group(mesh, name, std::move(facets), std::move(nodes),
                                     take(elements_of, name).value_or(std::vector<Index>()), std::move(inside)));
  };
  for (auto& [name, nodes] : members(grid.point_data, "point", all_ids(grid.points.size() / 3), source)) {
    auto codes = take(facets_of, name);
    if (!codes) codes = boundary_facets_of(mesh, nodes);
    add(name, *codes, std::move(nodes));
  }
  for (const auto& [name, codes] : facets_of) add(name, codes, {});
  while (!elements_of.empty()) add(std::string(elements_of.front().first), {}, {});
}

}  // namespace

bool VtkGrid::is_group(std::string_view array) {
  return array.starts_with(group_prefix) || array.starts_with(facets_prefix);
}

Mesh mesh_of_grid(const VtkGrid& grid, const MeshReading& how, const std::string& source) {
  Mesh mesh;
  std::vector<double> z = read_nodes(grid, mesh, source);
  const std::vector<Index> cells = CellReader(grid, how, source, mesh, z).read();
  number_as_they_lie(mesh);
  const std::vector<Index> turned = finish_mesh(mesh, z, how, source);
  read_groups(grid, mesh, cells, turned, source);
  return mesh;
}

}  // namespace cleave
