/// Neighbours and edges by sorting: the facets of elements that lie on one edge have equal keys, and so come together.
#pragma once

#include <cstdint>

#include "cleave/core/atomic.hpp"
#include "cleave/lockstep/kernel.hpp"
#include "cleave/mesh/facet.hpp"

namespace cleave {

using EdgeKey = std::uint64_t;

/// Both corners of an edge in one number, the smaller id above the larger one.
struct EdgeKeys {
  int bits;  ///< of a node's id, 31 at most

  CLEAVE_HD EdgeKey operator()(Index a, Index b) const {
    const Index low = a < b ? a : b, high = a < b ? b : a;
    return static_cast<EdgeKey>(low) << bits | static_cast<EdgeKey>(high);
  }
  CLEAVE_HD int key_bits() const { return 2 * bits; }
  CLEAVE_HD Index low(EdgeKey key) const { return static_cast<Index>(key >> bits); }
  CLEAVE_HD Index high(EdgeKey key) const { return static_cast<Index>(key & ((EdgeKey{1} << bits) - 1)); }
};

/// The key of every facet, opposite its corner of that number.
struct KeysOfFacets {
  static constexpr KernelTraits traits{.name = "keys of facets"};
  Index elements;
  const Index* corners;  ///< [3 e + i]
  EdgeKeys of;
  EdgeKey* keys;  ///< [facet code]
  Index* codes;   ///< [facet code] itself, to be sorted with its key

  CLEAVE_HD Index size() const { return 3 * elements; }
  CLEAVE_HD void operator()(Index code) const {
    const Index first = 3 * element_of(code);
    const int k = facet_of(code);
    keys[code] = of(corners[first + (k + 1) % 3], corners[first + (k + 2) % 3]);
    codes[code] = code;
  }
};

/// Makes the two facets of an edge neighbours; that of an edge with one is on the boundary. Counts edges with more,
/// which no body has.
struct LinkSortedFacets {
  static constexpr KernelTraits traits{.name = "links of facets"};
  Index facets;
  const EdgeKey* keys;  ///< sorted
  const Index* codes;   ///< likewise
  Index* neighbours;    ///< [facet code]
  Index* crowded;       ///< number of facets of edges with more than two

  CLEAVE_HD bool is_same(Index i, Index j) const { return j >= 0 && j < facets && keys[i] == keys[j]; }
  CLEAVE_HD Index size() const { return facets; }
  CLEAVE_HD void operator()(Index i) const {
    const bool before = is_same(i, i - 1), behind = is_same(i, i + 1);
    neighbours[codes[i]] = before ? codes[i - 1] : behind ? codes[i + 1] : boundary_facet;
    if ((before && (behind || is_same(i, i - 2))) || (behind && is_same(i, i + 2))) atomic_add(*crowded, Index{1});
  }
};

/// Where an edge begins among sorted keys; as a value, the number of edges that begin there.
struct BeginsEdge {
  const EdgeKey* keys;

  CLEAVE_HD Index operator()(Index i) const { return i == 0 || keys[i] != keys[i - 1] ? 1 : 0; }
};

/// The corners of the edges, each once, in the order of their keys.
struct CornersOfEdges {
  static constexpr KernelTraits traits{.name = "corners of edges"};
  Index facets;
  BeginsEdge begins;
  EdgeKeys of;
  const Index* before;  ///< [place] edges that begin before it
  Index* corners;       ///< [2 edge] the smaller id, then the larger one
  Index* edges;         ///< number of them

  CLEAVE_HD Index size() const { return facets; }
  CLEAVE_HD void operator()(Index i) const {
    const Index edge = before[i];
    if (begins(i)) {
      corners[2 * edge] = of.low(begins.keys[i]);
      corners[2 * edge + 1] = of.high(begins.keys[i]);
    }
    if (i == facets - 1) *edges = edge + begins(i);
  }
};

}  // namespace cleave
