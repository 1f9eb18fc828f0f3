/// Kernels of the study of nodal strains, which the published pipeline computes in each check beside the stresses.
#pragma once

#include "cleave/lockstep/kernel.hpp"
#include "cleave/material/linear_elastic.hpp"
#include "published/coloured_stress.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// [element][Gauss point xx, yy, xy]
template <class Element>
using GaussTable = Table<Real, 3 * Element::gauss_points>;

/// Strains of elements at their Gauss points, tensor components; with `stress`, the stresses too.
template <class Element>
struct GaussStrain {
  static constexpr KernelTraits traits{.name = "Gauss-point strain"};
  ElementTable<Element> elements;
  const Vec2* position;      ///< [node], m
  const Vec2* displacement;  ///< [node], m
  LinearElastic material;
  GaussTable<Element> strain;
  GaussTable<Element> stress{};  ///< Pa; null: not wanted

  CLEAVE_HD Index size() const { return elements.bulk; }
  CLEAVE_HD void operator()(Index e) const {
    Vec2 x[Element::nodes], u[Element::nodes];
    elements.gather(e, position, x);
    elements.gather(e, displacement, u);
    for (int q = 0; q < Element::gauss_points; ++q) {
      const Gradient d = displacement_gradient(Element::gradients(x, q), u);
      store(strain, e, q, {d.xx, d.yy, Real(0.5) * d.shear()});
      if (stress.data == nullptr) continue;
      LinearElastic::State none{};
      store(stress, e, q, material.update(d, none, 0).stress.symmetric());
    }
  }
  CLEAVE_HD static void store(GaussTable<Element> table, Index e, int q, Sym2 value) {
    table(e, 3 * q) = value.xx;
    table(e, 3 * q + 1) = value.yy;
    table(e, 3 * q + 2) = value.xy;
  }
};

/// Nodal stresses and strains at once, as published: 12 threads a T6, two a node. One of them adds up xx and yy of
/// both, the other xy of both and the number of elements.
template <class Element, class Scatter>
struct NodalStressAndStrain {
  static constexpr KernelTraits traits{.name = "nodal stress and strain"};
  static constexpr int elements_at_once = 16;
  static constexpr int workers = elements_at_once * Element::dofs;
  static constexpr int values = 6 * Element::gauss_points;  ///< of an element
  struct Shared {
    Real column[elements_at_once][6][Element::gauss_points];  ///< stress xx, yy, xy, strain xx, yy, xy
  };
  ElementTable<Element> elements;
  ElementList list;
  GaussTable<Element> stress, strain;       ///< Pa; tensor components
  NodalStressTable stress_sum, strain_sum;  ///< [node]; elements are counted in the first

  CLEAVE_HD Index blocks() const { return (list.count + elements_at_once - 1) / elements_at_once; }

  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    const Index first = worker.block * elements_at_once;
    ForEachIdx each{worker};
    each([&](Idx i) {
      const int member = i / Element::dofs;
      if (first + member >= list.count) return;
      const Index e = list[first + member];
      for (int entry = i % Element::dofs; entry < values; entry += Element::dofs) {
        const int column = entry % 6, q = entry / 6;
        shared.column[member][column][q] = column < 3 ? stress(e, 3 * q + column) : strain(e, 3 * q + column - 3);
      }
    });
    worker.sync();
    each([&](Idx i) {
      const int member = i / Element::dofs, slot = i % Element::dofs / 2, half = i % 2;
      if (first + member >= list.count) return;
      const Index node = elements.node(list[first + member], slot);
      const auto add = [&](NodalStressTable sum, int component, const Real(&of_points)[Element::gauss_points]) {
        Real value = 0;
        for (int q = 0; q < Element::gauss_points; ++q) value += Element::extrapolation(slot, q) * of_points[q];
        Scatter::add(sum(node, component), value);
      };
      for (int component = 2 * half; component < 2 + half; ++component) {
        add(stress_sum, component, shared.column[member][component]);
        add(strain_sum, component, shared.column[member][3 + component]);
      }
      if (half == 1) Scatter::add(stress_sum(node, 3), Real(1));
    });
  }
};

/// What is known of a node: its strain and its stress over d11 of the material, both of about one size.
struct StressAndStrain {
  Sym2 strain, stress;
};

/// Means over the elements of a node.
struct MeanOfBoth {
  static constexpr KernelTraits traits{.name = "means of stress and strain"};
  Index count;
  NodalStressTable stress, strain;  ///< [node] sums, Pa and 1; elements are counted in the first
  Real d11;                         ///< Pa
  StressAndStrain* means;           ///< [node]

  CLEAVE_HD Index size() const { return count; }
  CLEAVE_HD void operator()(Index n) const {
    const Real elements = stress(n, 3), of_stress = elements * d11;
    means[n].strain = {strain(n, 0) / elements, strain(n, 1) / elements, strain(n, 2) / elements};
    means[n].stress = {stress(n, 0) / of_stress, stress(n, 1) / of_stress, stress(n, 2) / of_stress};
  }
};

/// The same from stresses alone, by the inverse law: of one linear elastic material only.
struct StrainOfStress {
  static constexpr KernelTraits traits{.name = "strain from stress"};
  Index count;
  NodalStressTable stress;  ///< [node] sums, Pa
  LinearElastic material;
  StressAndStrain* means;  ///< [node]

  CLEAVE_HD Index size() const { return count; }
  CLEAVE_HD void operator()(Index n) const {
    const Sym2 s = mean_stress(stress, n);
    const Real d11 = material.d11, d12 = material.d12, determinant = (d11 - d12) * (d11 + d12);
    means[n].strain = {(d11 * s.xx - d12 * s.yy) / determinant, (d11 * s.yy - d12 * s.xx) / determinant,
                       s.xy / (2 * material.d33)};
    means[n].stress = {s.xx / d11, s.yy / d11, s.xy / d11};
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
