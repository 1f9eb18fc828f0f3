#include "cleave/partition/part.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <vector>

#include "unit/partition/body_in_blocks.hpp"

using namespace cleave;
using cleave::test::body_in_blocks;
using cleave::test::BodyInBlocks;

namespace {

constexpr int part_width = interface_nodes_per_block;

std::vector<Index> ids_of(const PartRows& rows) {
  std::vector<Index> all;
  for (const PartRun& run : rows.runs())
    for (Index i = 0; i < run.count; ++i) all.push_back(run.in_body + i);
  return all;
}

}  // namespace

TEST_CASE("rows of a part have ids of their own, in the order of the body") {
  PartRows rows;
  rows.add(8, 4);
  rows.add(12, 0);
  rows.add(16, 2);
  rows.add(18, 2);  // follows the one before
  CHECK(rows.count() == 8);
  REQUIRE(rows.runs().size() == 2);
  const PartIds ids = rows.ids();
  const std::vector<Index> in_body{8, 9, 10, 11, 16, 17, 18, 19};
  for (Index own = 0; own < 8; ++own) {
    CHECK(ids.body_id(own) == in_body[own]);
    CHECK(ids.own_id(in_body[own]) == own);
  }
  for (const Index missing : {0, 7, 12, 15, 20, 100}) CHECK(ids.own_id(missing) == -1);
  for (Index id = 0; id < 24; ++id)
    CHECK(rows.before(id) == std::lower_bound(in_body.begin(), in_body.end(), id) - in_body.begin());
  const PartIds whole{};
  CHECK(whole.own_id(7) == 7);
  CHECK(whole.body_id(7) == 7);
}

/// By the definition: own elements; elements at nodes that the rank needs, and all elements at the nodes of these;
/// whole blocks of them, and of interface nodes.
TEST_CASE("a part is the blocks of a rank and those around it") {
  const bool two = GENERATE(false, true);
  const BodyInBlocks b = body_in_blocks(GENERATE(ElementType::t3, ElementType::t6), 48,
                                        two ? std::vector<Index>{0, 1000, 9216} : std::vector<Index>{});
  const int ranks = GENERATE(2, 3, 8), per_element = nodes_per_element(b.mesh.type);
  const Index first_interface = b.first_interface;
  for (int r = 0; r < ranks; ++r) {
    const Partition p = make_partition(b.mesh, b.ranges, part_width, ranks, r);
    const Part part = make_part(b.mesh, b.ranges, part_width, ranks, r);
    CHECK(part.body.elements == b.mesh.element_count());
    std::vector<char> needs(b.mesh.node_count(), 0);
    for (Index e = p.first_element[r]; e < p.first_element[r + 1]; ++e)
      for (int i = 0; i < per_element; ++i) needs[b.mesh.node(e, i)] = 1;
    for (Index n = p.first_interface_node[r]; n < p.first_interface_node[r + 1]; ++n) needs[n] = 1;
    std::vector<char> near = needs;
    for (Index e = 0; e < b.mesh.element_count(); ++e)
      for (int i = 0; i < per_element; ++i)
        for (int j = 0; j < per_element && needs[b.mesh.node(e, i)]; ++j) near[b.mesh.node(e, j)] = 1;
    std::set<Index> elements, nodes;
    for (const BlockRange& range : b.ranges)
      for (Index block = range.first_block; block < range.end_block(); ++block) {
        bool wanted = false;
        for (Index e = range.begin_of(block); e < range.end_of(block); ++e)
          for (int i = 0; i < per_element; ++i) wanted = wanted || near[b.mesh.node(e, i)];
        for (Index e = range.begin_of(block); wanted && e < range.end_of(block); ++e) {
          elements.insert(e);
          for (int i = 0; i < per_element; ++i) nodes.insert(b.mesh.node(e, i));
        }
      }
    std::set<Index> whole = nodes, interface_blocks;
    for (const Index n : nodes)
      if (n >= first_interface) interface_blocks.insert((n - first_interface) / part_width);
    for (Index n = first_interface; n < b.mesh.node_count(); ++n)
      if (interface_blocks.count((n - first_interface) / part_width) > 0) whole.insert(n);
    CHECK(ids_of(part.elements) == std::vector<Index>(elements.begin(), elements.end()));
    CHECK(ids_of(part.nodes) == std::vector<Index>(whole.begin(), whole.end()));
  }
}

TEST_CASE("the mesh and the partition of a part say the same in own ids") {
  const bool two = GENERATE(false, true);
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const BodyInBlocks b = body_in_blocks(type, 48, two ? std::vector<Index>{0, 1000, 9216} : std::vector<Index>{});
  const int ranks = GENERATE(2, 5), per_element = nodes_per_element(type);
  for (int r = 0; r < ranks; ++r) {
    const Partition p = make_partition(b.mesh, b.ranges, part_width, ranks, r);
    const Part part = make_part(b.mesh, b.ranges, part_width, ranks, r);
    const PartIds elements = part.elements.ids(), nodes = part.nodes.ids();
    Mesh mesh;
    mesh.type = type;
    for (const Index n : ids_of(part.nodes)) mesh.nodes.push_back(b.mesh.nodes[n]);
    for (const Index e : ids_of(part.elements)) {
      for (int i = 0; i < per_element; ++i) mesh.elements.push_back(b.mesh.node(e, i));
      for (int k = 0; k < 3; ++k) mesh.neighbours.push_back(b.mesh.neighbour(e, k));
    }
    to_own_ids(mesh, part);
    REQUIRE(mesh.element_count() == part.elements.count());
    REQUIRE(mesh.node_count() == part.nodes.count());
    int wrong = 0;
    for (Index e = 0; e < mesh.element_count(); ++e) {
      const Index in_body = elements.body_id(e);
      for (int i = 0; i < per_element; ++i) wrong += nodes.body_id(mesh.node(e, i)) != b.mesh.node(in_body, i);
      for (int k = 0; k < 3; ++k) {
        const Index there = b.mesh.neighbour(in_body, k), here = mesh.neighbour(e, k);
        if (here >= 0)
          wrong += facet_code(elements.body_id(element_of(here)), facet_of(here)) != there;
        else
          wrong += there >= 0 && elements.own_id(element_of(there)) >= 0;
      }
    }
    CHECK(wrong == 0);
    for (Index n = 0; n < mesh.node_count(); ++n) {
      wrong += mesh.nodes[n].x != b.mesh.nodes[nodes.body_id(n)].x;
      wrong += mesh.nodes[n].y != b.mesh.nodes[nodes.body_id(n)].y;
    }
    CHECK(wrong == 0);
    const Partition& own = part.partition;
    CHECK(own.rank == r);
    CHECK(elements.body_id(own.first_element[r]) == p.first_element[r]);
    CHECK(own.first_element[r + 1] - own.first_element[r] == p.first_element[r + 1] - p.first_element[r]);
    for (Index e = 0; e < mesh.element_count(); ++e)
      wrong += own.rank_of_element(e) != p.rank_of_element(elements.body_id(e));
    for (Index n = part.first_of_block.back(); n < mesh.node_count(); ++n) {
      wrong += own.rank_of_interface_node(n) != p.rank_of_interface_node(nodes.body_id(n));
      wrong += own.absent[n] != p.absent[nodes.body_id(n)];
    }
    CHECK(wrong == 0);
    REQUIRE(own.neighbours.size() == p.neighbours.size());
    for (std::size_t i = 0; i < p.neighbours.size(); ++i) {
      REQUIRE(own.neighbours[i].receive.size() == p.neighbours[i].receive.size());
      for (std::size_t c = 0; c < p.neighbours[i].receive.size(); ++c)
        CHECK(elements.body_id(own.neighbours[i].receive[c].element) == p.neighbours[i].receive[c].element);
      for (std::size_t c = 0; c < p.neighbours[i].send_elements.size(); ++c)
        CHECK(elements.body_id(own.neighbours[i].send_elements[c]) == p.neighbours[i].send_elements[c]);
    }
    REQUIRE(own.own.size() == p.own.size());
    for (std::size_t m = 0; m < p.own.size(); ++m) CHECK(own.own[m].blocks() == p.own[m].blocks());
    CHECK(own.border_blocks.size() == p.border_blocks.size());
    CHECK(own.interface_blocks.size() == p.interface_blocks.size());
  }
}

TEST_CASE("eight parts of a large body are at most 1.25 times an eighth of it") {
  const BodyInBlocks b = body_in_blocks(ElementType::t3, 512);
  for (int r = 0; r < 8; ++r) {
    const Part part = make_part(b.mesh, b.ranges, part_width, 8, r);
    CHECK(part.elements.count() <= 1.25 * b.mesh.element_count() / 8);
    CHECK(part.nodes.count() <= 1.25 * b.mesh.node_count() / 8);
  }
}
