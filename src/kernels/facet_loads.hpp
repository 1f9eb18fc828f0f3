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

  /// Adds the forces of a step to those of an element's nodes, and their works since the step before.
  /// @param line_pressure  of a load at this step: pressure times thickness, N/m
  /// @param u  displacements of the element's nodes, m
  /// @param f  its nodal forces with the sign of internal ones, N
  template <class LinePressure>
  CLEAVE_HD void add(LoadRows rows, const LinePressure& line_pressure, const Vec2 (&u)[Element::nodes],
                     Vec2 (&f)[Element::nodes]) const {
    for (Index row = rows.begin; row < rows.end; ++row) {
      const LoadedFacet facet = read_record(facets[row]);
      const Real pressure = line_pressure(facet.load);
      CLEAVE_UNROLL
      for (int k = 0; k < 3; ++k)  // known to the compiler, so that u and f stay in registers
        if (facet_of(facet.facet) == k) push(row, k, pressure * facet.inward, u, f);
    }
  }

  /// A dead load: the force on the facet is shared out to its nodes as on a straight side.
  CLEAVE_HD_INLINE void push(Index row, int k, Vec2 on_facet, const Vec2 (&u)[Element::nodes],
                             Vec2 (&f)[Element::nodes]) const {
    LastFacetStep<Element>& at = last[row];
    double step_work = 0;
    for (int i = 0; i < Element::facet_nodes; ++i) {
      const int slot = Element::facet_slot(k, i);
      const Vec2 force = Element::facet_weight(i) * on_facet, mean = Real(0.5) * (at.force[i] + force);
      step_work += dot(mean, u[slot] - at.displacement[i]);
      f[slot] += Real(-1) * force;
      at.displacement[i] = u[slot];
      at.force[i] = force;
    }
    work[row] += step_work;
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
