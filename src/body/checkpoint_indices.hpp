/// Checks of the indices in a checkpoint's state, which kernels follow without asking. A wrong state under a
/// right checksum, which a program can write but damage does not leave, is refused before anything is launched.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "body/gather_table.hpp"
#include "cleave/core/error.hpp"
#include "cleave/mesh/blocks.hpp"
#include "cleave/mesh/facet.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Throws InputError unless `right`; `what()` gives a text such as "element 3 has node 90 of 50".
template <class What>
void require_of_state(bool right, const What& what) {
  if (!right)
    throw InputError("the state in the checkpoint was written wrongly: " + what() +
                     "; remove it and resume from an older one, or run without --resume");
}

/// Throws InputError unless a value is in [least, most].
inline void require_in(std::int64_t value, std::int64_t least, std::int64_t most, const char* name) {
  require_of_state(value >= least && value <= most, [&] {
    return std::string(name) + " " + std::to_string(value) + " is not from " + std::to_string(least) + " to " +
           std::to_string(most);
  });
}

/// Requires what the element table of a body has: nodes that there are, facets that agree with those behind them.
template <class Element>
class ElementTableCheck {
 public:
  ElementTableCheck(const ElementTable<Element>& table, Index nodes, Index cohesive)
      : table_(table), nodes_(nodes), cohesive_(cohesive) {}

  void operator()() const {
    for (Index e = 0; e < table_.bulk; ++e)
      for (int i = 0; i < Element::nodes; ++i) require_in(table_.node(e, i), 0, nodes_ - 1, "a node of an element");
    for (Index e = 0; e < table_.bulk; ++e)
      for (int k = 0; k < Element::facets; ++k)
        require_of_state(is_right(facet_code(e, k)), [&] {
          return "facet " + std::to_string(k) + " of element " + std::to_string(e) + " has " +
                 std::to_string(table_.neighbour(e, k)) + " behind it, which does not lead back";
        });
    for (Index c = 0; c < cohesive_; ++c)
      for (int side = 0; side < 2; ++side)
        require_of_state(leads_back(c, side), [&] {
          return "cohesive element " + std::to_string(c) + " has facet " +
                 std::to_string(table_.cohesive_facet(c, side)) + ", which does not lead back";
        });
  }

 private:
  bool is_facet(Index code) const { return code >= 0 && element_of(code) < table_.bulk; }
  Index behind(Index facet) const { return table_.neighbour(element_of(facet), facet_of(facet)); }

  bool is_right(Index facet) const {
    const Index code = behind(facet);
    if (code == boundary_facet) return true;
    if (is_cohesive(code))
      return cohesive_of(code) < cohesive_ && table_.cohesive_facet(cohesive_of(code), cohesive_side_of(code)) == facet;
    return is_facet(code) && behind(code) == facet && share_nodes(facet, code);
  }
  bool share_nodes(Index a, Index b) const {
    bool same = true;
    for (int i = 0; i < Element::facet_nodes; ++i)
      same = same && table_.facet_node(element_of(a), facet_of(a), i) ==
                         table_.facet_node(element_of(b), facet_of(b), Element::facet_nodes - 1 - i);
    return same;
  }
  bool leads_back(Index c, int side) const {
    const Index facet = table_.cohesive_facet(c, side);
    return is_facet(facet) && behind(facet) == cohesive_code(c, side);
  }

  const ElementTable<Element>& table_;
  Index nodes_, cohesive_;
};

/// Requires that elements and nodes agree on slots: each slot of a node is that of one element, in the block of that
/// element or in memory. No slot in memory is unused, but for those of the intact mesh and one of each mid-side between
/// two blocks that is cut: the room for slots would not hold those of insertions to come.
template <class Element>
class SlotCheck {
 public:
  /// @param first_copy      node
  /// @param mid_side_slots  slots in memory of mid-sides before facets were cut
  /// @param unused          slots in memory of the intact mesh that no element has
  /// @param first_nodes     [blocks + 1] see BlockTable
  /// @param slots           in memory
  SlotCheck(const ElementTable<Element>& table, const std::vector<NodeAssembly>& assembly, Index first_copy,
            Index mid_side_slots, Index unused, const std::vector<Index>& first_nodes, Index slots)
      : table_(table),
        assembly_(assembly),
        first_copy_(first_copy),
        mid_side_slots_(mid_side_slots),
        unused_(unused),
        first_nodes_(first_nodes),
        in_blocks_((first_nodes.size() - 1) * slots_per_block<Element>, false),
        in_memory_(static_cast<std::size_t>(slots), false),
        mid_sides_(assembly.size(), false),
        found_(assembly.size(), 0) {}

  /// @param ranges  of blocks, one for each material
  void operator()(const std::vector<BlockRange>& ranges) {
    for (const BlockRange& range : ranges)
      for (Index b = range.first_block; b < range.end_block(); ++b)
        for (Index e = range.begin_of(b); e < range.end_of(b); ++e)
          for (int i = 0; i < Element::nodes; ++i) {
            mid_sides_[table_.node(e, i)] = i >= Element::corners;
            require_of_state(takes_slot(b, table_.entry(e, i)), [&] {
              return "element " + std::to_string(e) + " has slot " + std::to_string(table_.slot(e, i).code) +
                     ", which is not its own at node " + std::to_string(table_.node(e, i));
            });
          }
    for (std::size_t n = 0; n < assembly_.size(); ++n)
      require_of_state(
          assembly_[n].slots == found_[n] && found_[n] > 0 && found_[n] <= most_elements_at_node &&
              (assembly_[n].flags & ~(constrained_node | outside_node | mixed_node | pushed_node | process_node)) == 0,
          [&] {
            return "node " + std::to_string(n) + " has " + std::to_string(assembly_[n].slots) + " slots and flags " +
                   std::to_string(assembly_[n].flags) + ", and elements have " + std::to_string(found_[n]) + " of them";
          });
    const Index left = left_by_mid_sides() + unused_;
    require_of_state(taken_in_memory_ + left == static_cast<Index>(in_memory_.size()), [&] {
      return "of " + std::to_string(in_memory_.size()) + " slots " + std::to_string(left) +
             " are to be free, and elements have " + std::to_string(taken_in_memory_);
    });
  }

 private:
  /// Slots in memory that nobody has any more.
  Index left_by_mid_sides() const {
    Index left = mid_side_slots_;
    for (Index n = first_nodes_.back(); n < first_copy_; ++n)
      if (mid_sides_[n]) left -= assembly_[n].slots;
    return left;
  }
  /// Whether the slot is the element's own and nobody has taken it yet.
  bool takes_slot(Index block, const ElementNode& own) {
    const bool interior = own.node < first_nodes_.back();
    Index number = own.slot.position();
    if (own.slot.in_block() != interior) return false;
    if (interior) {
      if (own.node < first_nodes_[block] || own.node >= first_nodes_[block + 1] || number >= slots_per_block<Element>)
        return false;
      number += first_block_slot<Element>(block);
    }
    std::vector<bool>& taken = interior ? in_blocks_ : in_memory_;
    const NodeAssembly& node = assembly_[own.node];
    const std::int64_t place = std::int64_t{number} - node.first_slot;
    if (place < 0 || place >= node.slots || number >= static_cast<Index>(taken.size()) || taken[number]) return false;
    ++found_[own.node];
    taken_in_memory_ += interior ? 0 : 1;
    return taken[number] = true;
  }

  const ElementTable<Element>& table_;
  const std::vector<NodeAssembly>& assembly_;
  Index first_copy_, mid_side_slots_, unused_;
  const std::vector<Index>& first_nodes_;
  std::vector<bool> in_blocks_, in_memory_;  ///< [slot] whether an element has it
  std::vector<bool> mid_sides_;              ///< [node]
  std::vector<std::uint16_t> found_;         ///< [node] slots that elements have
  Index taken_in_memory_ = 0;                ///< slots that elements have
};

}  // namespace cleave::inline CLEAVE_PRECISION
