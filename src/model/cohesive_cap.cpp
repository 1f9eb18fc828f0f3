#include "model/cohesive_cap.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cleave/mesh/element.hpp"

namespace cleave {
namespace {

/// The smallest m* / (f^2 / g) of all interior facets, kg/m^2: the mass of an element at a facet node over the node's
/// share of the facet, and the factors f of its strength and g of its energy, by which the stiffness of its law grows.
/// Both elements and all nodes of a facet count (see StartCohesive).
template <class Element>
double lightest_facet_mass(const Model& model) {
  const Mesh& mesh = model.mesh;
  double share = std::numeric_limits<double>::infinity();
  for (int i = 0; i < Element::facet_nodes; ++i)
    share = std::min(share, Element::mass_fraction(Element::facet_slot(0, i)) / Element::facet_weight(i));
  double lightest = std::numeric_limits<double>::infinity();
  for (Index e = 0; e < mesh.element_count(); ++e) {
    const Point a = mesh.nodes[mesh.node(e, 0)], b = mesh.nodes[mesh.node(e, 1)], c = mesh.nodes[mesh.node(e, 2)];
    const double area = ((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)) / 2;
    const double mass = model.materials[model.element_material[e]].parameters.density * area;  // per thickness
    for (int k = 0; k < 3; ++k) {
      if (mesh.neighbour(e, k) == boundary_facet) continue;
      const Point p = mesh.nodes[mesh.node(e, (k + 1) % 3)], q = mesh.nodes[mesh.node(e, (k + 2) % 3)];
      const double strength = model.strength_scale.empty() ? 1 : model.strength_scale[facet_code(e, k)];
      if (strength == unbreakable) continue;
      const double energy = model.energy_scale.empty() ? 1 : model.energy_scale[facet_code(e, k)];
      lightest = std::min(lightest, share * mass / std::hypot(q.x - p.x, q.y - p.y) / (strength * strength / energy));
    }
  }
  return lightest;
}

}  // namespace

double least_cap_ratio(const Model& model) {
  const double mass =
      model.mesh.type == ElementType::t3 ? lightest_facet_mass<T3>(model) : lightest_facet_mass<T6>(model);
  const double cap = 2 * stiffness_safety(model) * mass / (model.step * model.step);
  double ratio = std::numeric_limits<double>::infinity();
  for (const CohesiveMode& mode : {model.cohesive->parameters.normal, model.cohesive->parameters.tangential})
    ratio = std::min(ratio, cap * mode.shape * mode.energy / (mode.strength * mode.strength));
  return ratio;
}

}  // namespace cleave
