/// Cuts by counting: which node copies a set of broken facets asks for, from components of elements around each node.
#pragma once

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "cleave/mesh/mesh.hpp"

namespace cleave::reference {

class UnionFind {
 public:
  explicit UnionFind(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0); }
  int root(int i) const {
    while (parent_[i] != i) i = parent_[i];
    return i;
  }
  /// The smaller root survives, so a root is the smallest member.
  void join(int a, int b) {
    a = root(a);
    b = root(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<int> parent_;
};

/// A facet between two elements, a the smaller id; found by its corner nodes, not from the mesh's neighbour table.
struct InteriorFacet {
  int a, ka, b, kb;
  int code() const { return 3 * a + ka; }
};

inline std::vector<InteriorFacet> interior_facets(const Mesh& mesh) {
  std::map<std::pair<int, int>, std::pair<int, int>> first;
  std::vector<InteriorFacet> facets;
  for (int e = 0; e < mesh.element_count(); ++e)
    for (int k = 0; k < 3; ++k) {
      const int p = mesh.node(e, (k + 1) % 3), q = mesh.node(e, (k + 2) % 3);
      const auto key = std::minmax(p, q);
      const auto [at, fresh] = first.try_emplace(key, e, k);
      if (!fresh) facets.push_back({at->second.first, at->second.second, e, k});
    }
  return facets;
}

/// Corner c of element e, as one number.
inline int corner_id(int e, int c) { return 3 * e + c; }

/// The components of element corners at equal original nodes that unbroken facets join: each is one node of the cut
/// mesh. `broken` holds codes of facets (side a).
inline std::vector<int> corner_components(const Mesh& mesh, const std::vector<InteriorFacet>& facets,
                                          const std::set<int>& broken) {
  UnionFind sets(3 * static_cast<std::size_t>(mesh.element_count()));
  for (const InteriorFacet& f : facets) {
    if (broken.count(f.code())) continue;
    sets.join(corner_id(f.a, (f.ka + 1) % 3), corner_id(f.b, (f.kb + 2) % 3));
    sets.join(corner_id(f.a, (f.ka + 2) % 3), corner_id(f.b, (f.kb + 1) % 3));
  }
  std::vector<int> component(3 * static_cast<std::size_t>(mesh.element_count()));
  for (std::size_t i = 0; i < component.size(); ++i) component[i] = sets.root(static_cast<int>(i));
  return component;
}

inline int count_distinct(std::vector<int> values) {
  std::sort(values.begin(), values.end());
  return static_cast<int>(std::unique(values.begin(), values.end()) - values.begin());
}

/// Corner nodes - facets + elements, a broken facet counting twice.
inline int euler(int corner_nodes, const Mesh& mesh, int interior, int broken) {
  const int boundary = 3 * mesh.element_count() - 2 * interior;
  return corner_nodes - (boundary + interior + broken) + mesh.element_count();
}

/// Smallest element id of each element's fragment when the facets in `open` no longer hold.
inline std::vector<int> fragments(const Mesh& mesh, const std::vector<InteriorFacet>& facets,
                                  const std::set<int>& open) {
  UnionFind sets(mesh.element_count());
  for (const InteriorFacet& f : facets)
    if (!open.count(f.code())) sets.join(f.a, f.b);
  std::vector<int> root(mesh.element_count());
  for (std::size_t e = 0; e < root.size(); ++e) root[e] = sets.root(static_cast<int>(e));
  return root;
}

}  // namespace cleave::reference
