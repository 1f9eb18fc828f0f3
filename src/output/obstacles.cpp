#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "cleave/output/grid.hpp"

namespace cleave {
namespace {

/// Triangles with points of their own.
struct Triangles {
  std::vector<double> points;
  std::vector<std::int32_t> corners;
  std::vector<std::int32_t> obstacle;
  std::vector<double> reaction;

  void add(std::int32_t number, const ObstacleValues& at, const std::array<Point, 3>& of) {
    for (const Point& p : of) {
      corners.push_back(static_cast<std::int32_t>(points.size() / 3));
      points.insert(points.end(), {p.x, p.y, 0});
    }
    obstacle.push_back(number);
    reaction.insert(reaction.end(), {at.value[0], at.value[1], 0});
  }
};

/// A disc without a narrow sector, which shows how far it has turned.
void add_disc(Triangles& all, std::int32_t number, const ObstacleValues& at, double radius) {
  constexpr int sectors = 90;
  const Point centre{at.value[2], at.value[3]};
  const auto rim = [&](int i) {
    const double angle = at.value[4] + 2 * std::numbers::pi * i / sectors;
    return Point{centre.x + radius * std::cos(angle), centre.y + radius * std::sin(angle)};
  };
  for (int i = 1; i < sectors; ++i) all.add(number, at, {centre, rim(i), rim(i + 1)});
}

void add_plane(Triangles& all, std::int32_t number, const ObstacleValues& at, Point normal, const Mesh& mesh) {
  const Box body = box_around(mesh.nodes);
  const double half = 0.6 * std::hypot(body.width(), body.height()), depth = 0.1 * half;
  const Point along{-normal.y, normal.x};
  // Opposite the middle of the body at the start.
  const Point middle = body.centre();
  const double shift = (middle.x - at.value[2]) * along.x + (middle.y - at.value[3]) * along.y;
  const auto corner = [&](double to, double down) {
    return Point{at.value[2] + (shift + to) * along.x - down * normal.x,
                 at.value[3] + (shift + to) * along.y - down * normal.y};
  };
  const Point a = corner(-half, 0), b = corner(half, 0), c = corner(half, depth), d = corner(-half, depth);
  all.add(number, at, {a, b, c});
  all.add(number, at, {a, c, d});
}

}  // namespace

Grid obstacles_grid(const std::vector<ObstacleOutline>& outlines, const std::vector<ObstacleValues>& places,
                    const Mesh& mesh) {
  Triangles all;
  for (std::size_t i = 0; i < std::min(outlines.size(), places.size()); ++i) {
    const auto number = static_cast<std::int32_t>(i);
    if (outlines[i].radius > 0)
      add_disc(all, number, places[i], outlines[i].radius);
    else
      add_plane(all, number, places[i], outlines[i].normal, mesh);
  }
  Grid grid;
  grid.cell_type = 5;  // VTK's triangle
  grid.points_per_cell = 3;
  grid.cells = all.obstacle.size();
  grid.points.values = std::move(all.points);
  grid.connectivity.values = std::move(all.corners);
  grid.cell_data.push_back({"obstacle", 1, std::move(all.obstacle)});
  grid.cell_data.push_back({"reaction", 3, std::move(all.reaction)});
  return grid;
}

}  // namespace cleave
