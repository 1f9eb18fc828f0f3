/// Rigid obstacles as a frame: obstacles_%06d.vtu and obstacles.pvd.
#pragma once

#include <string>
#include <vector>

#include "cleave/core/quantities.hpp"
#include "cleave/output/grid.hpp"

namespace cleave {

/// The shape of an obstacle, a disc or a half plane.
struct ObstacleOutline {
  std::string name;
  double radius = 0;  ///< of a disc, m; 0: a plane
  Point normal;       ///< of a plane, a unit vector out of it
};

/// Triangles of all obstacles at their places. A disc is a polygon with a spoke that shows its turn; of a plane there
/// is a strip as long as the body is wide or high. Cell data are obstacle, its number, and reaction, its force on the
/// body.
/// @param places  [obstacle] of a row of history
/// @param mesh    the body, which says how large planes are drawn
Grid obstacles_grid(const std::vector<ObstacleOutline>& outlines, const std::vector<ObstacleValues>& places,
                    const Mesh& mesh);

}  // namespace cleave
