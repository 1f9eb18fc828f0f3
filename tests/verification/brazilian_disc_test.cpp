/// A disc that is pressed between two opposite arcs: its stress in the middle, and how it splits.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "cleave/mesh/topology.hpp"
#include "statics.hpp"
#include "support.hpp"

namespace cleave::verification {
namespace {

constexpr double pi = std::numbers::pi, radius = 0.025, half_arc = 7.5 * pi / 180;
constexpr double strength = 5e6;  // Pa

/// Rings of 6, 12, 18, ... corners around the one in the middle.
Mesh disc(ElementType type, int rings) {
  std::vector<Point> corners{{0, 0}};
  const auto corner = [](int ring, int at) { return ring == 0 ? 0 : 1 + 3 * ring * (ring - 1) + at % (6 * ring); };
  std::vector<std::array<Index, 3>> triangles;
  for (int i = 1; i <= rings; ++i) {
    for (int at = 0; at < 6 * i; ++at) {
      const double angle = 2 * pi * at / (6 * i), r = radius * i / rings;
      corners.push_back({r * std::cos(angle), at == 3 * i ? 0 : r * std::sin(angle)});
    }
    for (int sector = 0; sector < 6; ++sector)
      for (int k = 0; k < i; ++k) {
        const Index out = corner(i, sector * i + k), next = corner(i, sector * i + k + 1);
        const Index in = corner(i - 1, sector * (i - 1) + k);
        triangles.push_back({in, out, next});
        if (k < i - 1) triangles.push_back({in, next, corner(i - 1, sector * (i - 1) + k + 1)});
      }
  }
  return make_mesh(type, corners, triangles);
}

/// Facets on the rim within the two arcs about the y axis.
std::vector<Index> pressed_facets(const Mesh& mesh) {
  std::vector<Index> facets;
  for (Index e = 0; e < mesh.element_count(); ++e)
    for (int k = 0; k < 3; ++k) {
      if (mesh.neighbour(e, k) != boundary_facet) continue;
      const Point a = mesh.nodes[mesh.node(e, (k + 1) % 3)], b = mesh.nodes[mesh.node(e, (k + 2) % 3)];
      const double off = std::abs(std::atan2(std::abs(a.y + b.y), a.x + b.x) - pi / 2);
      if (off < half_arc) facets.push_back(facet_code(e, k));
    }
  return facets;
}

/// Nodal forces of a pressure on facets, per unit thickness, N/m.
std::vector<Point> forces_of(const Mesh& mesh, const std::vector<Index>& facets, double pressure) {
  std::vector<Point> forces(mesh.nodes.size());
  for (const Index code : facets) {
    const Index e = element_of(code);
    const int k = facet_of(code);
    const Index a = mesh.node(e, (k + 1) % 3), b = mesh.node(e, (k + 2) % 3);
    const Point along{mesh.nodes[b].x - mesh.nodes[a].x, mesh.nodes[b].y - mesh.nodes[a].y};
    const Point push{-pressure * along.y, pressure * along.x};  // inward: the element lies to the left of a-b
    const auto add = [&](Index n, double share) { forces[n].x += share * push.x, forces[n].y += share * push.y; };
    const bool t6 = mesh.type == ElementType::t6;
    add(a, t6 ? 1.0 / 6 : 0.5);
    add(b, t6 ? 1.0 / 6 : 0.5);
    if (t6) add(mesh.node(e, 3 + (k + 1) % 3), 4.0 / 6);
  }
  return forces;
}

/// Where facets have failed.
struct Crack {
  double length = 0, near = 0;  ///< m; of it within 0.15 radii of the y axis
  double low = 0, high = 0;     ///< its ends along y, m
};
Crack crack_of(const Snapshot& s) {
  Crack crack;
  for (const auto& facet : s.cohesive) {
    if (!facet.failed) continue;
    const Point a = s.position[facet.nodes[0]], b = s.position[facet.nodes[2]];
    const double x = (a.x + b.x) / 2, y = (a.y + b.y) / 2;
    crack.length += facet.length;
    if (std::abs(x) < 0.15 * radius) crack.near += facet.length;
    crack.low = std::min(crack.low, y);
    crack.high = std::max(crack.high, y);
  }
  return crack;
}

}  // namespace

TEST_CASE("a disc pressed on two arcs has the stresses of G. Hondros (1959) in the middle", "[statics]") {
  CLEAVE_ON_EVERY_BACKEND();
  Model m = make_model(disc(ElementType::t6, 24), {1e10, 0.25, 2500, PlaneType::strain}, 0.5);
  const double pressure = 1e6;
  const std::vector<Index> facets = pressed_facets(m.mesh);
  // The arc that whole facets cover.
  double arc = 0;
  for (const Index code : facets) {
    const Point a = m.mesh.nodes[m.mesh.node(element_of(code), (facet_of(code) + 1) % 3)];
    const Point b = m.mesh.nodes[m.mesh.node(element_of(code), (facet_of(code) + 2) % 3)];
    arc += std::hypot(b.x - a.x, b.y - a.y) / radius / 4;
  }
  const int held = add_motion(m, 0);
  for (std::size_t n = 0; n < m.mesh.nodes.size(); ++n) {
    const Point p = m.mesh.nodes[n];
    if (p.y == 0) m.motion_y[n] = held;
    if (p.x == 0 && p.y == 0) m.motion_x[n] = held;
  }
  m.loads.push_back({pressure, Curve{}, facets});
  m.displacement = equilibrium(m, forces_of(m.mesh, facets, pressure));
  const auto solver = make_solver(m, backend);
  advance_to(*solver, m, 5e-5);
  const Snapshot s = solver->snapshot();
  StressTensor middle;
  for (std::size_t n = 0; n < s.position.size(); ++n)
    if (std::hypot(s.position[n].x, s.position[n].y) == 0) middle = s.nodal_stress[n];
  const double across = 2 * pressure / pi * (std::sin(2 * arc) - arc),
               along = -2 * pressure / pi * (std::sin(2 * arc) + arc);
  CHECK(middle.xx == Approx(across).epsilon(0.01));
  CHECK(middle.yy == Approx(along).epsilon(0.01));
  CHECK(middle.yy / middle.xx == Approx(-3).epsilon(0.03));
  record("Brazilian disc", "stress across the load, in the middle", across, middle.xx, "Pa", "1 %");
  record("Brazilian disc", "stress along over across", along / across, middle.yy / middle.xx, "", "3 % of -3");
}

TEST_CASE("a disc pressed on two arcs splits along the diameter between them", "[cohesive]") {
  CLEAVE_ON_EVERY_DEVICE();
  const ElasticParameters rock{1e10, 0.25, 2500, PlaneType::strain};
  // Without directions: the mesh of rings has facets neither along that diameter nor near it.
  Model m = make_model(delaunay(disc(ElementType::t3, 32), ElementType::t6, 1), rock, 0.5);
  CohesiveCase c;
  c.law = "linear";
  c.parameters.normal = {strength, 6, 2};
  c.parameters.tangential = {6 * strength, 60, 2};  // rock fails by tension long before it does by shear
  m.cohesive = c;
  // So slowly that waves pass the disc some forty times before it breaks.
  const double rise = 1e-3, top = 90e6;  // more than the tension of the middle needs, by Hondros 61 MPa
  m.loads.push_back({top, Curve::table({{0, 0}, {rise, 1}}), pressed_facets(m.mesh)});
  const auto solver = make_solver(m, backend);
  double broke = 0;  // when the first facet breaks, s
  Crack crack;
  // Until the crack is there. The load goes on, and later breaks the wedges below the arcs, which hold the halves.
  while (crack.high - crack.low < 1.5 * radius && static_cast<double>(solver->step()) * m.step < rise) {
    solver->advance(50);
    const HistoryRow row = solver->history();
    if (broke == 0 && row.cohesive_elements > 0) broke = static_cast<double>(solver->step()) * m.step;
    if (row.failed_elements > 0) crack = crack_of(solver->snapshot());
  }
  const double tension = 2 * top * broke / rise / pi * (std::sin(2 * half_arc) - half_arc);
  CHECK(crack.high - crack.low >= 1.5 * radius);
  CHECK(crack.near > 0.8 * crack.length);
  CHECK(tension > 0.9 * strength);
  CHECK(tension < 1.3 * strength);
  record("Brazilian disc", "tension in the middle when the first facet breaks", strength, tension, "Pa",
         "-10 %, +30 %");
  record("Brazilian disc", "failed facets within 0.15 radii of the diameter, once the crack is 1.5 radii long", 1,
         crack.near / crack.length, "", "0.8 or more");
}

}  // namespace cleave::verification
