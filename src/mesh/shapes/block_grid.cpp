#include "mesh/shapes/block_grid.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mesh/report.hpp"

namespace cleave {
namespace {

constexpr double rounding = 1e-9;  // relative to the extent of the lines
constexpr double thinnest = 0.25;  // relative to the cell size

std::vector<double> sorted_lines(std::vector<double> lines, double cell_size, const char* axis) {
  std::sort(lines.begin(), lines.end());
  const double extent = lines.back() - lines.front();
  lines.erase(std::unique(lines.begin(), lines.end(), [&](double a, double b) { return b - a <= rounding * extent; }),
              lines.end());
  for (std::size_t i = 1; i < lines.size(); ++i)
    if (lines[i] - lines[i - 1] < thinnest * cell_size)
      throw InputError(fmt::format(
          "its sides, holes and tips need lines at {0} = {1:.6g} m and {0} = {2:.6g} m, which are nearer to "
          "each other than a quarter of cell_size, {3:g} m: use a smaller cell_size, or other lengths",
          axis, lines[i - 1], lines[i], cell_size));
  return lines;
}

int quads_along(double length, double cell_size) {
  constexpr double most = 1e9;  // more than can be numbered
  return static_cast<int>(std::clamp(std::round(length / cell_size), 1.0, most));
}

int nearest_line(const std::vector<double>& lines, double at) {
  const auto nearer = [&](double a, double b) { return std::abs(a - at) < std::abs(b - at); };
  return static_cast<int>(std::min_element(lines.begin(), lines.end(), nearer) - lines.begin());
}

}  // namespace

BlockGrid::BlockGrid(std::vector<double> x, std::vector<double> y, double cell_size)
    : x_(sorted_lines(std::move(x), cell_size, "x")),
      y_(sorted_lines(std::move(y), cell_size, "y")),
      cell_size_(cell_size) {
  for (const double b : y_)
    for (const double a : x_) blocks_.add_vertex({a, b});
}

BlockGrid::Crossing BlockGrid::crossing(Point at) const { return {nearest_line(x_, at.x), nearest_line(y_, at.y)}; }

bool BlockGrid::is_inside(Crossing c) const {
  return c.i >= 0 && c.j >= 0 && c.i < static_cast<int>(x_.size()) && c.j < static_cast<int>(y_.size());
}

const BlockGrid::Hole* BlockGrid::hole_at(Crossing c) const {
  const auto found = std::find_if(holes_.begin(), holes_.end(), [&](const Hole& hole) { return hole.centre == c; });
  return found == holes_.end() ? nullptr : &*found;
}

void BlockGrid::add_hole(Point centre, double radius) {
  Hole hole{crossing(centre), radius, 0, {}};
  const Point middle = at(hole.centre);
  double lengths = 0, outer = 0;
  int directions = 0;
  for (int dj = -1; dj <= 1; ++dj) {
    for (int di = -1; di <= 1; ++di) {
      int& vertex = hole.vertex[3 * (dj + 1) + di + 1] = -1;
      const Crossing towards{hole.centre.i + di, hole.centre.j + dj};
      if ((di == 0 && dj == 0) || !is_inside(towards)) continue;
      const Point way{at(towards).x - middle.x, at(towards).y - middle.y};
      const double length = std::hypot(way.x, way.y);
      if (length - radius < thinnest * cell_size_)
        throw InputError(fmt::format(
            "the hole of radius {:g} m at ({:g}, {:g}) leaves {:.3g} m to ({:g}, {:g}), less than a quarter "
            "of cell_size, {:g} m: use a smaller cell_size, or another hole",
            radius, middle.x, middle.y, length - radius, at(towards).x, at(towards).y, cell_size_));
      vertex = blocks_.add_vertex({middle.x + radius * way.x / length, middle.y + radius * way.y / length});
      lengths += length - radius;
      outer += std::max(std::abs(way.x), std::abs(way.y));
      ++directions;
    }
  }
  // Quads there are about as long as wide at half radius. The sides of an eighth of the circle are those of a cell.
  const double inner_part = std::numbers::pi / 4 * radius / (outer / directions);
  hole.around = quads_along(lengths / directions, cell_size_ * (1 + inner_part) / 2);
  holes_.push_back(hole);
}

/// The vertex at the start of the way from one crossing to a neighbouring one: behind the hole, if there is one.
int BlockGrid::vertex(Crossing c, Crossing towards) const {
  const Hole* hole = hole_at(c);
  return hole ? hole->vertex[3 * (towards.j - c.j + 1) + towards.i - c.i + 1] : lattice_vertex(c);
}

/// Number of quads between two crossings on a line, as if there were no hole.
int BlockGrid::divisions(Crossing a, Crossing b) const {
  return quads_along(std::hypot(at(b).x - at(a).x, at(b).y - at(a).y), cell_size_);
}

BlockGrid::Sides BlockGrid::on_line(Point from, Point to) const {
  Sides sides;
  const Crossing last = crossing(to);
  const auto step = [](int a, int b) { return a < b ? 1 : a > b ? -1 : 0; };
  for (Crossing c = crossing(from); !(c == last);) {
    const Crossing next{c.i + step(c.i, last.i), c.j + step(c.j, last.j)};
    sides.emplace_back(vertex(c, next), vertex(next, c));
    c = next;
  }
  return sides;
}

BlockGrid::Sides BlockGrid::on_hole(Point centre, double from, double to) const {
  // Directions counter-clockwise from the east.
  constexpr std::array<int, 8> around{5, 8, 7, 6, 3, 0, 1, 2};
  const Hole& hole = *hole_at(crossing(centre));
  Sides sides;
  for (int k = 0; k < 8; ++k) {
    const int a = hole.vertex[around[k]], b = hole.vertex[around[(k + 1) % 8]];
    const double middle = k < 4 ? 45 * (k + 0.5) : 45 * (k + 0.5) - 360;
    if (a >= 0 && b >= 0 && middle > from && middle < to) sides.emplace_back(a, b);
  }
  return sides;
}

void BlockGrid::add_cell(int i, int j) {
  const std::array<Crossing, 4> corners{{{i, j}, {i + 1, j}, {i + 1, j + 1}, {i, j + 1}}};
  for (int k = 0; k < 4; ++k) {
    const Hole* hole = hole_at(corners[k]);
    if (hole == nullptr) continue;
    const Crossing c0 = corners[k], c1 = corners[(k + 1) % 4], c2 = corners[(k + 2) % 4], c3 = corners[(k + 3) % 4];
    const int first = vertex(c0, c1), middle = vertex(c0, c2), last = vertex(c0, c3);
    blocks_.add_arc({first, middle}, at(c0));
    blocks_.add_arc({middle, last}, at(c0));
    blocks_.add_block({first, lattice_vertex(c1), lattice_vertex(c2), middle}, {hole->around, divisions(c1, c2)});
    blocks_.add_block({middle, lattice_vertex(c2), lattice_vertex(c3), last}, {hole->around, divisions(c2, c3)});
    return;
  }
  blocks_.add_block(
      {lattice_vertex(corners[0]), lattice_vertex(corners[1]), lattice_vertex(corners[2]), lattice_vertex(corners[3])},
      {divisions(corners[0], corners[1]), divisions(corners[1], corners[2])});
}

Mesh BlockGrid::mesh(ElementType type, const std::vector<QuadBlocks::SideGroup>& groups, const Sides& slits) {
  for (int j = 0; j + 1 < static_cast<int>(y_.size()); ++j)
    for (int i = 0; i + 1 < static_cast<int>(x_.size()); ++i) add_cell(i, j);
  return blocks_.mesh(type, groups, slits);
}

}  // namespace cleave
