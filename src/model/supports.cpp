#include "model/supports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "cleave/material/linear_elastic.hpp"
#include "cleave/mesh/element.hpp"
#include "cleave/mesh/topology.hpp"
#include "model/groups.hpp"

namespace cleave {
namespace {

/// [node] Lumped masses per thickness, kg/m.
template <class Element>
std::vector<double> nodal_masses(const Model& model) {
  const Mesh& mesh = model.mesh;
  std::vector<double> mass(mesh.nodes.size(), 0);
  for (Index e = 0; e < mesh.element_count(); ++e) {
    const double whole = model.materials[model.element_material[e]].parameters.density * twice_area(mesh, e) / 2;
    for (int i = 0; i < Element::nodes; ++i) mass[mesh.node(e, i)] += Element::mass_fraction(i) * whole;
  }
  return mass;
}

/// Calls f(node, part) for the nodes of a facet and the parts of its length that belong to them, m.
template <class Element, class F>
void share_facet(const Mesh& mesh, Index facet, const F& f) {
  const double length = facet_length(mesh, facet);
  for (int i = 0; i < Element::facet_nodes; ++i) f(mesh.facet_node(facet, i), Element::facet_weight(i) * length);
}

template <class Element>
void add_springs(Model& model, const Case& c, CaseReport& report) {
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
      for (const Index facet : group->facets)
        share_facet<Element>(model.mesh, facet, [&](Index node, double part) {
          model.support[node] += part * entry.stiffness / mass[node];
        });
  }
}

template <class Element>
std::vector<PlaneTensor> rates(const Model& model, const std::vector<Index>& facets) {
  const Mesh& mesh = model.mesh;
  const std::vector<double> mass = nodal_masses<Element>(model);
  std::vector<PlaneTensor> rate(mesh.nodes.size());
  for (const Index facet : facets) {
    const auto [a, b] = mesh.end_points(facet);
    const double length = facet_length(mesh, facet), x = (b.x - a.x) / length, y = (b.y - a.y) / length;
    const MaterialCase& properties = model.materials[model.element_material[element_of(facet)]];
    const LinearElastic material = LinearElastic::make(properties.parameters);
    const double across = std::sqrt(material.density * material.d11),
                 along = std::sqrt(material.density * material.d33);
    share_facet<Element>(mesh, facet, [&](Index node, double part) {
      const double share = part / mass[node];
      PlaneTensor& r = rate[node];
      r.xx += share * (across * y * y + along * x * x);
      r.yy += share * (across * x * x + along * y * y);
      r.xy += share * (along - across) * x * y;
    });
  }
  return rate;
}

}  // namespace

void apply_support(Model& model, const Case& c, CaseReport& report) {
  if (c.support.empty()) return;
  model.support.assign(model.mesh.nodes.size(), 0);
  model.mesh.type == ElementType::t3 ? add_springs<T3>(model, c, report) : add_springs<T6>(model, c, report);
}

std::vector<PlaneTensor> damping_rates(const Model& model, std::vector<Index> facets) {
  if (facets.empty()) return {};
  std::sort(facets.begin(), facets.end());
  facets.erase(std::unique(facets.begin(), facets.end()), facets.end());
  return model.mesh.type == ElementType::t3 ? rates<T3>(model, facets) : rates<T6>(model, facets);
}

}  // namespace cleave
