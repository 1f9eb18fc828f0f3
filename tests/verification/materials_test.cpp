/// Bodies of several materials: what an interface reflects, equilibrium across it, and that the way in which a case
/// lists its materials does not matter.
#include <algorithm>
#include <cmath>

#include "cleave/case/case.hpp"
#include "cleave/mesh/topology.hpp"
#include "model/critical_step.hpp"
#include "reference/same_bits.hpp"
#include "support.hpp"

namespace cleave::verification {
namespace {

/// The assembly that make_solver will choose for this backend.
Assembly assembly_of(const std::string& backend) {
  return backend.ends_with("gather") ? Assembly::gather : Assembly::coloured;
}

// A bar in uniaxial strain along x, as both long sides only slide. The impedance rho c of the half beyond the interface
// is three times that of the half before it: 1.5 times the density, twice the wave speed.

constexpr double interface = 0.6, length = 1.8, cell = 4e-3;  // m

/// A material of that density and longitudinal wave speed in plane strain.
ElasticParameters material_of(double density, double speed, double nu) {
  const double modulus = density * speed * speed;
  return {modulus * (1 + nu) * (1 - 2 * nu) / (1 - nu), nu, density, PlaneType::strain};
}
const ElasticParameters before = material_of(2000, 4000, 0.25), beyond = material_of(3000, 8000, 0.3);

Case two_part_bar(ElementType type, Assembly assembly) {
  Case c;
  c.mesh.element = type;
  c.mesh.divisions = {static_cast<int>(std::lround(length / cell)), 1};
  c.mesh.size = {length, cell};
  c.mesh.regions = {{"beyond", {interface, 0, length, cell}}};
  c.material = {{"", {.parameters = before}}, {"beyond", {.parameters = beyond}}};
  for (const char* side : {"bottom", "top"}) {
    BoundaryCase slide;
    slide.on = side;
    slide.y = true;
    c.boundary.push_back(slide);
  }
  c.time.steps = 1;
  c.run.assembly = assembly;
  return c;
}

/// The displacement of largest size at nodes of the lower side that are on one side of the interface: the top of the
/// parabola through the three nodes there, m.
double amplitude(const Model& m, const Snapshot& s, bool on_far_side) {
  std::vector<std::pair<double, double>> u;  // over x
  for (const Index n : m.mesh.find_group("bottom")->nodes)
    if ((s.position[n].x > interface) == on_far_side) u.push_back({s.position[n].x, s.displacement[n].x});
  std::sort(u.begin(), u.end());
  std::size_t at = 1;
  for (std::size_t i = 1; i + 1 < u.size(); ++i)
    if (std::abs(u[i].second) > std::abs(u[at].second)) at = i;
  const double left = u[at - 1].second, middle = u[at].second, right = u[at + 1].second;
  const double slope = (right - left) / 2, curvature = right - 2 * middle + left;
  return middle - slope * slope / (2 * curvature);
}

// A patch: two halves of a rectangle, meshed with moved nodes, then turned.

/// Moves nodes by a smooth field that leaves the line x = half and the sides x = 0 and x = 2 half straight.
void distort(Mesh& mesh, double half, double height) {
  const std::vector<Point> at = mesh.nodes;
  for (std::size_t n = 0; n < at.size(); ++n) {
    mesh.nodes[n].x += 0.1 * half * std::sin(M_PI * at[n].x / half) * std::cos(9 * at[n].y / height);
    mesh.nodes[n].y += 0.04 * height * std::cos(7 * at[n].x / half) * std::sin(2 * M_PI * at[n].y / height);
  }
  for (Index e = 0; e < mesh.element_count() && mesh.type == ElementType::t6; ++e)
    for (int k = 0; k < 3; ++k) {
      const Point a = mesh.nodes[mesh.node(e, facet_node_slot(mesh.type, k, 0))];
      const Point b = mesh.nodes[mesh.node(e, facet_node_slot(mesh.type, k, 2))];
      mesh.nodes[mesh.node(e, facet_node_slot(mesh.type, k, 1))] = {(a.x + b.x) / 2, (a.y + b.y) / 2};
    }
  check_mesh(mesh, "distorted patch");
}

struct Rotation {
  double cosine, sine;
  Point operator()(Point p) const { return {cosine * p.x - sine * p.y, sine * p.x + cosine * p.y}; }
  PlaneTensor operator()(const PlaneTensor& t) const {
    const double cc = cosine * cosine, ss = sine * sine, cs = cosine * sine;
    return {cc * t.xx + ss * t.yy - 2 * cs * t.xy, ss * t.xx + cc * t.yy + 2 * cs * t.xy,
            cs * (t.xx - t.yy) + (cc - ss) * t.xy};
  }
};

/// Hooke's law written by its two constants of the plane, not by the program's matrix.
struct Lame {
  double lambda, mu;
  explicit Lame(const ElasticParameters& m) {
    const double e = m.young_modulus, nu = m.poisson_ratio;
    lambda = m.plane == PlaneType::strain ? e * nu / ((1 + nu) * (1 - 2 * nu)) : e * nu / (1 - nu * nu);
    mu = e / (2 * (1 + nu));
  }
};

// A ring of three layers, from below: pressure inside breaks it.

const ElasticParameters stiff{6e9, 0.25, 1800, PlaneType::strain};
const ElasticParameters plastic{3.24e9, 0.35, 1190, PlaneType::strain};
const ElasticParameters soft{2e9, 0.4, 1000, PlaneType::strain};
const RegionCase lower{"lower", {-1, -1, 1, -4e-3}}, middle{"middle", {-1, -4e-3, 1, 4e-3}};
const RegionCase upper{"upper", {-1, 4e-3, 1, 1}};

Case layered_ring(ElementType type, Numbering numbering, Assembly assembly) {
  Case c;
  c.mesh.shape = MeshShape::ring;
  c.mesh.element = type;
  c.mesh.divisions = {4, 32};
  c.mesh.inner_radius = 8e-3;
  c.mesh.outer_radius = 14e-3;
  c.mesh.perturbation_amplitude = 0.1;
  c.mesh.numbering = numbering;
  c.mesh.regions = {lower, middle, upper};
  c.material = {{"lower", {.parameters = stiff}}, {"middle", {.parameters = plastic}}, {"upper", {.parameters = soft}}};
  c.cohesive = CohesiveCase{};
  c.cohesive->parameters.normal = {10e6, 8, 2};
  c.cohesive->parameters.tangential = {12e6, 11, 2};
  c.cohesive->insertion.every = 5;
  BoundaryCase pressure;
  pressure.on = "inner";
  pressure.kind = BoundaryCase::Kind::pressure;
  pressure.pressure = 6e6;
  c.boundary = {pressure};
  c.time.steps = 600;
  c.run.assembly = assembly;
  return c;
}

struct Result {
  std::vector<HistoryRow> rows;
  Snapshot end;
};
Result run(const Case& c, const std::string& backend) {
  Result result;
  const auto solver = make_solver(cleave::make_model(c), backend);
  while (solver->step() < c.time.steps) {
    solver->advance(c.time.steps / 20);
    result.rows.push_back(solver->history());
  }
  result.end = solver->snapshot();
  return result;
}
void check_same(const Result& a, const Result& b) {
  REQUIRE(a.rows.size() == b.rows.size());
  for (std::size_t i = 0; i < a.rows.size(); ++i) {
    INFO("step " << a.rows[i].step);
    CHECK(reference::same_bits(a.rows[i], b.rows[i]));
  }
  CHECK(reference::same_bits(a.end, b.end));
}
/// What is compared must have broken, or it says little.
void check_broken(const Result& r) {
  CHECK(r.rows.back().cohesive_elements > 50);
  CHECK(r.rows.back().failed_elements > 20);
  CHECK(std::abs(r.rows.back().balance_error) < 1e-12);
}

}  // namespace

TEST_CASE("an interface reflects and transmits a pulse by the ratio of impedances", "[materials]") {
  CLEAVE_ON_EVERY_BACKEND();
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const bool forward = GENERATE(true, false);  // from the soft half into the stiff one
  Model m = cleave::make_model(two_part_bar(type, assembly_of(backend)));
  REQUIRE(m.materials == std::vector<MaterialCase>{{.parameters = before}, {.parameters = beyond}});
  const ElasticParameters& from = forward ? before : beyond;
  const ElasticParameters& into = forward ? beyond : before;
  const double speed = longitudinal_speed(from);
  REQUIRE(speed == Approx(forward ? 4000 : 8000).epsilon(1e-12));
  const double own = from.density * speed, other = into.density * longitudinal_speed(into);
  REQUIRE(std::max(own, other) == Approx(3 * std::min(own, other)).epsilon(1e-12));

  // u = exp(-((x - x0) / width)^2) travels with u_t = -c u_x. Six widths from the interface and from its own end it is
  // zero there. After twice the time to the interface the reflected part is back and the other as far beyond.
  const double direction = forward ? 1 : -1, width = speed * 1.25e-5, distance = 6 * width;
  const double start = interface - direction * distance, scale = 1e-5;
  const auto pulse = [&](Point p) { return scale * std::exp(-std::pow((p.x - start) / width, 2)); };
  set_displacement(m, [&](Point p) { return Point{pulse(p), 0}; });
  set_velocity(m, [&](Point p) {
    return Point{direction * speed * 2 * (p.x - start) / (width * width) * pulse(p), 0};
  });
  const auto solver = make_solver(m, backend);
  solver->advance(static_cast<Step>(std::lround(2 * distance / speed / m.step)));
  const Snapshot s = solver->snapshot();
  const double reflected = amplitude(m, s, !forward) / scale, transmitted = amplitude(m, s, forward) / scale;

  // Displacements: (Z1 - Z2) / (Z1 + Z2) and 2 Z1 / (Z1 + Z2), -1/2 and 1/2 forward, 1/2 and 3/2 back. The mesh
  // spreads the pulse: phases that are h^2 k^3 x / 24 off lower its top by a = h^2 x / (24 width^3), squared, times 60.
  // That is 0.1 % for T3 after all 12 widths of 12.5 cells.
  const double exact_reflected = (own - other) / (own + other), exact_transmitted = 2 * own / (own + other);
  CHECK(reflected == Approx(exact_reflected).epsilon(0.01));
  CHECK(transmitted == Approx(exact_transmitted).epsilon(0.01));
  CHECK(std::abs(solver->history().balance_error) < 1e-12);
  const std::string name = std::string(name_of(type)) + (forward ? ", into three times" : ", into a third of");
  record("two materials in a bar", name + " the impedance: reflected", exact_reflected, reflected, "of the pulse",
         "1 %");
  record("two materials in a bar", name + " the impedance: transmitted", exact_transmitted, transmitted, "of the pulse",
         "1 %");
}

TEST_CASE("constant traction across the interface of two materials is an equilibrium", "[materials]") {
  CLEAVE_ON_EVERY_BACKEND();
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const PlaneType plane = GENERATE(PlaneType::stress, PlaneType::strain);
  const double half = 0.3, height = 0.5;
  ElasticParameters left = steel, right{70e9, 0.2, 2500, plane};
  left.plane = plane;
  Case c;
  c.mesh.element = type;
  c.mesh.divisions = {6, 5};
  c.mesh.size = {2 * half, height};
  c.mesh.regions = {{"right half", {half, 0, 2 * half, height}}};
  c.material = {{"", {.parameters = left}}, {"right half", {.parameters = right}}};
  for (const char* side : {"left", "right", "bottom", "top"}) {
    BoundaryCase held;
    held.on = side;
    held.x = held.y = true;
    c.boundary.push_back(held);
  }
  c.time.steps = 1;
  c.run.assembly = assembly_of(backend);
  Model m = cleave::make_model(c);
  REQUIRE(m.materials.size() == 2);

  // In the frame of the interface, x across it: strain along it is common, stress across it and shear are continuous.
  const Lame of_left(left), of_right(right);
  const double along = -4e-4, across = 1e-3, shear = 7e-4, spin = 3e-4;
  const double normal = (of_left.lambda + 2 * of_left.mu) * across + of_left.lambda * along;
  const double tangential = of_left.mu * shear;
  const auto across_of = [&](const Lame& l) { return (normal - l.lambda * along) / (l.lambda + 2 * l.mu); };
  const auto displacement = [&](Point p) {
    const Lame& l = p.x < half ? of_left : of_right;
    const double x = p.x - half;
    return Point{across_of(l) * x - spin * p.y, tangential / l.mu * x + along * p.y + spin * x};
  };
  const auto stress = [&](const Lame& l) {
    return PlaneTensor{normal, l.lambda * across_of(l) + (l.lambda + 2 * l.mu) * along, tangential};
  };
  REQUIRE(across_of(of_right) > 2 * across);

  distort(m.mesh, half, height);
  const Rotation turn{std::cos(0.5), std::sin(0.5)};
  double largest = 0;
  for (std::size_t n = 0; n < m.mesh.nodes.size(); ++n) {
    m.displacement[n] = turn(displacement(m.mesh.nodes[n]));
    m.mesh.nodes[n] = turn(m.mesh.nodes[n]);
    largest = std::max(largest, std::hypot(m.displacement[n].x, m.displacement[n].y));
  }
  m.critical_step = m.stable_step = critical_step(m);
  m.step = 0.5 * m.critical_step;
  const auto solver = make_solver(m, backend);
  solver->advance(100);
  const Snapshot s = solver->snapshot();
  double moved = 0, off = 0;
  for (std::size_t n = 0; n < s.displacement.size(); ++n)
    moved = std::max(moved,
                     std::hypot(s.displacement[n].x - m.displacement[n].x, s.displacement[n].y - m.displacement[n].y));
  const PlaneTensor exact[] = {turn(stress(of_left)), turn(stress(of_right))};
  for (std::size_t e = 0; e < s.element_stress.size(); ++e) {
    const StressTensor& at = s.element_stress[e];
    const PlaneTensor& here = exact[m.materials[m.element_material[e]].parameters == left ? 0 : 1];
    off = std::max({off, std::abs(at.xx - here.xx), std::abs(at.yy - here.yy), std::abs(at.xy - here.xy)});
  }
  // Round-off as in the patch test of one material.
  CHECK(moved < 1e-11 * largest);
  CHECK(off < 1e-11 * normal);
  record("patch test across an interface", std::string(name_of(type)) + " " + name_of(plane) + ": displacement error",
         0, moved / largest, "of the displacement", "1e-11");
  record("patch test across an interface", std::string(name_of(type)) + " " + name_of(plane) + ": stress error", 0,
         off / normal, "of the stress across", "1e-11");
}

TEST_CASE("a layered ring gives the same bits for any order of groups and materials", "[materials]") {
  CLEAVE_ON_EVERY_BACKEND();
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const Numbering numbering = GENERATE(Numbering::hilbert, Numbering::as_given);
  const Case c = layered_ring(type, numbering, assembly_of(backend));
  Case other = c;
  other.mesh.regions = {upper, lower, middle};
  other.material = {
      {"middle", {.parameters = plastic}}, {"upper", {.parameters = soft}}, {"lower", {.parameters = stiff}}};
  const Result one = run(c, backend);
  check_broken(one);
  check_same(one, run(other, backend));
}

TEST_CASE("two entries of equal values give the same bits as one material", "[materials]") {
  CLEAVE_ON_EVERY_BACKEND();
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const Numbering numbering = GENERATE(Numbering::hilbert, Numbering::as_given);
  Case c = layered_ring(type, numbering, assembly_of(backend));
  c.material = {{"", {.parameters = plastic}}};
  const Result one = run(c, backend);
  check_broken(one);
  c.material = {{"", {.parameters = soft}},
                {"lower", {.parameters = plastic}},
                {"middle", {.parameters = plastic}},
                {"upper", {.parameters = plastic}}};
  check_same(one, run(c, backend));
  // Values that differ do not give the same: what is compared does depend on the material.
  c.material = {{"", {.parameters = plastic}}, {"upper", {.parameters = soft}}};
  CHECK_FALSE(reference::same_bits(run(c, backend).rows.back(), one.rows.back()));
}

}  // namespace cleave::verification
