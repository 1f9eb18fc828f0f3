#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "model/groups.hpp"
#include "model/nodal_masses.hpp"
#include "model/supports.hpp"

namespace cleave {
namespace {

/// Adds springs of one stiffness on a facet, Pa/m, to its nodes.
template <class Element>
void add_springs(Model& model, const std::vector<double>& mass, Index facet, double stiffness) {
  const Mesh& mesh = model.mesh;
  const auto node = [&](int i) { return mesh.node(element_of(facet), Element::facet_slot(facet_of(facet), i)); };
  const Point a = mesh.nodes[node(0)], b = mesh.nodes[node(Element::facet_nodes - 1)];
  const double length = std::hypot(b.x - a.x, b.y - a.y);
  for (int i = 0; i < Element::facet_nodes; ++i)
    model.support[node(i)] += Element::facet_weight(i) * length * stiffness / mass[node(i)];
}

template <class Element>
void add_entries(Model& model, const Case& c, CaseReport& report) {
  const std::vector<double> mass = nodal_masses<Element>(model);
  for (std::size_t i = 0; i < c.support.size(); ++i) {
    const SupportCase& entry = c.support[i];
    const std::string key = fmt::format("support.{}.on", i);
    const Group* group = find_group(model.mesh, GroupParts::nodes, entry.on, report, entry.line, key);
    if (group == nullptr) continue;
    const bool is_boundary = std::all_of(group->facets.begin(), group->facets.end(),
                                         [&](Index facet) { return model.mesh.neighbours[facet] == boundary_facet; });
    if (group->facets.empty() || !is_boundary)
      report.add(
          entry.line, key,
          fmt::format("springs need facets of the boundary: group \"{}\" has none, or has others inside the body",
                      entry.on));
    else
      for (const Index facet : group->facets) add_springs<Element>(model, mass, facet, entry.stiffness);
  }
}

}  // namespace

void apply_support(Model& model, const Case& c, CaseReport& report) {
  if (c.support.empty()) return;
  model.support.assign(model.mesh.nodes.size(), 0);
  model.mesh.type == ElementType::t3 ? add_entries<T3>(model, c, report) : add_entries<T6>(model, c, report);
}

}  // namespace cleave
