/// Lumped masses of nodes.
#pragma once

#include <vector>

#include "cleave/mesh/element.hpp"
#include "cleave/mesh/topology.hpp"
#include "cleave/solver/model.hpp"

namespace cleave {

/// [node] per thickness, kg/m.
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

}  // namespace cleave
