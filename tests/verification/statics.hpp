/// Static displacements, with the stiffness from the program's gradients and material and the solution from Eigen.
#pragma once

#include <Eigen/SparseCholesky>
#include <vector>

#include "cleave/material/linear_elastic.hpp"
#include "cleave/mesh/element.hpp"
#include "support.hpp"

namespace cleave::verification {

/// Entries of the stiffness matrix of unit thickness; x and y of node n are 2n and 2n + 1.
template <class Element>
std::vector<Eigen::Triplet<double>> stiffness(const Mesh& mesh, const LinearElastic& material) {
  std::vector<Eigen::Triplet<double>> entries;
  for (Index e = 0; e < mesh.element_count(); ++e) {
    Vec2 x[Element::nodes];
    for (int i = 0; i < Element::nodes; ++i) x[i] = {mesh.nodes[mesh.node(e, i)].x, mesh.nodes[mesh.node(e, i)].y};
    for (int q = 0; q < Element::gauss_points; ++q) {
      const auto g = Element::gradients(x, q);
      for (int j = 0; j < Element::nodes; ++j)
        for (int b = 0; b < 2; ++b) {
          const Gradient unit = b == 0 ? Gradient{g.x[j], g.y[j], 0, 0} : Gradient{0, 0, g.x[j], g.y[j]};
          LinearElastic::State none;
          const Stress stress = material.update(unit, none, 0).stress;
          for (int i = 0; i < Element::nodes; ++i) {
            const Vec2 force = stress * Vec2{g.x[i], g.y[i]};
            const Index row = 2 * mesh.node(e, i), column = 2 * mesh.node(e, j) + b;
            entries.emplace_back(row, column, g.area * force.x);
            entries.emplace_back(row + 1, column, g.area * force.y);
          }
        }
    }
  }
  return entries;
}

/// Equilibrium under nodal forces (per unit thickness; empty: none). Directions that the model prescribes keep its
/// displacement.
inline std::vector<Point> equilibrium(const Model& m, const std::vector<Point>& forces = {}) {
  const LinearElastic material = LinearElastic::make(m.materials.front().parameters);
  const Index dofs = 2 * m.mesh.node_count();
  auto entries = m.mesh.type == ElementType::t3 ? stiffness<T3>(m.mesh, material) : stiffness<T6>(m.mesh, material);
  Eigen::VectorXd load = Eigen::VectorXd::Zero(dofs), held = Eigen::VectorXd::Zero(dofs);
  const auto prescribed = [&](Index dof) { return (dof % 2 == 0 ? m.motion_x : m.motion_y)[dof / 2] != 0; };
  for (Index i = 0; i < dofs; ++i) {
    const Point u = m.displacement[i / 2];
    if (prescribed(i)) held[i] = i % 2 == 0 ? u.x : u.y;
    if (!forces.empty()) load[i] = i % 2 == 0 ? forces[i / 2].x : forces[i / 2].y;
  }
  for (const auto& t : entries) load[t.row()] -= t.value() * held[t.col()];
  std::erase_if(entries, [&](const auto& t) { return prescribed(t.row()) || prescribed(t.col()); });
  for (Index i = 0; i < dofs; ++i)
    if (prescribed(i)) {
      entries.emplace_back(i, i, 1);
      load[i] = held[i];
    }
  Eigen::SparseMatrix<double> k(dofs, dofs);
  k.setFromTriplets(entries.begin(), entries.end());
  const Eigen::VectorXd u = Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>>(k).solve(load);
  std::vector<Point> nodal;
  for (Index n = 0; n < m.mesh.node_count(); ++n) nodal.push_back({u[2 * n], u[2 * n + 1]});
  return nodal;
}

}  // namespace cleave::verification
