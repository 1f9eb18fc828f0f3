/// Processes of a user's own in whole bodies: what kernels see, when they run, and what becomes of their fields.
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "backend/backend.hpp"
#include "backend/solver_backend.hpp"
#include "cleave/case/case.hpp"
#include "own_kernel/heat.hpp"

namespace cleave::test {

/// Counts its kernels' visits, and adds up the masses of nodes from those of the elements around them.
struct Visits {
  static constexpr const char* name = "visits";
  enum FieldNumber { of_element, of_node, of_cohesive, mass, sides };
  static constexpr ProcessField fields[] = {
      {.name = "element_visits", .on = FieldOn::element, .start = 2, .column = "element_visits"},
      {.name = "node_visits", .on = FieldOn::node, .start = 1, .column = "node_visits"},
      {.name = "cohesive_visits", .on = FieldOn::cohesive},
      {.name = "mass_around", .on = FieldOn::node, .width = 2},
      {.name = "sides_of_elements", .on = FieldOn::element, .width = 3, .in_frames = false}};

  static Visits make(const ProcessCase&) { return {}; }

  struct Element {
    static constexpr const char* name = "elements visited";
    template <class Body>
    CLEAVE_HD void operator()(const Body& body, Index e) const {
      body.field(of_element, e) += 1;
      for (int k = 0; k < 3; ++k) body.field(sides, e, k) = is_intact(body.neighbour(e, k)) ? 1 : 0;
    }
  };
  /// The mass of a node, and the largest difference of its place from that which its elements have of it.
  struct Node {
    static constexpr const char* name = "nodes visited";
    template <class Body>
    CLEAVE_HD void operator()(const Body& body, Index n) const {
      body.field(of_node, n) += 1;
      double all = 0;
      for (int i = 0; i < body.elements_at(n); ++i) {
        const ElementCorner at = body.element_at(n, i);
        all += body.node(at.element, at.node) == n ? body.mass(at.element) * Body::Element::mass_fraction(at.node) : -1;
      }
      body.field(mass, n, 0) = all;
      body.field(mass, n, 1) = body.mass_of_node(n);
    }
  };
  struct Cohesive {
    static constexpr const char* name = "cohesive elements visited";
    template <class Body>
    CLEAVE_HD void operator()(const Body& body, Index c) const {
      const Index a = body.facet_of_cohesive(c, 0), b = body.facet_of_cohesive(c, 1);
      const bool met =
          cohesive_of(body.neighbour(element_of(a), facet_of(a))) == c &&
          cohesive_of(body.neighbour(element_of(b), facet_of(b))) == c &&
          body.node_of_cohesive(c, 0, 0) == body.node(element_of(a), Body::Element::facet_slot(facet_of(a), 0));
      body.field(of_cohesive, c) += met ? 1 : 1000;
    }
  };
  template <class Run>
  void step(Run& run) const {
    run.elements(Element{});
    run.nodes(Node{});
    run.cohesive(Cohesive{});
  }
};

/// Heat of the example, which begins as m c cos(pi x / length).
struct Cooling : Heat {
  static constexpr const char* name = "cooling";
  static constexpr double length = 0.005;
  static constexpr ProcessField fields[] = {{.name = "cooling_temperature", .on = FieldOn::element, .unit = "K"},
                                            {.name = "cooling_heat", .on = FieldOn::element, .unit = "J"},
                                            {.name = "cooling_source", .on = FieldOn::element, .unit = "J"}};
  static Cooling make(const ProcessCase& c) { return {Heat::make(c)}; }
  CLEAVE_HD static double start(double x) {
    // cos(pi x / length) by its series about the middle: the same bits on all backends
    const double a = std::numbers::pi * (x / length - 0.5), b = a * a;
    return -a * (1 - b / 6 * (1 - b / 20 * (1 - b / 42 * (1 - b / 72 * (1 - b / 110)))));
  }
  struct Begin {
    static constexpr const char* name = "cooling begins";
    double heat_capacity;
    template <class Body>
    CLEAVE_HD void operator()(const Body& body, Index e) const {
      if (body.time() > 1.5 * body.dt) return;
      body.field(temperature, e) = start(body.origin.x + body.centre(e).x);
      body.field(heat, e) = body.mass(e) * heat_capacity * body.field(temperature, e);
    }
  };
  template <class Run>
  void step(Run& run) const {
    run.elements(Begin{heat_capacity});
    Heat::step(run);
  }
};

}  // namespace cleave::test

CLEAVE_USER_PROCESS(cleave::test::Visits);
CLEAVE_USER_PROCESS(cleave::test::Cooling);

namespace cleave::test {
namespace {

/// A breaking plate with the process.
Model plate_with(const std::string& element, const std::string& process) {
  return make_model(parse_case("mesh: {shape: rectangle, size: [0.02, 0.01], divisions: [24, 12], element: " + element +
                                   R"(, perturbation: {amplitude: 0.1, seed: 1}}
material: {young_modulus: 3.0e9, poisson_ratio: 0.3, density: 1200}
cohesive: {law: linear, normal: {strength: 10.0e6, energy: 80}, friction: 0.3, insertion: {every: 5}}
time: {step: auto, safety: 0.3, steps: 400}
initial: {velocity_gradient: {xx: 3000, xy: 20000, yy: -20000}}
processes: [)" + process + "]\n",
                               "case.yaml"));
}

const Snapshot::ProcessValues& field_of(const Snapshot& s, const std::string& name) {
  for (const Snapshot::ProcessValues& field : s.process_fields)
    if (field.name == name) return field;
  FAIL("no field " << name);
  return s.process_fields.front();
}

TEST_CASE("kernels of a process see every row of a breaking body once a step") {
  const std::string element = GENERATE("T3", "T6");
  const Model model = plate_with(element, "{law: visits}");
  const auto solver = make_solver(model);
  constexpr Step steps = 200;
  solver->advance(steps);
  const Snapshot s = solver->snapshot();
  REQUIRE(s.cohesive.size() > 20);
  REQUIRE(s.position.size() > model.mesh.nodes.size());

  bool all = true;
  for (const double visits : field_of(s, "element_visits").values) all = all && visits == 2 + steps;
  CHECK(all);
  const auto& of_nodes = field_of(s, "node_visits");
  CHECK(of_nodes.values.size() == s.position.size());
  for (const double visits : of_nodes.values)
    all = all && visits == 1 + steps;  // copies go on from those of their node
  CHECK(all);
  const auto& of_cohesive = field_of(s, "cohesive_visits");
  CHECK(of_cohesive.values.size() == s.cohesive.size());
  for (std::size_t c = 0; c < s.cohesive.size(); ++c)
    all = all && of_cohesive.values[c] == static_cast<double>(steps - s.cohesive[c].insertion_step + 1);
  CHECK(all);
  const auto& masses = field_of(s, "mass_around");
  CHECK(masses.width == 2);
  double largest = 0;
  for (std::size_t n = 0; n < s.mass.size(); ++n) {
    // of the last step's launch, after which nothing broke; nodes that the last check split have older values
    largest = std::max(largest, std::abs(masses.values[2 * n] / masses.values[2 * n + 1] - 1));
  }
  CHECK(largest < 1e-12);
  CHECK(s.process_fields.size() == 4);  // one is not in frames

  const HistoryRow row = solver->history();
  REQUIRE(row.processes.size() == 2);
  CHECK(row.processes[0] == static_cast<double>(model.mesh.element_count()) * (2 + steps));
  CHECK(row.processes[1] == static_cast<double>(s.position.size()) * (1 + steps));
  const auto norms = solver->field_norms();
  const auto found = std::find_if(norms.begin(), norms.end(), [](const auto& n) { return n.name == "node_visits"; });
  REQUIRE(found != norms.end());
  CHECK(found->norms.largest == 1 + steps);
}

TEST_CASE("a process changes nothing of the body, and goes on from a saved state") {
  const Model model = plate_with("T6", "{law: visits}");
  Model without = model;
  without.processes.clear();
  const auto solver = make_solver(model), alone = make_solver(without);
  solver->advance(120);
  alone->advance(120);
  const std::string state = state_of(*solver);
  solver->advance(80);
  alone->advance(80);
  HistoryRow row = solver->history();
  const std::vector<double> columns = row.processes;
  row.processes.clear();
  const HistoryRow expected = alone->history();
  for_each_quantity(row, [&](Quantity q, auto& value) {
    for_each_quantity(expected, [&](Quantity other, const auto& of_other) {
      if (q == other) CHECK(static_cast<double>(value) == static_cast<double>(of_other));
    });
  });
  const auto resumed = make_solver(model);
  std::stringstream in(state);
  resumed->load(in);
  resumed->advance(80);
  CHECK(resumed->history().processes == columns);
  CHECK(state_of(*resumed) == state_of(*solver));
  // A solver in which facets have broken takes a later state, too.
  const auto behind = make_solver(model);
  behind->advance(100);
  REQUIRE(behind->history().cohesive_elements > 0);
  std::stringstream later(state);
  behind->load(later);
  behind->advance(80);
  CHECK(state_of(*behind) == state_of(*solver));
}

TEST_CASE("heat flows as the equation says") {
  const std::string text = R"(mesh: {shape: rectangle, size: [0.005, 0.001], divisions: [20, 4], element: T3}
material: {young_modulus: 3.0e9, poisson_ratio: 0.3, density: 1200}
time: {step: auto, steps: 1500}
)";
  Case c = parse_case(text, "case.yaml");
  constexpr Step steps = 1500;
  const double step = make_model(c).step, rate = 0.6 / (steps * step);
  const double diffusivity = rate * std::pow(Cooling::length / std::numbers::pi, 2);
  c.processes = {{.law = "cooling", .values = {1, 1200 * diffusivity, 1}}};
  const Model model = make_model(c);
  REQUIRE(model.step == step);
  const auto solver = make_solver(model);
  solver->advance(steps);
  const Snapshot s = solver->snapshot();
  const auto& temperature = field_of(s, "cooling_temperature").values;
  double largest = 0, heat = 0;
  for (std::size_t e = 0; e < temperature.size(); ++e) {
    const double x =
        (s.position[s.elements[3 * e]].x + s.position[s.elements[3 * e + 1]].x + s.position[s.elements[3 * e + 2]].x) /
        3;
    const double exact = std::cos(std::numbers::pi * x / Cooling::length) * std::exp(-rate * steps * step);
    largest = std::max(largest, std::abs(temperature[e] - exact));
    heat += field_of(s, "cooling_heat").values[e];
  }
  CHECK(largest < 2e-3);  // of 0.55: second order in the quads, of which 20 are half a wave
  CHECK(std::abs(heat) < 1e-12 * 1200 * 0.005 * 0.001);
}

TEST_CASE("what friction and plastic flow dissipate becomes heat") {
  Model model = plate_with("T6", "{law: heat, heat_capacity: 1000, conductivity: 0.2, share: 0.9}");
  const auto solver = make_solver(model);
  solver->advance(400);
  const HistoryRow row = solver->history();
  solver->advance(1);  // kernels see what has been dissipated until the step before
  const HistoryRow next = solver->history();
  CAPTURE(row.friction_energy);
  REQUIRE(row.friction_energy > 1e-6 * row.dissipated_energy);
  CHECK(next.processes[0] == Approx(0.9 * row.friction_energy).epsilon(1e-10));
}

}  // namespace
}  // namespace cleave::test
