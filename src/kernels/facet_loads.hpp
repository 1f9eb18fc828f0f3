/// Loads on facets in the gather assembly: the element of a loaded facet adds the load's force to what it gives to its
/// nodes, as it does for the sides of cohesive elements. A facet keeps its code for ever, so nothing changes when its
/// nodes split.
#pragma once

#include "cleave/core/record.hpp"
#include "kernels/element_table.hpp"

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

/// Force on node i of a facet that a pressure follows, over pressure times thickness: the integral of N_i times the
/// inward normal, which is dx/dr turned, m.
/// @param inward  see LoadedFacet
/// @param u       displacements of its nodes, m
template <class Element>
CLEAVE_HD Vec2 following(Vec2 inward, const Vec2 (&u)[Element::facet_nodes], int i) {
  Vec2 sum{};
  for (int q = 0; q < FacetGauss::points; ++q) {
    const Real r = FacetGauss::point(q);
    Vec2 moved{};
    for (int j = 0; j < Element::facet_nodes; ++j) moved += Element::facet_derivative(j, r) * u[j];
    sum += FacetGauss::weight(q) * Element::facet_shape(i, r) * (Real(0.5) * inward + Vec2{-moved.y, moved.x});
  }
  return sum;
}

/// The last step of a loaded facet, of which its next work is made.
template <class Element>
struct LastFacetStep {
  Vec2 displacement[Element::facet_nodes];  ///< of its nodes, m
  Vec2 force[Element::facet_nodes];         ///< on them, N
};

/// The loads on facets of the body.
template <class Element>
struct FacetLoads {
  const Index* first_row;        ///< [element] of its loads, if it has any; without memory if there are none at all
  const LoadedFacet* facets;     ///< [row]
  LastFacetStep<Element>* last;  ///< [row]
  double* work;                  ///< [row] until the last step, J

  /// Adds the forces of a step to what an element gives to its nodes, and their works since the step before. Few
  /// elements have loads: what they need of their nodes is read again, so that the others keep it in registers.
  /// @param row            the first of the element
  /// @param line_pressure  (load) at this step: pressure times thickness, N/m
  /// @param displacement   (slot of a node) of the element, m
  /// @tparam may_follow    facets may have loads that follow them: finite kinematics
  /// @param give           (slot of a node, N) adds to what the element gives to it, with the sign of internal forces
  template <bool may_follow, class LinePressure, class Displacement, class Give>
  CLEAVE_HD_SELDOM void add(Index row, const LinePressure& line_pressure, const Displacement& displacement,
                     const Give& give) const {
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
      for (int i = 0; i < Element::facet_nodes; ++i)
        now.displacement[i] = displacement(Element::facet_slot(facet_of(facet.facet), i));
      for (int i = 0; i < Element::facet_nodes; ++i) {
        // A dead load: the force on the facet is shared out to its nodes as on a straight side.
        now.force[i] = Element::facet_weight(i) * on_facet;
        if constexpr (may_follow)
          if (facet.follows) now.force[i] = pressure * following<Element>(facet.inward, now.displacement, i);
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
