/// Linear elasticity: patch test, orders of convergence, wave speeds, prescribed motion.
#include <cmath>

#include "modes.hpp"
#include "support.hpp"

namespace cleave::verification {

TEST_CASE("a linear displacement of held edges is an equilibrium on distorted meshes", "[elasticity]") {
  CLEAVE_ON_EVERY_BACKEND();
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  ElasticParameters material = steel;
  material.plane = GENERATE(PlaneType::stress, PlaneType::strain);
  Mesh mesh = rectangle(type, {6, 5}, {0.6, 0.5});
  perturb(mesh, 0.35, 11);
  Model m = make_model(mesh, material, 0.5);
  const double xx = 1e-3, xy = 4e-4, yx = -7e-4, yy = 2e-3;
  set_displacement(m, [&](Point p) { return Point{xx * p.x + xy * p.y, yx * p.x + yy * p.y}; });
  const int held = add_motion(m, 0);
  for (const char* side : {"left", "right", "bottom", "top"}) move_x(m, side, held), move_y(m, side, held);
  const double e = material.young_modulus, nu = material.poisson_ratio;
  // Hooke's law written by its two constants of the plane, not by the program's matrix.
  const double mu = e / (2 * (1 + nu));
  const double lambda =
      material.plane == PlaneType::strain ? e * nu / ((1 + nu) * (1 - 2 * nu)) : e * nu / (1 - nu * nu);
  const PlaneTensor exact{lambda * (xx + yy) + 2 * mu * xx, lambda * (xx + yy) + 2 * mu * yy, mu * (xy + yx)};

  const auto solver = make_solver(m, backend);
  solver->advance(100);
  const Snapshot s = solver->snapshot();
  double moved = 0, stress = 0;
  for (std::size_t n = 0; n < s.displacement.size(); ++n)
    moved = std::max(moved,
                     std::hypot(s.displacement[n].x - m.displacement[n].x, s.displacement[n].y - m.displacement[n].y));
  for (const StressTensor& at : s.element_stress)
    stress = std::max({stress, std::abs(at.xx - exact.xx), std::abs(at.yy - exact.yy), std::abs(at.xy - exact.xy)});
  // Round-off of K u, some 100 eps of the largest force, acts on the nodes for 100 steps of half the critical one.
  CHECK(moved < 1e-12 * 2e-3 * 0.6);
  CHECK(stress < 1e-11 * exact.yy);
  record("patch test", std::string(name_of(type)) + " " + name_of(material.plane) + ": stress error", 0,
         stress / exact.yy, "of the stress", "1e-11");
}

TEST_CASE("displacements converge in space with the order of the element", "[elasticity]") {
  CLEAVE_ON_EVERY_BACKEND();
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  ElasticParameters material = steel;
  material.plane = GENERATE(PlaneType::stress, PlaneType::strain);
  const StandingWave wave{StandingWave::Kind::longitudinal, 1, 1, 1e-4, material};
  std::vector<double> size, error;
  std::vector<std::vector<double>> rows;
  for (const int n : {8, 16, 32}) {
    Model m = wave.model(type, n, 0.15);
    const double end = 0.4 * wave.period();
    // The error of the time step, (omega dt)^2 / 24 of the phase, is then below 2 % of that of the mesh.
    const double fraction = 0.3;
    const Step steps = static_cast<Step>(std::ceil(end / (fraction * m.critical_step)));
    m.step = end / static_cast<double>(steps);
    const auto solver = make_solver(m, backend);
    solver->advance(steps);
    size.push_back(1.0 / n);
    error.push_back(wave.l2_error(m.mesh, solver->snapshot().displacement, end));
    rows.push_back({size.back(), error.back()});
  }
  const double p = order(size, error);
  CAPTURE(error);
  // Both element types: linear elements interpolate to second order. Quadratic ones would to third, but a lumped mass
  // with weight at the corners integrates only linear functions exactly, which leaves second order in dynamics with a
  // smaller constant; the third order of their stiffness is tested by itself.
  CHECK(p == Approx(2).margin(0.25));
  const std::string name = std::string(name_of(type)) + " " + name_of(material.plane);
  record("order in space, standing wave", name, 2, p, "", "0.25");
  write_series("space_" + std::string(name_of(type)) + (material.plane == PlaneType::stress ? "_stress" : "_strain"),
               "h,l2_error", rows);
}

TEST_CASE("displacements converge in time with second order", "[elasticity]") {
  CLEAVE_ON_EVERY_BACKEND();
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const StandingWave wave{StandingWave::Kind::longitudinal, 1, 1, 1e-4, steel};
  const Model m = wave.model(type, 4, 0.15);
  const double end = 0.4 * wave.period();
  const auto displacement = [&](Step steps) {
    Model variant = m;
    variant.step = end / static_cast<double>(steps);
    const auto solver = make_solver(variant, backend);
    solver->advance(steps);
    return solver->snapshot().displacement;
  };
  const Step coarse = static_cast<Step>(std::ceil(end / (0.8 * m.critical_step)));
  const auto exact = displacement(64 * coarse);  // of the mesh: its own error in time is 1/256 of the finest below
  std::vector<double> size, error;
  std::vector<std::vector<double>> rows;
  for (const int refine : {1, 2, 4}) {
    const auto u = displacement(refine * coarse);
    double sum = 0;
    for (std::size_t n = 0; n < u.size(); ++n)
      sum += std::pow(u[n].x - exact[n].x, 2) + std::pow(u[n].y - exact[n].y, 2);
    size.push_back(1.0 / refine);
    error.push_back(std::sqrt(sum / static_cast<double>(u.size())));
    rows.push_back({end / static_cast<double>(refine * coarse), error.back()});
  }
  const double p = order(size, error);
  CAPTURE(error);
  CHECK(p == Approx(2).margin(0.15));
  record("order in time", name_of(type), 2, p, "", "0.15");
  write_series("time_" + std::string(name_of(type)), "dt,error", rows);
}

TEST_CASE("waves have the longitudinal and the shear speed", "[elasticity]") {
  CLEAVE_ON_EVERY_BACKEND();
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const auto kind = GENERATE(StandingWave::Kind::longitudinal, StandingWave::Kind::shear);
  ElasticParameters material = steel;
  material.plane = GENERATE(PlaneType::stress, PlaneType::strain);
  const StandingWave wave{kind, 1, 1, 1e-4, material};
  Model m = wave.model(type, 12, 0.1);
  m.step = 0.4 * m.critical_step;
  const auto solver = make_solver(m, backend);
  const double period = measured_period(*solver, wave.period(), m.displacement,
                                        1 + static_cast<Step>(wave.period() / m.step / 400));  // chord error 1e-5
  const double k = std::hypot(M_PI, M_PI);
  const double speed = 2 * M_PI / period / k, exact = 2 * M_PI / wave.period() / k;
  // Dispersion of the mesh: second order in h / wavelength = 1/17, squared 3.5e-3, with a constant of about 1 for T3
  // and 0.15 for T6.
  CHECK(speed == Approx(exact).epsilon(type == ElementType::t3 ? 5e-3 : 1e-3));
  record(kind == StandingWave::Kind::shear ? "shear wave speed" : "longitudinal wave speed",
         std::string(name_of(type)) + " " + name_of(material.plane), exact, speed, "m/s",
         type == ElementType::t3 ? "0.5 %" : "0.1 %");
}

TEST_CASE("a prescribed velocity moves its nodes by the exact integral of its history", "[elasticity]") {
  CLEAVE_ON_EVERY_BACKEND();
  Model m = make_model(rectangle(ElementType::t6, {4, 4}, {1, 1}), steel, 0.5);
  const double t0 = 20 * m.step;
  move_x(m, "right", add_motion(m, 3, Curve::exponential(t0)));
  move_y(m, "right", add_motion(m, -2, Curve::table({{0, 0}, {0.5 * t0, 1}, {2 * t0, -1}})));
  move_x(m, "left", add_motion(m, 0));
  const auto solver = make_solver(m, backend);
  double worst = 0;
  for (int i = 1; i <= 30; ++i) {
    solver->advance(3);
    const double t = static_cast<double>(solver->step()) * m.step;
    const double x = 3 * t0 * (1 - std::exp(-t / t0));
    // The integral of the broken line: up to 1 at t0/2, down to -1 at 2 t0, then constant.
    const double s = t / t0;
    const double broken = s <= 0.5 ? s * s
                          : s <= 2 ? 0.25 + (s - 0.5) - (2.0 / 3) * (s - 0.5) * (s - 0.5)
                                   : 0.25 - (s - 2);
    const Snapshot now = solver->snapshot();
    for (const Index n : m.mesh.find_group("right")->nodes) {
      worst = std::max(worst, std::abs(now.displacement[n].x - x) / (3 * t0));
      worst = std::max(worst, std::abs(now.displacement[n].y + 2 * t0 * broken) / (2 * t0));
    }
    for (const Index n : m.mesh.find_group("left")->nodes) CHECK(now.displacement[n].x == 0);
  }
  CHECK(worst < 1e-13);  // 90 additions
  record("prescribed motion", "largest deviation from the integral", 0, worst, "of the amplitude", "1e-13");
}

}  // namespace cleave::verification
