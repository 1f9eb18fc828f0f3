/// Elements around the nodes of a mesh, and its edges. Mesh::neighbours has the elements across facets.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// Elements at the corner nodes of a mesh (their balls), ascending for each node; mid-side nodes have none. In a mesh
/// that passes check_mesh and connect, two elements share a mid-side node only if they share its facet, hence its
/// corners.
class CornerIncidence {
 public:
  explicit CornerIncidence(const Mesh& mesh);

  std::span<const Index> at(Index node) const {
    return std::span(elements_).subspan(offsets_[node], offsets_[node + 1] - offsets_[node]);
  }

 private:
  std::vector<Index> offsets_;   // [node + 1]
  std::vector<Index> elements_;  // [3 * element count]
};

/// Edges of a connected mesh, each once: a facet on the boundary is one, and two facets that are neighbours are one.
/// Their numbers follow the ids of their corners: by the smaller one, then by the larger one, then by the
/// facet, as both sides of an open crack may have the same corners.
///
///     0 ------ 1      edge      0     1     2     3     4
///     |  1   / |      corners  0,1   0,2   1,2   1,3   2,3
///     |   /    |      facets   4,-1  5,-1  0,3   2,-1  1,-1     of the elements 0: (3, 1, 2) and 1: (0, 2, 1)
///     | /   0  |
///     2 ------ 3
class Edges {
 public:
  /// @param mesh  must live as long
  explicit Edges(const Mesh& mesh);

  Index count() const { return static_cast<Index>(facets_.size()); }
  /// Nodes at the ends, the smaller id first.
  std::array<Index, 2> corners(Index edge) const;
  /// Facet codes: the smaller one, then that of the other element or boundary_facet.
  std::array<Index, 2> facets(Index edge) const { return {facets_[edge], mesh_->neighbours[facets_[edge]]}; }
  /// The edge of a facet.
  Index of_facet(Index code) const { return of_facet_[code]; }

 private:
  const Mesh* mesh_;
  std::vector<Index> facets_;    // [edge] the smaller code
  std::vector<Index> of_facet_;  // [facet code]
};

}  // namespace cleave
