/// Blocks between lines along x and y, of which some have holes around crossings.
#pragma once

#include <string>
#include <vector>

#include "mesh/quad_blocks.hpp"

namespace cleave {

/// A hole is a circle around a crossing of lines. It lies in the up to four cells at the crossing, which become two
/// blocks each: rings around the hole that end in the sides of the cells.
class BlockGrid {
 public:
  /// Lines in any order; those at one place, up to rounding, are one. Throws InputError when two lines are nearer to
  /// each other than a quarter of the cell size.
  BlockGrid(std::vector<double> x, std::vector<double> y, double cell_size);

  /// The crossing must be one of lines, and the radius less than the way from there to any line beside. Throws
  /// InputError when what is left of that way is less than a quarter of the cell size.
  void add_hole(Point centre, double radius);

  using Sides = std::vector<QuadBlocks::BlockSide>;
  /// Sides on a line between two crossings on it, without what lies in holes.
  Sides on_line(Point from, Point to) const;
  /// Sides on a hole, those whose middle is seen from the centre at an angle between two, degrees in [-180, 180].
  Sides on_hole(Point centre, double from = -180, double to = 180) const;

  /// The mesh of all cells, as QuadBlocks::mesh.
  Mesh mesh(ElementType type, const std::vector<QuadBlocks::SideGroup>& groups, const Sides& slits = {});

 private:
  /// Numbers of the lines that cross.
  struct Crossing {
    int i = 0, j = 0;
    bool operator==(const Crossing&) const = default;
  };
  struct Hole {
    Crossing centre;
    double radius = 0;
    int around = 0;             ///< quads from the hole to the sides of its cells
    std::array<int, 9> vertex;  ///< on the circle, by direction: 3 (dj + 1) + di + 1; -1: outside of the grid
  };

  Crossing crossing(Point at) const;
  Point at(Crossing c) const { return {x_[c.i], y_[c.j]}; }
  int lattice_vertex(Crossing c) const { return c.j * static_cast<int>(x_.size()) + c.i; }
  bool is_inside(Crossing c) const;
  const Hole* hole_at(Crossing c) const;
  int vertex(Crossing c, Crossing towards) const;
  int divisions(Crossing a, Crossing b) const;
  void add_cell(int i, int j);

  std::vector<double> x_, y_;
  double cell_size_;
  std::vector<Hole> holes_;
  QuadBlocks blocks_;
};

}  // namespace cleave
