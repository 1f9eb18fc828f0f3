#include "cleave/partition/part.hpp"

#include <algorithm>
#include <utility>

#include "cleave/core/machine.hpp"
#include "cleave/core/parallel.hpp"

namespace cleave {
namespace {

constexpr std::size_t ids_at_once = 65536;  ///< number of ids that a thread translates at once

using Kept = std::vector<char>;  ///< [block] 1: the part has it

/// Blocks and their elements.
class BlockOfElement {
 public:
  explicit BlockOfElement(const std::vector<BlockRange>& ranges) : ranges_(ranges) {}
  Index operator()(Index e) const { return range_of(e).block_of(e); }
  /// The elements of a block.
  std::pair<Index, Index> elements(Index block) const {
    const auto range = std::upper_bound(ranges_.begin(), ranges_.end(), block,
                                        [](Index b, const BlockRange& r) { return b < r.end_block(); });
    return {range->begin_of(block), range->end_of(block)};
  }

 private:
  const BlockRange& range_of(Index e) const {
    return *std::upper_bound(ranges_.begin(), ranges_.end(), e,
                             [](Index element, const BlockRange& r) { return element < r.end_element; });
  }
  const std::vector<BlockRange>& ranges_;
};

/// Blocks that a rank computes, and those around the nodes of elements that it hears of.
Kept kept_blocks(const Mesh& mesh, const Partition& p, const BlockOfElement& block_of, Index blocks) {
  Kept kept(blocks, 0);
  std::fill(kept.begin() + p.first_block[p.rank], kept.begin() + p.first_block[p.rank + 1], 1);
  std::vector<char> near(mesh.nodes.size(), 0);
  for (const Neighbour& n : p.neighbours)
    for (const Index e : n.receive_elements)
      for (int i = 0; i < nodes_per_element(mesh.type); ++i) near[mesh.node(e, i)] = 1;
  const auto blocks_near = [&](std::size_t begin, std::size_t end) {
    std::vector<Index> found;
    for (auto e = static_cast<Index>(begin); e < static_cast<Index>(end); ++e)
      for (int i = 0; i < nodes_per_element(mesh.type); ++i)
        if (near[mesh.node(e, i)] && (found.empty() || found.back() != block_of(e))) found.push_back(block_of(e));
    return found;
  };
  for (const std::vector<Index>& found :
       parallel_results(threads_for(0), static_cast<std::size_t>(mesh.element_count()), ids_at_once, blocks_near))
    for (const Index block : found) kept[block] = 1;
  return kept;
}

/// Blocks of interface nodes of the elements of a part, and those that the rank reports.
Kept kept_interface_blocks(const Mesh& mesh, const Partition& p, const PartRows& elements, Index first, int width) {
  Kept kept((mesh.node_count() - first + width - 1) / width, 0);
  for (Index n = p.first_interface_node[p.rank]; n < p.first_interface_node[p.rank + 1]; n += width)
    kept[(n - first) / width] = 1;
  for (const PartRun& run : elements.runs())
    for (Index e = run.in_body; e < run.end_in_body(); ++e)
      for (int i = 0; i < nodes_per_element(mesh.type); ++i)
        if (const Index n = mesh.node(e, i); n >= first) kept[(n - first) / width] = 1;
  return kept;
}

/// Number of kept blocks before each, and of all.
std::vector<Index> numbers_of(const Kept& kept) {
  std::vector<Index> before(kept.size() + 1, 0);
  for (std::size_t b = 0; b < kept.size(); ++b) before[b + 1] = before[b] + kept[b];
  return before;
}

/// The same partition in own ids.
/// @param own_block, own_interface_block  see numbers_of
Partition in_own_ids(Partition p, const Part& part, const std::vector<Index>& own_block,
                     const std::vector<Index>& own_interface_block) {
  for (Index& e : p.first_element) e = part.elements.before(e);
  for (Index& block : p.first_block) block = own_block[block];
  for (Index& n : p.first_interface_node) n = part.nodes.before(n);
  for (BlockRange& range : p.own)
    range = {part.elements.before(range.first_element), part.elements.before(range.end_element),
             own_block[range.first_block]};
  std::vector<char> absent;
  for (const PartRun& run : part.nodes.runs())
    absent.insert(absent.end(), p.absent.begin() + run.in_body, p.absent.begin() + run.end_in_body());
  p.absent = std::move(absent);
  for (Index& block : p.border_blocks) block = own_block[block];
  for (Index& block : p.interface_blocks) block = own_interface_block[block];
  const PartIds elements = part.elements.ids();
  for (Neighbour& n : p.neighbours) {
    for (auto* corners : {&n.send, &n.receive})
      for (Neighbour::Corner& corner : *corners) corner.element = elements.own_id(corner.element);
    for (auto* ids : {&n.send_elements, &n.receive_elements})
      for (Index& e : *ids) e = elements.own_id(e);
  }
  return p;
}

}  // namespace

void PartRows::add(Index in_body, Index rows) {
  if (rows == 0) return;
  if (!runs_.empty() && runs_.back().end_in_body() == in_body)
    runs_.back().count += rows;
  else
    runs_.push_back({in_body, count(), rows});
}

Index PartRows::before(Index in_body) const {
  const auto run = std::upper_bound(runs_.begin(), runs_.end(), in_body,
                                    [](Index id, const PartRun& r) { return id < r.end_in_body(); });
  if (run == runs_.end()) return count();
  return run->own + std::max(in_body - run->in_body, Index{0});
}

Part make_part(const Mesh& mesh, const std::vector<BlockRange>& ranges, int interface_width, int ranks, int rank) {
  const Partition p = make_partition(mesh, ranges, interface_width, ranks, rank);
  const std::vector<Index> first_of_block = first_nodes_of_blocks(mesh, ranges);
  const BlockOfElement block_of(ranges);
  const auto blocks = static_cast<Index>(first_of_block.size()) - 1;
  const Kept kept = kept_blocks(mesh, p, block_of, blocks);

  Part part;
  part.body = {mesh.element_count(), mesh.node_count(), blocks, first_of_block.back(), interface_width};
  part.first_block = p.first_block[rank];
  part.material_ranges = {0};
  for (const BlockRange& range : ranges) part.material_ranges.push_back(range.end_element);
  part.box = box_around(mesh.nodes);
  for (Index b = 0; b < blocks; ++b) {
    if (!kept[b]) continue;
    const auto [begin, end] = block_of.elements(b);
    part.elements.add(begin, end - begin);
    part.first_of_block.push_back(part.nodes.count());
    part.nodes.add(first_of_block[b], first_of_block[b + 1] - first_of_block[b]);
  }
  part.first_of_block.push_back(part.nodes.count());
  const Index first_interface = first_of_block.back();
  const Kept kept_interface = kept_interface_blocks(mesh, p, part.elements, first_interface, interface_width);
  for (std::size_t b = 0; b < kept_interface.size(); ++b) {
    const Index begin = first_interface + static_cast<Index>(b) * interface_width;
    if (kept_interface[b]) part.nodes.add(begin, std::min(mesh.node_count() - begin, Index{interface_width}));
  }
  part.partition = in_own_ids(p, part, numbers_of(kept), numbers_of(kept_interface));
  return part;
}

void to_own_ids(Mesh& mesh, const Part& part) {
  const PartIds nodes = part.nodes.ids(), elements = part.elements.ids();
  parallel_for(threads_for(0), mesh.elements.size(), ids_at_once, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) mesh.elements[i] = nodes.own_id(mesh.elements[i]);
  });
  parallel_for(threads_for(0), mesh.neighbours.size(), ids_at_once, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      Index& code = mesh.neighbours[i];
      if (code < 0) continue;
      const Index e = elements.own_id(element_of(code));
      code = e < 0 ? boundary_facet : facet_code(e, facet_of(code));
    }
  });
}

}  // namespace cleave
