/// The field `strain` of frames, against fields whose strain is known.
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>

#include "cleave/mesh/generators.hpp"
#include "cleave/output/grid.hpp"
#include "two_triangles.hpp"

using namespace cleave;
using namespace cleave::test;

namespace {

using Field = std::function<Point(Point)>;
struct Tensor {
  double xx, yy, xy;
};
using Strain = std::function<Tensor(Point)>;

/// A sheared plate whose nodes are displaced by a field.
Snapshot displaced(ElementType type, const Field& field, bool finite) {
  const Mesh mesh = rectangle(type, {5, 3}, {1.25, 0.9}, {-0.3, 0.2});
  Snapshot s;
  s.type = type;
  s.finite = finite;
  s.elements = mesh.elements;
  for (const Point& p : mesh.nodes) {
    s.position.push_back({p.x + 0.2 * p.y, p.y - 0.1 * p.x});
    s.displacement.push_back(field(s.position.back()));
  }
  const std::size_t nodes = mesh.nodes.size(), elements = mesh.elements.size() / nodes_per_element(type);
  s.velocity.resize(nodes);
  s.nodal_stress.resize(nodes);
  s.element_stress.resize(elements);
  s.energy_density.resize(elements);
  return s;
}

std::vector<double> written(const std::vector<GridArray>& arrays) {
  REQUIRE(arrays.size() == 1);
  CHECK(arrays[0].name == "strain");
  CHECK(arrays[0].components == 6);
  return std::get<std::vector<double>>(arrays[0].values);
}
Grid strain_grid(const Snapshot& s, int threads = 2) {
  return bulk_grid(s, mesh_of(s), std::vector<Index>(s.element_stress.size()),
                   {Precision::double_precision, {{"strain"}}, threads});
}

/// Compares XX, YY, ZZ, XY, YZ, XZ of each tuple with those of the strain at its place.
void check(const std::vector<double>& values, const std::vector<Point>& places, const Strain& strain) {
  REQUIRE(values.size() == 6 * places.size());
  double error = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Tensor e = strain(places[i]);
    const double want[] = {e.xx, e.yy, 0, e.xy, 0, 0};
    for (int k = 0; k < 6; ++k) error = std::max(error, std::fabs(values[6 * i + k] - want[k]));
  }
  CHECK(error < 1e-14);
}

/// Where the area coordinates of an element have these values.
Point place_in(const Snapshot& s, std::size_t e, double l0, double l1, double l2) {
  const Index* node = &s.elements[e * nodes_per_element(s.type)];
  const Point a = s.position[node[0]], b = s.position[node[1]], c = s.position[node[2]];
  return {l0 * a.x + l1 * b.x + l2 * c.x, l0 * a.y + l1 * b.y + l2 * c.y};
}
std::vector<Point> centroids(const Snapshot& s) {
  std::vector<Point> all;
  for (std::size_t e = 0; e < s.element_stress.size(); ++e) all.push_back(place_in(s, e, 1.0 / 3, 1.0 / 3, 1.0 / 3));
  return all;
}

Point parabola(Point p) {
  return {0.01 * p.x * p.x - 0.02 * p.x * p.y + 0.03 * p.y * p.y,
          0.04 * p.x * p.x + 0.05 * p.x * p.y - 0.06 * p.y * p.y};
}
/// du_x/dx, du_x/dy, du_y/dx, du_y/dy
std::array<double, 4> parabola_gradient(Point p) {
  return {0.02 * p.x - 0.02 * p.y, -0.02 * p.x + 0.06 * p.y, 0.08 * p.x + 0.05 * p.y, 0.05 * p.x - 0.12 * p.y};
}

}  // namespace

TEST_CASE("an affine motion has its strain") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const bool finite = GENERATE(false, true);
  constexpr double xx = 0.03, xy = 0.07, yx = -0.02, yy = -0.05;
  const Field motion = [](Point p) { return Point{0.4 + xx * p.x + xy * p.y, -0.7 + yx * p.x + yy * p.y}; };
  const Snapshot s = displaced(type, motion, finite);
  const Tensor small{xx, yy, (xy + yx) / 2};
  // ½(FᵀF - I) with F = I + grad u.
  const Tensor green{((1 + xx) * (1 + xx) + yx * yx - 1) / 2, (xy * xy + (1 + yy) * (1 + yy) - 1) / 2,
                     ((1 + xx) * xy + yx * (1 + yy)) / 2};
  const Strain strain = [&](Point) { return finite ? green : small; };
  const Grid grid = strain_grid(s);
  check(written(grid.point_data), s.position, strain);
  check(written(grid.cell_data), centroids(s), strain);
}

TEST_CASE("a rotating body has no strain with finite kinematics") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const double c = std::cos(1.1), d = std::sin(1.1);
  const Snapshot s = displaced(
      type,
      [=](Point p) {
        return Point{c * p.x - d * p.y - p.x, d * p.x + c * p.y - p.y};
      },
      true);
  check(written(strain_grid(s).point_data), s.position, [](Point) { return Tensor{}; });
}

TEST_CASE("a quadratic motion of T6 has its linear strain at nodes and in elements") {
  const Snapshot s = displaced(ElementType::t6, parabola, false);
  const Strain strain = [](Point p) {
    const auto g = parabola_gradient(p);
    return Tensor{g[0], g[3], (g[1] + g[2]) / 2};
  };
  const Grid grid = strain_grid(s);
  check(written(grid.point_data), s.position, strain);
  check(written(grid.cell_data), centroids(s), strain);
}

TEST_CASE("a quadratic motion of T6 with finite kinematics has the mean of Green's strains at Gauss points") {
  const Snapshot s = displaced(ElementType::t6, parabola, true);
  const std::vector<double> values = written(strain_grid(s).cell_data);
  double error = 0;
  for (std::size_t e = 0; e < s.element_stress.size(); ++e) {
    Tensor mean{};
    for (int q = 0; q < 3; ++q) {
      const auto l = [&](int i) { return i == q ? 2.0 / 3 : 1.0 / 6; };
      const auto [xx, xy, yx, yy] = parabola_gradient(place_in(s, e, l(0), l(1), l(2)));
      mean.xx += (xx + (xx * xx + yx * yx) / 2) / 3;
      mean.yy += (yy + (xy * xy + yy * yy) / 2) / 3;
      mean.xy += (xy + yx + xx * xy + yx * yy) / 6;
    }
    for (const auto& [k, want] : {std::pair{0, mean.xx}, {1, mean.yy}, {3, mean.xy}})
      error = std::max(error, std::fabs(values[6 * e + k] - want));
  }
  CHECK(error < 1e-14);
}

TEST_CASE("the strain of a node is the mean over its elements") {
  const Snapshot s = displaced(ElementType::t3, parabola, false);
  const Grid grid = strain_grid(s);
  const std::vector<double> nodal = written(grid.point_data), elements = written(grid.cell_data);
  double error = 0;
  for (std::size_t n = 0; n < s.position.size(); ++n) {
    std::array<double, 6> sum{};
    int count = 0;
    for (std::size_t i = 0; i < s.elements.size(); ++i) {
      if (s.elements[i] != static_cast<Index>(n)) continue;
      for (int k = 0; k < 6; ++k) sum[k] += elements[6 * (i / 3) + k];
      ++count;
    }
    for (int k = 0; k < 6; ++k) error = std::max(error, std::fabs(nodal[6 * n + k] - sum[k] / count));
  }
  CHECK(error < 1e-15);
}

TEST_CASE("scalars of the strain are written by name") {
  const auto scalars = [](double xx, double yy, double xy) {
    const Snapshot s = displaced(
        ElementType::t6,
        [=](Point p) {
          return Point{xx * p.x + 2 * xy * p.y, yy * p.y};
        },
        false);
    const std::vector<Index> fragments(s.element_stress.size());
    const FrameChoice choice{Precision::double_precision, {{"largest_principal_strain", "equivalent_strain"}}, 2};
    const Grid grid = bulk_grid(s, mesh_of(s), fragments, choice);
    std::array<double, 2> of_first{};
    for (const auto* arrays : {&grid.point_data, &grid.cell_data}) {
      REQUIRE(arrays->size() == 2);
      CHECK(arrays->at(0).name == "largest_principal_strain");
      CHECK(arrays->at(1).name == "equivalent_strain");
      for (std::size_t k = 0; k < 2; ++k) {
        const auto& values = std::get<std::vector<double>>(arrays->at(k).values);
        if (arrays == &grid.point_data) of_first[k] = values.front();
        for (const double value : values) CHECK(value == Approx(of_first[k]).margin(1e-14));
      }
    }
    return of_first;
  };
  // In the plane 0.02 +- 0.05: differences of 0.1, 0.07 and 0.03.
  const auto mixed = scalars(0.05, -0.01, 0.04);
  CHECK(mixed[0] == Approx(0.07));
  CHECK(mixed[1] == Approx(std::sqrt(2 * (0.01 + 0.0049 + 0.0009)) / 3));
  const auto pressed = scalars(-0.02, -0.04, 0);
  CHECK(std::fabs(pressed[0]) < 1e-14);  // across the plane
  CHECK(pressed[1] == Approx(std::sqrt(2 * (0.0004 + 0.0004 + 0.0016)) / 3));
  CHECK(scalars(0, 0, 0.03)[1] == Approx(0.06 / std::sqrt(3.0)));
}

TEST_CASE("strains are the same on any number of threads") {
  const Snapshot s = displaced(ElementType::t6, parabola, true);
  CHECK(written(strain_grid(s, 1).point_data) == written(strain_grid(s, 5).point_data));
}
