#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numbers>

#include "cleave/mesh/generators.hpp"
#include "cleave/mesh/topology.hpp"
#include "mesh/groups.hpp"
#include "mesh/report.hpp"
#include "mesh/shapes/block_grid.hpp"

namespace cleave {
namespace {

using SideGroup = QuadBlocks::SideGroup;

BlockGrid::Sides operator+(BlockGrid::Sides a, const BlockGrid::Sides& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// Refuses lengths that are not positive numbers.
void require_positive(std::initializer_list<double> lengths) {
  for (const double length : lengths)
    if (!(length > 0 && std::isfinite(length)))
      throw InputError(fmt::format("a length of it is {} m: all must be positive", length));
}

void require(bool holds, const char* what) {
  if (!holds) throw InputError(what);
}

/// How far cells at a hole extend towards a line: two radii, or to the line if that would leave a thin strip.
double reach(double radius, double distance, double cell_size) {
  return distance - 2 * radius < cell_size / 2 ? distance : 2 * radius;
}

/// The box between the outermost lines of a grid.
struct Corners {
  Point low, high;

  Corners(std::array<double, 2> origin, std::array<double, 2> size)
      : low{origin[0], origin[1]}, high{origin[0] + size[0], origin[1] + size[1]} {}

  /// Groups of the box's sides.
  std::vector<SideGroup> sides(const BlockGrid& grid) const {
    return {{"left", grid.on_line(low, {low.x, high.y})},
            {"right", grid.on_line({high.x, low.y}, high)},
            {"bottom", grid.on_line(low, {high.x, low.y})},
            {"top", grid.on_line({low.x, high.y}, high)}};
  }
};

/// Facets of the outline of a disc whose middle lies in an arc of this length about its top or, with `up` -1, its
/// bottom; at least those that meet there.
std::vector<Index> facets_at_pole(const Mesh& mesh, double radius, int up, double length) {
  std::vector<Index> facets;
  for (const Index code : mesh.find_group("outer")->facets) {
    const Point middle = facet_middle(mesh, code);
    const Point end = mesh.end_points(code)[0];
    const double away = radius * std::abs(std::atan2(middle.x, up * middle.y));
    const double meets_there = 1.5 * std::hypot(end.x - middle.x, end.y - middle.y);
    if (away <= std::max(length / 2, meets_there)) facets.push_back(code);
  }
  return facets;
}

}  // namespace

Mesh disc(ElementType type, double cell_size, double radius, double platen_length) {
  require_positive({cell_size, radius});
  // A square with curved sides, whose angles are close to those of five blocks, and four blocks around it.
  constexpr double corner = 0.55;  // relative to the radius, from the centre
  constexpr double bulge = 1.5;    // radius of the arcs of the square's sides, relative to the radius
  constexpr double quads = 0.6;    // times radius / cell size: number on half a side of the square, and around it
  const int half = static_cast<int>(std::clamp(std::round(quads * radius / cell_size), 1.0, 1e8));
  QuadBlocks blocks;
  std::array<int, 4> inner{}, outer{};
  for (int k = 0; k < 4; ++k) {
    const double angle = std::numbers::pi / 4 * (2 * k - 3);
    const Point towards{radius * std::cos(angle), radius * std::sin(angle)};
    inner[k] = blocks.add_vertex({corner * towards.x, corner * towards.y});
    outer[k] = blocks.add_vertex(towards);
  }
  SideGroup outline{"outer", {}};
  const double side = corner * radius / std::numbers::sqrt2;  // half the side of the square
  const double behind = std::sqrt(bulge * bulge * radius * radius - side * side) - side;
  blocks.add_block({inner[0], inner[1], inner[2], inner[3]}, {2 * half, 2 * half});
  for (int k = 0; k < 4; ++k) {
    const int next = (k + 1) % 4;
    const std::array<Point, 4> back{{{0, behind}, {-behind, 0}, {0, -behind}, {behind, 0}}};
    blocks.add_arc({inner[k], inner[next]}, back[k]);
    blocks.add_arc({outer[k], outer[next]}, {0, 0});
    blocks.add_block({inner[next], inner[k], outer[k], outer[next]}, {2 * half, half});
    outline.sides.emplace_back(outer[k], outer[next]);
  }
  Mesh mesh = blocks.mesh(type, {outline}, {});
  if (platen_length > 0) {
    mesh.groups.push_back(make_group(mesh, "upper_platen", facets_at_pole(mesh, radius, 1, platen_length)));
    mesh.groups.push_back(make_group(mesh, "lower_platen", facets_at_pole(mesh, radius, -1, platen_length)));
  }
  return mesh;
}

Mesh plate_with_hole(ElementType type, double cell_size, std::array<double, 2> size, double hole_radius,
                     std::array<double, 2> origin, std::optional<std::array<double, 2>> hole_centre) {
  require_positive({cell_size, size[0], size[1], hole_radius});
  const Corners box(origin, size);
  const Point centre = hole_centre ? Point{(*hole_centre)[0], (*hole_centre)[1]}
                                   : Point{(box.low.x + box.high.x) / 2, (box.low.y + box.high.y) / 2};
  std::vector<double> x{box.low.x, centre.x, box.high.x}, y{box.low.y, centre.y, box.high.y};
  const auto add_lines = [&](std::vector<double>& lines, double at, double low, double high) {
    const double rounding = 1e-9 * (high - low);
    require(at >= low - rounding && at <= high + rounding, "the centre of the hole lies outside the plate: move it");
    for (const double side : {low, high}) {
      const double distance = std::abs(side - at);
      if (distance <= rounding) continue;
      require(distance > hole_radius,
              "the hole reaches over a side of the plate: move its centre, on the side or farther from it, or make it "
              "smaller");
      lines.push_back(at + std::copysign(reach(hole_radius, distance, cell_size), side - at));
    }
  };
  add_lines(x, centre.x, box.low.x, box.high.x);
  add_lines(y, centre.y, box.low.y, box.high.y);
  BlockGrid grid(x, y, cell_size);
  grid.add_hole(centre, hole_radius);
  std::vector<SideGroup> groups = box.sides(grid);
  groups.push_back({"hole", grid.on_hole(centre)});
  return grid.mesh(type, groups);
}

Mesh kalthoff(ElementType type, double cell_size, std::array<double, 2> size, double notch_length, double notch_spacing,
              std::array<double, 2> origin) {
  require_positive({cell_size, size[0], size[1], notch_length, notch_spacing});
  const Corners box(origin, size);
  require(notch_length < size[0], "the notches are not shorter than the plate: make them so");
  require(notch_spacing < size[1], "the distance of the notches is not less than the height of the plate: make it so");
  const double tip = origin[0] + notch_length, middle = origin[1] + size[1] / 2;
  const double lower = middle - notch_spacing / 2, upper = middle + notch_spacing / 2;
  BlockGrid grid({box.low.x, tip, box.high.x}, {box.low.y, lower, upper, box.high.y}, cell_size);
  const auto left = [&](double from, double to) { return grid.on_line({box.low.x, from}, {box.low.x, to}); };
  const BlockGrid::Sides slits =
      grid.on_line({box.low.x, lower}, {tip, lower}) + grid.on_line({box.low.x, upper}, {tip, upper});
  std::vector<SideGroup> groups = box.sides(grid);
  groups.push_back({"notch", slits});
  groups.push_back({"left_below", left(box.low.y, lower)});
  groups.push_back({"left_between", left(lower, upper)});
  groups.push_back({"left_above", left(upper, box.high.y)});
  return grid.mesh(type, groups, slits);
}

Mesh compact_tension(ElementType type, double cell_size, double width, double notch_length) {
  require_positive({cell_size, width});
  const Corners box({-0.25 * width, -0.6 * width}, {1.25 * width, 1.2 * width});
  require(notch_length > 0.25 * width && notch_length < width,
          "the notch does not end between 0.25 and 1 of the width: choose such a length");
  const double height = 0.275 * width, radius = 0.125 * width;
  BlockGrid grid({box.low.x, 0, 0.25 * width, notch_length, box.high.x}, {box.low.y, -height, 0, height, box.high.y},
                 cell_size);
  grid.add_hole({0, height}, radius);
  grid.add_hole({0, -height}, radius);
  const BlockGrid::Sides slit = grid.on_line({box.low.x, 0}, {notch_length, 0});
  std::vector<SideGroup> groups = box.sides(grid);
  groups.push_back({"notch", slit});
  groups.push_back({"upper_hole", grid.on_hole({0, height})});
  groups.push_back({"lower_hole", grid.on_hole({0, -height})});
  groups.push_back({"upper_pin", grid.on_hole({0, height}, 45, 135)});
  groups.push_back({"lower_pin", grid.on_hole({0, -height}, -135, -45)});
  return grid.mesh(type, groups, slit);
}

Mesh compact_compression(ElementType type, double cell_size, std::array<double, 2> size, double hole_radius,
                         double notch_length, double platen_length, std::array<double, 2> origin) {
  require_positive({cell_size, size[0], size[1], hole_radius, notch_length, platen_length});
  const Corners box(origin, size);
  const Point centre{box.low.x, box.low.y + size[1] / 2};
  const double tip = centre.x + hole_radius + notch_length, platen = box.high.x - platen_length;
  require(tip < box.high.x, "hole and notch together are not shorter than the plate: make them so");
  require(2 * hole_radius < size[1], "the hole is not smaller than the height of the plate: make it so");
  require(platen > centre.x + hole_radius, "the platens reach over the hole: make them shorter");
  const double right = std::min({centre.x + 2 * hole_radius, tip, platen});
  const double up = reach(hole_radius, size[1] / 2, cell_size);
  BlockGrid grid({box.low.x, right, tip, platen, box.high.x},
                 {box.low.y, centre.y - up, centre.y, centre.y + up, box.high.y}, cell_size);
  grid.add_hole(centre, hole_radius);
  const BlockGrid::Sides slit = grid.on_line(centre, {tip, centre.y});
  std::vector<SideGroup> groups = box.sides(grid);
  groups.push_back({"hole", grid.on_hole(centre)});
  groups.push_back({"notch", slit});
  groups.push_back({"upper_platen", grid.on_line({platen, box.high.y}, box.high)});
  groups.push_back({"lower_platen", grid.on_line({platen, box.low.y}, {box.high.x, box.low.y})});
  return grid.mesh(type, groups, slit);
}

}  // namespace cleave
