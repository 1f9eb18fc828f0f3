/// Numbering of nodes and elements along a Hilbert curve, and how good a numbering is for a GPU's memory.
#pragma once

#include <cstdint>

#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// Position of cell (x, y) along the Hilbert curve on a 2^bits x 2^bits grid: (0,0), (1,0), (1,1), (0,1), (0,2), ...
std::uint64_t hilbert_index(int bits, std::uint32_t x, std::uint32_t y);

/// Sorts elements by the Hilbert key of their corner centroid and nodes by that of their position: x and y in the
/// bounding box of the centroids or of the nodes, scaled by its larger side to the nearest of 2^16 cells; ties by id.
/// Everything that refers to ids follows; original ids are kept.
void renumber_hilbert(Mesh& mesh);

/// Applies a numbering: new id i is old id node_order[i], element_order[i]; each order holds every id once. Corners
/// keep their place in an element, so facet k of an element stays its facet k.
void renumber(Mesh& mesh, const std::vector<Index>& node_order, const std::vector<Index>& element_order);

/// How good a numbering is for memory, from the node ids of the elements in their order.
struct NumberingFigures {
  /// Coalescing of node reads on a GPU, 0 < Q <= 1: over groups of 32 consecutive elements (a warp) with the set u of
  /// node ids, sum ceil(|u| / 8) / sum |{v / 8 : v in u}|, 8 nodes of two doubles being one 128-byte line.
  double coalescing = 1;
  /// Part of the node reads, element by element, that a direct-mapped cache of 16 lines of 16 nodes holds. The cache is
  /// that of INRIA's GMlib 3.30, whose tags leave out two bits of the id and so find more hits.
  double cache_hits = 1;
};

/// Of the present numbering.
NumberingFigures numbering_figures(const Mesh& mesh);
/// Of the numbering that the mesh was given with: the order of its original ids. Copies of a node, as on the faces of a
/// crack, follow each other.
NumberingFigures figures_as_given(const Mesh& mesh);

}  // namespace cleave
