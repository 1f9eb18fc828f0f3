#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <tuple>

#include "cleave/mesh/topology.hpp"
#include "helpers.hpp"

using namespace cleave;
using namespace cleave::test;
using Catch::Matchers::Contains;

namespace {

constexpr double pi = std::numbers::pi;

/// What is cut out of a square by the polygon of a circle around its middle, or a part of either, over radius^2.
double polygon(int corners) { return corners / 2.0 * std::sin(2 * pi / corners); }

double length_of(const Mesh& mesh, const std::string& name) {
  const Group* group = mesh.find_group(name);
  REQUIRE(group != nullptr);
  double length = 0;
  for (const Index code : group->facets) {
    const FacetGeometry facet = facet_geometry(mesh, code);
    length += std::hypot(facet.normal.x, facet.normal.y);
    CHECK(mesh.neighbours[code] == boundary_facet);
  }
  return length;
}

std::size_t facets_of(const Mesh& mesh, const std::string& name) { return mesh.find_group(name)->facets.size(); }

/// Checked, connected, in one piece, numbered, with sides that are all named and quads in whole.
void require_sound(const Mesh& mesh, const std::vector<std::string>& outline, Index euler, double smallest_angle) {
  CHECK_NOTHROW(check_mesh(mesh, "specimen"));
  CHECK_NOTHROW(check_fit(
      mesh, mesh.find_group("notch") ? std::vector<std::string>{"notch"} : std::vector<std::string>{}, "specimen"));
  CHECK(neighbours_match(mesh));
  if (mesh.type == ElementType::t6) CHECK(mid_sides_in_the_middle(mesh));
  const MeshCounts counts = count(mesh);
  CHECK(counts.components == 1);
  CHECK(counts.euler == euler);
  CHECK(counts.elements % 4 == 0);
  CHECK(counts.nodes == counts.corner_nodes + (mesh.type == ElementType::t6 ? counts.facets : 0));
  std::size_t named = 0;
  for (const std::string& name : outline) named += facets_of(mesh, name);
  CHECK(named == static_cast<std::size_t>(counts.boundary_facets));
  CHECK(quality(mesh).smallest_angle >= smallest_angle);
  for (Index e = 0; e < mesh.element_count(); ++e) CHECK(twice_area(mesh, e) > 0);
}

}  // namespace

TEST_CASE("a disc has the area of its polygon, nodes on the axes and platens") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const double cell = GENERATE(0.5, 0.1, 0.031);
  const Mesh mesh = disc(type, cell, 0.5, 0.2);
  const int around = static_cast<int>(facets_of(mesh, "outer"));
  CHECK(around == 8 * std::max(1l, std::lround(0.3 / cell)));
  require_sound(mesh, {"outer"}, 1, 28);
  CHECK(quality(mesh).area == Approx(0.25 * polygon(around)));
  CHECK(length_of(mesh, "outer") == Approx(around * std::sin(pi / around)));
  const int half = around / 8;
  CHECK(mesh.element_count() == 4 * (4 * half * half + 4 * 2 * half * half));
  for (const Point axis : {Point{0.5, 0}, Point{0, 0.5}, Point{-0.5, 0}, Point{0, -0.5}})
    CHECK(std::any_of(mesh.nodes.begin(), mesh.nodes.end(),
                      [&](Point p) { return std::hypot(p.x - axis.x, p.y - axis.y) < 1e-12; }));
  // The facets that begin within 0.1 of the top: those whose middle does.
  const double angle = 2 * pi / around;
  const int to_one_side = std::max(1, static_cast<int>(std::floor(0.2 / angle + 0.5)));
  for (const auto& [name, side] : {std::pair{"upper_platen", 1}, std::pair{"lower_platen", -1}}) {
    CHECK(facets_of(mesh, name) == static_cast<std::size_t>(2 * to_one_side));
    double x = 0;
    for (const Index code : mesh.find_group(name)->facets) {
      CHECK(side * facet_geometry(mesh, code).middle.y > 0);
      x += facet_geometry(mesh, code).middle.x;
    }
    CHECK(x == Approx(0).margin(1e-12));
  }
  CHECK(disc(type, cell, 0.5).find_group("upper_platen") == nullptr);
}

TEST_CASE("a plate with a hole has its sides, its hole and the area between") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  using Centre = std::array<double, 2>;
  // Centre; euler; parts of the circle inside; lengths of left, right, bottom and top.
  const auto [centre, euler, part, left, right, bottom, top] =
      GENERATE(table<Centre, int, double, double, double, double, double>({
          {{2.0, 3.5}, 0, 1.0, 1, 1, 2, 2},       // the middle
          {{1.5, 3.4}, 0, 1.0, 1, 1, 2, 2},       // somewhere
          {{1.0, 3.5}, 1, 0.5, 0.6, 1, 2, 2},     // on the left side
          {{3.0, 4.0}, 1, 0.25, 1, 0.8, 2, 1.8},  // in a corner
      }));
  const Mesh mesh = plate_with_hole(type, 0.05, {2, 1}, 0.2, {1, 3}, centre);
  require_sound(mesh, {"left", "right", "bottom", "top", "hole"}, euler, 20);
  const double corners = static_cast<double>(facets_of(mesh, "hole")) / part;
  CHECK(quality(mesh).area == Approx(2 - part * pi * 0.04).epsilon(1e-3));
  CHECK(length_of(mesh, "hole") == Approx(2 * pi * 0.2 * part).epsilon(4 / (corners * corners) * 2));
  CHECK(length_of(mesh, "left") == Approx(left));
  CHECK(length_of(mesh, "right") == Approx(right));
  CHECK(length_of(mesh, "bottom") == Approx(bottom));
  CHECK(length_of(mesh, "top") == Approx(top));
  for (const Index n : mesh.find_group("hole")->nodes) {
    const double away = std::hypot(mesh.nodes[n].x - centre[0], mesh.nodes[n].y - centre[1]);
    CHECK(away <= 0.2 * (1 + 1e-12));
    CHECK(away >= 0.2 * std::cos(pi / corners) * (1 - 1e-3));  // mid-side nodes on straight sides
  }
  for (const Index n : mesh.find_group("top")->nodes) CHECK(mesh.nodes[n].y == 4);
}

TEST_CASE("a hole's centre may lie on a side up to rounding") {
  const Mesh mesh = plate_with_hole(ElementType::t3, 0.01, {0.2, 0.2}, 0.05, {0.1, 0}, std::array{0.3, 0.1});
  CHECK(0.1 + 0.2 != 0.3);
  CHECK(length_of(mesh, "right") == Approx(0.1));
  CHECK(count(mesh).euler == 1);
}

TEST_CASE("a hole in the middle has as many facets as its cells have at their sides") {
  const Mesh mesh = plate_with_hole(ElementType::t3, 0.1, {2, 2}, 0.25);
  // Cells reach two radii: 0.5, five quads a side and 8 sides; 0.5 to the side of the plate.
  CHECK(facets_of(mesh, "hole") == 40);
  CHECK(quality(mesh).area == Approx(4 - 0.0625 * polygon(40)));
  CHECK(facets_of(mesh, "left") == 20);
  const int around = static_cast<int>(mesh.element_count() / 4 - 12 * 25) / 40;
  CHECK(mesh.element_count() == 4 * (12 * 25 + 40 * around));
  CHECK(around == 5);  // 0.32 m, on average, from the circle to the cells' sides, of quads 0.04 m to 0.1 m wide
}

TEST_CASE("Kalthoff's plate has two slits and three parts of its left side") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const Mesh mesh = kalthoff(type, 0.005, {0.1, 0.2}, 0.05, 0.05, {0.3, -0.1});
  require_sound(mesh, {"left", "right", "bottom", "top", "notch"}, 1, 44.99);
  CHECK(mesh.element_count() == 4 * 20 * 40);
  const int along = 10, corners = 21 * 41 + 20 * 40 + 2 * along;
  CHECK(count(mesh).corner_nodes == corners);
  CHECK(quality(mesh).area == Approx(0.02));
  CHECK(length_of(mesh, "notch") == Approx(0.2));
  CHECK(length_of(mesh, "left_below") == Approx(0.075));
  CHECK(length_of(mesh, "left_between") == Approx(0.05));
  CHECK(length_of(mesh, "left_above") == Approx(0.075));
  CHECK(length_of(mesh, "left") == Approx(0.2));
  for (const Index n : mesh.find_group("left_between")->nodes) {
    CHECK(mesh.nodes[n].x == 0.3);
    CHECK(std::abs(mesh.nodes[n].y) <= 0.025 + 1e-12);
  }
  for (const Index n : mesh.find_group("notch")->nodes) {
    CHECK(std::abs(mesh.nodes[n].y) == Approx(0.025));
    CHECK(mesh.nodes[n].x <= 0.35 + 1e-12);
  }
}

TEST_CASE("a compact tension specimen has the lengths of the standard") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const double w = 0.04;
  const Mesh mesh = compact_tension(type, 0.0015, w, 0.5 * w);
  require_sound(mesh, {"left", "right", "bottom", "top", "notch", "upper_hole", "lower_hole"}, -1, 17);
  const int corners = static_cast<int>(facets_of(mesh, "upper_hole"));
  CHECK(quality(mesh).area == Approx((1.25 * 1.2 - 2 * 0.125 * 0.125 * pi) * w * w).epsilon(1e-3));
  CHECK(length_of(mesh, "left") == Approx(1.2 * w));
  CHECK(length_of(mesh, "bottom") == Approx(1.25 * w));
  CHECK(length_of(mesh, "notch") == Approx(2 * 0.75 * w));
  CHECK(length_of(mesh, "lower_hole") == Approx(length_of(mesh, "upper_hole")));
  CHECK(length_of(mesh, "upper_hole") == Approx(0.25 * pi * w).epsilon(8.0 / (corners * corners)));
  for (const auto& [pin, hole, side] :
       {std::tuple{"upper_pin", "upper_hole", 1}, std::tuple{"lower_pin", "lower_hole", -1}}) {
    const double centre = side * 0.275 * w;
    for (const Index n : mesh.find_group(hole)->nodes)
      CHECK(std::hypot(mesh.nodes[n].x, mesh.nodes[n].y - centre) == Approx(0.125 * w).epsilon(0.02));
    // A diagonal of a cell ends the pin.
    for (const Index n : mesh.find_group(pin)->nodes) CHECK(side * (mesh.nodes[n].y - centre) > 0.6 * 0.125 * w);
    CHECK(facets_of(mesh, pin) * 3 > facets_of(mesh, hole) / 2);
    CHECK(facets_of(mesh, pin) < facets_of(mesh, hole) / 2);
  }
  const Index tip = mesh.find_group("notch")->nodes.front();
  CHECK(std::all_of(mesh.find_group("notch")->nodes.begin(), mesh.find_group("notch")->nodes.end(),
                    [&](Index n) { return mesh.nodes[n].x <= 0.5 * w + 1e-12; }));
  CHECK(mesh.nodes[tip].y == Approx(0).margin(1e-15));
}

TEST_CASE("a compact compression specimen has half a hole, a slit behind it and platens") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const Mesh mesh = compact_compression(type, 0.002, {0.06, 0.07}, 0.012, 0.01, 0.015, {0.1, 0.2});
  require_sound(mesh, {"left", "right", "bottom", "top", "hole", "notch"}, 1, 18);
  const int corners = 2 * static_cast<int>(facets_of(mesh, "hole"));
  CHECK(quality(mesh).area == Approx(0.06 * 0.07 - pi / 2 * 0.012 * 0.012).epsilon(1e-3));
  CHECK(length_of(mesh, "hole") == Approx(pi * 0.012).epsilon(8.0 / (corners * corners)));
  CHECK(length_of(mesh, "left") == Approx(0.07 - 0.024));
  CHECK(length_of(mesh, "notch") == Approx(0.02));
  CHECK(length_of(mesh, "upper_platen") == Approx(0.015));
  CHECK(length_of(mesh, "lower_platen") == Approx(0.015));
  for (const Index n : mesh.find_group("notch")->nodes) {
    CHECK(mesh.nodes[n].y == Approx(0.235));
    CHECK(mesh.nodes[n].x >= 0.112 - 1e-12);
    CHECK(mesh.nodes[n].x <= 0.122 + 1e-12);
  }
  for (const Index n : mesh.find_group("upper_platen")->nodes) CHECK(mesh.nodes[n].x >= 0.145 - 1e-12);
}

TEST_CASE("specimens become unstructured and are perturbed as other shapes") {
  Mesh mesh = delaunay(plate_with_hole(ElementType::t3, 0.1, {2, 1}, 0.2), ElementType::t6, 3);
  CHECK_NOTHROW(check_mesh(mesh, "plate"));
  CHECK(neighbours_match(mesh));
  CHECK(length_of(mesh, "hole") == Approx(0.4 * pi).epsilon(0.01));
  Mesh moved = compact_tension(ElementType::t6, 0.003, 0.04, 0.02);
  const double area = quality(moved).area;
  perturb(moved, 0.1, 7);
  CHECK_NOTHROW(check_mesh(moved, "specimen"));
  CHECK(mid_sides_in_the_middle(moved));
  CHECK(quality(moved).area == Approx(area));
}

TEST_CASE("conflicting lengths of specimens are explained") {
  const auto plate = [](double cell, double radius, std::array<double, 2> centre) {
    return input_error([&] { plate_with_hole(ElementType::t3, cell, {2, 1}, radius, {0, 0}, centre); });
  };
  CHECK_THAT(plate(0.1, 0.2, {3, 0.5}), Contains("centre of the hole lies outside the plate"));
  CHECK_THAT(plate(0.1, 0.2, {0.1, 0.5}), Contains("hole reaches over a side of the plate"));
  CHECK_THAT(plate(0.1, 0.5, {1, 0.5}), Contains("hole reaches over a side of the plate"));
  CHECK_THAT(plate(0.1, 0.49, {1, 0.5}), Contains("leaves 0.01 m to (1, 0)") && Contains("cell_size, 0.1 m"));
  CHECK_THAT(plate(0.1, 0.001, {1, 0.5}), Contains("lines at x = 0.998 m and x = 1 m"));
  CHECK_THAT(plate(-0.1, 0.2, {1, 0.5}), Contains("a length of it is -0.1 m"));
  CHECK_THAT(plate(0.1, NAN, {1, 0.5}), Contains("a length of it is nan m"));
  CHECK_THAT(plate(1e-9, 0.2, {1, 0.5}), Contains("quads are needed") && Contains("178956970"));
  CHECK_THAT(input_error([] {
               kalthoff(ElementType::t3, 0.01, {0.1, 0.2}, 0.1, 0.05);
             }),
             Contains("notches are not shorter"));
  CHECK_THAT(input_error([] {
               kalthoff(ElementType::t3, 0.01, {0.1, 0.2}, 0.05, 0.2);
             }),
             Contains("less than the height"));
  CHECK_THAT(input_error([] {
               kalthoff(ElementType::t3, 0.01, {0.1, 0.2}, 0.099, 0.05);
             }),
             Contains("x = 0.099 m and x = 0.1 m"));
  CHECK_THAT(input_error([] { compact_tension(ElementType::t3, 0.001, 0.04, 0.01); }),
             Contains("between 0.25 and 1 of the width"));
  CHECK_THAT(input_error([] { disc(ElementType::t3, 0.1, 0); }), Contains("a length of it is 0 m"));
  const auto compression = [](double radius, double notch, double platen) {
    return input_error([&] { compact_compression(ElementType::t3, 0.002, {0.06, 0.07}, radius, notch, platen); });
  };
  CHECK_THAT(compression(0.012, 0.048, 0.01), Contains("hole and notch together are not shorter"));
  CHECK_THAT(compression(0.035, 0.01, 0.01), Contains("not smaller than the height"));
  CHECK_THAT(compression(0.012, 0.01, 0.05), Contains("platens reach over the hole"));
  CHECK(compression(0.012, 0.01, 0.03).empty());
}
