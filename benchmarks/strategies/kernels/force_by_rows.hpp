/// Internal forces of T6 without matrices, 12 threads an element.
#pragma once

#include "cleave/lockstep/kernel.hpp"
#include "published/internal_force.hpp"
#include "terms/bulk/element_force.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Each thread fetches one displacement, three of them compute a Gauss point each, each adds one force.
template <class Scatter>
struct MatrixFreeByRows {
  static constexpr KernelTraits traits{.name = "forces by rows"};
  static constexpr int elements_per_block = 16;
  static constexpr int workers = elements_per_block * T6::dofs;
  struct Shared {
    Vec2 displacement[elements_per_block][T6::nodes];
    Vec2 traction[elements_per_block][T6::gauss_points][3];  ///< stress applied to grad L_k, k = 0..2
  };
  ElementTable<T6> elements;
  ElementList list;
  GeometryTable geometry;
  LinearElastic material;
  const Vec2* displacement;  ///< [node], m
  Vec2* force;               ///< [node], N

  CLEAVE_HD Index blocks() const { return (list.count + elements_per_block - 1) / elements_per_block; }

  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    const Index first = worker.block * elements_per_block;
    ForEachIdx each{worker};
    auto node = each([&](Idx i) -> Index {
      const Index n = node_of_row(elements, list, first, i);
      if (n >= 0) component(shared.displacement[i / T6::dofs][i % T6::dofs / 2], i) = component(displacement[n], i);
      return n;
    });
    worker.sync();
    each([&](Idx i) {
      const int member = i / T6::dofs, q = i % T6::dofs;
      if (node[i] < 0 || q >= T6::gauss_points) return;
      const Index e = list[first + member];
      const ElementGeometry at = geometry.of(e);
      const auto [d1, d2] = corner_differences(shared.displacement[member], q);
      LinearElastic::State none;
      const Stress stress = material.update(at.gradient(d1, d2), none, 0).stress;
      const Vec2 t1 = at.weight * (stress * at.g1), t2 = at.weight * (stress * at.g2);
      shared.traction[member][q][0] = Real(-1) * (t1 + t2);
      shared.traction[member][q][1] = t1;
      shared.traction[member][q][2] = t2;
    });
    worker.sync();
    each([&](Idx i) {
      if (node[i] < 0) return;
      const int row = i % T6::dofs;
      const Vec2 f = node_force(shared.traction[i / T6::dofs], row / 2);
      Scatter::add(component(force[node[i]], row), component(f, row));
    });
  }

  /// The transpose of corner_differences for one node, see element_force.
  CLEAVE_HD static Vec2 node_force(const Vec2 (&t)[T6::gauss_points][3], int node) {
    constexpr Real third = Real(1) / 3;
    const int k = node % 3, j = (k + 1) % 3;
    if (node < 3) return detail::fused(2, t[k][k], -third * (t[0][k] + t[1][k] + t[2][k]));
    const Vec2 sums = (t[0][k] + t[1][k] + t[2][k]) + (t[0][j] + t[1][j] + t[2][j]);
    return detail::fused(2, t[j][k] + t[k][j], 2 * third * sums);
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
