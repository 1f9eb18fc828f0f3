#include <algorithm>
#include <cmath>
#include <limits>

#include "cleave/mesh/element.hpp"
#include "cleave/mesh/topology.hpp"
#include "model/strength.hpp"

namespace cleave {
namespace {

/// The smallest mass of an element at a facet node over the node's share of the facet.
template <class Element>
double lightest_share() {
  double share = std::numeric_limits<double>::infinity();
  for (int i = 0; i < Element::facet_nodes; ++i)
    share = std::min(share, Element::mass_fraction(Element::facet_slot(0, i)) / Element::facet_weight(i));
  return share;
}

/// Calls f(element, facet, code of the other side, kc, length) for each interior facet that may break, with its
/// stiffness cap in Pa/m; the lighter element determines the cap (see StartCohesive).
template <class F>
void for_each_cap(const Model& model, const F& f) {
  const Mesh& mesh = model.mesh;
  const double share = mesh.type == ElementType::t3 ? lightest_share<T3>() : lightest_share<T6>();
  const double factor = 2 * stiffness_safety(model) / (model.step * model.step);
  const auto mass_of = [&](Index e) {  // per thickness
    const Point a = mesh.nodes[mesh.node(e, 0)], b = mesh.nodes[mesh.node(e, 1)], c = mesh.nodes[mesh.node(e, 2)];
    const double area = ((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)) / 2;
    return model.materials[model.element_material[e]].parameters.density * area;
  };
  for (Index e = 0; e < mesh.element_count(); ++e)
    for (int k = 0; k < 3; ++k) {
      const Index other = mesh.neighbour(e, k), code = facet_code(e, k);
      if (other == boundary_facet || element_of(other) < e) continue;
      if (!model.strength_scale.empty() && model.strength_scale[code] == unbreakable) continue;
      const double length = facet_length(mesh, code), mass = std::min(mass_of(e), mass_of(element_of(other)));
      f(e, k, other, factor * (share * mass / length), length);
    }
}

}  // namespace

double least_cap(const Model& model) {
  double cap = std::numeric_limits<double>::infinity();
  for_each_cap(model, [&](Index e, int k, Index /*other*/, double of_facet, double /*length*/) {
    // A facet with factors f of strength and g of energy has a law that is stiffer by f^2 / g.
    const double strength = model.strength_scale.empty() ? 1 : model.strength_scale[facet_code(e, k)];
    const double energy = model.energy_scale.empty() ? 1 : model.energy_scale[facet_code(e, k)];
    cap = std::min(cap, of_facet / (strength * strength / energy));
  });
  return cap;
}

double least_cap_ratio(const Model& model) {
  const double cap = least_cap(model);
  double ratio = std::numeric_limits<double>::infinity();
  for (const CohesiveMode& mode : {model.cohesive->parameters.normal, model.cohesive->parameters.tangential})
    ratio = std::min(ratio, cap * mode.shape * mode.energy / (mode.strength * mode.strength));
  return ratio;
}

ContactStiffness contact_stiffness(const Model& model) {
  const auto modulus = [&](Index e) { return model.materials[model.element_material[e]].parameters.young_modulus; };
  double least = std::numeric_limits<double>::infinity(), largest = 0;
  for_each_cap(model, [&](Index e, int k, Index other, double cap, double length) {
    if (!may_break(model, e, k)) return;
    const double softer = std::min(modulus(e), modulus(element_of(other)));
    const double stiffness = std::min(model.cohesive->contact_penalty, cap * length / softer);
    least = std::min(least, stiffness);
    largest = std::max(largest, stiffness);
  });
  return largest > 0 ? ContactStiffness{least, largest} : ContactStiffness{};
}

}  // namespace cleave
