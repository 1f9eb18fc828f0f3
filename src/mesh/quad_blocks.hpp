/// A region in blocks of quads, which fit together by their sides.
#pragma once

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cleave/mesh/mesh.hpp"
#include "mesh/quad_grid.hpp"

namespace cleave {

/// Blocks have four corners, which are vertices. Two blocks with the same two vertices share the side between these and
/// its nodes. Inside, a block interpolates between its sides (S. A. Coons, 1967).
class QuadBlocks {
 public:
  using Corners = std::array<int, 4>;     ///< vertices, counter-clockwise
  using BlockSide = std::pair<int, int>;  ///< vertices at its ends, in either order

  /// A place where blocks can have a corner; returns its number.
  int add_vertex(Point at);
  /// Makes the side between two vertices an arc, the shorter way around a centre as far from both.
  void add_arc(BlockSide side, Point centre);
  /// @param divisions  quads along the sides 0-1 and 1-2, the same as in blocks that share these sides
  void add_block(const Corners& corners, std::array<int, 2> divisions);

  /// A group of sides on the boundary or, where they are slits, of both faces of each.
  struct SideGroup {
    std::string name;
    std::vector<BlockSide> sides;
  };
  /// The mesh of all blocks. Nodes: as sides and the insides of blocks need them, block by block, centres of quads
  /// among them; then copies and mid-side nodes. Throws InputError when there are too many quads.
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
