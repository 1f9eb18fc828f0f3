#include "model/materials.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "cleave/mesh/numbering.hpp"
#include "cleave/mesh/topology.hpp"
#include "model/groups.hpp"

namespace cleave {
namespace {

constexpr Index none = -1;

void require_all(const Case& c, const Mesh& mesh, const std::vector<Index>& entry, CaseReport& report) {
  const auto missing = std::count(entry.begin(), entry.end(), none);
  if (missing == 0) return;
  Index first = none;  // in input numbering
  for (Index e = 0; e < mesh.element_count(); ++e)
    if (entry[e] == none && (first == none || mesh.original_elements[e] < mesh.original_elements[first])) first = e;
  const Point at = centroid(mesh, first);
  report.add(
      c.line_of_material, "material",
      fmt::format("element {} at ({:g}, {:g}) has no material{}: name its group, or begin the list with a material "
                  "without `on`, which holds for all triangles",
                  mesh.original_elements[first], at.x, at.y,
                  missing > 1 ? fmt::format(", nor have {} others", missing - 1) : ""));
}

/// [entry] The first entry with the same values: both are one material.
std::vector<Index> same_values(const std::vector<MaterialEntry>& entries) {
  std::vector<Index> same(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto first = std::find_if(entries.begin(), entries.end(), [&](const MaterialEntry& entry) {
      return entry.properties == entries[i].properties;
    });
    same[i] = static_cast<Index>(first - entries.begin());
  }
  return same;
}

/// [entry] Smallest key of its elements; the largest Index for an entry without elements.
std::vector<Index> smallest_keys(const std::vector<Index>& entry, std::size_t entries, const std::vector<Index>& key) {
  std::vector<Index> smallest(entries, std::numeric_limits<Index>::max());
  for (std::size_t e = 0; e < entry.size(); ++e) smallest[entry[e]] = std::min(smallest[entry[e]], key[e]);
  return smallest;
}

}  // namespace

std::vector<Index> material_entries(const Case& c, const Mesh& mesh, CaseReport& report) {
  std::vector<Index> entry(mesh.element_count(), none);
  for (std::size_t i = 0; i < c.material.size(); ++i) {
    const auto index = static_cast<Index>(i);
    if (c.material[i].on.empty()) {
      entry.assign(entry.size(), index);
      continue;
    }
    const Group* group = find_group(mesh, GroupParts::triangles, c.material[i].on, report, c.material[i].line,
                                    fmt::format("material.{}.on", i));
    if (group)
      for (const Index e : group->elements) entry[e] = index;
  }
  return entry;
}

bool assign_materials(Model& model, const Case& c, CaseReport& report) {
  std::vector<Index> entry = material_entries(c, model.mesh, report);
  if (report.empty()) require_all(c, model.mesh, entry, report);
  if (!report.empty()) return false;

  const std::vector<Index> same = same_values(c.material);
  for (Index& i : entry) i = same[i];
  std::vector<Index> order(entry.size());
  std::iota(order.begin(), order.end(), 0);
  const std::vector<Index> first = smallest_keys(
      entry, c.material.size(), c.mesh.numbering != Numbering::as_given ? order : model.mesh.original_elements);
  const auto earlier = [&](Index a, Index b) { return first[entry[a]] < first[entry[b]]; };
  if (!std::is_sorted(order.begin(), order.end(), earlier)) {
    std::stable_sort(order.begin(), order.end(), earlier);
    std::vector<Index> nodes(model.mesh.nodes.size());
    std::iota(nodes.begin(), nodes.end(), 0);
    renumber(model.mesh, nodes, order);
  }

  model.element_material.reserve(order.size());
  for (std::size_t e = 0; e < order.size(); ++e) {
    const Index i = entry[order[e]];
    if (e == 0 || i != entry[order[e - 1]]) {
      model.materials.push_back(c.material[i].properties);
      model.material_ranges.push_back(static_cast<Index>(e));
    }
    model.element_material.push_back(static_cast<Index>(model.materials.size()) - 1);
  }
  model.material_ranges.push_back(static_cast<Index>(order.size()));
  return true;
}

}  // namespace cleave
