/// Pressure that enters cracks: which cracks a load reaches, what it does to the body, and its work.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <sstream>

#include "backend/backend.hpp"
#include "backend/device_mesh.hpp"
#include "backend/models.hpp"
#include "mesh/changes.hpp"
#include "terms/cracks/crack_reach.hpp"

namespace cleave::crack_pressure_test {

/// Of the law the reach wants to know only whether a point has failed.
struct FailedOrNot {
  struct State {
    int failed;
  };
  CLEAVE_HD static bool failed(const State& state) { return state.failed != 0; }
};

}  // namespace cleave::crack_pressure_test

namespace cleave::test {
namespace {

using crack_pressure_test::FailedOrNot;

/// Normal opening integrated along a cohesive element, m^2 per thickness: exact for the openings of both elements.
double opened_area(const Snapshot& s, const Snapshot::Cohesive& c) {
  const int nodes = nodes_per_facet(s.type);
  const Point from = s.position[c.nodes[0]], to = s.position[c.nodes[nodes - 1]];
  double area = 0;
  for (int i = 0; i < nodes; ++i) {
    const double weight = nodes == 2 ? 0.5 : i == 1 ? 4.0 / 6 : 1.0 / 6;
    const Point a = s.displacement[c.nodes[i]], b = s.displacement[c.nodes[nodes + i]];
    area += weight * ((b.x - a.x) * (to.y - from.y) - (b.y - a.y) * (to.x - from.x));
  }
  return area;
}
/// What the displacements of a facet take from the outside, m^2 per thickness.
double pushed_area(const Snapshot& s, Index code) {
  const int nodes = nodes_per_facet(s.type);
  const auto node = [&](int i) {
    return s.elements[nodes_per_element(s.type) * element_of(code) + facet_node_slot(s.type, facet_of(code), i)];
  };
  const Point from = s.position[node(0)], to = s.position[node(nodes - 1)];
  double area = 0;
  for (int i = 0; i < nodes; ++i) {
    const double weight = nodes == 2 ? 0.5 : i == 1 ? 4.0 / 6 : 1.0 / 6;
    const Point u = s.displacement[node(i)];
    area -= weight * (u.x * (to.y - from.y) - u.y * (to.x - from.x));
  }
  return area;
}
/// Present over reference thickness of an element in plane stress of St. Venant-Kirchhoff, at the start, the middle and
/// the end of a facet: the linear field of its Gauss points.
std::array<double, 3> thickness_on(const Snapshot& s, Index code, double nu) {
  const int nodes = nodes_per_element(s.type), points = nodes == 3 ? 1 : 3;
  const Index e = element_of(code);
  const auto node = [&](int i) { return s.elements[static_cast<std::size_t>(nodes) * e + i]; };
  const Point x0 = s.position[node(0)], x1 = s.position[node(1)], x2 = s.position[node(2)];
  const double area = (x1.x - x0.x) * (x2.y - x0.y) - (x2.x - x0.x) * (x1.y - x0.y);
  const Point slope[3] = {{(x1.y - x2.y) / area, (x2.x - x1.x) / area},
                          {(x2.y - x0.y) / area, (x0.x - x2.x) / area},
                          {(x0.y - x1.y) / area, (x1.x - x0.x) / area}};
  std::array<double, 3> at{};
  for (int q = 0; q < points; ++q) {
    double l[3] = {1.0 / 6, 1.0 / 6, 1.0 / 6}, f[2][2] = {{1, 0}, {0, 1}};
    l[q] = 2.0 / 3;
    for (int i = 0; i < nodes; ++i) {
      Point g = slope[i % 3];  // of the shape function
      if (nodes == 6 && i < 3) g = {(4 * l[i] - 1) * g.x, (4 * l[i] - 1) * g.y};
      if (i >= 3) {
        const int a = i - 3, b = (i - 2) % 3;
        g = {4 * (l[a] * slope[b].x + l[b] * slope[a].x), 4 * (l[a] * slope[b].y + l[b] * slope[a].y)};
      }
      const Point u = s.displacement[node(i)];
      f[0][0] += u.x * g.x, f[0][1] += u.x * g.y, f[1][0] += u.y * g.x, f[1][1] += u.y * g.y;
    }
    const double strains = (f[0][0] * f[0][0] + f[1][0] * f[1][0] + f[0][1] * f[0][1] + f[1][1] * f[1][1]) / 2 - 1;
    at[q] = std::sqrt(1 - 2 * nu / (1 - nu) * strains);
  }
  if (points == 1) return {at[0], at[0], at[0]};
  const auto corner = [&](int i) { return (5 * at[i] - at[(i + 1) % 3] - at[(i + 2) % 3]) / 3; };
  const double start = corner((facet_of(code) + 1) % 3), end = corner((facet_of(code) + 2) % 3);
  return {start, (start + end) / 2, end};
}
/// Forces on the nodes of both faces of a cohesive element by a line pressure of 1 N/m along their present normals, N;
/// by Gauss' rule, which is exact.
/// @param nu  Poisson's ratio in plane stress, where the thickness changes; 0: it does not
std::vector<Point> pushes(const Snapshot& s, const Snapshot::Cohesive& c, double nu) {
  const int nodes = nodes_per_facet(s.type);
  const auto shape = [&](int i, double r) {
    return nodes == 2 ? (1 + (2 * i - 1) * r) / 2 : (i == 1 ? 1 - r * r : r * (r + (i - 1)) / 2);
  };
  const auto slope = [&](int i, double r) { return nodes == 2 ? i - 0.5 : (i == 1 ? -2 * r : r + (i - 1) / 2.0); };
  std::vector<Point> force(2 * nodes);
  for (int side = 0; side < 2; ++side) {
    std::array<double, 3> ratio = thickness_on(s, side == 0 ? c.facet_a : c.facet_b, nu);
    if (side == 1) std::swap(ratio[0], ratio[2]);  // the nodes of side b face those of side a
    for (int at = 0; at < 3; ++at) {
      const double r = (at - 1) * std::sqrt(0.6), thickness = (1 - r) / 2 * ratio[0] + (1 + r) / 2 * ratio[2];
      const double weight = (side == 0 ? -1 : 1) * (at == 1 ? 8.0 : 5.0) / 9 * thickness;
      Point along;
      for (int i = 0; i < nodes; ++i) {
        const Index n = c.nodes[side * nodes + i];
        along.x += slope(i, r) * (s.position[n].x + s.displacement[n].x);
        along.y += slope(i, r) * (s.position[n].y + s.displacement[n].y);
      }
      for (int i = 0; i < nodes; ++i) {
        force[side * nodes + i].x += weight * shape(i, r) * along.y;
        force[side * nodes + i].y -= weight * shape(i, r) * along.x;
      }
    }
  }
  return force;
}
/// Work of line pressures p before and q after on the faces of a cohesive element, by the trapezoidal rule, J.
double push_work(const Snapshot& before, const Snapshot& after, const Snapshot::Cohesive& was,
                 const Snapshot::Cohesive& is, double p, double q, double nu) {
  const std::vector<Point> f = pushes(before, was, nu), g = pushes(after, is, nu);
  double work = 0;
  for (std::size_t i = 0; i < f.size(); ++i) {
    const Point from = before.displacement[was.nodes[i]], to = after.displacement[is.nodes[i]];
    work += 0.5 * ((p * f[i].x + q * g[i].x) * (to.x - from.x) + (p * f[i].y + q * g[i].y) * (to.y - from.y));
  }
  return work;
}
double opened_area(const Snapshot& s) {
  double area = 0;
  for (const auto& c : s.cohesive) area += opened_area(s, c);
  return area;
}
double pushed_area(const Snapshot& s, const PressureLoad& load) {
  double area = 0;
  for (const Index code : load.facets) area += pushed_area(s, code);
  return area;
}

/// Momentum of the elements that `choose` takes by their first node's position in it; their nodes are nobody else's.
template <class Choose>
Point momentum_of(const Snapshot& s, Choose choose) {
  const int nodes = nodes_per_element(s.type);
  std::set<Index> chosen;
  for (std::size_t e = 0; e < s.fragment.size(); ++e) {
    Point centre;
    for (int i = 0; i < 3; ++i) {
      centre.x += s.position[s.elements[e * nodes + i]].x / 3;
      centre.y += s.position[s.elements[e * nodes + i]].y / 3;
    }
    if (choose(centre)) chosen.insert(s.elements.begin() + e * nodes, s.elements.begin() + (e + 1) * nodes);
  }
  Point p;
  for (const Index n : chosen) {
    p.x += s.mass[n] * s.velocity[n].x;
    p.y += s.mass[n] * s.velocity[n].y;
  }
  return p;
}

/// The first load in the list that reaches each cohesive element, or -1: by spreading from facets over shared end nodes
/// until nothing changes.
std::vector<int> loads_in_cracks(const Model& m, const Snapshot& s) {
  const int last = nodes_per_facet(s.type) - 1;
  std::vector<int> load(s.cohesive.size(), -1);
  for (std::size_t l = 0; l < m.loads.size(); ++l) {
    if (!m.loads[l].in_cracks) continue;
    std::set<Index> wet;
    for (const Index code : m.loads[l].facets)
      for (const int i : {0, last})
        wet.insert(
            s.elements[nodes_per_element(s.type) * element_of(code) + facet_node_slot(s.type, facet_of(code), i)]);
    std::vector<char> reached(s.cohesive.size(), 0);
    for (bool more = true; more;) {
      more = false;
      for (std::size_t c = 0; c < s.cohesive.size(); ++c) {
        if (reached[c] || !s.cohesive[c].failed) continue;
        const auto& n = s.cohesive[c].nodes;
        const Index ends[] = {n[0], n[last], n[last + 1], n[2 * last + 1]};
        if (std::none_of(ends, ends + 4, [&](Index end) { return wet.count(end) > 0; })) continue;
        wet.insert(ends, ends + 4);
        reached[c] = more = true;
      }
    }
    for (std::size_t c = 0; c < load.size(); ++c)
      if (reached[c] && load[c] < 0) load[c] = static_cast<int>(l);
  }
  return load;
}

/// A ring whose wall is pressed on its right half more than on its left, and breaks through; both enter cracks.
Model bursting_ring(ElementType type, PlaneType plane = PlaneType::strain) {
  Mesh mesh = ring(type, {4, 32}, 8e-3, 14e-3);
  perturb(mesh, 0.1, 3);
  Model m = model_of(mesh, plane);
  m.cohesive = brittle(5);
  std::vector<Index> right, left;
  for (const Index code : m.mesh.find_group("inner")->facets) {
    const auto at = [&](int i) { return m.mesh.nodes[m.mesh.node(element_of(code), (facet_of(code) + i) % 3)]; };
    (at(1).x + at(2).x > 0 ? right : left).push_back(code);
  }
  m.loads.push_back({6e6, Curve::exponential(400 * m.step), right, true});
  m.loads.push_back({5e6, Curve{}, left, true});
  return m;
}

}  // namespace

TEMPLATE_TEST_CASE("a load reaches failed cohesive elements that share end nodes with its facets, and on from there",
                   "[cracks]", T3, T6) {
  constexpr int last = TestType::facet_nodes - 1;
  Backend backend;
  // End nodes of the faces; 50 and more are mid-sides and connect nothing. Triangle 0 has facet 2 from node 0 to 1,
  // triangle 1 from 20 to 21, triangle 2 from 30 to 31: these are the mouths.
  struct Row {
    Index a[2], b[2];
    int failed[3];
    Index expected;
  };
  const std::vector<Row> rows{
      {{1, 2}, {3, 4}, {1, 1, 1}, 1},            // at the mouth of load 1
      {{5, 4}, {6, 7}, {1, 1, 1}, 1},            // shares node 4 with it
      {{7, 8}, {9, 10}, {1, 0, 1}, no_load},     // has not failed at one point
      {{10, 11}, {12, 13}, {1, 1, 1}, no_load},  // only behind that one
      {{14, 15}, {16, 21}, {1, 1, 1}, 0},        // between the mouths of loads 0 and 2: the first acts
      {{15, 30}, {17, 18}, {1, 1, 1}, 0},        // likewise, through node 15
      {{40, 41}, {42, 43}, {1, 1, 1}, no_load},  // alone
      {{31, 44}, {45, 46}, {0, 0, 0}, no_load},  // at a mouth, holds
  };
  const Index count = static_cast<Index>(rows.size()), capacity = count + 5;
  auto host = HostRows<TestType>::make(3, capacity);
  const ElementTable<TestType> table = host.table();
  const Index mouths_at[3][2] = {{0, 1}, {20, 21}, {30, 31}};
  for (Index e = 0; e < 3; ++e) {
    for (int i = 0; i < TestType::nodes; ++i) table.node(e, i) = 50;
    table.facet_node(e, 2, 0) = mouths_at[e][0];
    table.facet_node(e, 2, last) = mouths_at[e][1];
    table.node(e, 2) = 49;
  }
  std::vector<FailedOrNot::State> states;
  for (Index c = 0; c < count; ++c)
    for (int side = 0; side < 2; ++side) {
      const Index* ends = side == 0 ? rows[c].a : rows[c].b;
      if (last == 2) table.cohesive_node(c, side, 1) = 50;
      table.cohesive_node(c, side, 0) = ends[0];
      table.cohesive_node(c, side, last) = ends[1];
      table.cohesive_facet(c, side) = facet_code(side == 1 && c % 2 == 1 ? 2 : 0, 0);
    }
  for (const Row& row : rows)
    for (const int failed : row.failed) states.push_back({failed});
  states.resize(3 * capacity, {1});
  DeviceRows<TestType> device;
  device.upload(host);
  auto mouths = upload(std::vector<CrackMouth>{{facet_code(2, 2), 2}, {facet_code(0, 2), 1}, {facet_code(1, 2), 0}});
  auto live = upload(std::vector<LiveCounts>{LiveCounts{60, count, 0, 0, 0}});
  auto state = upload(states);
  auto parent = filled<Index>(60, -7), first = filled<Index>(60, -7), load = filled<Index>(capacity, -7);
  CohesiveTable<FailedOrNot> cohesive{};
  cohesive.state.data = state.data();
  auto failed = filled<std::uint8_t>(capacity, 0);
  const CrackReach<TestType> reach{device.table(3), mouths.data(), 3,          capacity, live.data(), failed.data(),
                                   parent.data(),   first.data(),  load.data()};
  for (int repeat = 0; repeat < 2; ++repeat) {  // what was found before makes no difference
    for (const ElementRange own : {ElementRange{0, 1}, ElementRange{1, 3}})  // each rank knows of its own
      backend.launch(FindFailed<TestType, FailedOrNot>{capacity, live.data(), device.cohesive.data(), own, cohesive,
                                                       failed.data()});
    backend.launch(StartCrackReach<TestType>{reach});
    backend.launch(ConnectCracks<TestType>{reach});
    backend.launch(EnterCracks<TestType>{reach});
    backend.launch(NoteCrackLoads<TestType>{reach});
    const auto found = load.download(capacity);
    for (Index c = 0; c < count; ++c) {
      CAPTURE(c);
      CHECK(found[c] == rows[c].expected);
    }
    for (Index c = count; c < capacity; ++c) CHECK(found[c] == -7);
  }

  // Faces of eroded elements bear no load, and lead it on.
  auto flags = upload(std::vector<std::uint8_t>{0, 0, static_cast<std::uint8_t>(ElementFlag::eroded)});
  CrackReach<TestType> eroded = reach;
  eroded.flags = flags.data();
  backend.launch(NoteCrackLoads<TestType>{eroded});
  const auto found = load.download(capacity);
  for (Index c = 0; c < count; ++c) CHECK(found[c] == (c % 2 == 1 ? no_load : rows[c].expected));
}

TEST_CASE("the forces of two triangles and the crack between them agree with a computation by hand",
          "[cracks][solver]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  constexpr double h = 1e-3, pressure = 1e6, strength = 1e3;
  Mesh mesh;
  mesh.type = ElementType::t3;
  mesh.nodes = {{0, 0}, {h, 0}, {h, h}, {0, h}};
  mesh.elements = {0, 1, 2, 0, 2, 3};
  connect(mesh);
  if (type == ElementType::t6) add_mid_sides(mesh);
  Model m = model_of(mesh);
  m.assembly = GENERATE(Assembly::gather, Assembly::coloured, Assembly::atomic);
  m.cohesive = brittle(1);
  m.cohesive->parameters.normal = m.cohesive->parameters.tangential = {strength, 1e-7, 2};
  const double nu = m.materials.front().parameters.poisson_ratio;
  const double modulus = m.materials.front().parameters.young_modulus / ((1 + nu) * (1 - 2 * nu));
  for (std::size_t n = 0; n < m.displacement.size(); ++n) {  // all round, at twice the strength; corners fly apart
    const Point x = m.mesh.nodes[n];
    m.displacement[n] = {2 * strength / modulus * x.x, 2 * strength / modulus * x.y};
    if (std::abs(x.x - x.y) > 0.9 * h) m.velocity[n] = {(x.x - x.y) / h, (x.y - x.x) / h};
  }
  m.loads.push_back({pressure, Curve{}, {facet_code(0, 2)}, true});  // the bottom, which ends where the crack does
  const auto solver = make_solver(m, 1);
  solver->advance(20);
  REQUIRE(solver->history().failed_elements == 1);
  const Snapshot before = solver->snapshot();
  const double work = solver->history().external_work;
  solver->advance(50);
  const Snapshot after = solver->snapshot();
  // On each face p L t along its normal, (1, -1) / sqrt 2 below, with L = sqrt 2 h; on the bottom p h t upwards. That
  // is 2 N in each direction.
  constexpr double force = 2;
  REQUIRE(force == Approx(pressure * h * m.thickness).epsilon(1e-15));
  const double time = 50 * m.step;
  const auto gain = [&](auto choose) {
    const Point p = momentum_of(before, choose), q = momentum_of(after, choose);
    return Point{(q.x - p.x) / time, (q.y - p.y) / time};
  };
  const Point lower = gain([](Point at) { return at.x > at.y; }), upper = gain([](Point at) { return at.x < at.y; });
  CHECK(std::abs(lower.x - force) < 1e-10);
  CHECK(std::abs(lower.y) < 1e-10);
  CHECK(std::abs(upper.x + force) < 1e-10);
  CHECK(std::abs(upper.y - force) < 1e-10);
  const double opened = opened_area(after) - opened_area(before);
  const double pushed = pushed_area(after, m.loads[0]) - pushed_area(before, m.loads[0]);
  CHECK(opened > 0);
  CHECK(std::abs(solver->history().external_work - work - pressure * m.thickness * (opened + pushed)) <
        1e-12 * solver->history().external_work);
  CHECK(std::abs(solver->history().balance_error) < 1e-12);
}

TEST_CASE("a constant pressure in a seam does the work of the volume that it opens", "[cracks][solver]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  Model m = TwoBlocks::make(type, GENERATE(std::string("ppr"), std::string("linear")), 0.5);
  m.assembly = GENERATE(Assembly::gather, Assembly::coloured);
  const bool enters = GENERATE(true, false);
  TwoBlocks::set_apart(m, {0, 1});
  constexpr double pressure = 3e6;
  m.loads.push_back({pressure, Curve{}, m.mesh.find_group("left")->facets, enters});
  const auto solver = make_solver(m, 1);
  for (int i = 0; i < 20 && solver->history().failed_elements < 4; ++i) solver->advance(1);
  REQUIRE(solver->history().failed_elements == 4);
  // The accounts of points that have just failed make small tractions until they are settled.
  for (int i = 0; i < 100 && solver->history().cohesive_account != 0; ++i) solver->advance(10);
  REQUIRE(std::abs(solver->history().cohesive_account) < 1e-15 * solver->history().kinetic_energy);
  const Snapshot before = solver->snapshot();
  const HistoryRow first = solver->history();
  solver->advance(400);
  const Snapshot after = solver->snapshot();
  const HistoryRow row = solver->history();
  const double opened = opened_area(after) - opened_area(before);
  const double pushed = pushed_area(after, m.loads[0]) - pushed_area(before, m.loads[0]);
  const double work = pressure * m.thickness * (pushed + (enters ? opened : 0));
  CHECK(opened > 0);
  CHECK(std::abs(row.external_work - first.external_work - work) < 1e-6 * pressure * m.thickness * opened);
  CHECK(std::abs(row.balance_error) < 1e-12);
  CHECK(std::abs(row.internal_work - row.strain_energy - (first.internal_work - first.strain_energy)) <
        1e-11 * (row.kinetic_energy + row.strain_energy));
  // The upper block: p times the width upwards, p times half the height to the right.
  const auto up = [](Point at) { return at.y > TwoBlocks::seam_height; };
  const Point p = momentum_of(before, up), q = momentum_of(after, up);
  const double time = 400 * m.step, force = pressure * m.thickness * TwoBlocks::width;
  CHECK(std::abs((q.y - p.y) / time - (enters ? force : 0)) < 1e-9 * force);
  CHECK(std::abs((q.x - p.x) / time - force / 2) < 1e-9 * force);
}

TEST_CASE("pressure in the cracks of a bursting ring has its reach and work step by step", "[cracks][solver]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  Model m = bursting_ring(type);
  m.assembly = GENERATE(Assembly::gather, Assembly::coloured);
  const auto solver = make_solver(m, 2);
  Snapshot before = solver->snapshot();
  std::vector<int> load;  // of each cohesive element, at the last step
  const auto line_pressure = [&](int l, Step n) {
    return l < 0 ? 0.0 : m.loads[l].pressure * m.loads[l].curve.value(static_cast<double>(n) * m.step) * m.thickness;
  };
  double work = 0, in_cracks = 0, scale = 0;
  std::set<int> seen;
  int dry = 0;
  for (Step n = 1; n <= 500; ++n) {
    std::vector<int> now = n % 5 == 0 ? loads_in_cracks(m, before) : load;
    solver->advance(1);
    const Snapshot after = solver->snapshot();
    now.resize(after.cohesive.size(), -1);
    load.resize(after.cohesive.size(), -1);
    for (std::size_t c = 0; c < before.cohesive.size(); ++c) {
      const double p = (line_pressure(load[c], n - 1) + line_pressure(now[c], n)) / 2;
      const double step = p * (opened_area(after, after.cohesive[c]) - opened_area(before, before.cohesive[c]));
      in_cracks += step;
      scale += std::abs(step);
      seen.insert(now[c]);
      dry += now[c] < 0 && before.cohesive[c].failed;
    }
    for (int l = 0; l < 2; ++l)
      for (const Index code : m.loads[l].facets) {
        const double step = (line_pressure(l, n - 1) + line_pressure(l, n)) / 2 *
                            (pushed_area(after, code) - pushed_area(before, code));
        work += step;
        scale += std::abs(step);
      }
    const HistoryRow row = solver->history();
    REQUIRE(std::abs(row.external_work - work - in_cracks) < 1e-12 * scale);
    REQUIRE(std::abs(row.balance_error) < 1e-12);
    REQUIRE(std::abs(row.internal_work - row.strain_energy) < 1e-11 * scale);
    load = now;
    before = after;
  }
  CHECK(seen == std::set<int>{-1, 0, 1});
  CHECK(dry > 0);
  CHECK(in_cracks > 1e-3 * work);
}

TEST_CASE("the work of gas in the cracks of a ring with rotating faces is that of its nodal forces",
          "[cracks][solver][finite]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const PlaneType plane = GENERATE(PlaneType::strain, PlaneType::stress);
  Model m = bursting_ring(type, plane);
  m.kinematics = Kinematics::finite;
  for (MaterialCase& material : m.materials) material.law = "st_venant_kirchhoff";
  const double nu = plane == PlaneType::stress ? m.materials.front().parameters.poisson_ratio : 0;
  const auto solver = make_solver(m, 2);
  Snapshot before = solver->snapshot();
  std::vector<int> load;  // of each cohesive element, at the last step
  const auto line_pressure = [&](int l, Step n) {
    return l < 0 ? 0.0 : m.loads[l].pressure * m.loads[l].curve.value(static_cast<double>(n) * m.step) * m.thickness;
  };
  double work = 0, scale = 0, in_cracks = 0;
  for (Step n = 1; n <= 500; ++n) {
    std::vector<int> now = n % 5 == 0 ? loads_in_cracks(m, before) : load;
    solver->advance(1);
    const Snapshot after = solver->snapshot();
    now.resize(after.cohesive.size(), -1);
    load.resize(after.cohesive.size(), -1);
    for (std::size_t c = 0; c < before.cohesive.size(); ++c) {
      const double step = push_work(before, after, before.cohesive[c], after.cohesive[c], line_pressure(load[c], n - 1),
                                    line_pressure(now[c], n), nu);
      work += step;
      in_cracks += step;
      scale += std::abs(step);
    }
    for (int l = 0; l < 2; ++l)
      for (const Index code : m.loads[l].facets) {
        const double step = (line_pressure(l, n - 1) + line_pressure(l, n)) / 2 *
                            (pushed_area(after, code) - pushed_area(before, code));
        work += step;
        scale += std::abs(step);
      }
    const HistoryRow row = solver->history();
    REQUIRE(std::abs(row.external_work - work) < 1e-12 * scale);
    REQUIRE(std::abs(row.balance_error) < 1e-12);
    load = now;
    before = after;
  }
  CHECK(in_cracks > 1e-3 * work);
}

TEST_CASE("gas between two blocks that fly apart strains them no more with finite kinematics",
          "[cracks][solver][finite]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  constexpr double pressure = 3e6;
  double strain_energy[2] = {};
  for (const bool finite : {false, true}) {
    Model m = TwoBlocks::make(type, "ppr", 0.5);
    if (finite) {
      m.kinematics = Kinematics::finite;
      for (MaterialCase& material : m.materials) material.law = "st_venant_kirchhoff";
    }
    TwoBlocks::set_apart(m, {0, 1});
    m.loads.push_back({pressure, Curve{}, m.mesh.find_group("left")->facets, true});
    const auto solver = make_solver(m, 1);
    for (int i = 0; i < 20 && solver->history().failed_elements < 4; ++i) solver->advance(1);
    REQUIRE(solver->history().failed_elements == 4);
    const Snapshot before = solver->snapshot();
    solver->advance(2000);
    const Snapshot after = solver->snapshot();
    REQUIRE(opened_area(after) > TwoBlocks::width * TwoBlocks::width);  // far from each other
    const HistoryRow row = solver->history();
    strain_energy[finite] = row.strain_energy;
    CHECK(std::abs(row.balance_error) < 1e-12);
    const auto up = [](Point at) { return at.y > TwoBlocks::seam_height; };
    const Point p = momentum_of(before, up), q = momentum_of(after, up);
    const double force = pressure * m.thickness * TwoBlocks::width;
    CHECK(std::abs((q.y - p.y) / (2000 * m.step) - force) < 0.02 * force);
  }
  CHECK(strain_energy[1] < 1.2 * strain_energy[0]);
}

TEST_CASE("a ring with pressure in its cracks has the same bits for any threads, output and resuming",
          "[cracks][solver]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  Model m = bursting_ring(type);
  m.precision = GENERATE(Precision::double_precision, Precision::single_precision);
  m.assembly = GENERATE(Assembly::gather, Assembly::coloured);
  m.kinematics = GENERATE(Kinematics::small, Kinematics::finite);
  if (m.kinematics == Kinematics::finite) {
    if (m.assembly != Assembly::gather) return;  // there only
    for (MaterialCase& material : m.materials) material.law = "neo_hookean";
  }
  const auto one = make_solver(m, 1), two = make_solver(m, 2);
  one->advance(403);
  for (int i = 0; i < 201; ++i) two->advance(2, i % 2 == 0 ? Output::history : Output::state);
  two->advance(1);
  const HistoryRow a = one->history(), b = two->history();
  CHECK(a.failed_elements > 5);
  CHECK(a.external_work == b.external_work);
  CHECK(a.internal_work == b.internal_work);
  CHECK(a.kinetic_energy == b.kinetic_energy);
  const auto resumed = make_solver(m, 2);
  std::stringstream file(state_of(*one));
  resumed->load(file);
  CHECK(state_of(*resumed) == state_of(*one));
  one->advance(200);
  resumed->advance(200);
  CHECK(one->history().external_work == resumed->history().external_work);
  CHECK(state_of(*resumed) == state_of(*one));
}

}  // namespace cleave::test
