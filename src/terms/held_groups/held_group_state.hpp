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

  void upload(const Model& model) {
    groups_ = static_cast<Index>(model.held_groups.size());
    if (!any()) return;
    const std::vector<std::vector<Index>> around = corners_of_nodes(model);
    std::vector<HeldEntry> entries;
    std::vector<Index> corners, first_block{0};
    for (const HeldGroup& group : model.held_groups) {
      for (std::size_t i = 0; i < group.nodes.size(); ++i) {
        const std::vector<Index>& own = around[group.nodes[i]];
        entries.push_back(
            {static_cast<Index>(corners.size()), static_cast<Index>(own.size()), Index{group.directions[i]}});
        corners.insert(corners.end(), own.begin(), own.end());
      }
      while (entries.size() % held_entries_per_block != 0) entries.emplace_back();
      first_block.push_back(static_cast<Index>(entries.size() / held_entries_per_block));
    }
    blocks_ = first_block.back();
    entries_.upload(entries);
    corners_.upload(corners);
    first_block_.upload(first_block);
    sums_.resize(blocks_);
  }

  /// Declares the array in which steps with output leave what they know of held nodes.
  void declare(Fields<Backend>& fields) {
    if (any()) held_ = fields.template add<HeldNode>("held nodes", {.on = On::node, .summed = Summed::held});
  }
  /// [node] null without groups
  HeldNode* held() { return held_.data(); }

  /// Adds up what `values` says of the nodes, into a total for each group.
  template <class Values>
  void launch_sums(Backend& backend, const ElementTable<Element>& elements, const Values& values, GroupSums* totals) {
    if (!any()) return;
    backend.launch(
        SumHeldNodes<Element, Values>{elements, blocks_, entries_.data(), corners_.data(), values, sums_.data()});
    backend.launch(SumHeldGroups{groups_, first_block_.data(), sums_.data(), totals});
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
  Buffer<Index> corners_, first_block_;
  Buffer<GroupSums> sums_;
};

}  // namespace cleave::inline CLEAVE_PRECISION
