/// The arrays of the coloured solver in solver memory.
#pragma once

#include <vector>

#include "cleave/mesh/colouring.hpp"
#include "kernels/energies.hpp"
#include "kernels/stiffness.hpp"
#include "scheme/state.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// What the coloured solver has besides the body.
template <class Backend, class Element>
struct ColouredState {
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  Buffer<Real> mass;                 ///< [node], kg
  Buffer<double> work;               ///< WorkLedger
  Buffer<Real> stiffness;            ///< StiffnessTable
  Buffer<int> colour;                ///< [element]
  Buffer<Index> cohesive_owners;     ///< elements that touch cohesive elements, grouped by colour
  Buffer<Index> owner_offsets;       ///< [colours + 1] their ranges
  Buffer<Index> insertion_offsets;   ///< [colours + 1] ranges of the elements with facets that break
  Buffer<Index> sweep;               ///< element ids in the order in which all are visited, see list_sweep
  std::vector<Index> sweep_offsets;  ///< ranges whose elements share no node
  Buffer<Vec2> last_opening;         ///< [cohesive][q], m
  Buffer<Index> origin, used, rank;  ///< scratch of an insertion pass, by copy slot
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
    kinetic_sums.resize(SumRows<KineticEnergy::Sums>::extent(node_blocks(room)));
  }
  void reserve_copies(Index slots) {
    for (auto* b : {&origin, &used, &rank}) b->resize(slots + 1);  // one more, for how many are used
  }
  /// @param most  owners there can be
  ColourOfList owners_of_colour(int c, Index most) { return {cohesive_owners.data(), owner_offsets.data(), c, most}; }

  /// Elements are visited in runs along their numbering, each colour by colour, so that what a run reads of its nodes
  /// stays in the cache of a GPU until the last colour. A small mesh is one run.
  static constexpr Index elements_of_run = 1 << 17;
  void list_sweep(const Colouring& colouring) {
    const auto elements = static_cast<Index>(colouring.colour.size());
    std::vector<Index> order;
    order.reserve(elements);
    sweep_offsets = {0};
    std::vector<Index> next(colouring.offsets.begin(), colouring.offsets.end() - 1);  // of each colour, in its order
    for (Index end = elements_of_run; static_cast<Index>(order.size()) < elements; end += elements_of_run)
      for (int c = 0; c < colouring.count; ++c) {
        while (next[c] < colouring.offsets[c + 1] && colouring.order[next[c]] < end)
          order.push_back(colouring.order[next[c]++]);
        sweep_offsets.push_back(static_cast<Index>(order.size()));
      }
    sweep.upload(order);
  }
  int sweep_parts() const { return static_cast<int>(sweep_offsets.size()) - 1; }
  ElementList sweep_part(int p) { return {sweep.data() + sweep_offsets[p], sweep_offsets[p + 1] - sweep_offsets[p]}; }
};

}  // namespace cleave::inline CLEAVE_PRECISION
