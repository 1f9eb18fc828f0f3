/// Slots of a body whose nodes have split. A checkpoint has none, as they follow from the element table and the intact
/// mesh.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "body/checkpoint_indices.hpp"
#include "body/incidence.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Lays out slots node by node of the body before, which is intact or has some of the cracks. The elements of a node
/// lie as they follow each other around it, and each sector is a run of them, which has one node now. A sector begins
/// where it did when its node split (StarSectors), so sums keep their order. It keeps slots of the node before, except
/// that a sector that has left an interior node gets new ones in memory.
template <class Element>
class SlotsOfSectors {
 public:
  /// @param table     slots are written there
  /// @param assembly  [node] slots are written there; flags stay
  /// @param slots     in memory, of the body before; counted on
  SlotsOfSectors(const ElementTable<Element>& table, std::vector<NodeAssembly>& assembly, Index& slots)
      : table_(table), assembly_(assembly), slots_(slots) {}

  /// Throws InputError where elements around a node have nodes that no cuts explain.
  /// @param before     [node] slots in the body before
  /// @param incidence  of that body, in the host's memory
  void operator()(const std::vector<NodeAssembly>& before, const IncidenceTable<Element>& incidence) {
    const auto first_copy = static_cast<Index>(before.size());
    for (NodeAssembly& own : assembly_) own.set_range({});
    for (Index n = 0; n < first_copy; ++n) {
      require_one_node_each(first_copy, n, before[n].slots, incidence.entries_of(n) + before[n].first_slot);
      lay_out(n, before[n], incidence);
    }
    for (std::size_t n = 0; n < assembly_.size(); ++n)
      require_of_state(assembly_[n].slots > 0 || (n < before.size() && before[n].slots == 0),
                       [&] { return "node " + std::to_string(n) + " has no elements"; });
  }

 private:
  Index node_at(Index entry) const { return table_.node(element_of_entry(entry), node_of_entry(entry)); }

  /// Elements around a node have that node or one of its copies, and no copy is one of two nodes.
  void require_one_node_each(Index first_copy, Index n, int count, const Index* star) const {
    bool has_itself = count == 0;
    for (int j = 0; j < count; ++j) {
      const Index now = node_at(star[j]);
      has_itself = has_itself || now == n;
      require_of_state(now == n || (now >= first_copy && assembly_[now].slots == 0), [&] {
        return "element " + std::to_string(element_of_entry(star[j])) + " has node " + std::to_string(now) +
               ", which is none of node " + std::to_string(n) + "'s";
      });
    }
    require_of_state(has_itself, [&] { return "no element has node " + std::to_string(n) + " any more"; });
  }
  void lay_out(Index n, const NodeAssembly& before, const IncidenceTable<Element>& incidence) {
    const Index* const star = incidence.entries_of(n) + before.first_slot;
    const int count = before.slots;
    int start = 0;  // position of the first element of a sector
    while (start < count && count > 1 && node_at(star[start]) == node_at(star[(start + count - 1) % count])) ++start;
    if (start == count || node_at(star[0]) != node_at(star[count - 1])) start = 0;
    Index here = before.first_slot;  // next slot of the node before
    for (int place = 0; place < count;) {
      const Index now = node_at(star[(start + place) % count]);
      int end = place;
      while (end < count && node_at(star[(start + end) % count]) == now) ++end;
      require_of_state(assembly_[now].slots == 0, [&] {
        return "node " + std::to_string(now) + " has elements in two sectors around node " + std::to_string(n);
      });
      const bool leaves_block = incidence.is_interior(n) && now != n;
      Index& first = leaves_block ? slots_ : here;
      assembly_[now].set_range({first, first + end - place});
      for (; place < end; ++place, ++first) {
        const Index entry = star[(start + place) % count];
        table_.slot(element_of_entry(entry), node_of_entry(entry)) =
            leaves_block ? Slot::of_interface(first) : incidence.slot_of(n, first);
      }
    }
  }

  const ElementTable<Element>& table_;
  std::vector<NodeAssembly>& assembly_;
  Index& slots_;
};

}  // namespace cleave::inline CLEAVE_PRECISION
