/// Arrays of several steps in one launch (resident_steps.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cleave/mesh/blocks.hpp"
#include "step/resident_steps.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Element>
class ResidentState {
 public:
  bool active() const { return steps_done_.size() > 0; }

  /// Lists the nodes and neighbours of each block of an intact body; stays inactive if a block has too many nodes.
  /// @param slots  in memory, of the intact body
  void list(const Mesh& mesh, const std::vector<BlockRange>& ranges, Index slots) {
    const std::vector<Index> first_node = first_nodes_of_blocks(mesh, ranges);
    const Borders borders = borders_of(mesh, ranges, first_node);
    if (borders.most_nodes > ResidentSteps<Element>::most_nodes) return;
    local_node_.upload(borders.local_node);
    first_border_.upload(borders.first);
    border_.upload(stored_once(borders.node, mesh.node_count()));
    list_neighbours(borders, mesh.node_count());
    for (Buffer<Vec2>& of_step : slot_force_) of_step.resize(slots);
    slots_.resize(ResidentTable<Element>::Slots::extent(mesh.element_count()));
    block_ends_.resize(mesh.node_count() - first_node.back());
    border_work_.resize(static_cast<std::size_t>(most_resident_steps) * NodeWorks::count *
                        (mesh.node_count() - first_node.back()));
    steps_done_.upload(std::vector<std::uint32_t>(ranges.back().end_block(), 0));
  }
  /// Lists what follows from the body's tables, which are in solver memory now.
  template <class Body>
  void list_slots(Body& body) {
    auto& gather = body.gather;
    body.backend.launch(ListSlotsByBlocks<Element>{.elements = body.elements.table(),
                                                   .assembly = gather.assembly.data(),
                                                   .interface_entries = gather.interface_entries.data(),
                                                   .find = gather.finder(),
                                                   .first_interface = gather.first_interface,
                                                   .slots = {slots_.data()},
                                                   .block_ends = block_ends_.data()});
  }
  ResidentTable<Element> table() {
    return {.local_node = {local_node_.data()},
            .slots = {slots_.data()},
            .block_ends = block_ends_.data(),
            .first_border = first_border_.data(),
            .border = border_.data(),
            .first_neighbour = first_neighbour_.data(),
            .neighbour = neighbour_.data(),
            .steps_done = steps_done_.data(),
            .slot_force = {slot_force_[0].data(), slot_force_[1].data()},
            .border_work = border_work_.data()};
  }

 private:
  using LocalNodes = typename ResidentTable<Element>::LocalNodes;
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  /// See ResidentTable.
  struct Borders {
    std::vector<std::uint16_t> local_node;
    std::vector<Index> first{0};
    std::vector<Index> node;
    Index most_nodes = 0;  ///< of a block
  };
  static Borders borders_of(const Mesh& mesh, const std::vector<BlockRange>& ranges,
                            const std::vector<Index>& first_node) {
    constexpr Index none = -1;
    Borders borders;
    borders.local_node.resize(LocalNodes::extent(mesh.element_count()));
    const LocalNodes local{borders.local_node.data()};
    std::vector<Index> number(mesh.nodes.size(), none);  // of border nodes, in the block at hand
    for (const BlockRange& range : ranges)
      for (Index b = range.first_block; b < range.end_block(); ++b) {
        const auto first = static_cast<Index>(borders.node.size()), interior = first_node[b + 1] - first_node[b];
        const auto list = [&](int begin, int end) {
          for (Index e = range.begin_of(b); e < range.end_of(b); ++e)
            for (int k = begin; k < end; ++k) {
              const Index n = mesh.node(e, k);
              if (n < first_node.back() || number[n] != none) continue;
              number[n] = interior + static_cast<Index>(borders.node.size()) - first;
              borders.node.push_back(n);
            }
        };
        list(0, Element::corners);
        list(Element::corners, Element::nodes);
        for (Index e = range.begin_of(b); e < range.end_of(b); ++e)
          for (int k = 0; k < Element::nodes; ++k) {
            const Index n = mesh.node(e, k);
            local(e, k) = static_cast<std::uint16_t>(n < first_node.back() ? n - first_node[b] : number[n]);
          }
        borders.first.push_back(static_cast<Index>(borders.node.size()));
        borders.most_nodes = std::max(borders.most_nodes, interior + borders.first.back() - first);
        for (Index i = first; i < borders.first.back(); ++i) number[borders.node[i]] = none;
      }
    return borders;
  }
  /// The first block that lists a node stores it.
  static std::vector<BorderNode> stored_once(const std::vector<Index>& listed, Index nodes) {
    std::vector<bool> stored(nodes, false);
    std::vector<BorderNode> result;
    result.reserve(listed.size());
    for (const Index n : listed) {
      result.push_back(BorderNode::of(n, !stored[n]));
      stored[n] = true;
    }
    return result;
  }
  void list_neighbours(const Borders& borders, Index nodes) {
    const auto blocks = static_cast<Index>(borders.first.size()) - 1;
    std::vector<std::vector<Index>> blocks_at(nodes);
    for (Index b = 0; b < blocks; ++b)
      for (Index i = borders.first[b]; i < borders.first[b + 1]; ++i) blocks_at[borders.node[i]].push_back(b);
    std::vector<Index> first{0}, all, of_block;
    for (Index b = 0; b < blocks; ++b) {
      of_block.clear();
      for (Index i = borders.first[b]; i < borders.first[b + 1]; ++i)
        for (const Index other : blocks_at[borders.node[i]])
          if (other != b) of_block.push_back(other);
      std::sort(of_block.begin(), of_block.end());
      of_block.erase(std::unique(of_block.begin(), of_block.end()), of_block.end());
      all.insert(all.end(), of_block.begin(), of_block.end());
      first.push_back(static_cast<Index>(all.size()));
    }
    first_neighbour_.upload(first);
    neighbour_.upload(all);
  }

  Buffer<std::uint16_t> local_node_;
  Buffer<Index> first_border_, first_neighbour_, neighbour_;
  Buffer<BorderNode> border_;
  Buffer<std::uint32_t> steps_done_;
  Buffer<Slot> slots_;
  Buffer<std::uint32_t> block_ends_;
  Buffer<Vec2> slot_force_[2];  ///< of even and odd steps
  Buffer<double> border_work_;
};

}  // namespace cleave::inline CLEAVE_PRECISION
