/// Refinement of the triangles near given points.
#pragma once

#include <vector>

#include "cleave/mesh/mesh.hpp"

namespace cleave {

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
