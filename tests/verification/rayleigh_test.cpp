/// The wave that a free surface carries: its speed against the root of Rayleigh's equation.
#include <cmath>

#include "modes.hpp"
#include "support.hpp"

namespace cleave::verification {
namespace {

/// Lord Rayleigh (Proc. Lond. Math. Soc. 17 (1885) 4) in the half space y < 0, as a standing wave: with p^2 = 1 -
/// (c / c_d)^2, s^2 = 1 - (c / c_s)^2 the surface is free of traction when (1 + s^2)^2 = 4 p s.
struct SurfaceWave {
  double k, c, p, s;

  SurfaceWave(double wave_number, const ElasticParameters& material) : k(wave_number) {
    const double cd = longitudinal_speed(material), cs = shear_speed(material);
    const auto set_speed = [&](double speed) {
      c = speed;
      p = std::sqrt(1 - c * c / (cd * cd));
      s = std::sqrt(1 - c * c / (cs * cs));
      return (1 + s * s) * (1 + s * s) - 4 * p * s;
    };
    double low = 0.5 * cs, high = cs;  // negative at low speeds, positive at c_s
    for (int i = 0; i < 60; ++i) {
      const double middle = (low + high) / 2;
      (set_speed(middle) < 0 ? low : high) = middle;
    }
  }
  double period() const { return 2 * M_PI / (k * c); }
  Point displacement(Point x) const {
    const double b = 2 * p / (1 + s * s), ep = std::exp(p * k * x.y), es = std::exp(s * k * x.y);
    return {-1e-4 * std::sin(k * x.x) * (ep - b * s * es), 1e-4 * std::cos(k * x.x) * (p * ep - b * es)};  // m
  }
};

}  // namespace

TEST_CASE("a wave on a free surface has the Rayleigh speed", "[elasticity]") {
  CLEAVE_ON_EVERY_BACKEND();
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  ElasticParameters material = steel;
  material.plane = GENERATE(PlaneType::stress, PlaneType::strain);
  // Half a wavelength between walls that let the material slide but not leave: u_x and the shear traction are zero
  // there. Three wavelengths deep the wave is down to exp(-0.36 * 6 pi) = 1e-3; the bottom, which is held, changes the
  // frequency by the square of that, 1e-6.
  const SurfaceWave wave(M_PI, material);
  std::vector<double> size, error;
  double period = 0;
  for (const int n : {5, 10, 20}) {
    const Mesh mesh = rectangle(type, {n, 6 * n}, {1, 6}, {0, -6});
    Model m = make_model(mesh, material, 0.4);
    set_displacement(m, [&](Point x) { return wave.displacement(x); });
    const int held = add_motion(m, 0);
    for (const char* side : {"left", "right", "bottom"}) move_x(m, side, held);
    move_y(m, "bottom", held);
    const auto solver = make_solver(m, backend, 2);
    period = measured_period(*solver, wave.period(), m.displacement,
                             1 + static_cast<Step>(wave.period() / m.step / 400));  // chord error 1e-5
    size.push_back(1.0 / n);
    error.push_back(std::abs(wave.period() / period - 1));
  }
  CAPTURE(error);
  // As for the waves inside, second order in h / wavelength = 1/40, squared 6e-4, with a constant of about 1/2 (T3) and
  // 1/10 (T6).
  CHECK(order(size, error) == Approx(2).margin(0.25));
  CHECK(error.back() < (type == ElementType::t3 ? 5e-4 : 1e-4));
  const std::string name = std::string(name_of(type)) + " " + name_of(material.plane);
  record("Rayleigh wave", name + ": speed", wave.c, 2 * M_PI / (wave.k * period), "m/s",
         type == ElementType::t3 ? "0.05 %" : "0.01 %");
  record("Rayleigh wave", name + ": order in space", 2, order(size, error), "", "0.25");
}

}  // namespace cleave::verification
