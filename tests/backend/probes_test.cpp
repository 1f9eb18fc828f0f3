/// What probes see, and what groups that are held or driven report.
#include "model/probes.hpp"

#include <catch2/catch.hpp>
#include <sstream>

#include "backend/models.hpp"
#include "backend/solver_backend.hpp"
#include "cleave/mesh/element.hpp"
#include "cleave/mesh/topology.hpp"
#include "model/critical_step.hpp"
#include "reference/same_bits.hpp"
#include "reference/triangle.hpp"

namespace cleave::test {
namespace {

/// A probe in an element, at area coordinates that are the same for every node: its shape functions are simple, and
/// their gradients are those of the reference.
ProbePoint centre_of(const Model& m, Index element, Step every) {
  ProbePoint probe{.name = "p", .every = every, .element = element};
  const bool linear = m.mesh.type == ElementType::t3;
  const double third = 1.0 / 3;
  Point corner[3], slope[3];
  for (int k = 0; k < 3; ++k) corner[k] = m.mesh.nodes[m.mesh.node(element, k)];
  const double twice_area = (corner[1].x - corner[0].x) * (corner[2].y - corner[0].y) -
                            (corner[1].y - corner[0].y) * (corner[2].x - corner[0].x);
  for (int k = 0; k < 3; ++k) {
    const Point a = corner[(k + 1) % 3], b = corner[(k + 2) % 3];
    slope[k] = {(a.y - b.y) / twice_area, (b.x - a.x) / twice_area};
  }
  for (int k = 0; k < 3; ++k) {
    probe.shape[k] = linear ? third : third * (2 * third - 1);
    const double factor = linear ? 1 : 4 * third - 1;
    probe.gradient[k] = {factor * slope[k].x, factor * slope[k].y};
    if (linear) continue;
    probe.shape[3 + k] = 4 * third * third;
    const Point other = slope[(k + 1) % 3];
    probe.gradient[3 + k] = {4 * third * (slope[k].x + other.x), 4 * third * (slope[k].y + other.y)};
  }
  return probe;
}

void hold(Model& m, const char* group, int directions) {
  const std::vector<Index>& nodes = m.mesh.find_group(group)->nodes;
  m.held_groups.push_back({group, nodes, std::vector<std::uint8_t>(nodes.size(), std::uint8_t(directions))});
}

/// The notched plate that breaks, with probes at two places and sums over its driven ends.
Model watched_plate(ElementType type, Step every) {
  Model m = busy_plate(type);
  m.probes = {centre_of(m, 7, every), centre_of(m, 40, 2 * every)};
  hold(m, "left", HeldGroup::x);
  hold(m, "right", HeldGroup::x | HeldGroup::y);
  return m;
}

std::vector<double> numbers(const std::vector<ProbeRow>& rows) {
  std::vector<double> all;
  for (const ProbeRow& row : rows) {
    all.push_back(static_cast<double>(row.step));
    for (const ProbeValues& p : row.probes) all.insert(all.end(), {p.ux, p.uy, p.vx, p.vy, p.sxx, p.syy, p.sxy});
  }
  return all;
}

void append(std::vector<ProbeRow>& rows, Solver& solver) {
  for (ProbeRow& row : solver.take_probe_rows()) rows.push_back(std::move(row));
}

std::vector<double> numbers(const HistoryRow& row) {
  std::vector<double> all;
  for (const GroupValues& group : row.groups) for_each_group_quantity(group, [&](double v) { all.push_back(v); });
  return all;
}

}  // namespace

TEST_CASE("a probe has the stress of a dashpot, which is zero at the start of a strained body", "[probes]") {
  Model m = model_of(plate_mesh(ElementType::t3), PlaneType::strain, 0.2);
  MaterialCase damped = m.materials.front();
  damped.law = "kelvin_voigt";
  damped.values = {300, 0};
  m.set_material(damped);
  const Index element = 11;
  m.probes = {centre_of(m, element, 1)};
  for (std::size_t n = 0; n < m.mesh.nodes.size(); ++n) m.displacement[n] = {1e-3 * m.mesh.nodes[n].x, 0};
  add_velocity(m, {}, {900, 300, -200, -100}, {8e-3, 4e-3});
  const auto solver = make_solver(m, 1);
  const ElasticParameters& elastic = damped.parameters;
  const auto d = reference::elasticity(elastic.young_modulus, elastic.poisson_ratio, PlaneType::strain);
  const auto spring = reference::stress(d, {1e-3, 0, 0});
  CHECK(solver->history().viscous_energy == 0);
  CHECK(solver->take_probe_rows().back().probes.at(0).sxx == Approx(spring[0]).epsilon(1e-12));
  for (const Step n : {1, 6, 30}) {
    solver->advance(n);
    const ProbeValues seen = solver->take_probe_rows().back().probes.at(0);
    const StressTensor stress = solver->snapshot().element_stress[element];  // that of its Gauss point
    INFO("step " << solver->step());
    CHECK(seen.sxx == Approx(stress.xx).epsilon(1e-11));
    CHECK(seen.syy == Approx(stress.yy).epsilon(1e-11));
    CHECK(seen.sxy == Approx(stress.xy).epsilon(1e-11));
  }
  CHECK(solver->history().viscous_energy > 0);
}

TEST_CASE("a probe has the values of the fields by the shape functions", "[probes]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  Model m = model_of(plate_mesh(type), PlaneType::strain);
  m.precision = GENERATE(Precision::double_precision, Precision::single_precision);
  m.assembly = GENERATE(Assembly::gather, Assembly::coloured);
  const Index element = 11;
  m.probes = {centre_of(m, element, 1)};
  add_velocity(m, {3, -2}, {900, 300, -200, -100}, {8e-3, 4e-3});
  const auto solver = make_solver(m, 1);
  for (const Step n : {0, 1, 6, 30}) {
    solver->advance(n);
    const std::vector<ProbeRow> rows = solver->take_probe_rows();
    REQUIRE(static_cast<Step>(rows.size()) == std::max<Step>(n, 1));
    const ProbeValues seen = rows.back().probes.at(0);
    const Snapshot s = solver->snapshot();
    CHECK(rows.back().step == s.step);
    CHECK(rows.back().time == s.time);
    Point u, v;
    double xx = 0, yy = 0, shear = 0;
    for (int i = 0; i < nodes_per_element(type); ++i) {
      const Index node = m.mesh.node(element, i);
      const double shape = m.probes[0].shape[i];
      const Point slope = m.probes[0].gradient[i], at = s.displacement[node];
      u = {u.x + shape * at.x, u.y + shape * at.y};
      v = {v.x + shape * s.velocity[node].x, v.y + shape * s.velocity[node].y};
      xx += slope.x * at.x;
      yy += slope.y * at.y;
      shear += slope.y * at.x + slope.x * at.y;
    }
    const ElasticParameters& material = m.materials.front().parameters;
    const auto d = reference::elasticity(material.young_modulus, material.poisson_ratio, PlaneType::strain);
    const auto stress = reference::stress(d, {xx, yy, shear});
    const double close = tolerance(m, 1e-13, 1e-5);
    CHECK(std::abs(seen.ux - u.x) <= close * 1e-5);
    CHECK(std::abs(seen.uy - u.y) <= close * 1e-5);
    CHECK(std::abs(seen.vx - v.x) <= close * 10);
    CHECK(std::abs(seen.vy - v.y) <= close * 10);
    const double pascal = close * material.young_modulus * (1e-3 + std::abs(xx) + std::abs(yy));
    CHECK(std::abs(seen.sxx - stress[0]) <= pascal);
    CHECK(std::abs(seen.syy - stress[1]) <= pascal);
    CHECK(std::abs(seen.sxy - stress[2]) <= pascal);
  }
}

TEST_CASE("probes have the same bits for any other output and number of threads", "[probes]") {
  Model m = watched_plate(GENERATE(ElementType::t3, ElementType::t6), GENERATE(1, 3));
  m.precision = GENERATE(Precision::double_precision, Precision::single_precision);
  m.assembly = GENERATE(Assembly::gather, Assembly::coloured);
  const auto straight = make_solver(m, 1), stopping = make_solver(m, 3);
  std::vector<ProbeRow> a, b;
  straight->advance(160);
  append(a, *straight);
  std::vector<std::vector<double>> rows;
  for (int i = 0; i < 10; ++i) {
    stopping->advance(4, Output::none);
    append(b, *stopping);
    stopping->advance(5, Output::history, {2, [&](const HistoryRow& row) { rows.push_back(numbers(row)); }});
    stopping->advance(7, Output::state);
    append(b, *stopping);
  }
  REQUIRE(straight->history().cohesive_elements > 0);
  CHECK(static_cast<Step>(a.size()) == 160 / m.probes[0].every + 1);
  CHECK(reference::same_bits(numbers(a), numbers(b)));
  CHECK(reference::same_bits(numbers(straight->history()), numbers(stopping->history())));

  // From a checkpoint on, too.
  std::ostringstream saved;
  straight->save(saved);
  const auto resumed = make_solver(m, 2);
  std::istringstream in(saved.str());
  resumed->load(in);
  CHECK(resumed->take_probe_rows().empty());
  straight->advance(20);
  resumed->advance(20);
  CHECK(reference::same_bits(numbers(straight->take_probe_rows()), numbers(resumed->take_probe_rows())));
  CHECK(reference::same_bits(numbers(straight->history()), numbers(resumed->history())));
}

TEST_CASE("rows beyond the capacity of the ring of probes are kept", "[probes]") {
  Model m = model_of(plate_mesh(ElementType::t3, {2, 1}));
  m.assembly = GENERATE(Assembly::gather, Assembly::coloured);
  // Of many points the ring holds few rows; checks cut the run into pieces.
  m.probes.assign(GENERATE(1, 1500), centre_of(m, 3, 1));
  if (GENERATE(false, true)) m.cohesive = brittle();
  add_velocity(m, {1, 0}, {0, 0, 0, 0}, {0, 0});
  const auto solver = make_solver(m, 1);
  solver->advance(5000, Output::state);
  const auto rows = solver->take_probe_rows();
  REQUIRE(rows.size() == 5001);
  for (std::size_t i = 0; i < rows.size(); ++i)
    REQUIRE((rows[i].step == static_cast<Step>(i) && std::abs(rows[i].probes[0].ux / m.step - double(i)) < 1e-6));
}

TEST_CASE("reactions do the work of the supports, also when their nodes have split", "[probes]") {
  Model m = watched_plate(GENERATE(ElementType::t3, ElementType::t6), 1);
  m.assembly = GENERATE(Assembly::gather, Assembly::coloured);
  m.cohesive->parameters.normal.strength /= 4;  // cracks reach the ends
  const Index left_nodes = static_cast<Index>(m.held_groups[0].nodes.size());
  const auto solver = make_solver(m, 2);
  std::vector<HistoryRow> rows{solver->history()};
  solver->advance(300, Output::state, {1, [&](const HistoryRow& row) { rows.push_back(row); }});
  rows.push_back(solver->history());
  double work = 0, largest = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const auto &a = rows[i - 1].groups, &b = rows[i].groups;
    // All nodes of a driven end move alike.
    work += 0.5 * (a[0].reaction_x + b[0].reaction_x) * (b[0].displacement_x - a[0].displacement_x) +
            0.5 * (a[1].reaction_x + b[1].reaction_x) * (b[1].displacement_x - a[1].displacement_x) +
            0.5 * (a[1].reaction_y + b[1].reaction_y) * (b[1].displacement_y - a[1].displacement_y);
    largest = std::max(largest, std::abs(rows[i].reaction_work));
    REQUIRE(a[0].reaction_y == 0);
  }
  CHECK(largest > 0);
  CHECK(std::abs(work - rows.back().reaction_work) <= 1e-10 * largest);

  const Snapshot end = solver->snapshot();
  Index on_left = 0;
  double mean_y = 0;
  for (std::size_t n = 0; n < end.position.size(); ++n) {
    if (end.position[n].x != 0) continue;
    ++on_left;
    mean_y += end.displacement[n].y;
  }
  REQUIRE(on_left > left_nodes);
  CHECK(rows.back().groups[0].displacement_y == Approx(mean_y / on_left).epsilon(1e-12));
}

TEST_CASE("a probe of a law with a history has the linear field through the Gauss points", "[probes]") {
  Model m = model_of(plate_mesh(ElementType::t6), PlaneType::strain, 0.2);
  m.precision = GENERATE(Precision::double_precision, Precision::single_precision);
  MaterialCase material = m.materials.front();
  material.law = GENERATE(as<std::string>(), "kelvin_voigt", "j2");
  const bool viscous = material.law == "kelvin_voigt";
  material.values = viscous ? std::vector<double>{300, 0} : std::vector<double>{2e5};
  m.set_material(material);
  add_velocity(m, {}, {900, 300, -200, -100}, {8e-3, 4e-3});
  for (std::size_t n = 0; n < m.velocity.size(); ++n) {
    const double x = m.mesh.nodes[n].x, y = m.mesh.nodes[n].y;
    m.velocity[n].x += 6e5 * (x * x + y * y);
  }
  // One triangle alone has the mid-side node of its boundary facet.
  const Index facet = m.mesh.find_group("left")->facets.at(1), element = element_of(facet);
  const Index node = m.mesh.node(element, T6::facet_slot(facet_of(facet), 1));
  const Point side = m.mesh.nodes[node], centre = centroid(m.mesh, element);
  const Point between{0.25 * side.x + 0.75 * centre.x, 0.25 * side.y + 0.75 * centre.y};
  for (const Point p : {side, centre, between}) {
    m.probes.push_back(probe_in(m, element, p));
    m.probes.back().name = "p";
  }
  const auto solver = make_solver(m, 1), on_three = make_solver(m, 3);
  for (const Step n : {1, 6, 30, 60}) {
    solver->advance(n);
    on_three->advance(n);
    const ProbeRow row = solver->take_probe_rows().back();
    CHECK(reference::same_bits(numbers({row}), numbers({on_three->take_probe_rows().back()})));
    const Snapshot s = solver->snapshot();
    const StressTensor at_side = s.nodal_stress[node], mean = s.element_stress[element];
    const double size = std::abs(at_side.xx) + std::abs(mean.xx) + std::abs(at_side.xy);
    const double close = tolerance(m, 1e-10, 1e-3) * size;
    INFO("step " << solver->step());
    REQUIRE(std::abs(at_side.xx - mean.xx) > 10 * close);  // or this would prove nothing
    const auto check = [&](const ProbeValues& seen, double of_side) {
      CHECK(std::abs(seen.sxx - (of_side * at_side.xx + (1 - of_side) * mean.xx)) < close);
      CHECK(std::abs(seen.syy - (of_side * at_side.yy + (1 - of_side) * mean.yy)) < close);
      CHECK(std::abs(seen.sxy - (of_side * at_side.xy + (1 - of_side) * mean.xy)) < close);
    };
    check(row.probes.at(0), 1);
    check(row.probes.at(1), 0);
    check(row.probes.at(2), 0.25);
  }
  CHECK((viscous ? solver->history().viscous_energy : solver->history().plastic_energy) > 0);
}

TEST_CASE("probes in a viscous column at rest have the stress of its weight", "[probes]") {
  constexpr double height = 100, modulus = 3e9, density = 1500, gravity = 9.81;
  Model m = model_of(rectangle(ElementType::t6, {2, 20}, {10, height}), PlaneType::strain);
  MaterialCase material{"kelvin_voigt", {modulus, 0, density, PlaneType::strain}, {}, {}};
  material.values = {3e7, 0};
  m.set_material(material);
  m.critical_step = m.stable_step = critical_step(m);
  m.step = 0.8 * m.critical_step;
  m.body_acceleration = {0, -gravity};
  for (std::size_t n = 0; n < m.mesh.nodes.size(); ++n) {
    const double y = m.mesh.nodes[n].y;
    m.displacement[n].y = -density * gravity / modulus * (height * y - y * y / 2);
  }
  m.motions.push_back({});
  for (const Index n : m.mesh.find_group("bottom")->nodes) m.motion_x[n] = m.motion_y[n] = 1;
  const ElementFinder finder(m.mesh);
  std::vector<double> at;
  for (double y = 0; y <= height; y += 0.9) {
    m.probes.push_back(probe_in(m, finder.element_at({3.1, y}).value(), {3.1, y}));
    at.push_back(y);
  }
  const auto solver = make_solver(m, 1);
  solver->advance(6000);  // lumped weights are not those of the shape functions: this ripple dies out
  const ProbeRow row = solver->take_probe_rows().back();
  for (std::size_t i = 0; i < at.size(); ++i) {
    INFO("y = " << at[i]);
    CHECK(std::abs(row.probes[i].syy + density * gravity * (height - at[i])) < 0.02 * density * gravity * height);
  }
}

TEST_CASE("probes outside the elastic core of a bent beam have the yield stress", "[probes]") {
  constexpr double yield = 200e6, modulus = 200e9, nu = 0.4999, curvature = 1, height = 10e-3;
  constexpr double core = yield / modulus / curvature;  // half of its height
  Model m = model_of(rectangle(ElementType::t6, {16, 4}, {40e-3, height}), PlaneType::stress, 0.2);
  MaterialCase material{"j2", {modulus, nu, 7850, PlaneType::stress}, {}, {}};
  material.values = {yield};
  m.set_material(material);
  const double middle = height / 2;
  for (std::size_t n = 0; n < m.mesh.nodes.size(); ++n) {
    const double x = m.mesh.nodes[n].x, y = m.mesh.nodes[n].y - middle;
    m.displacement[n] = {curvature * x * y, -curvature / 2 * (x * x + nu * y * y)};
  }
  std::vector<double> sign;
  for (Index e = 0; e < m.mesh.element_count(); ++e) {
    double nearest = height;
    for (int k = 0; k < 3; ++k) nearest = std::min(nearest, std::abs(m.mesh.nodes[m.mesh.node(e, k)].y - middle));
    if (nearest < core) continue;
    for (int k = 0; k < 6; ++k) m.probes.push_back(probe_in(m, e, m.mesh.nodes[m.mesh.node(e, k)]));
    sign.insert(sign.end(), 6, centroid(m.mesh, e).y > middle ? 1 : -1);
  }
  REQUIRE(sign.size() > 500);
  const ProbeRow row = make_solver(m, 1)->take_probe_rows().back();
  for (std::size_t i = 0; i < sign.size(); ++i) {
    CHECK(row.probes[i].sxx == Approx(sign[i] * yield).epsilon(1e-3));
    CHECK(std::abs(row.probes[i].syy) < 1e-3 * yield);
    CHECK(std::abs(row.probes[i].sxy) < 1e-9 * yield);
  }
}

}  // namespace cleave::test
