/// Loads on facets in the gather assembly: the element of a loaded facet adds the load to its forces on its nodes,
/// as it does for the sides of cohesive elements. A facet keeps its code for ever, so nothing changes when its nodes
/// split.
#pragma once

#include "body/element_table.hpp"
#include "cleave/core/table.hpp"
#include "terms/bulk/element_force.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// A load on a facet: a row of the table of loaded facets, which is sorted by facet. A facet with several loads has
/// several rows.
struct alignas(16) LoadedFacet {
  Vec2 inward{};    ///< normal into the body times length, of the reference geometry, m
  Index facet = 0;  ///< facet code
  Index load = 0;
  Index more = 0;     ///< 1: the next row is of the same element
  Index follows = 0;  ///< 1: it pushes along the normal of the facet as it lies now
};

/// Present over reference thickness of an element, less 1: at its Gauss points, and in between the linear field of
/// these values. It differs from 0 with finite strains in plane stress (Response::thickness_ratio).
template <class Element>
struct ThicknessChange {
  Real at_point[Element::gauss_points] = {};

  CLEAVE_HD Real at_node(int k) const {
    Real change = 0;
    for (int q = 0; q < Element::gauss_points; ++q) change += Element::extrapolation(k, q) * at_point[q];
    return change;
  }
};
/// @param displacement  (slot of a node) of the element, m
/// @param states        of its Gauss points: at(q)
/// @param dt            from the step that the states belong to, s
template <class Element, class Material, class Displacement, class States>
CLEAVE_HD_SELDOM ThicknessChange<Element> thickness_change(const Material& material, const AreaGradients& gradients,
                                                           const Displacement& displacement, const States& states,
                                                           Real dt) {
  Vec2 u[Element::nodes];
  for (int k = 0; k < Element::nodes; ++k) u[k] = displacement(k);
  ThicknessChange<Element> change;
  for (int q = 0; q < Element::gauss_points; ++q) {
    const auto [d1, d2] = corner_differences(u, q);
    auto state = states.at(q);  // a copy
    change.at_point[q] = material.update(gradients.gradient(d1, d2), state, dt).thickness_ratio - 1;
  }
  return change;
}

/// Force on node i of a facet that a pressure follows, over pressure times reference thickness: the integral of N_i
/// times the inward normal, which is dx/dr turned, times the ratio of the thicknesses, m.
/// @param inward  see LoadedFacet
/// @param u       displacements of its nodes, m
/// @param change  ThicknessChange at its nodes
template <class Element>
CLEAVE_HD Vec2 following(Vec2 inward, const Vec2 (&u)[Element::facet_nodes], const Real (&change)[Element::facet_nodes],
                         int i) {
  Vec2 sum{};
  for (int q = 0; q < FacetGauss::points; ++q) {
    const Real r = FacetGauss::point(q);
    Vec2 moved{};
    Real thickness_ratio = 1;
    for (int j = 0; j < Element::facet_nodes; ++j) {
      moved += Element::facet_derivative(j, r) * u[j];
      thickness_ratio += Element::facet_shape(j, r) * change[j];
    }
    sum += FacetGauss::weight(q) * Element::facet_shape(i, r) * thickness_ratio *
           (Real(0.5) * inward + Vec2{-moved.y, moved.x});
  }
  return sum;
}

/// The last step of a loaded facet, from which its next work follows.
template <class Element>
struct LastFacetStep {
  Vec2 displacement[Element::facet_nodes];  ///< of its nodes, m
  Vec2 force[Element::facet_nodes];         ///< on them, N
};

/// The loads on facets of the body.
template <class Element>
struct FacetLoads {
  const Index* first_row;          ///< [element] of its loads, if it has any; without memory if there are none at all
  const LoadedFacet* facets;       ///< [row]
  LastFacetStep<Element>* last;    ///< [row]
  double* work;                    ///< [row] until the last step, J
  bool thickness_changes = false;  ///< finite strains in plane stress

  /// Adds the loads of a step to the forces of an element on its nodes, and their works since the step before. Few
  /// elements have loads: values of their nodes are read again, so that the others keep theirs in registers.
  /// @param row            the first of the element
  /// @param line_pressure  (load) at this step: pressure times thickness, N/m
  /// @param displacement   (slot of a node) of the element, m
  /// @param thickness      () ThicknessChange of the element
  /// @tparam may_follow    facets may have loads that follow them: finite kinematics
  /// @param give           (slot of a node, N) adds to the force of the element on it, with the sign of internal forces
  template <bool may_follow, class LinePressure, class Displacement, class Thickness, class Give>
  CLEAVE_HD_SELDOM void add(Index row, const LinePressure& line_pressure, const Displacement& displacement,
                            const Thickness& thickness, const Give& give) const {
    for (bool more = true; more; ++row) {
      // All reads before the first write, and the pressure before it is known of which load: most cases have one.
      const Real first_pressure = line_pressure(0);
      const LoadedFacet facet = read_record(facets[row]);
      const LastFacetStep<Element> before = read_record(last[row]);
      const double work_before = work[row];
      const Real pressure = facet.load == 0 ? first_pressure : line_pressure(facet.load);
      const Vec2 on_facet = pressure * facet.inward;
      more = facet.more != 0;
      LastFacetStep<Element> now;
      double step_work = 0;
      Real change[Element::facet_nodes] = {};
      if constexpr (may_follow)
        if (facet.follows && thickness_changes && pressure != 0) {
          const ThicknessChange<Element> of_element = thickness();
          for (int i = 0; i < Element::facet_nodes; ++i)
            change[i] = of_element.at_node(Element::facet_slot(facet_of(facet.facet), i));
        }
      for (int i = 0; i < Element::facet_nodes; ++i)
        now.displacement[i] = displacement(Element::facet_slot(facet_of(facet.facet), i));
      for (int i = 0; i < Element::facet_nodes; ++i) {
        // A dead load: the force on the facet is shared out to its nodes as on a straight side.
        now.force[i] = Element::facet_weight(i) * on_facet;
        if constexpr (may_follow)
          if (facet.follows) now.force[i] = pressure * following<Element>(facet.inward, now.displacement, change, i);
        step_work += dot(Real(0.5) * (before.force[i] + now.force[i]), now.displacement[i] - before.displacement[i]);
      }
      for (int i = 0; i < Element::facet_nodes; ++i)
        give(Element::facet_slot(facet_of(facet.facet), i), Real(-1) * now.force[i]);
      write_record(last[row], now);
      work[row] = work_before + step_work;
    }
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
