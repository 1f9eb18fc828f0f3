/// Kinetic and strain energy of the coloured assembly: one row of sums per block, which SumTables adds up.
#pragma once

#include "body/sums.hpp"
#include "published/coloured_stress.hpp"
#include "published/node_update.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// 1/2 v.Mv and dt^2/8 a.Ma of each block of nodes, J.
struct KineticEnergy {
  static constexpr KernelTraits traits{.name = "kinetic energy"};
  static constexpr int workers = nodes_per_block;
  using Sums = QuantityList<Quantity::kinetic_energy, Quantity::kinetic_correction>;
  struct Shared {
    QuantitySum<Sums, workers> sum;
  };
  NodeTable nodes;
  const Index* in_use;  ///< nodes that there are, of nodes.count at most
  Real dt;              ///< s
  SumRows<Sums> sums;

  CLEAVE_HD Index blocks() const { return node_blocks(nodes.count); }

  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    ForEachIdx each{worker};
    const Index count = *in_use;
    each([&](Idx i) {
      const Index n = worker.block * workers + i;
      const bool inside = n < count;
      shared.sum[Quantity::kinetic_energy][i] =
          inside ? 0.5 * nodes.mass[n] * dot(nodes.velocity[n], nodes.velocity[n]) : 0;
      shared.sum[Quantity::kinetic_correction][i] =
          inside ? 0.125 * dt * dt * nodes.mass[n] * dot(nodes.acceleration[n], nodes.acceleration[n]) : 0;
    });
    shared.sum.store(sums, worker);
  }
};

/// Strain energy of each block of bulk elements, J.
template <class Element, class Material>
struct StrainEnergy {
  static constexpr KernelTraits traits{.name = "strain energy"};
  static constexpr int workers = 128;
  using Sums = QuantityList<Quantity::strain_energy>;
  struct Shared {
    QuantitySum<Sums, workers> sum;
  };
  ElementTable<Element> elements;
  const Vec2* position;      ///< [node], m
  const Vec2* displacement;  ///< [node], m
  ByMaterial<Material> material;
  Real thickness;  ///< m
  SumRows<Sums> sums;
  FaultRecord* fault = nullptr;  ///< told of elements that have turned inside out

  CLEAVE_HD Index blocks() const { return (elements.bulk + workers - 1) / workers; }

  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    ForEachIdx each{worker};
    each([&](Idx i) {
      const Index e = worker.block * workers + i;
      double energy = 0;
      if (e < elements.bulk) {
        Vec2 x[Element::nodes], u[Element::nodes];
        elements.gather(e, position, x);
        elements.gather(e, displacement, u);
        for (int q = 0; q < Element::gauss_points; ++q) {
          const auto g = Element::gradients(x, q);
          const auto d = displacement_gradient(g, u);
          if (fault != nullptr && !(d.jacobian() > 0))
            fault->report(FaultCode::inverted_element, e, FaultRecord::unknown_step);
          typename Material::State state{};
          energy += thickness * g.area * material.of(e).update(d, state, 0).stored;
        }
      }
      shared.sum[Quantity::strain_energy][i] = energy;
    });
    shared.sum.store(sums, worker);
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
