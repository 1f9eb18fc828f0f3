#include <algorithm>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "cleave/mesh/connectivity.hpp"
#include "mesh/changes.hpp"
#include "mesh/groups.hpp"

namespace cleave {
namespace {

/// Position of a node among the corners of an element.
int corner_of(const Mesh& mesh, Index e, Index node) {
  int corner = 0;
  while (mesh.node(e, corner) != node) ++corner;
  return corner;
}

/// [position in elements] Number of the sector of each element at a corner node: sets of elements connected by intact
/// facets at the node, in the order of their smallest elements.
/// @param elements  elements at the node, ascending
std::vector<int> sectors_at(const Mesh& mesh, Index node, std::span<const Index> elements) {
  constexpr int none = -1;
  std::vector<int> sector(elements.size(), none);
  std::vector<std::size_t> front;
  int sectors = 0;
  for (std::size_t first = 0; first < elements.size(); ++first) {
    if (sector[first] != none) continue;
    sector[first] = sectors;
    front.push_back(first);
    while (!front.empty()) {
      const Index e = elements[front.back()];
      front.pop_back();
      const int corner = corner_of(mesh, e, node);
      for (const int facet : {(corner + 1) % 3, (corner + 2) % 3}) {
        const Index other = mesh.neighbour(e, facet);
        if (!is_intact(other)) continue;
        const auto at = std::lower_bound(elements.begin(), elements.end(), element_of(other)) - elements.begin();
        if (sector[at] != none) continue;
        sector[at] = sectors;
        front.push_back(static_cast<std::size_t>(at));
      }
    }
    ++sectors;
  }
  return sector;
}

class Opening {
 public:
  explicit Opening(Mesh& mesh) : mesh_(mesh), width_(nodes_per_element(mesh.type)) {}

  void open(const std::vector<Index>& facets) {
    for (const Index code : facets) {
      const Index other = mesh_.neighbours[code];
      if (!is_intact(other)) continue;  // opened before by its other code
      mesh_.neighbours[code] = mesh_.neighbours[other] = boundary_facet;
      opened_.push_back({std::min(code, other), std::max(code, other)});
    }
    std::sort(opened_.begin(), opened_.end());
    copy_nodes();
  }

  /// Updates a group with the copies of its facets and nodes.
  void update(Group& group, std::vector<Index> by_themselves) const {
    std::vector<Index> inside;
    for (const Index code : group.inside) {
      const auto found =
          std::lower_bound(opened_.begin(), opened_.end(), std::pair(code, std::numeric_limits<Index>::min()));
      if (found == opened_.end() || found->first != code) {
        inside.push_back(code);
      } else {
        group.facets.insert(group.facets.end(), {found->first, found->second});
      }
    }
    std::vector<Index> copies;
    for (std::size_t i = 0; i < originals_.size(); ++i)
      if (std::binary_search(by_themselves.begin(), by_themselves.end(), originals_[i])) copies.push_back(copy_id(i));
    by_themselves.insert(by_themselves.end(), copies.begin(), copies.end());
    group = make_group(mesh_, group.name, group.facets, std::move(by_themselves), group.elements, std::move(inside));
  }

  std::vector<Index> closed() const {
    std::vector<Index> codes;
    for (const auto& [code, other] : opened_) {
      bool same = true;
      for (int i = 0; i < nodes_per_facet(mesh_.type); ++i)
        same = same && mesh_.facet_node(code, i) == mesh_.facet_node(other, nodes_per_facet(mesh_.type) - 1 - i);
      if (same) codes.push_back(code);
    }
    return codes;
  }

  const std::vector<Index>& copied() const { return originals_; }

 private:
  Index copy_id(std::size_t i) const { return mesh_.node_count() - static_cast<Index>(originals_.size() - i); }

  void copy_nodes() {
    std::vector<std::pair<Index, Index>> mid_sides;  // node, element that gets the copy
    std::vector<Index> corners;
    for (const auto& [code, other] : opened_) {
      const int last = nodes_per_facet(mesh_.type) - 1;
      corners.insert(corners.end(), {mesh_.facet_node(code, 0), mesh_.facet_node(code, last)});
      if (last == 2) mid_sides.emplace_back(mesh_.facet_node(code, 1), element_of(other));
    }
    std::sort(corners.begin(), corners.end());
    corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
    std::sort(mid_sides.begin(), mid_sides.end());

    const CornerIncidence incidence(mesh_);
    auto mid_side = mid_sides.begin();
    const auto copy_mid_sides = [&](Index below) {
      for (; mid_side != mid_sides.end() && mid_side->first < below; ++mid_side)
        give_copy(mid_side->first, mid_side->second, new_node(mid_side->first));
    };
    for (const Index corner : corners) {
      copy_mid_sides(corner);
      const std::span<const Index> elements = incidence.at(corner);
      const std::vector<int> sector = sectors_at(mesh_, corner, elements);
      const Index first_copy = mesh_.node_count() - 1;
      for (std::size_t i = 0; i < elements.size(); ++i) {
        if (sector[i] == 0) continue;
        if (first_copy + sector[i] == mesh_.node_count()) new_node(corner);
        give_copy(corner, elements[i], first_copy + sector[i]);
      }
    }
    copy_mid_sides(std::numeric_limits<Index>::max());
  }

  Index new_node(Index original) {
    const Point at = mesh_.nodes[original];
    mesh_.nodes.push_back(at);
    originals_.push_back(original);
    return mesh_.node_count() - 1;
  }
  void give_copy(Index original, Index element, Index copy) {
    const auto row = mesh_.elements.begin() + static_cast<std::ptrdiff_t>(element) * width_;
    std::replace(row, row + width_, original, copy);
  }

  Mesh& mesh_;
  int width_;
  std::vector<std::pair<Index, Index>> opened_;  // both codes, the smaller one first; ascending
  std::vector<Index> originals_;                 // [copy]
};

/// Numbers copies from the largest number on; if numbers would become too large, all nodes get their positions as
/// numbers.
/// @param copied  [copy] the node that it is a copy of
void number_copies(Mesh& mesh, const std::vector<Index>& copied) {
  std::vector<Index>& ids = mesh.original_nodes;
  if (ids.empty() || copied.empty()) return;
  const Index copies = static_cast<Index>(copied.size());
  const Index largest = *std::max_element(ids.begin(), ids.end());
  const bool fits = largest <= std::numeric_limits<Index>::max() - copies;
  const std::size_t first = fits ? ids.size() : 0;
  if (!fits) mesh.input_nodes = {};
  ids.resize(mesh.nodes.size());
  std::iota(ids.begin() + static_cast<std::ptrdiff_t>(first), ids.end(), fits ? largest + 1 : 0);
  mesh.input_nodes.first_copy = ids[ids.size() - copied.size()];
  for (const Index node : copied) mesh.input_nodes.copied.push_back(ids[node]);
}

}  // namespace

std::vector<Index> open_facets(Mesh& mesh, const std::vector<Index>& facets) {
  if (facets.empty()) return {};
  std::vector<std::vector<Index>> by_themselves;
  for (const Group& group : mesh.groups) by_themselves.push_back(nodes_by_themselves(mesh, group));
  Opening opening(mesh);
  opening.open(facets);
  for (std::size_t g = 0; g < mesh.groups.size(); ++g) opening.update(mesh.groups[g], std::move(by_themselves[g]));
  number_copies(mesh, opening.copied());
  return opening.closed();
}

}  // namespace cleave
