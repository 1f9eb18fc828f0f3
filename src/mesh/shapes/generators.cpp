#include "cleave/mesh/generators.hpp"

#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "cleave/core/machine.hpp"
#include "cleave/core/parallel.hpp"
#include "mesh/report.hpp"
#include "mesh/shapes/quad_grid.hpp"

namespace cleave {
namespace {

QuadGrid start_grid(ElementType type, std::array<int, 2> divisions) {
  const std::size_t quads = static_cast<std::size_t>(divisions[0]) * divisions[1];
  return {type, quads, (divisions[0] + std::size_t{1}) * (divisions[1] + std::size_t{1})};
}

/// Calls f(row, column, number) for a grid that is numbered row by row, on several threads.
template <class F>
void for_each_place(int rows, int columns, const F& f) {
  parallel_for(threads_for(0), static_cast<std::size_t>(rows) * columns, 16384,
               [&](std::size_t begin, std::size_t end) {
                 for (auto n = static_cast<Index>(begin); n < static_cast<Index>(end); ++n)
                   f(n / columns, n % columns, n);
               });
}

/// Adds a node at place(row, column) for each point of a grid. Returns the id of the first one.
template <class Place>
Index add_nodes(Mesh& mesh, int rows, int columns, const Place& place) {
  const Index first = mesh.node_count();
  mesh.nodes.resize(mesh.nodes.size() + static_cast<std::size_t>(rows) * columns);
  for_each_place(rows, columns, [&](int row, int column, Index n) { mesh.nodes[first + n] = place(row, column); });
  return first;
}

void check_divisions(std::array<int, 2> divisions, int fewest_second, Report& report) {
  if (divisions[0] < 1 || divisions[1] < fewest_second) {
    report.add("divisions are {} x {}: at least 1 x {} quads are needed", divisions[0], divisions[1], fewest_second);
    return;
  }
  // Facet codes are the largest ids: 3 per triangle, 4 triangles per quad.
  const auto most = std::numeric_limits<Index>::max() / 12;
  if (static_cast<long long>(divisions[0]) * divisions[1] > most) {
    report.add("divisions are {} x {}: at most {} quads can be numbered", divisions[0], divisions[1], most);
  }
}

/// Index of the grid line at `distance`, m, from the first of `cells` cells of total size `size`, m; empty if there is
/// none.
std::optional<int> grid_line(double distance, double size, int cells) {
  const double line = std::round(distance / (size / cells));
  if (!(line >= 1 && line < cells) || std::abs(line * (size / cells) - distance) > 1e-6 * (size / cells)) return {};
  return static_cast<int>(line);
}

/// Index of the row of quads above the notch.
int notch_row(std::array<int, 2> divisions, std::array<double, 2> size, std::optional<double> height, Report& report) {
  if (!height) {
    if (divisions[1] % 2 != 0)
      report.add("the notch lies at mid-height, between two rows of quads: {} rows are odd, use an even number",
                 divisions[1]);
    return divisions[1] / 2;
  }
  const auto row = grid_line(*height, size[1], divisions[1]);
  if (!row)
    report.add("notch height is {} m: a whole number of quads of {} m is needed, above 0 and below {} m", *height,
               size[1] / divisions[1], size[1]);
  return row.value_or(0);
}

/// Number of quads along the notch.
int notch_columns(std::array<int, 2> divisions, std::array<double, 2> size, double length, Report& report) {
  if (length == 0) return 0;
  const auto columns = grid_line(length, size[0], divisions[0]);
  if (!columns)
    report.add("notch length is {} m: a whole number of quads of {} m is needed, longer than 0 and shorter than {} m",
               length, size[0] / divisions[0], size[0]);
  return columns.value_or(0);
}

}  // namespace

Mesh rectangle(ElementType type, std::array<int, 2> divisions, std::array<double, 2> size, std::array<double, 2> origin,
               double notch_length, std::optional<double> notch_height) {
  const int nx = divisions[0], ny = divisions[1];
  Report report;
  check_divisions(divisions, 1, report);
  if (!(size[0] > 0 && size[1] > 0 && std::isfinite(size[0]) && std::isfinite(size[1]))) {
    report.add("size is {} x {} m: both must be positive", size[0], size[1]);
  }
  if (!(std::isfinite(origin[0]) && std::isfinite(origin[1]))) {
    report.add("origin is ({}, {}) m: both must be finite", origin[0], origin[1]);
  }
  const int notch = report.empty() ? notch_columns(divisions, size, notch_length, report) : 0;
  const int above = notch > 0 ? notch_row(divisions, size, notch_height, report) : 0;
  report.throw_if_any("mesh of shape rectangle");

  QuadGrid grid = start_grid(type, divisions);
  auto place = [&](double i, double j) {
    return Point{origin[0] + size[0] * (i / nx), origin[1] + size[1] * (j / ny)};
  };
  add_nodes(grid.mesh, ny + 1, nx + 1, [&](int j, int i) { return place(i, j); });
  const Index first_centre = add_nodes(grid.mesh, ny, nx, [&](int j, int i) { return place(i + 0.5, j + 0.5); });
  auto corner = [nx = nx](int i, int j) { return j * (nx + 1) + i; };
  for_each_place(ny, nx, [&](int j, int i, Index quad) {
    grid.set_quad(quad, {corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)}, Turn::left,
                  first_centre + quad, (i + j) & 1);
  });
  std::vector<std::pair<Index, Side>> on_notch;
  for (int i = 0; i < notch; ++i) on_notch.emplace_back(above * nx + i, south);
  grid.finish(on_notch);

  std::vector<std::pair<Index, Side>> left, right, bottom, top, faces;
  for (int j = 0; j < ny; ++j) {
    left.emplace_back(j * nx, west);
    right.emplace_back(j * nx + nx - 1, east);
  }
  for (int i = 0; i < nx; ++i) {
    bottom.emplace_back(i, south);
    top.emplace_back((ny - 1) * nx + i, north);
  }
  for (int i = 0; i < notch; ++i) {
    faces.emplace_back((above - 1) * nx + i, north);
    faces.emplace_back(above * nx + i, south);
  }
  grid.add_group("left", left);
  grid.add_group("right", right);
  grid.add_group("bottom", bottom);
  grid.add_group("top", top);
  if (notch > 0) {
    grid.add_group("notch", faces);
    grid.add_group("left_below", {left.begin(), left.begin() + above});
    grid.add_group("left_above", {left.begin() + above, left.end()});
  }
  return std::move(grid.mesh);
}

Mesh ring(ElementType type, std::array<int, 2> divisions, double inner_radius, double outer_radius) {
  const int nr = divisions[0], nth = divisions[1];
  Report report;
  check_divisions(divisions, 3, report);
  if (!(inner_radius > 0 && inner_radius < outer_radius && std::isfinite(outer_radius))) {
    report.add("inner radius is {} m and outer radius {} m: they must be positive and the outer one larger",
               inner_radius, outer_radius);
  }
  // The centre of an outermost quad lies inside the outer polygon only if the sides are short enough.
  if (report.empty()) {
    const double middle = outer_radius - (outer_radius - inner_radius) / nr / 2;
    const double fewest = std::numbers::pi / std::acos(middle / outer_radius);
    if (nth <= fewest) {
      report.add("{} quads around are too few for {} along the radius: use more than {:.0f}", nth, nr,
                 std::floor(fewest));
    }
  }
  report.throw_if_any("mesh of shape ring");

  QuadGrid grid = start_grid(type, divisions);
  auto place = [&](double i, double j) {
    const double radius = inner_radius + (outer_radius - inner_radius) * i / nr;
    const double angle = 2 * std::numbers::pi * j / nth;
    return Point{radius * std::cos(angle), radius * std::sin(angle)};
  };
  add_nodes(grid.mesh, nr + 1, nth, [&](int i, int j) { return place(i, j); });
  const Index first_centre = add_nodes(grid.mesh, nr, nth, [&](int i, int j) { return place(i + 0.5, j + 0.5); });
  auto corner = [nth = nth](int i, int j) { return i * nth + j % nth; };
  for_each_place(nr, nth, [&](int i, int j, Index quad) {
    grid.set_quad(quad, {corner(i, j), corner(i, j + 1), corner(i + 1, j + 1), corner(i + 1, j)}, Turn::right,
                  first_centre + quad, (i + j) & 1);
  });
  // With an odd number of quads around, quads of equal parity meet at the seam.
  if (nth % 2 != 0) grid.mesh.structured_colours.clear();
  grid.finish();

  std::vector<std::pair<Index, Side>> inner, outer;
  for (int j = 0; j < nth; ++j) {
    inner.emplace_back(j, south);
    outer.emplace_back((nr - 1) * nth + j, north);
  }
  grid.add_group("inner", inner);
  grid.add_group("outer", outer);
  return std::move(grid.mesh);
}

}  // namespace cleave
