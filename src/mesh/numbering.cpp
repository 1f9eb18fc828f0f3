#include "cleave/mesh/numbering.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace cleave {
namespace {

constexpr int key_bits = 16;

/// Hilbert keys of the positions in a box.
class HilbertKey {
 public:
  explicit HilbertKey(const Mesh& mesh) : low_(mesh.nodes.front()) {
    Point high = low_;
    for (const Point& p : mesh.nodes) {
      low_ = {std::min(low_.x, p.x), std::min(low_.y, p.y)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
    scale_ = ((1 << key_bits) - 1) / std::max(high.x - low_.x, high.y - low_.y);
  }

  std::uint64_t operator()(Point p) const { return hilbert_index(key_bits, cell(p.x - low_.x), cell(p.y - low_.y)); }

 private:
  std::uint32_t cell(double distance) const { return static_cast<std::uint32_t>(distance * scale_); }

  Point low_;
  double scale_ = 0;
};

/// Ids 0 .. count - 1 sorted by key(id), ties by id. A key has 32 bits, so key and id sort as one integer.
template <class Key>
std::vector<Index> sorted_by(Index count, Key key) {
  std::vector<std::uint64_t> keyed(count);
  for (Index i = 0; i < count; ++i) keyed[i] = key(i) << 32 | static_cast<std::uint32_t>(i);
  std::sort(keyed.begin(), keyed.end());
  std::vector<Index> order(count);
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
  const HilbertKey key(mesh);
  const auto nodes = sorted_by(mesh.node_count(), [&](Index node) { return key(mesh.nodes[node]); });
  const auto elements = sorted_by(mesh.element_count(), [&](Index e) {
    const Point a = mesh.nodes[mesh.node(e, 0)];
    const Point b = mesh.nodes[mesh.node(e, 1)];
    const Point c = mesh.nodes[mesh.node(e, 2)];
    return key({(a.x + b.x + c.x) / 3, (a.y + b.y + c.y) / 3});
  });
  renumber(mesh, nodes, elements);
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
    std::sort(group.facets.begin(), group.facets.end());
    std::sort(group.nodes.begin(), group.nodes.end());
  }
}

double numbering_quality(const Mesh& mesh) {
  constexpr std::size_t warp = 32;
  constexpr std::size_t nodes_per_line = 8;
  const std::size_t ids_per_warp = warp * nodes_per_element(mesh.type);
  std::size_t fewest_lines = 0;
  std::size_t lines_touched = 0;
  std::vector<Index> ids;
  for (std::size_t begin = 0; begin < mesh.elements.size(); begin += ids_per_warp) {
    const std::size_t end = std::min(begin + ids_per_warp, mesh.elements.size());
    ids.assign(mesh.elements.data() + begin, mesh.elements.data() + end);
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    fewest_lines += (ids.size() + nodes_per_line - 1) / nodes_per_line;
    for (Index& id : ids) id /= nodes_per_line;
    lines_touched += std::unique(ids.begin(), ids.end()) - ids.begin();
  }
  return lines_touched == 0 ? 1 : static_cast<double>(fewest_lines) / static_cast<double>(lines_touched);
}

}  // namespace cleave
