/// Changes of a connected mesh: mid-side nodes, open facets, refinement.
#pragma once

#include <string>
#include <vector>

#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// Turns a connected T3 mesh into T6: adds one node in the middle of every facet, numbered after the corners in the
/// order in which elements first meet them. Boundary facets get separate nodes, so that a notch stays open.
void add_mid_sides(Mesh& mesh);

/// Moves the mid-side nodes of curved sides to the middle of their corners and records the change in mesh.straightened.
/// A node off by more than a quarter of its side is not its mid-side node and stays. Node ids must be in range;
/// neighbours are not needed.
void straighten(Mesh& mesh);

/// Opens facets inside a connected mesh: both sides become boundary. Each node of them gets a copy for every sector of
/// elements around it but the first, which has the smallest element id; a tip inside the body therefore keeps its node.
/// Copies follow all nodes, in the order of the nodes and then of the sectors; their input numbers follow the largest
/// one. Groups of these facets have both sides afterwards, and groups with a single node all its copies.
/// @param facets  codes of interior facets; either code of a facet, repeats allowed
/// @return codes of facets that could not open, because both sides still have the same nodes: a crack of T3 that is one
/// facet long and ends inside at both ends
std::vector<Index> open_facets(Mesh& mesh, const std::vector<Index>& facets);

/// A connected mesh with each triangle divided into four at the middles of its sides; for T6, at its mid-side nodes.
/// Groups get the halves of their facets and the quarters of their triangles; groups of single nodes get no new nodes.
/// Old nodes keep their ids. Element e becomes 4 e + k, k = 0..2 at its corner k, 3 in the middle. The input numbering
/// is that of the positions. Throws InputError, whose report starts with `source`, if there would be too many elements.
Mesh refined(const Mesh& mesh, const std::string& source);

/// Requires sides at the distance d from a point to be at most size + growth * d long.
struct GradingPoint {
  Point at;           ///< m
  double size = 0;    ///< m, positive
  double growth = 0;  ///< not negative; 0: the same size in the whole mesh
};

/// Bisects triangles of a connected mesh until no side of a triangle is longer than the smallest length required at its
/// nearest point. Each cut halves both triangles at the longest side of one of them, from the middle of that side;
/// triangles that have a longer side are cut first (M.-C. Rivara, 1997). The mesh stays conforming, and no angle
/// becomes smaller than half the smallest one of the mesh (I. G. Rosenberg, F. Stenger, 1975); right isosceles
/// triangles stay similar. Groups are kept. Original ids are new positions. Throws InputError if this takes more than
/// `most` triangles.
Mesh graded(const Mesh& mesh, const std::vector<GradingPoint>& points, Index most);

}  // namespace cleave
