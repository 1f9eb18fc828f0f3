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
};

/// The rows of an element's loads.
struct LoadRows {
  Index begin = 0;
  Index end = 0;
};

/// The last step of a loaded facet, of which its next work is made.
template <class Element>
struct LastFacetStep {
  Vec2 displacement[Element::facet_nodes];  ///< of its nodes, m
  Vec2 force[Element::facet_nodes];         ///< on them, N
};

/// The loads on facets of the body.
template <class Element>
struct FacetLoads {
  const Index* first_row;        ///< [element + 1] of its loads; without memory if there are none
  const LoadedFacet* facets;     ///< [row]
  LastFacetStep<Element>* last;  ///< [row]
  double* work;                  ///< [row] until the last step, J

  CLEAVE_HD_INLINE LoadRows rows(Index e) const { return {first_row[e], first_row[e + 1]}; }

  /// Adds the forces of a step to what an element gives to its nodes, and their works since the step before. Few
  /// elements have loads: what they need of their nodes is read again, so that the others keep it in registers.
  /// @param line_pressure  (load) at this step: pressure times thickness, N/m
  /// @param displacement   (slot of a node) of the element, m
  /// @param given          (slot of a node) what the element gives to it, with the sign of internal forces, N
  template <class LinePressure, class Displacement, class Given>
  CLEAVE_HD void add(LoadRows rows, const LinePressure& line_pressure, const Displacement& displacement,
                     const Given& given) const {
    for (Index row = rows.begin; row < rows.end; ++row) {
      const LoadedFacet facet = read_record(facets[row]);
      const Vec2 on_facet = line_pressure(facet.load) * facet.inward;
      LastFacetStep<Element>& at = last[row];
      double step_work = 0;
      for (int i = 0; i < Element::facet_nodes; ++i) {
        // A dead load: the force on the facet is shared out to its nodes as on a straight side.
        const int slot = Element::facet_slot(facet_of(facet.facet), i);
        const Vec2 force = Element::facet_weight(i) * on_facet, mean = Real(0.5) * (at.force[i] + force);
        const Vec2 u = displacement(slot);
        step_work += dot(mean, u - at.displacement[i]);
        given(slot) += Real(-1) * force;
        at.displacement[i] = u;
        at.force[i] = force;
      }
      work[row] += step_work;
    }
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
