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

/// Coalescing of node reads, 0 < Q <= 1: over groups of 32 consecutive elements (a warp) with the set u of node ids,
/// sum ceil(|u| / 8) / sum |{v / 8 : v in u}|, 8 nodes of two doubles being one 128-byte line.
double numbering_quality(const Mesh& mesh);

}  // namespace cleave
