/// A region made of blocks of quads that share sides.
#pragma once

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cleave/mesh/mesh.hpp"
#include "mesh/shapes/quad_grid.hpp"

namespace cleave {

/// Blocks have four corners, which are vertices. Two blocks with two common vertices share the side between them and
/// its nodes. Inside, a block interpolates between its sides (S. A. Coons, 1967).
class QuadBlocks {
 public:
  using Corners = std::array<int, 4>;     ///< vertices, counter-clockwise
  using BlockSide = std::pair<int, int>;  ///< its end vertices, in either order

  /// Adds a place for corners of blocks; returns its number.
  int add_vertex(Point at);
  /// Makes the side between two vertices an arc about a centre, the shorter way around.
  void add_arc(BlockSide side, Point centre);
  /// @param divisions  number of quads along the sides 0-1 and 1-2, the same in blocks that share these sides
  void add_block(const Corners& corners, std::array<int, 2> divisions);

  /// A group of sides on the boundary, or of both faces of slits.
  struct SideGroup {
    std::string name;
    std::vector<BlockSide> sides;
  };
  /// The mesh of all blocks. Nodes are numbered block by block as sides and interiors need them, with the centres of
  /// quads; copies and mid-side nodes follow. Throws InputError if there are too many quads.
  Mesh mesh(ElementType type, const std::vector<SideGroup>& groups, const std::vector<BlockSide>& slits) const;

 private:
  struct Block {
    Corners corners;
    std::array<int, 2> divisions;
  };
  class Builder;

  Point place(BlockSide side, double part) const;

  std::vector<Point> vertices_;
  std::map<BlockSide, Point> arcs_;  ///< centre, by the side with its smaller vertex first
  std::vector<Block> blocks_;
};

}  // namespace cleave
