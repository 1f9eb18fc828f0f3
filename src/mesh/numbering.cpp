#include "cleave/mesh/numbering.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "cleave/core/machine.hpp"
#include "cleave/core/parallel.hpp"
#include "cleave/mesh/topology.hpp"
#include "mesh/ids.hpp"

namespace cleave {
namespace {

constexpr int key_bits = 16;
constexpr std::size_t at_once = 16384;  ///< number of nodes or elements that a thread processes at once

/// Ids of positions sorted by Hilbert key, ties by id. A key has 32 bits, so key and id are sorted as one integer.
std::vector<Index> hilbert_order(const std::vector<Point>& positions) {
  const Box box = box_around(positions);
  const double side = std::max({box.width(), box.height(), std::numeric_limits<double>::min()});
  auto cell = [side](double distance) {
    constexpr double cells = 1 << key_bits;
    return static_cast<std::uint32_t>(std::min(std::round(distance / side * cells), cells - 1));
  };

  auto keyed = parallel_vector<std::uint64_t>(threads_for(0), positions.size());
  parallel_for(threads_for(0), positions.size(), at_once, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Point p = positions[i];
      keyed[i] = hilbert_index(key_bits, cell(p.x - box.low.x), cell(p.y - box.low.y)) << 32 | i;
    }
  });
  parallel_sort(threads_for(0), keyed);
  auto order = parallel_vector<Index>(threads_for(0), positions.size());
  parallel_for(threads_for(0), order.size(), at_once, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) order[i] = static_cast<Index>(keyed[i]);
  });
  return order;
}

/// Replaces each number by f(number).
template <class F>
void replace_each(std::vector<Index>& numbers, const F& f) {
  parallel_for(threads_for(0), numbers.size(), at_once, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) numbers[i] = f(numbers[i]);
  });
}

/// Moves values[order[i]] to i, for arrays with `stride` values per id. An empty array stays empty.
template <class T>
std::vector<T> reordered(const std::vector<T>& values, const std::vector<Index>& order, std::size_t stride = 1) {
  auto result = parallel_vector<T>(threads_for(0), values.size());
  if (values.empty()) return result;
  parallel_for(threads_for(0), order.size(), at_once, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      for (std::size_t k = 0; k < stride; ++k) result[i * stride + k] = values[order[i] * stride + k];
  });
  return result;
}

/// @param elements  [element][node slot] node ids
double coalescing_of(const std::vector<Index>& elements, std::size_t nodes) {
  constexpr std::size_t warp = 32;
  constexpr std::size_t nodes_per_line = 8;
  const std::size_t ids_per_warp = warp * nodes;
  std::atomic<std::size_t> fewest_lines = 0, lines_touched = 0;
  parallel_for(threads_for(0), elements.size(), 512 * ids_per_warp, [&](std::size_t first, std::size_t last) {
    std::size_t fewest = 0, touched = 0;
    std::vector<Index> ids;
    for (std::size_t begin = first; begin < last; begin += ids_per_warp) {
      const std::size_t end = std::min(begin + ids_per_warp, last);
      ids.assign(elements.data() + begin, elements.data() + end);
      std::sort(ids.begin(), ids.end());
      ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
      fewest += (ids.size() + nodes_per_line - 1) / nodes_per_line;
      for (Index& id : ids) id /= nodes_per_line;
      touched += std::unique(ids.begin(), ids.end()) - ids.begin();
    }
    fewest_lines += fewest;
    lines_touched += touched;
  });
  return lines_touched == 0 ? 1 : static_cast<double>(fewest_lines) / static_cast<double>(lines_touched);
}

double cache_hits_of(const std::vector<Index>& elements) {
  constexpr int lines = 16, nodes_per_line = 16;
  std::array<Index, lines> held;
  held.fill(-1);
  std::size_t hits = 0;
  for (const Index id : elements) {
    const Index line = id / nodes_per_line;
    Index& here = held[line % lines];
    hits += here == line;
    here = line;
  }
  return elements.empty() ? 1 : static_cast<double>(hits) / static_cast<double>(elements.size());
}

NumberingFigures figures_of(const std::vector<Index>& elements, ElementType type) {
  return {coalescing_of(elements, static_cast<std::size_t>(nodes_per_element(type))), cache_hits_of(elements)};
}

}  // namespace

std::uint64_t hilbert_index(int bits, std::uint32_t x, std::uint32_t y) {
  std::uint64_t index = 0;
  // The curve in a quadrant starts at its own (0, 0): in the lower quadrants x and y are exchanged, and in the lower
  // right one both count backwards. Without branches, because they would be unpredictable.
  std::uint32_t swapped = 0, turned = 0;
  for (int bit = bits - 1; bit >= 0; --bit) {
    const std::uint32_t here_x = x >> bit & 1U, here_y = y >> bit & 1U, change = (here_x ^ here_y) & swapped;
    const std::uint32_t right = here_x ^ change ^ turned, upper = here_y ^ change ^ turned, lower = upper ^ 1U;
    index = index << 2 | ((3U * right) ^ upper);
    turned ^= right & lower;
    swapped ^= lower;
  }
  return index;
}

void renumber_hilbert(Mesh& mesh) {
  if (mesh.elements.empty()) return;
  auto centroids = parallel_vector<Point>(threads_for(0), static_cast<std::size_t>(mesh.element_count()));
  parallel_for(threads_for(0), centroids.size(), at_once, [&](std::size_t begin, std::size_t end) {
    for (std::size_t e = begin; e < end; ++e) centroids[e] = centroid(mesh, static_cast<Index>(e));
  });
  renumber(mesh, hilbert_order(mesh.nodes), hilbert_order(centroids));
}

void renumber(Mesh& mesh, const std::vector<Index>& node_order, const std::vector<Index>& element_order) {
  const std::vector<Index> new_node = inverse(node_order);
  const std::vector<Index> new_element = inverse(element_order);
  auto new_code = [&](Index code) {
    return is_intact(code) ? facet_code(new_element[element_of(code)], facet_of(code)) : code;
  };

  mesh.nodes = reordered(mesh.nodes, node_order);
  mesh.original_nodes = reordered(mesh.original_nodes, node_order);
  mesh.elements = reordered(mesh.elements, element_order, nodes_per_element(mesh.type));
  replace_each(mesh.elements, [&](Index node) { return new_node[node]; });
  mesh.neighbours = reordered(mesh.neighbours, element_order, 3);
  replace_each(mesh.neighbours, new_code);
  mesh.original_elements = reordered(mesh.original_elements, element_order);
  mesh.structured_colours = reordered(mesh.structured_colours, element_order);
  for (Group& group : mesh.groups) {
    for (Index& code : group.facets) code = new_code(code);
    for (Index& node : group.nodes) node = new_node[node];
    for (Index& element : group.elements) element = new_element[element];
    for (Index& code : group.inside) code = std::min(new_code(code), mesh.neighbours[new_code(code)]);
    std::sort(group.facets.begin(), group.facets.end());
    std::sort(group.nodes.begin(), group.nodes.end());
    std::sort(group.elements.begin(), group.elements.end());
    std::sort(group.inside.begin(), group.inside.end());
  }
}

NumberingFigures numbering_figures(const Mesh& mesh) { return figures_of(mesh.elements, mesh.type); }

NumberingFigures figures_as_given(const Mesh& mesh) {
  std::vector<Index> elements = mesh.elements;
  if (!mesh.original_elements.empty())
    elements = reordered(elements, order_by_id(mesh.original_elements), nodes_per_element(mesh.type));
  if (!mesh.original_nodes.empty()) {
    const std::vector<Index> place = inverse(order_by_id(mesh.original_nodes));
    replace_each(elements, [&](Index node) { return place[node]; });
  }
  return figures_of(elements, mesh.type);
}

}  // namespace cleave
