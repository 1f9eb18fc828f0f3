#include "cleave/mesh/blocks.hpp"

#include <numeric>
#include <set>

#include "cleave/mesh/numbering.hpp"
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

TEST_CASE("nodes between ranges belong to no block, as those between blocks") {
  for (const ElementType type : {ElementType::t3, ElementType::t6}) {
    Mesh mesh = rectangle(type, {16, 10}, {16, 10});
    renumber_hilbert(mesh);
    const std::vector<BlockRange> ranges = cut_blocks({0, 50, 330, 640});
    REQUIRE(ranges.back().end_block() == 1 + 3 + 3);
    std::vector<Index> elements(mesh.element_count());
    std::iota(elements.begin(), elements.end(), 0);
    renumber(mesh, block_node_order(mesh, ranges), elements);
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
