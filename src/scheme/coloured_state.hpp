/// The arrays of the coloured solver in solver memory.
#pragma once

#include <vector>

#include "kernels/stiffness.hpp"
#include "scheme/state.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// What the coloured solver has besides the body.
template <class Backend, class Element>
struct ColouredState {
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  Buffer<Real> mass;                   ///< [node], kg
  Buffer<double> work;                 ///< WorkLedger
  Buffer<Real> stiffness;              ///< StiffnessTable
  Buffer<int> colour;                  ///< [element]
  Buffer<Index> cohesive_owners;       ///< elements that touch cohesive elements, grouped by colour
  Buffer<Index> stored_owner_offsets;  ///< their ranges, in solver memory ...
  std::vector<Index> owner_offsets;    ///< ... and on the host
  Buffer<Vec2> last_opening;           ///< [cohesive][q], m
  Buffer<Index> origin, used, rank;    ///< scratch of an insertion pass, by copy slot
  Buffer<double> kinetic_sums, strain_sums;

  /// The facets of a load in groups that share no node.
  struct LoadGroups {
    Buffer<Index> facets;  ///< facet codes
    std::vector<Index> offsets;
  };
  std::vector<LoadGroups> loads;

  static std::size_t ledger_extent(Index nodes) { return WorkLedger::extent(node_blocks(nodes)); }
  /// Room for that many nodes.
  void reserve_nodes(Backend& backend, Index room) {
    mass.resize(room);
    grow_filled(backend, work, ledger_extent(room), 0.0);
  }
  void reserve_copies(Index slots) {
    for (auto* b : {&origin, &used, &rank}) b->resize(slots);
  }
  ElementList owners_of_colour(int c) {
    return {cohesive_owners.data() + owner_offsets[c], owner_offsets[c + 1] - owner_offsets[c]};
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
