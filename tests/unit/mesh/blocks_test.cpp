#include "cleave/mesh/blocks.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>

#include "cleave/mesh/connectivity.hpp"
#include "cleave/mesh/numbering.hpp"
#include "cleave/mesh/topology.hpp"
#include "helpers.hpp"

using namespace cleave;
using namespace cleave::test;

TEST_CASE("one range is cut every 128 elements") {
  for (const Index elements : {1, 127, 128, 129, 1000}) {
    const std::vector<BlockRange> ranges = cut_blocks({0, elements});
    REQUIRE(ranges.size() == 1);
    const BlockRange& range = ranges.front();
    CHECK(range.blocks() == (elements + 127) / 128);
    for (Index b = 0; b < range.blocks(); ++b) {
      CHECK(range.begin_of(b) == 128 * b);
      CHECK(range.end_of(b) == std::min(128 * b + 128, elements));
    }
  }
}

TEST_CASE("a block ends where a range ends") {
  const std::vector<BlockRange> ranges = cut_blocks({0, 5, 261, 390, 518});
  REQUIRE(ranges.size() == 4);
  // Blocks, in all: [0, 5) | [5, 133) [133, 261) | [261, 389) [389, 390) | [390, 518).
  const std::vector<Index> begin{0, 5, 133, 261, 389, 390}, end{5, 133, 261, 389, 390, 518};
  Index block = 0, element = 0;
  for (const BlockRange& range : ranges) {
    REQUIRE(range.first_block == block);
    for (; block < range.end_block(); ++block) {
      CHECK(range.begin_of(block) == begin[block]);
      CHECK(range.end_of(block) == end[block]);
      for (; element < range.end_of(block); ++element) CHECK(range.block_of(element) == block);
    }
  }
  CHECK(block == 6);
  CHECK(element == 518);
}

TEST_CASE("nodes between ranges belong to no block") {
  for (const ElementType type : {ElementType::t3, ElementType::t6}) {
    Mesh mesh = rectangle(type, {16, 10}, {16, 10});
    renumber_hilbert(mesh);
    const std::vector<BlockRange> ranges = cut_blocks({0, 50, 330, 640});
    REQUIRE(ranges.back().end_block() == 1 + 3 + 3);
    std::vector<Index> elements(mesh.element_count());
    std::iota(elements.begin(), elements.end(), 0);
    renumber(mesh, block_node_order(mesh, ranges, elements), elements);
    const std::vector<Index> first = first_nodes_of_blocks(mesh, ranges);
    REQUIRE(first.size() == 8);

    std::vector<std::set<Index>> blocks_at(mesh.nodes.size());
    for (const BlockRange& range : ranges)
      for (Index b = range.first_block; b < range.end_block(); ++b)
        for (Index e = range.begin_of(b); e < range.end_of(b); ++e)
          for (int i = 0; i < nodes_per_element(type); ++i) blocks_at[mesh.node(e, i)].insert(b);
    for (Index n = 0; n < mesh.node_count(); ++n) {
      REQUIRE((blocks_at[n].size() == 1) == (n < first.back()));
      if (n >= first.back()) continue;
      const Index b = *blocks_at[n].begin();
      CHECK((first[b] <= n && n < first[b + 1]));
    }
  }
}

namespace {

/// A permutation of the elements that keeps each in its range.
void check_order(const Mesh& mesh, const std::vector<BlockRange>& ranges, const std::vector<Index>& order) {
  REQUIRE(std::ssize(order) == mesh.element_count());
  std::vector<char> seen(order.size(), 0);
  for (const BlockRange& range : ranges)
    for (Index i = range.first_element; i < range.end_element; ++i) {
      REQUIRE((range.first_element <= order[i] && order[i] < range.end_element));
      REQUIRE(!seen[order[i]]++);
    }
}
Mesh with_compact_blocks(Mesh mesh, const std::vector<BlockRange>& ranges, BlockOrder blocks = BlockOrder::present) {
  const std::vector<Index> order = compact_block_order(mesh, ranges, blocks);
  check_order(mesh, ranges, order);
  renumber(mesh, block_node_order(mesh, ranges, order), order);
  return mesh;
}
Mesh along_hilbert(Mesh mesh) {
  renumber_hilbert(mesh);
  return mesh;
}
/// Of a mesh numbered by block_node_order.
double part_between_blocks(const Mesh& mesh, const std::vector<BlockRange>& ranges) {
  return 1 - static_cast<double>(first_nodes_of_blocks(mesh, ranges).back()) / mesh.node_count();
}

}  // namespace

TEST_CASE("compact blocks leave fewer nodes between them than slices of the Hilbert curve") {
  // Blocks of 4 x 8 quads, the best there is, leave 24 of 256 nodes, 9.4 %, between them in a large body with T6.
  for (const ElementType type : {ElementType::t3, ElementType::t6}) {
    const Mesh mesh = along_hilbert(ring(type, {40, 320}, 0.08, 0.15));
    const std::vector<BlockRange> ranges = cut_blocks({0, mesh.element_count()});
    const Mesh compact = with_compact_blocks(mesh, ranges);
    std::vector<Index> same(mesh.element_count());
    std::iota(same.begin(), same.end(), 0);
    Mesh sliced = mesh;
    renumber(sliced, block_node_order(mesh, ranges, same), same);
    CHECK(part_between_blocks(compact, ranges) <= 0.70 * part_between_blocks(sliced, ranges));
    if (type == ElementType::t6) CHECK(part_between_blocks(compact, ranges) <= 0.13);
    // Blocks follow each other along the curve still: the middle ones of neighbours are near.
    std::vector<Index> middle;
    for (Index b = 0; b < ranges.back().end_block(); ++b)
      middle.push_back(compact.original_elements[ranges.front().begin_of(b) + elements_per_block / 2]);
    std::vector<Index> place(mesh.element_count());
    for (Index e = 0; e < mesh.element_count(); ++e) place[mesh.original_elements[e]] = e;
    for (std::size_t b = 1; b < middle.size(); ++b) CHECK(place[middle[b - 1]] < place[middle[b]]);
  }
}

TEST_CASE("facets, corners and compact blocks of a large mesh do not depend on the threads") {
  const Mesh mesh = along_hilbert(rectangle(ElementType::t3, {150, 150}, {1, 1}));
  const auto [neighbours, neighbours_by_four] = on_one_and_four_threads([&] {
    Mesh again = mesh;
    connect(again);
    return again.neighbours;
  });
  CHECK((neighbours == mesh.neighbours));
  CHECK((neighbours_by_four == neighbours));
  const BlockOrder blocks = GENERATE(BlockOrder::present, BlockOrder::halves);
  const std::vector<BlockRange> ranges = cut_blocks({0, 80'000, mesh.element_count()});
  const auto [order, order_by_four] =
      on_one_and_four_threads([&] { return compact_block_order(mesh, ranges, blocks); });
  CHECK((order_by_four == order));

  // Nodes as elements first touch them, those of one block before those of several; of a block, those with more
  // elements come first.
  std::vector<std::set<Index>> blocks_at(mesh.nodes.size());
  std::vector<Index> touched;
  for (Index place = 0; place < mesh.element_count(); ++place) {
    const BlockRange& range = ranges[place >= ranges[1].first_element];
    for (int i = 0; i < 3; ++i) {
      const Index n = mesh.node(order[place], i);
      if (blocks_at[n].empty()) touched.push_back(n);
      blocks_at[n].insert(range.block_of(place));
    }
  }
  std::vector<int> at_node(mesh.nodes.size(), 0);
  for (const Index n : mesh.elements) ++at_node[n];
  const auto shared =
      std::stable_partition(touched.begin(), touched.end(), [&](Index n) { return blocks_at[n].size() == 1; });
  std::stable_sort(touched.begin(), shared, [&](Index n, Index m) {
    return std::pair(*blocks_at[n].begin(), -at_node[n]) < std::pair(*blocks_at[m].begin(), -at_node[m]);
  });
  const std::vector<Index>& places = order;  // clang 14 lets no lambda name a structured binding
  const auto [nodes, nodes_by_four] = on_one_and_four_threads([&] { return block_node_order(mesh, ranges, places); });
  CHECK((nodes == touched));  // Catch2 would take minutes to print them
  CHECK((nodes_by_four == touched));
  const std::vector<Index>& of_nodes = nodes;
  const auto [placed, placed_by_four] =
      on_one_and_four_threads([&] { return place_in_blocks(mesh, ranges, places, of_nodes); });
  CHECK((placed == placed_by_four));

  const Threads four(4);
  std::vector<std::vector<Index>> at(mesh.nodes.size());
  for (Index e = 0; e < mesh.element_count(); ++e)
    for (int corner = 0; corner < 3; ++corner) at[mesh.node(e, corner)].push_back(e);
  const CornerIncidence incidence(mesh);
  bool same = true;
  for (Index n = 0; n < mesh.node_count(); ++n) same = same && std::ranges::equal(incidence.at(n), at[n]);
  CHECK(same);
}

/// Numbers of the rows of a block's nodes as PackBlocks counts them.
std::map<Index, int> rows_of(const Mesh& mesh, Index block, const std::vector<Index>& first_node,
                             const BlockRange& range) {
  const int width = nodes_per_element(mesh.type);
  const int interior = first_node[block + 1] - first_node[block];
  std::map<Index, int> rows;
  int next = interior;
  for (const bool corners : {true, false})
    for (Index e = range.begin_of(block); e < range.end_of(block); ++e)
      for (int k = corners ? 0 : 3; k < (corners ? 3 : width); ++k) {
        const Index n = mesh.node(e, k);
        if (n < first_node.back())
          rows[n] = n - first_node[block];
        else if (rows.emplace(n, next).second)
          ++next;
      }
  return rows;
}
/// How often eight elements that follow each other take turns at one bank, over all blocks and nodes k of an element.
int turns_at_banks(const Mesh& mesh, const std::vector<BlockRange>& ranges) {
  const std::vector<Index> first_node = first_nodes_of_blocks(mesh, ranges);
  int turns = 0;
  for (const BlockRange& range : ranges)
    for (Index b = range.first_block; b < range.end_block(); ++b) {
      const std::map<Index, int> row = rows_of(mesh, b, first_node, range);
      for (Index first = range.begin_of(b); first < range.end_of(b); first += 8)
        for (int k = 0; k < nodes_per_element(mesh.type); ++k) {
          std::array<int, 8> at_bank{};
          for (Index e = first; e < std::min(first + 8, range.end_of(b)); ++e) ++at_bank[row.at(mesh.node(e, k)) % 8];
          turns += *std::max_element(at_bank.begin(), at_bank.end());
        }
    }
  return turns;
}

TEST_CASE("elements stay in their blocks, in places where eight seldom take turns at a bank") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const Mesh mesh = along_hilbert(rectangle(type, {20, 16}, {1, 1}));
  const std::vector<BlockRange> ranges = cut_blocks({0, 500, mesh.element_count()});
  const std::vector<Index> order = compact_block_order(mesh, ranges), nodes = block_node_order(mesh, ranges, order);
  const std::vector<Index> placed = place_in_blocks(mesh, ranges, order, nodes);
  const auto by_block = [&](std::vector<Index> elements) {
    for (const BlockRange& range : ranges)
      for (Index b = range.first_block; b < range.end_block(); ++b)
        std::sort(elements.begin() + range.begin_of(b), elements.begin() + range.end_of(b));
    return elements;
  };
  CHECK(by_block(placed) == by_block(order));
  Mesh before = mesh, after = mesh;
  renumber(before, nodes, order);
  renumber(after, nodes, placed);
  CHECK(first_nodes_of_blocks(after, ranges) == first_nodes_of_blocks(before, ranges));
  // In no order can it be fewer than one for each eight elements and node.
  const int fewest = nodes_per_element(type) * (mesh.element_count() + 7) / 8;
  const int turns_before = turns_at_banks(before, ranges), turns_after = turns_at_banks(after, ranges);
  CAPTURE(fewest, turns_before);
  CHECK(turns_before > 2 * fewest);
  CHECK(turns_after > fewest);
  CHECK(turns_after < 0.82 * turns_before);
}

TEST_CASE("compact blocks of small, thin, short, cut and several bodies and ranges are valid") {
  const BlockOrder blocks = GENERATE(BlockOrder::present, BlockOrder::halves);
  const auto check = [&](const Mesh& mesh, const std::vector<Index>& ends) {
    const std::vector<BlockRange> ranges = cut_blocks(ends);
    const Mesh compact = with_compact_blocks(mesh, ranges, blocks);
    // The elements of each block still follow each other as they did before.
    std::vector<Index> place(mesh.element_count());
    for (Index e = 0; e < mesh.element_count(); ++e) place[mesh.original_elements[e]] = e;
    for (const BlockRange& range : ranges)
      for (Index b = range.first_block; b < range.end_block(); ++b)
        for (Index e = range.begin_of(b) + 1; e < range.end_of(b); ++e)
          CHECK(place[compact.original_elements[e - 1]] < place[compact.original_elements[e]]);
  };
  check(rectangle(ElementType::t6, {1, 1}, {1, 1}), {0, 4});
  check(along_hilbert(rectangle(ElementType::t3, {8, 4}, {8, 4})), {0, 128});
  check(along_hilbert(rectangle(ElementType::t6, {300, 1}, {300, 1})), {0, 1200});
  check(along_hilbert(rectangle(ElementType::t6, {16, 10}, {16, 10})), {0, 50, 330, 640});
  check(along_hilbert(rectangle(ElementType::t6, {20, 20}, {1, 1}, {0, 0}, 0.5)), {0, 1600});
  // Of which none is where another one is not: all centroids in one place.
  Mesh heap = rectangle(ElementType::t3, {10, 10}, {1, 1});
  for (Point& p : heap.nodes) p = {0, 0};
  check(heap, {0, 400});
}
