/// Elements side by side: how one CPU thread computes the forces of a block of the gather assembly.
#pragma once

#include "body/material_states.hpp"
#include "body/packed_blocks.hpp"
#include "cleave/lockstep/lanes.hpp"
#include "terms/bulk/element_force.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Up to 32 elements in a row: those of one group of interleaved rows (Table), so that what lanes read lies in a row.
template <class Element>
struct ElementLanes {
  static constexpr int most = 32;
  Index first;
  int count;
  Vec2 u[Element::nodes][most];  ///< displacement, m
  Vec2 f[Element::nodes][most];  ///< force, N
  Real stored[most];             ///< energy, J

  /// The elements from `begin` on, at most up to `end`, of one group of rows.
  CLEAVE_HD_INLINE ElementLanes(Index begin, Index end) : first(begin), count(count_from(begin, end)) {}
  CLEAVE_HD_INLINE static int count_from(Index begin, Index end) {
    const Index group_end = begin / most * most + most;
    return static_cast<int>((end < group_end ? end : group_end) - begin);
  }

  /// Fetches the values of the first nodes of the elements.
  template <int nodes>
  CLEAVE_HD_INLINE void fetch(const ElementTable<Element>& elements, const Vec2* nodal,
                              Vec2 (&local)[nodes][most]) const {
    for (int k = 0; k < nodes; ++k) {
      const ElementNode* node = &elements.entry(first, k);
      CLEAVE_UNROLL_LANES
      for (int lane = 0; lane < count; ++lane) local[k][lane] = nodal[node[lane].node];
    }
  }
  /// Fetches the displacements of the elements' nodes.
  CLEAVE_HD_INLINE void fetch(const PackedBlocks<Element>& blocks, const Vec2* displacement) {
    for (int k = 0; k < Element::nodes; ++k) {
      const Index* node = &blocks.node_ids(first, k);
      CLEAVE_UNROLL_LANES
      for (int lane = 0; lane < count; ++lane) u[k][lane] = displacement[node[lane]];
    }
  }
  /// The displacements of an element, number by number: a loop over lanes becomes no vector instructions otherwise.
  CLEAVE_HD_INLINE void copy(int lane, Vec2 (&own)[Element::nodes]) const {
    CLEAVE_UNROLL
    for (int k = 0; k < Element::nodes; ++k) own[k] = {u[k][lane].x, u[k][lane].y};
  }
  template <class Material>
  CLEAVE_HD_INLINE void compute(const Material& material, const GeometryTable& geometry,
                                const MaterialStates<Element, Material>& states, Real dt) {
    const Real *x1 = &geometry.rows(first, 0), *y1 = x1 + most, *x2 = y1 + most, *y2 = x2 + most;
    const Real depth = geometry.depth;
    for_lanes(count, [&](int lane) CLEAVE_LANE {
      Vec2 own[Element::nodes], force[Element::nodes];
      copy(lane, own);
      const ElementGeometry at = element_geometry({{x1[lane], y1[lane]}, {x2[lane], y2[lane]}}, depth);
      const MaterialEnergy energy = element_force(material, at, own, states.of(first + lane), dt, force);
      stored[lane] = energy.stored;
      states.add_dissipated(first + lane, energy.dissipated);
      CLEAVE_UNROLL
      for (int k = 0; k < Element::nodes; ++k) {
        f[k][lane].x = force[k].x;
        f[k][lane].y = force[k].y;
      }
    });
  }
  /// @param inside_out  receives 1 for elements that have turned inside out, 0 for others
  CLEAVE_HD_INLINE void find_inside_out(const GeometryTable& geometry, Real (&inside_out)[most]) const {
    const Real *x1 = &geometry.rows(first, 0), *y1 = x1 + most, *x2 = y1 + most, *y2 = x2 + most;
    const Real depth = geometry.depth;
    for_lanes(count, [&](int lane) CLEAVE_LANE {
      Vec2 own[Element::nodes];
      copy(lane, own);
      const ElementGeometry at = element_geometry({{x1[lane], y1[lane]}, {x2[lane], y2[lane]}}, depth);
      inside_out[lane] = is_inside_out(at, own, Element::gauss_points) ? Real(1) : Real(0);
    });
  }
  /// Writes the forces into slots of the block.
  CLEAVE_HD_INLINE void scatter(const PackedBlocks<Element>& blocks, Vec2* slots) const {
    for (int k = 0; k < Element::nodes; ++k) {
      const std::uint16_t* own = &blocks.slots(first, k);
      CLEAVE_UNROLL_LANES
      for (int lane = 0; lane < count; ++lane) slots[own[lane]] = f[k][lane];
    }
  }
  /// Writes values of the elements' nodes into their slots.
  template <class T>
  CLEAVE_HD_INLINE void scatter(const ElementTable<Element>& elements, const SlotMemory<T>& slots,
                                const T (&given)[Element::nodes][most]) const {
    for (int k = 0; k < Element::nodes; ++k) {
      const ElementNode* node = &elements.entry(first, k);
      CLEAVE_UNROLL_LANES
      for (int lane = 0; lane < count; ++lane) slots[node[lane].slot] = given[k][lane];
    }
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
