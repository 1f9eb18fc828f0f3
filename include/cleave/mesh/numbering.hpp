/// Numbering of nodes and elements along a Hilbert curve, and measures of a numbering's memory locality.
#pragma once

#include <cstdint>

#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// Position of cell (x, y) along the Hilbert curve on a 2^bits x 2^bits grid: (0,0), (1,0), (1,1), (0,1), (0,2), ...
std::uint64_t hilbert_index(int bits, std::uint32_t x, std::uint32_t y);

/// Sorts elements by the Hilbert key of their corner centroid and nodes by that of their position, ties by id.
/// Coordinates are relative to the bounding box of the centroids or of the nodes, scaled by its longer side to the
/// nearest of 2^16 cells. All references to ids are updated; original ids are kept.
void renumber_hilbert(Mesh& mesh);

/// Applies a numbering: new id i is old id node_order[i] or element_order[i]; each order is a permutation. Corners keep
/// their place in an element, so facet k of an element stays facet k.
void renumber(Mesh& mesh, const std::vector<Index>& node_order, const std::vector<Index>& element_order);

/// Memory locality of a numbering, from the node ids of the elements in their order.
struct NumberingFigures {
  /// Coalescing of node reads on a GPU, 0 < Q <= 1. Over groups of 32 consecutive elements (a warp), each with the set
  /// u of node ids, Q = sum ceil(|u| / 8) / sum |{v / 8 : v in u}|; 8 nodes of two doubles fill a 128-byte line.
  double coalescing = 1;
  /// Hit rate of node reads, element by element, in a direct-mapped cache of 16 lines of 16 nodes. The cache is that of
  /// INRIA's GMlib 3.30, whose tags omit two bits of the id and so report more hits.
  double cache_hits = 1;
};

/// Figures of the present numbering.
NumberingFigures numbering_figures(const Mesh& mesh);
/// Figures of the numbering in which the mesh was given: the order of its original ids, with copies of a node, as on
/// the faces of a crack, one after the other.
NumberingFigures figures_as_given(const Mesh& mesh);

}  // namespace cleave
