#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/case_text.hpp"
#include "app/estimates.hpp"
#include "cleave/mesh/blocks.hpp"
#include "cleave/output/text.hpp"
#include "cleave/partition/partition.hpp"
#include "cleave/solver/intact_memory.hpp"
#include "model/part_message.hpp"

namespace cleave {
namespace {

/// Bytes that ranks exchange in a step and in a check.
struct Exchange {
  double step = 0, check = 0;

  void add(const Exchange& other) {
    step += other.step;
    check += other.check;
  }
  std::string text() const { return fmt::format("{} in a step, {} in a check", as_bytes(step), as_bytes(check)); }
};

/// Bytes that a rank sends in a step of how the nodes of its intact surface move, about: its sides have as many nodes,
/// but for one end of each.
double surface_bytes(const Model& model, const Partition& p) {
  if (!model.touches()) return 0;
  const Mesh& mesh = model.mesh;
  double sides = 0;
  for (Index e = p.first_element[p.rank]; e < p.first_element[p.rank + 1]; ++e)
    for (int k = 0; k < facets_per_element; ++k) sides += mesh.neighbour(e, k) == boundary_facet;
  constexpr int numbers = 4;  // displacement and velocity
  return (model.precision == Precision::double_precision ? 8 : 4) * numbers * sides * (nodes_per_facet(mesh.type) - 1) *
         (p.ranks - 1);
}

/// Marks the nodes that a rank shares with others, for which it sends data.
void mark_shared(const Mesh& mesh, const Partition& p, std::vector<char>& shared) {
  for (const Neighbour& neighbour : p.neighbours)
    for (const Neighbour::Corner& corner : neighbour.send) shared[mesh.node(corner.element, corner.node)] = 1;
}

}  // namespace

void print_ranks(const Case& c, const Model& model, int ranks, bool on_device) {
  const Mesh& mesh = model.mesh;
  const std::vector<BlockRange> blocks = cut_blocks(model.material_ranges);
  const Index interface = mesh.node_count() - first_nodes_of_blocks(mesh, blocks).back();
  std::vector<char> shared(mesh.node_count(), 0);
  std::string parts;
  Index largest = 0;
  Exchange all;
  for (int r = 0; r < ranks; ++r) {
    const Partition p = make_partition(mesh, blocks, interface_nodes_per_block, ranks, r);
    const Index triangles = p.first_element[r + 1] - p.first_element[r];
    mark_shared(mesh, p, shared);
    largest = std::max(largest, triangles);
    const IntactMemory memory = memory_of_rank(model, on_device, r, ranks, !needs_whole_body(c));
    const Exchange of_rank{memory.sent_in_step + surface_bytes(model, p), memory.sent_in_check};
    all.add(of_rank);
    parts += fmt::format("  rank {}: about {}, {} triangles, {} neighbours, sends {}\n", r, as_bytes(memory.solver),
                         with_thousands(triangles), p.neighbours.size(), of_rank.text());
  }
  fmt::print("ranks {}\n", ranks);
  fmt::print("  {} blocks of {} triangles; of {} nodes {} lie between blocks, {} between ranks\n",
             with_thousands(blocks.back().end_block()), elements_per_block, with_thousands(mesh.node_count()),
             with_thousands(interface), with_thousands(std::count(shared.begin(), shared.end(), 1)));
  fmt::print("  balance: the largest part has {:.3f} times the mean number of triangles\n",
             static_cast<double>(largest) * ranks / mesh.element_count());
  fmt::print("{}  all send {}\n", parts, all.text());
}

}  // namespace cleave
