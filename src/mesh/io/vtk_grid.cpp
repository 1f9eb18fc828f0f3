#include "mesh/io/vtk_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "cleave/core/error.hpp"
#include "cleave/mesh/topology.hpp"
#include "mesh/groups.hpp"
#include "mesh/ids.hpp"
#include "mesh/io/formats.hpp"

namespace cleave {
namespace {

constexpr std::string_view group_prefix = "group:";
constexpr std::string_view facets_prefix = "facets:";

// Numbers of VTK's kinds of cells.
constexpr std::int64_t vtk_triangle = 5, vtk_quadrangle = 9, vtk_triangle6 = 22, vtk_quadrangle8 = 23;

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

void read_elements(const VtkGrid& grid, Mesh& mesh, const std::string& source) {
  const std::size_t count = grid.types.size();
  if (count == 0) return;
  if (count > static_cast<std::size_t>(most_elements)) {
    throw InputError(fmt::format("{}: it has {} cells, at most {} can be numbered", source, count, most_elements));
  }
  mesh.type = grid.types[0] == vtk_triangle ? ElementType::t3 : ElementType::t6;
  const std::int64_t per_element = nodes_per_element(mesh.type);
  mesh.elements.reserve(grid.connectivity.size());
  std::int64_t begin = 0;
  for (std::size_t e = 0; e < count; ++e) {
    const std::int64_t type = grid.types[e], size = grid.ends[e] - begin;
    if (type != vtk_triangle && type != vtk_triangle6) {
      throw InputError(
          fmt::format("{}: cell {} has VTK type {}{}: only triangles with 3 nodes (type 5) or 6 nodes (type 22) are "
                      "simulated",
                      source, e, type, type == vtk_quadrangle || type == vtk_quadrangle8 ? ", a quadrangle" : ""));
    }
    const std::int64_t expected = type == vtk_triangle ? 3 : 6;
    if (size != expected) {
      throw InputError(
          fmt::format("{}: cell {} lists {} nodes, its VTK type {} has {}", source, e, size, type, expected));
    }
    if (size != per_element) {
      throw InputError(fmt::format("{}: cell {} has {} nodes, but cell 0 has {}: use one kind of triangle throughout",
                                   source, e, size, per_element));
    }
    for (; begin < grid.ends[e]; ++begin) {
      const std::int64_t node = grid.connectivity[static_cast<std::size_t>(begin)];
      if (node < 0 || node >= mesh.node_count()) {
        throw InputError(fmt::format("{}: cell {} lists node {}, which does not exist: there are {} nodes, from 0 on",
                                     source, e, node, mesh.node_count()));
      }
      mesh.elements.push_back(static_cast<Index>(node));
    }
  }
}

using NamedIds = std::vector<std::pair<std::string, std::vector<Index>>>;

void check_one_each(const VtkArray& array, std::string_view what, const std::string& source) {
  if (array.components == 1) return;
  throw InputError(fmt::format("{0}: {1} data '{2}' must hold one integer per {1}", source, what, array.name));
}

/// The ids of the points or cells (`what`) with a value other than 0, by the name of the group.
NamedIds members(const std::vector<VtkArray>& arrays, std::string_view what, const std::string& source) {
  NamedIds groups;
  for (const VtkArray& array : arrays) {
    if (!array.name.starts_with(group_prefix)) continue;
    check_one_each(array, what, source);
    std::vector<Index> ids;
    for (std::size_t i = 0; i < array.values.size(); ++i) {
      if (array.values[i] != 0) ids.push_back(static_cast<Index>(i));
    }
    if (ids.empty()) {
      throw InputError(fmt::format("{0}: {1} data '{2}' is 0 at every {1}: remove the group, or give it some", source,
                                   what, array.name));
    }
    groups.emplace_back(array.name.substr(group_prefix.size()), std::move(ids));
  }
  return groups;
}

/// The facets that cell data say, as sums of 2^k, by the name of the group.
NamedIds facets_of_cells(const std::vector<VtkArray>& arrays, const std::string& source) {
  NamedIds groups;
  for (const VtkArray& array : arrays) {
    if (!array.name.starts_with(facets_prefix)) continue;
    check_one_each(array, "cell", source);
    std::vector<Index> codes;
    for (std::size_t e = 0; e < array.values.size(); ++e) {
      const double sum = array.values[e];
      if (!(sum >= 0 && sum <= 7))
        throw InputError(
            fmt::format("{}: cell data '{}' is {} at cell {}: expected 0 to 7, the sum of 1, 2 and 4 for "
                        "the facets opposite its corners",
                        source, array.name, sum, e));
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

/// @param turned  triangles whose facets 1 and 2 have changed places, ascending
void read_groups(const VtkGrid& grid, Mesh& mesh, const std::vector<Index>& turned, const std::string& source) {
  NamedIds elements_of = members(grid.cell_data, "cell", source);
  NamedIds facets_of = facets_of_cells(grid.cell_data, source);
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
  for (auto& [name, nodes] : members(grid.point_data, "point", source)) {
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
  const std::vector<double> z = read_nodes(grid, mesh, source);
  read_elements(grid, mesh, source);
  number_as_they_lie(mesh);
  const std::vector<Index> turned = finish_mesh(mesh, z, how, source);
  read_groups(grid, mesh, turned, source);
  return mesh;
}

}  // namespace cleave
