/// The elastic ring: its breathing mode, and the ring under a pressure pulse against a radial solution in one
/// dimension.
#include <algorithm>
#include <cmath>

#include "cleave/material/linear_elastic.hpp"
#include "modes.hpp"
#include "support.hpp"

namespace cleave::verification {
namespace {

constexpr double inner = 0.08, outer = 0.15;  // m

/// Radial stress of the displacement a J1(k r) + b Y1(k r), as its coefficients of a and b.
Point radial_stress(const LinearElastic& d, double k, double r) {
  const auto of = [&](double f0, double f1) { return d.d11 * (k * f0 - f1 / r) + d.d12 * f1 / r; };
  return {of(std::cyl_bessel_j(0, k * r), std::cyl_bessel_j(1, k * r)),
          of(std::cyl_neumann(0, k * r), std::cyl_neumann(1, k * r))};
}

/// The breathing mode: smallest wave number at which both walls are free of radial stress.
struct BreathingMode {
  double wave_number, a, b;
  double operator()(double r) const {
    return a * std::cyl_bessel_j(1, wave_number * r) + b * std::cyl_neumann(1, wave_number * r);
  }
};
BreathingMode breathing_mode(const LinearElastic& d) {
  const auto determinant = [&](double k) {
    const Point i = radial_stress(d, k, inner), o = radial_stress(d, k, outer);
    return i.x * o.y - i.y * o.x;
  };
  // A thin ring breathes at c / r: the first change of sign from there down to a fifth of it, then bisection.
  double low = 0.2 / outer, high = low;
  while (determinant(low) * determinant(high *= 1.02) > 0) low = high;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (determinant(low) * determinant(middle) > 0 ? low : high) = middle;
  }
  const Point wall = radial_stress(d, low, inner);
  const double scale = std::hypot(wall.x, wall.y);
  return {low, wall.y / scale, -wall.x / scale};
}

/// Hoop stress at the inner wall from its mean radial displacement: the radial stress is known there, -pressure.
double hoop_from_displacement(const LinearElastic& d, double displacement, double pressure) {
  return d.d12 * (-pressure - d.d12 * displacement / inner) / d.d11 + d.d11 * displacement / inner;
}

/// Hoop stress at the inner wall over time, by finite differences on 2000 cells: rho u_tt = (r s_rr)_r / r - s_tt / r.
struct RadialSolution {
  std::vector<double> time, hoop;
  double at(double t) const {
    const double place = t / time[1];
    const std::size_t i = static_cast<std::size_t>(place);
    return hoop[i] + (place - static_cast<double>(i)) * (hoop[i + 1] - hoop[i]);
  }
  double first_above(double stress) const {
    std::size_t i = 0;
    while (hoop[i] < stress) ++i;
    return time[i];
  }
  double largest() const { return *std::max_element(hoop.begin(), hoop.end()); }
};
RadialSolution radial_solution(const ElasticParameters& material, double pressure, double decay, double end) {
  const LinearElastic d = LinearElastic::make(material);
  const int cells = 2000;
  const double h = (outer - inner) / cells, dt = 0.9 * h / longitudinal_speed(material);
  std::vector<double> u(cells + 1, 0.0), v(cells + 1, 0.0), f(cells + 1);
  RadialSolution solution;
  for (int step = 0; step * dt <= end + 2 * dt; ++step) {
    const double p = pressure * std::exp(-step * dt / decay);
    std::fill(f.begin(), f.end(), 0.0);
    for (int i = 0; i < cells; ++i) {
      const double r = inner + (i + 0.5) * h, err = (u[i + 1] - u[i]) / h, ett = (u[i] + u[i + 1]) / 2 / r;
      const double srr = d.d11 * err + d.d12 * ett, stt = d.d12 * err + d.d11 * ett;
      f[i] += srr * r - stt * h / 2;
      f[i + 1] += -srr * r - stt * h / 2;
    }
    f[0] += p * inner;
    solution.time.push_back(step * dt);
    solution.hoop.push_back(hoop_from_displacement(d, u[0], p));
    for (int i = 0; i <= cells; ++i) {
      const double r = inner + i * h, mass = material.density * r * (i == 0 || i == cells ? h / 2 : h);
      v[i] += (step == 0 ? 0.5 : 1) * dt * f[i] / mass;
      u[i] += dt * v[i];
    }
  }
  return solution;
}

double radial_displacement(const Snapshot& s, const std::vector<Index>& wall) {
  double sum = 0;
  for (const Index n : wall) {
    const Point p = s.position[n], u = s.displacement[n];
    sum += (p.x * u.x + p.y * u.y) / std::hypot(p.x, p.y);
  }
  return sum / static_cast<double>(wall.size());
}

/// Mean over the inner wall of the hoop component of the nodal stress, Pa.
double hoop_stress(const Snapshot& s, const std::vector<Index>& wall) {
  double sum = 0;
  for (const Index n : wall) {
    const Point p = s.position[n];
    const double r2 = p.x * p.x + p.y * p.y;
    const StressTensor t = s.nodal_stress[n];
    sum += (t.xx * p.y * p.y - 2 * t.xy * p.x * p.y + t.yy * p.x * p.x) / r2;
  }
  return sum / static_cast<double>(wall.size());
}

}  // namespace

TEST_CASE("the breathing mode of the ring has its period", "[ring]") {
  CLEAVE_ON_EVERY_BACKEND();
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  ElasticParameters material = steel;
  material.plane = GENERATE(PlaneType::stress, PlaneType::strain);
  const BreathingMode mode = breathing_mode(LinearElastic::make(material));
  const double exact = 2 * M_PI / (longitudinal_speed(material) * mode.wave_number);
  Model m = make_model(ring(type, {8, 96}, inner, outer), material, 0.5);
  set_displacement(m, [&](Point p) {
    const double r = std::hypot(p.x, p.y), u = 1e-5 * mode(r) / r;
    return Point{u * p.x, u * p.y};
  });
  const auto solver = make_solver(m, backend);
  const double period = measured_period(*solver, exact, m.displacement, static_cast<Step>(exact / m.step / 400) + 1);
  // Straight sides: their middles, which carry most of the mass of T6, lie (pi/96)^2 / 2 = 5e-4 inside the circle. T3
  // adds dispersion of (h / wavelength)^2 = 2e-4, h = 9 mm, wavelength 0.75 m, with a constant of about 3.
  CHECK(period == Approx(exact).epsilon(1e-3));
  record("breathing mode of the ring", std::string(name_of(type)) + " " + name_of(material.plane), exact * 1e6,
         period * 1e6, "us", "0.1 %");
}

TEST_CASE("an elastic ring under a decaying pressure follows the radial solution", "[ring]") {
  CLEAVE_ON_EVERY_BACKEND();
  ElasticParameters material = steel;
  material.plane = GENERATE(PlaneType::stress, PlaneType::strain);
  const bool strain = material.plane == PlaneType::strain;
  const RadialSolution exact = radial_solution(material, 400e6, 100e-6, 70e-6);
  Model m = make_model(ring(ElementType::t6, {12, 96}, inner, outer), material, 0.8);
  m.loads.push_back({400e6, Curve::exponential(100e-6), m.mesh.find_group("inner")->facets});
  const auto solver = make_solver(m, backend, 2);
  const std::vector<Index>& wall = m.mesh.find_group("inner")->nodes;
  const Step stride = static_cast<Step>(0.5e-6 / m.step);
  const LinearElastic d = LinearElastic::make(material);
  double worst = 0, rough = 0, mean = 0, largest = 0, passes = 0, before = 0, time_before = 0;
  std::vector<std::vector<double>> rows;
  while (static_cast<double>(solver->step()) * m.step < 65e-6) {
    solver->advance(stride);
    const Snapshot s = solver->snapshot();
    const double hoop = hoop_from_displacement(d, radial_displacement(s, wall), 400e6 * std::exp(-s.time / 100e-6));
    const double nodal = hoop_stress(s, wall), right = exact.at(s.time);
    worst = std::max(worst, std::abs(hoop - right));
    rough += (nodal - right) * (nodal - right);
    mean += nodal - right;
    largest = std::max(largest, hoop);
    if (passes == 0 && hoop >= 850e6)
      passes = time_before + (s.time - time_before) * (850e6 - before) / (hoop - before);
    before = hoop;
    time_before = s.time;
    rows.push_back({s.time * 1e6, hoop / 1e6, nodal / 1e6, right / 1e6});
  }
  mean = std::abs(mean) / static_cast<double>(rows.size());
  rough = std::sqrt(rough / static_cast<double>(rows.size()));
  // The radial solution against what was found for it with other codes; 100 to 2000 cells agree to 0.2 MPa and 0.1 us.
  CHECK(exact.first_above(850e6) * 1e6 == Approx(strain ? 37.1 : 40.2).margin(0.1));
  CHECK(exact.largest() / 1e6 == Approx(strain ? 1207.4 : 1139.8).margin(0.5));
  // From the displacement, which is smooth: 12 rows and 96 straight sides, 0.1 % each, and the front of the pulse,
  // which no mesh follows, leaves ripples of about 1 %.
  CHECK(worst < 0.02 * exact.largest());
  CHECK(passes * 1e6 == Approx(exact.first_above(850e6) * 1e6).margin(0.1));
  CHECK(largest == Approx(exact.largest()).epsilon(5e-3));
  // The nodal stress, which decides on fracture, carries the ripples that follow an unresolved front. Their height does
  // not fall with the mesh (Gibbs), their width does: the deviation is measured as root mean square and as mean.
  CHECK(rough < 0.03 * exact.largest());
  CHECK(mean < 0.005 * exact.largest());
  const std::string plane = name_of(material.plane);
  record("elastic ring", plane + ": hoop stress passes 850 MPa", exact.first_above(850e6) * 1e6, passes * 1e6, "us",
         "0.1 us");
  record("elastic ring", plane + ": largest hoop stress", exact.largest() / 1e6, largest / 1e6, "MPa", "0.5 %");
  record("elastic ring", plane + ": largest deviation over 65 us", 0, worst / 1e6, "MPa", "2 % of the maximum");
  record("elastic ring", plane + ": root mean square deviation of the nodal stress", 0, rough / 1e6, "MPa",
         "3 % of the maximum");
  record("elastic ring", plane + ": mean deviation of the nodal stress", 0, mean / 1e6, "MPa", "0.5 % of the maximum");
  write_series(strain ? "ring_strain" : "ring_stress", "time_us,displacement_MPa,nodal_MPa,radial_MPa", rows);
}

}  // namespace cleave::verification
