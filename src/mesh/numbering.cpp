#include "cleave/mesh/numbering.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "cleave/mesh/topology.hpp"

namespace cleave {
namespace {

constexpr int key_bits = 16;

/// Ids of these positions sorted by Hilbert key, ties by id. A key has 32 bits, so key and id sort as one integer.
std::vector<Index> hilbert_order(const std::vector<Point>& positions) {
  Point low = positions.front();
  Point high = low;
  for (const Point& p : positions) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  const double side = std::max({high.x - low.x, high.y - low.y, std::numeric_limits<double>::min()});
  auto cell = [side](double distance) {
    constexpr double cells = 1 << key_bits;
    return static_cast<std::uint32_t>(std::min(std::round(distance / side * cells), cells - 1));
  };

  std::vector<std::uint64_t> keyed;
  keyed.reserve(positions.size());
  for (const Point& p : positions) {
    keyed.push_back(hilbert_index(key_bits, cell(p.x - low.x), cell(p.y - low.y)) << 32 | keyed.size());
  }
  std::sort(keyed.begin(), keyed.end());
  std::vector<Index> order(positions.size());
  std::transform(keyed.begin(), keyed.end(), order.begin(), [](std::uint64_t k) { return static_cast<Index>(k); });
  return order;
}

std::vector<Index> inverse(const std::vector<Index>& order) {
  std::vector<Index> position(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) position[order[i]] = static_cast<Index>(i);
  return position;
}

/// values[order[i]] at i, for arrays of `stride` values per id. An empty array stays empty.
template <class T>
std::vector<T> reordered(const std::vector<T>& values, const std::vector<Index>& order, std::size_t stride = 1) {
  std::vector<T> result;
  if (values.empty()) return result;
  result.reserve(values.size());
  for (Index old_id : order) {
    const auto row = values.begin() + static_cast<std::ptrdiff_t>(old_id * stride);
    result.insert(result.end(), row, row + static_cast<std::ptrdiff_t>(stride));
  }
  return result;
}

/// @param elements  [element][nodes] node ids
double coalescing_of(const std::vector<Index>& elements, std::size_t nodes) {
  constexpr std::size_t warp = 32;
  constexpr std::size_t nodes_per_line = 8;
  const std::size_t ids_per_warp = warp * nodes;
  std::size_t fewest_lines = 0;
  std::size_t lines_touched = 0;
  std::vector<Index> ids;
  for (std::size_t begin = 0; begin < elements.size(); begin += ids_per_warp) {
    const std::size_t end = std::min(begin + ids_per_warp, elements.size());
    ids.assign(elements.data() + begin, elements.data() + end);
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    fewest_lines += (ids.size() + nodes_per_line - 1) / nodes_per_line;
    for (Index& id : ids) id /= nodes_per_line;
    lines_touched += std::unique(ids.begin(), ids.end()) - ids.begin();
  }
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

/// Ids in the order of their original ids, ties by id.
std::vector<Index> order_as_given(const std::vector<Index>& original) {
  std::vector<Index> order(original.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return original[a] < original[b]; });
  return order;
}

}  // namespace

std::uint64_t hilbert_index(int bits, std::uint32_t x, std::uint32_t y) {
  std::uint64_t index = 0;
  for (std::uint32_t side = 1U << (bits - 1); side > 0; side /= 2) {
    const bool right = (x & side) != 0;
    const bool upper = (y & side) != 0;
    index += std::uint64_t{side} * side * ((3U * right) ^ static_cast<unsigned>(upper));
    // Turn the quadrant so that the curve inside it starts at its own (0, 0).
    x &= side - 1;
    y &= side - 1;
    if (!upper) {
      if (right) {
        x = side - 1 - x;
        y = side - 1 - y;
      }
      std::swap(x, y);
    }
  }
  return index;
}

void renumber_hilbert(Mesh& mesh) {
  if (mesh.elements.empty()) return;
  std::vector<Point> centroids;
  centroids.reserve(mesh.element_count());
  for (Index e = 0; e < mesh.element_count(); ++e) centroids.push_back(centroid(mesh, e));
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
  for (Index& node : mesh.elements) node = new_node[node];
  mesh.neighbours = reordered(mesh.neighbours, element_order, 3);
  for (Index& code : mesh.neighbours) code = new_code(code);
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
    elements = reordered(elements, order_as_given(mesh.original_elements), nodes_per_element(mesh.type));
  if (!mesh.original_nodes.empty()) {
    const std::vector<Index> place = inverse(order_as_given(mesh.original_nodes));
    for (Index& node : elements) node = place[node];
  }
  return figures_of(elements, mesh.type);
}

}  // namespace cleave
