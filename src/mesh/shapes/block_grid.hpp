/// Blocks between lines along x and y, with holes around crossings.
#pragma once

#include <string>
#include <vector>

#include "mesh/shapes/quad_blocks.hpp"

namespace cleave {

/// A hole is a circle around a crossing of lines. It lies in the up to four cells at the crossing; each of them becomes
/// two blocks between the hole and the sides of the cell.
class BlockGrid {
 public:
  /// Lines may be in any order; lines at one place, up to rounding, are merged. Throws InputError if two lines are
  /// closer than a quarter of the cell size.
  BlockGrid(std::vector<double> x, std::vector<double> y, double cell_size);

  /// Adds a hole around a crossing of lines. Its radius must be less than the distance to the next lines; throws
  /// InputError if the remaining distance is less than a quarter of the cell size.
  void add_hole(Point centre, double radius);

  using Sides = std::vector<QuadBlocks::BlockSide>;
  /// Sides on a line between two of its crossings, except in holes.
  Sides on_line(Point from, Point to) const;
  /// Sides on a hole whose middle lies between two angles about the centre, degrees in [-180, 180].
  Sides on_hole(Point centre, double from = -180, double to = 180) const;

  /// The mesh of all cells, as QuadBlocks::mesh.
  Mesh mesh(ElementType type, const std::vector<QuadBlocks::SideGroup>& groups, const Sides& slits = {});

 private:
  /// Indices of the lines that cross.
  struct Crossing {
    int i = 0, j = 0;
    bool operator==(const Crossing&) const = default;
  };
  struct Hole {
    Crossing centre;
    double radius = 0;
    int around = 0;             ///< number of quads from the hole to the sides of its cells
    std::array<int, 9> vertex;  ///< vertices on the circle, by direction: 3 (dj + 1) + di + 1; -1: outside the grid
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
