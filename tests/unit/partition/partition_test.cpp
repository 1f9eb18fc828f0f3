#include "cleave/partition/partition.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "cleave/mesh/generators.hpp"
#include "cleave/mesh/numbering.hpp"
#include "unit/partition/body_in_blocks.hpp"

using namespace cleave;

namespace {

constexpr int width = 128;  ///< nodes of an interface block

using Body = cleave::test::BodyInBlocks;

std::vector<Partition> partitions(const Body& b, int ranks) {
  std::vector<Partition> all;
  for (int r = 0; r < ranks; ++r) all.push_back(make_partition(b.mesh, b.ranges, width, ranks, r));
  return all;
}

using Corners = std::vector<std::pair<Index, int>>;
Corners pairs(const std::vector<Neighbour::Corner>& corners) {
  Corners all;
  for (const auto& c : corners) all.emplace_back(c.element, c.node);
  return all;
}

}  // namespace

TEST_CASE("parts are consecutive blocks, separately for each material") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const bool two = GENERATE(false, true);
  const Body b = test::body_in_blocks(type, 32, two ? std::vector<Index>{0, 1000, 4096} : std::vector<Index>{});
  const Index blocks = b.ranges.back().end_block();
  for (const int ranks : {1, 2, 3, 7, static_cast<int>(blocks)}) {
    const auto all = partitions(b, ranks);
    std::vector<int> owners(b.mesh.element_count(), 0);
    for (const Partition& p : all) {
      Index own_blocks = 0;
      REQUIRE(p.own.size() == b.ranges.size());
      for (std::size_t m = 0; m < p.own.size(); ++m) {
        own_blocks += p.own[m].blocks();
        for (Index block = p.own[m].first_block; block < p.own[m].end_block(); ++block) {
          CHECK(p.own[m].begin_of(block) == b.ranges[m].begin_of(block));
          CHECK(p.own[m].end_of(block) == b.ranges[m].end_of(block));
          for (Index e = p.own[m].begin_of(block); e < p.own[m].end_of(block); ++e)
            owners[e] += p.rank_of_element(e) == p.rank ? 1 : 2;
        }
      }
      CHECK(own_blocks == p.first_block[p.rank + 1] - p.first_block[p.rank]);
      CHECK(own_blocks >= blocks / ranks);
      CHECK(own_blocks <= blocks / ranks + 1);
    }
    CHECK(std::count(owners.begin(), owners.end(), 1) == b.mesh.element_count());
  }
}

TEST_CASE("messages between two ranks list the same items in the same order") {
  const Body b = test::body_in_blocks(GENERATE(ElementType::t3, ElementType::t6),
                                      GENERATE(32, 160));  // 160: work for several threads
  for (const int ranks : {2, 3, 8}) {
    const auto all = partitions(b, ranks);
    std::map<std::pair<int, int>, std::pair<Corners, std::vector<Index>>> sent, expected;
    for (const Partition& p : all)
      for (const Neighbour& n : p.neighbours) {
        REQUIRE(n.rank != p.rank);
        sent[{p.rank, n.rank}] = {pairs(n.send), n.send_elements};
        expected[{n.rank, p.rank}] = {pairs(n.receive), n.receive_elements};
      }
    CHECK(sent == expected);
    for (const auto& [who, what] : sent)
      for (const auto& [e, i] : what.first) CHECK(all[0].rank_of_element(e) == who.first);
  }
}

/// By the definition: the ranks of a node's elements, and the rank that reports its interface block.
TEST_CASE("a rank receives all elements around the nodes that it needs") {
  const Body b = test::body_in_blocks(GENERATE(ElementType::t3, ElementType::t6),
                                      GENERATE(32, 160));  // 160: work for several threads
  const int per_element = nodes_per_element(b.mesh.type);
  std::vector<Partition> of_all;
  for (const int ranks : {2, 3, 8})
    for (Partition& p : partitions(b, ranks)) of_all.push_back(std::move(p));
  for (const Partition& p : of_all) {
    std::set<std::pair<Index, int>> heard;
    for (const Neighbour& n : p.neighbours)
      for (const auto& c : n.receive) CHECK(heard.emplace(c.element, c.node).second);
    std::vector<char> needs(b.mesh.node_count(), 0);
    for (Index e = p.first_element[p.rank]; e < p.first_element[p.rank + 1]; ++e)
      for (int i = 0; i < per_element; ++i) needs[b.mesh.node(e, i)] = 1;
    for (Index n = p.first_interface_node[p.rank]; n < p.first_interface_node[p.rank + 1]; ++n) needs[n] = 1;
    std::set<std::pair<Index, int>> wanted;
    for (Index e = 0; e < b.mesh.element_count(); ++e)
      for (int i = 0; i < per_element; ++i)
        if (const Index n = b.mesh.node(e, i); needs[n] && p.rank_of_element(e) != p.rank) {
          CHECK(n >= b.first_interface);
          wanted.emplace(e, i);
        }
    CHECK(heard == wanted);
    int wrong = 0;
    for (Index n = b.first_interface; n < b.mesh.node_count(); ++n) wrong += p.absent[n] == needs[n];
    for (Index n = 0; n < b.first_interface; ++n) wrong += p.absent[n] != 0;
    CHECK(wrong == 0);
  }
}

TEST_CASE("border blocks of a rank are those that send to other ranks") {
  const bool two = GENERATE(false, true);
  const Body b = test::body_in_blocks(GENERATE(ElementType::t3, ElementType::t6), 32,
                                      two ? std::vector<Index>{0, 1000, 4096} : std::vector<Index>{});
  for (const int ranks : {1, 2, 3, 8})
    for (const Partition& p : partitions(b, ranks)) {
      std::set<Index> told;
      for (const Neighbour& n : p.neighbours)
        for (const auto& c : n.send)
          for (const BlockRange& range : p.own)
            if (c.element >= range.first_element && c.element < range.end_element)
              told.insert(range.block_of(c.element));
      CHECK(p.border_blocks == std::vector<Index>(told.begin(), told.end()));
      CHECK((ranks == 1) == p.border_blocks.empty());
    }
}

TEST_CASE("interface blocks of a rank are those with a node that it needs") {
  const Body b = test::body_in_blocks(GENERATE(ElementType::t3, ElementType::t6), 64);
  for (const int ranks : {1, 2, 5}) {
    for (const Partition& p : partitions(b, ranks)) {
      std::set<Index> needed;
      for (Index n = b.first_interface; n < b.mesh.node_count(); ++n)
        if (!p.absent[n]) needed.insert((n - b.first_interface) / width);
      CHECK(p.interface_blocks == std::vector<Index>(needed.begin(), needed.end()));
      const Index all = (b.mesh.node_count() - b.first_interface + width - 1) / width;
      if (ranks == 1)
        CHECK(static_cast<Index>(p.interface_blocks.size()) == all);
      else
        CHECK(static_cast<Index>(p.interface_blocks.size()) < all);
    }
  }
}

TEST_CASE("every interface block is reported by one rank with an element at its first node") {
  const Body b = test::body_in_blocks(ElementType::t6, 40);
  for (const int ranks : {1, 2, 5}) {
    const auto all = partitions(b, ranks);
    const std::vector<Index>& first = all[0].first_interface_node;
    CHECK(first.front() == b.first_interface);
    CHECK(first.back() == b.mesh.node_count());
    for (int r = 0; r < ranks; ++r) {
      REQUIRE(first[r] <= first[r + 1]);
      if (first[r] == first[r + 1]) continue;
      CHECK((first[r] - b.first_interface) % width == 0);
      bool has = false;
      for (Index e = all[r].first_element[r]; e < all[r].first_element[r + 1]; ++e)
        for (int i = 0; i < 6; ++i) has = has || b.mesh.node(e, i) == first[r];
      CHECK(has);
    }
  }
}

TEST_CASE("blocks by halves give the parts of a plate with a hole shorter borders") {
  // A saving that is worth a numbering of its own: 15 % of what all send.
  const Mesh mesh = plate_with_hole(ElementType::t6, 1.0e-3, {0.2, 0.1}, 0.02, {0, 0}, {{0.06, 0.05}});
  const auto sent = [&](BlockOrder blocks) {
    Body b{mesh, cut_blocks({0, mesh.element_count()}), 0};
    renumber_hilbert(b.mesh);
    const std::vector<Index> order = compact_block_order(b.mesh, b.ranges, blocks);
    renumber(b.mesh, block_node_order(b.mesh, b.ranges, order), order);
    std::size_t corners = 0;
    for (const Partition& p : partitions(b, 8))
      for (const Neighbour& n : p.neighbours) corners += n.send.size();
    return static_cast<double>(corners);
  };
  CHECK(sent(BlockOrder::halves) <= 0.85 * sent(BlockOrder::present));
}
