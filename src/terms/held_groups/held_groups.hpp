/// Sums over groups of nodes that are held or driven: reactions and displacements.
///
/// The nodes of a group are known at the start. Later they may have split: the copies of one are the nodes that its
/// elements have now. Each counts once, in the order of elements; nodes of the start are added up in fixed point.
#pragma once

#include "body/element_table.hpp"
#include "body/sums.hpp"
#include "cleave/core/quantities.hpp"
#include "cleave/lockstep/kernel.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// A node of a group at the start.
struct HeldEntry {
  Index first = 0;      ///< of its corners of elements
  Index corners = 0;    ///< none: fills up a block
  Index direction = 0;  ///< HeldGroup::Direction: those that the group prescribes
};

/// Reaction and displacement of a node that is held or driven, at output.
struct HeldNode {
  Vec2 reaction;      ///< N
  Vec2 displacement;  ///< m
};

/// Held nodes as a step with output stores them.
struct StoredHeldNodes {
  const HeldNode* nodes;  ///< [node]
  CLEAVE_HD HeldNode operator()(Index n) const { return nodes[n]; }
};

inline constexpr int held_entries_per_block = 128;

/// A block of entries of one group.
/// @tparam Values  returns the HeldNode of a node
template <class Element, class Values>
struct SumHeldNodes {
  static constexpr KernelTraits traits{.name = "held nodes"};
  static constexpr int workers = held_entries_per_block;
  struct Shared {
    double value[GroupSums::count][workers];
    FixedBlockSum<workers> sum;
  };
  ElementTable<Element> elements;
  Index count;                  ///< blocks
  const Index* group_of_block;  ///< [block]
  const HeldEntry* entries;     ///< [block][worker]
  const Index* corners;         ///< element * Element::nodes + place in it
  Values values;
  FixedSum* sums;  ///< [group][GroupSums::count]

  CLEAVE_HD Index blocks() const { return count; }

  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    ForEachIdx each{worker};
    each([&](Idx i) {
      const HeldEntry entry = entries[static_cast<std::size_t>(worker.block) * workers + i];
      double sum[GroupSums::count] = {};
      for (Index j = 0; j < entry.corners; ++j)
        if (is_first(entry.first, j)) add(sum, entry, values(node_at(entry.first + j)));
      for (int q = 0; q < GroupSums::count; ++q) shared.value[q][i] = sum[q];
    });
    FixedSum* const of_group = sums + GroupSums::count * group_of_block[worker.block];
    shared.sum.add(
        GroupSums::count, workers, [&](int q, int i) { return shared.value[q][i]; },
        [&](int q) -> FixedSum& { return of_group[q]; }, worker);
  }

 private:
  CLEAVE_HD Index node_at(Index corner) const {
    return elements.node(corners[corner] / Element::nodes, corners[corner] % Element::nodes);
  }
  /// Whether no corner before has the same node.
  CLEAVE_HD bool is_first(Index first, Index j) const {
    for (Index before = 0; before < j; ++before)
      if (node_at(first + before) == node_at(first + j)) return false;
    return true;
  }
  CLEAVE_HD static void add(double (&sum)[GroupSums::count], const HeldEntry& entry, const HeldNode& node) {
    if (entry.direction & 1) sum[0] += node.reaction.x;
    if (entry.direction & 2) sum[1] += node.reaction.y;
    sum[2] += node.displacement.x;
    sum[3] += node.displacement.y;
    sum[4] += 1;
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
