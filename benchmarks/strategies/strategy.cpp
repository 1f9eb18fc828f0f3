#include "strategies/strategy.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include "bench/stage_bytes.hpp"
#include "cleave/mesh/blocks.hpp"
#include "cleave/mesh/numbering.hpp"

namespace cleave {

std::string word(Strategy::Sum s) {
  switch (s) {
    case Strategy::Sum::coloured:
      return "coloured";
    case Strategy::Sum::atomic:
      return "atomic";
    case Strategy::Sum::fetched:
      return "nodes fetch";
    case Strategy::Sum::node_order:
      return "node order";
    default:
      return "blocks";
  }
}
std::string word(Strategy::Force f) {
  return f == Strategy::Force::stored ? "stored" : f == Strategy::Force::rebuilt ? "rebuilt" : "matrix-free";
}
std::string word(Strategy::Layout l) {
  switch (l) {
    case Strategy::Layout::records:
      return "records";
    case Strategy::Layout::interleaved:
      return "by 32";
    case Strategy::Layout::strided:
      return "strided";
    default:
      return "row order";
  }
}
std::string word(Strategy::Order o) {
  return o == Strategy::Order::hilbert ? "hilbert" : o == Strategy::Order::generator ? "generator" : "random";
}
std::string word(Strategy::Parameters p) {
  return p == Strategy::Parameters::arguments ? "arguments" : p == Strategy::Parameters::memory ? "memory" : "constant";
}

std::vector<Strategy> studied_strategies() {
  using S = Strategy;
  const S stored{};
  S atomic_rows = stored, atomic_elements = stored, free{};
  atomic_rows.sum = S::Sum::atomic;
  atomic_elements.sum = S::Sum::atomic;
  atomic_elements.threads = 1;
  free.sum = S::Sum::atomic;
  free.force = S::Force::matrix_free;
  free.threads = 1;
  free.layout = S::Layout::interleaved;

  std::vector<S> list{stored};
  const auto add = [&](S s, auto change) {
    change(s);
    if (std::find(list.begin(), list.end(), s) == list.end()) list.push_back(s);
  };
  add(stored, [](S& s) { s.force = S::Force::rebuilt; });
  // Stored matrices: threads and layouts.
  for (const S::Layout layout : {S::Layout::records, S::Layout::row_order, S::Layout::interleaved, S::Layout::strided})
    add(atomic_rows, [&](S& s) { s.layout = layout; });
  for (const S::Layout layout : {S::Layout::records, S::Layout::interleaved, S::Layout::strided})
    add(atomic_elements, [&](S& s) { s.layout = layout; });
  add(atomic_elements, [](S& s) { s.layout = S::Layout::interleaved, s.sum = S::Sum::node_order; });
  // Without matrices: sums, layouts, threads, parameters.
  for (const S::Sum sum : {S::Sum::coloured, S::Sum::atomic, S::Sum::fetched, S::Sum::node_order, S::Sum::blocks})
    add(free, [&](S& s) { s.sum = sum; });
  for (const S::Layout layout : {S::Layout::records, S::Layout::strided}) add(free, [&](S& s) { s.layout = layout; });
  for (const S::Sum sum : {S::Sum::coloured, S::Sum::atomic}) add(free, [&](S& s) { s.sum = sum, s.threads = 12; });
  for (const S::Parameters p : {S::Parameters::memory, S::Parameters::constant})
    add(free, [&](S& s) { s.parameters = p; });
  // Numberings.
  for (const S::Order order : {S::Order::generator, S::Order::random}) {
    add(stored, [&](S& s) { s.order = order; });
    for (const S::Sum sum : {S::Sum::atomic, S::Sum::node_order, S::Sum::blocks})
      add(free, [&](S& s) { s.order = order, s.sum = sum; });
  }
  return list;
}

double step_bytes(const Strategy& s, const Mesh& mesh) {
  constexpr double width = 6, vector = sizeof(Vec2), id = sizeof(Index);
  const double elements = mesh.element_count(), nodes = mesh.node_count() / elements;
  const double gradients = 4 * sizeof(Real);
  if (s.sum == Strategy::Sum::blocks) {
    const std::vector<BlockRange> blocks = cut_blocks({0, mesh.element_count()});
    const Index first_shared = first_nodes_of_blocks(mesh, blocks).back();
    const double border = benchmark::border_rows(mesh, blocks, first_shared);
    const double shared = (mesh.node_count() - first_shared) / elements;
    const double slots_of_row = id / 2, position_of_half_a_corner = 0.5 * vector;
    return width / 3 * 2 * id + 1 + position_of_half_a_corner + (nodes - shared) * (motion_bytes + slots_of_row) +
           shared * (motion_bytes + 2 * id + vector) + border * (2 * id + slots_of_row + 2 * vector);
  }
  const double matrix = sizeof(Real) * 4 * width * width;
  // To make a matrix takes the element's nodes and their positions, and it is written before it is read.
  const double made = s.force == Strategy::Force::rebuilt ? width * 2 * id + nodes * vector + matrix : 0;
  const double row = s.force == Strategy::Force::matrix_free ? gradients : made + matrix;
  const double element = width * 2 * id + id + row;  // its nodes and slots, its entry in the list
  switch (s.sum) {
    case Strategy::Sum::coloured:  // elements of a launch share no node
      return element + width * (vector + 2 * vector) + nodes * (motion_bytes + 2 * vector);
    case Strategy::Sum::atomic:
      return element + nodes * (vector + 2 * vector) + nodes * (motion_bytes + 2 * vector);
    default: {
      // A force is written and read. By node, what finds it is the slot.
      const double listed = s.sum == Strategy::Sum::fetched ? width * id : 0;
      return element + listed + nodes * vector + width * 2 * vector + nodes * (motion_bytes + id);
    }
  }
}

Model numbered(const Model& as_generated, const Strategy& strategy) {
  Model model = as_generated;
  Mesh& mesh = model.mesh;
  std::vector<Index> nodes(mesh.node_count()), elements(mesh.element_count());
  std::iota(nodes.begin(), nodes.end(), 0);
  std::iota(elements.begin(), elements.end(), 0);
  mesh.original_nodes = nodes;
  mesh.original_elements = elements;
  if (strategy.order == Strategy::Order::hilbert) renumber_hilbert(mesh);
  if (strategy.order == Strategy::Order::random) {
    std::mt19937 random(1);
    std::shuffle(nodes.begin(), nodes.end(), random);
    std::shuffle(elements.begin(), elements.end(), random);
    renumber(mesh, nodes, elements);
  }
  if (strategy.sum == Strategy::Sum::blocks) {
    const std::vector<BlockRange> ranges = cut_blocks(model.material_ranges);
    std::iota(elements.begin(), elements.end(), 0);
    if (strategy.order == Strategy::Order::hilbert) elements = compact_block_order(mesh, ranges);
    renumber(mesh, block_node_order(mesh, ranges, elements), elements);
  }
  for (Index n = 0; n < mesh.node_count(); ++n) {
    const Index was = mesh.original_nodes[n];
    model.displacement[n] = as_generated.displacement[was];
    model.velocity[n] = as_generated.velocity[was];
  }
  model.colouring = colour_elements(mesh);
  model.assembly = Assembly::gather;
  model.cohesive.reset();
  return model;
}

}  // namespace cleave
