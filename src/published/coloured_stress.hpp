/// Stresses at Gauss points and nodes in the coloured assembly.
#pragma once

#include "body/by_material.hpp"
#include "body/displacement_gradient.hpp"
#include "body/element_table.hpp"
#include "body/live_counts.hpp"
#include "cleave/core/fault.hpp"
#include "cleave/lockstep/kernel.hpp"
#include "cleave/material/material_point.hpp"
#include "fracture/fracture_criterion.hpp"
#include "fracture/nodal_stress_table.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Stress of every bulk element at its Gauss points. Reports an element that has turned inside out, and stresses near
/// the strength.
template <class Element, class Material>
struct GaussStress {
  static constexpr KernelTraits traits{.name = "Gauss-point stress"};
  ElementTable<Element> elements;
  const Vec2* position;      ///< [node], m
  const Vec2* displacement;  ///< [node], m
  ByMaterial<Material> material;
  Table<Real, 3 * Element::gauss_points> stress;  ///< [element][point xx, yy, xy], Pa
  FaultRecord* fault;
  const LiveCounts* live;
  Step later;  ///< than the step that `live` says is present
  NearStrength near{};

  CLEAVE_HD Index size() const { return elements.bulk; }
  CLEAVE_HD void operator()(Index e) const {
    const bool searches = near.is_searched();
    Vec2 x[Element::nodes], u[Element::nodes];
    Sym2 at[Element::gauss_points];
    elements.gather(e, position, x);
    elements.gather(e, displacement, u);
    for (int q = 0; q < Element::gauss_points; ++q) {
      const auto d = displacement_gradient(Element::gradients(x, q), u);
      if (!(d.jacobian() > 0)) fault->report(FaultCode::inverted_element, e, live->step() + later);
      typename Material::State state{};
      at[q] = material.of(e).update(d, state, 0).stress.symmetric();
      stress(e, 3 * q) = at[q].xx;
      stress(e, 3 * q + 1) = at[q].yy;
      stress(e, 3 * q + 2) = at[q].xy;
    }
    if (searches) near.check<Element>(at);
  }
};

/// Extrapolates Gauss-point stresses of listed elements to their nodes and adds them there: two threads a node of the
/// element, each with two of the four columns xx, yy | xy, 1 of the Gauss-point matrix.
template <class Element, class Scatter>
struct NodalStress {
  static constexpr KernelTraits traits{.name = "nodal stress"};
  static constexpr int elements_at_once = 16;
  static constexpr int workers = elements_at_once * Element::dofs;
  struct Shared {
    Real column[elements_at_once][4][Element::gauss_points];
  };
  ElementTable<Element> elements;
  ElementList list;
  Table<const Real, 3 * Element::gauss_points> stress;  ///< [element][point xx, yy, xy], Pa
  NodalStressTable sum;                                 ///< see `rows`
  NodalStressRows rows{};
  DeviceGate gate{};

  CLEAVE_HD Index blocks() const { return (list.count + elements_at_once - 1) / elements_at_once; }

  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    if (!gate.is_open()) return;
    const Index first = worker.block * elements_at_once;
    ForEachIdx each{worker};
    each([&](Idx i) {
      const int member = i / Element::dofs;
      if (first + member >= list.count) return;
      for (int entry = i % Element::dofs; entry < 4 * Element::gauss_points; entry += Element::dofs) {
        const int column = entry % 4, q = entry / 4;
        shared.column[member][column][q] = column == 3 ? Real(1) : stress(list[first + member], 3 * q + column);
      }
    });
    worker.sync();
    each([&](Idx i) {
      const int member = i / Element::dofs, slot = i % Element::dofs / 2, half = i % 2;
      if (first + member >= list.count) return;
      const Index e = list[first + member], row = rows.row(elements.node(e, slot), e);
      for (int column = 2 * half; column < 2 * half + 2; ++column) {
        Real value = 0;
        for (int q = 0; q < Element::gauss_points; ++q)
          value += Element::extrapolation(slot, q) * shared.column[member][column][q];
        Scatter::add(sum(row, column), value);
      }
    });
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
