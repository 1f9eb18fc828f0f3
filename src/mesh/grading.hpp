/// Cutting the triangles near some points until they are small.
#pragma once

#include <vector>

#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// Sides within the distance d of a point are to be at most size + growth * d long.
struct GradingPoint {
  Point at;           ///< m
  double size = 0;    ///< m, positive
  double growth = 0;  ///< not negative; without growth the whole mesh has the one size
};

/// Bisects triangles of a connected mesh until no side of a triangle is longer than the smallest length that the points
/// ask for at its nearest point; at each cut both triangles on the longest side of one of them are halved from the
/// middle of that side, after those whose longest side it is not (M.-C. Rivara, 1997). The mesh stays conforming, and
/// no angle becomes smaller than half the smallest one of the mesh (I. G. Rosenberg, F. Stenger, 1975); right isosceles
/// triangles stay so. Groups stay. Original ids are new positions.
/// Throws InputError when this takes more than `most` triangles.
Mesh graded(const Mesh& mesh, const std::vector<GradingPoint>& points, Index most);

}  // namespace cleave
