/// The groups that are held or driven, in solver memory, and the sums over them.
#pragma once

#include <algorithm>
#include <vector>

#include "body/fields.hpp"
#include "cleave/solver/model.hpp"
#include "terms/held_groups/held_groups.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Element>
class HeldGroupState {
 public:
  bool any() const { return groups_ > 0; }
  int groups() const { return groups_; }

  /// @param is_own  (node of the intact mesh): whether this rank adds it up
  template <class IsOwn>
  void upload(const Model& model, const IsOwn& is_own) {
    groups_ = static_cast<Index>(model.held_groups.size());
    if (!any()) return;
    const std::vector<std::vector<Index>> around = corners_of_nodes(model);
    std::vector<HeldEntry> entries;
    std::vector<Index> corners, group_of_block;
    for (Index g = 0; g < groups_; ++g) {
      const HeldGroup& group = model.held_groups[g];
      for (std::size_t i = 0; i < group.nodes.size(); ++i) {
        if (!is_own(group.nodes[i])) continue;
        const std::vector<Index>& own = around[group.nodes[i]];
        entries.push_back(
            {static_cast<Index>(corners.size()), static_cast<Index>(own.size()), Index{group.directions[i]}});
        corners.insert(corners.end(), own.begin(), own.end());
      }
      while (entries.size() % held_entries_per_block != 0) entries.emplace_back();
      group_of_block.resize(entries.size() / held_entries_per_block, g);
    }
    blocks_ = static_cast<Index>(group_of_block.size());
    entries_.upload(entries);
    corners_.upload(corners);
    group_of_block_.upload(group_of_block);
  }

  /// Declares the array in which steps with output leave what they know of held nodes.
  void declare(Fields<Backend>& fields) {
    if (any()) held_ = fields.template add<HeldNode>("held nodes", {.on = On::node});
  }
  /// [node] null without groups
  HeldNode* held() { return held_.data(); }

  /// Adds what `values` says of the nodes to the sums of their groups.
  /// @param sums  [group][GroupSums::count]
  template <class Values>
  void launch_sums(Backend& backend, const ElementTable<Element>& elements, const Values& values, FixedSum* sums) {
    if (blocks_ == 0) return;
    backend.launch(SumHeldNodes<Element, Values>{.elements = elements,
                                                 .count = blocks_,
                                                 .group_of_block = group_of_block_.data(),
                                                 .entries = entries_.data(),
                                                 .corners = corners_.data(),
                                                 .values = values,
                                                 .sums = sums});
  }

 private:
  /// Corners of the nodes of all groups: [node] element * Element::nodes + place in it, by element.
  static std::vector<std::vector<Index>> corners_of_nodes(const Model& model) {
    std::vector<char> held(model.mesh.node_count(), 0);
    for (const HeldGroup& group : model.held_groups)
      for (const Index n : group.nodes) held[n] = 1;
    std::vector<std::vector<Index>> corners(model.mesh.node_count());
    for (std::size_t i = 0; i < model.mesh.elements.size(); ++i)
      if (held[model.mesh.elements[i]]) corners[model.mesh.elements[i]].push_back(static_cast<Index>(i));
    return corners;
  }

  template <class T>
  using Buffer = typename Backend::template Buffer<T>;
  Index groups_ = 0, blocks_ = 0;
  Field<Backend, HeldNode> held_;
  Buffer<HeldEntry> entries_;
  Buffer<Index> corners_, group_of_block_;
};

}  // namespace cleave::inline CLEAVE_PRECISION
