/// Rings and bars that stretch until they break in pieces, and the pieces.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "cleave/mesh/topology.hpp"
#include "support.hpp"

namespace cleave::verification {

/// Ceramic, in units of F. Zhou, J.-F. Molinari, K. T. Ramesh (Int. J. Fract. 139 (2006) 169): lengths s0, times t0,
/// strain rates rate0.
struct Ceramic {
  static constexpr double young = 275e9, density = 2750, strength = 300e6, energy = 100, speed = 1e4;
  static constexpr double t0 = young * energy / (strength * strength * speed), s0 = speed * t0;
  static constexpr double rate0 = strength / (young * t0);
  /// Mean fragment size at the rate r, their fit.
  static double mean_size(double r) { return s0 * 4.5 / (1 + 0.77 * std::pow(r, 0.25) + 5.4 * std::pow(r, 0.75)); }
};

/// A body that stretches at the rate r along its length, below its strength: `wall` s0 / r thick, so many quads,
/// and as long as so many fragments of the fit. A ring, or a straight bar whose ends are driven.
struct Stretching {
  bool straight;
  double wall;
  int quads;
  double r;
  int fragments;
  unsigned seed = 1;   ///< of the perturbed mesh
  double start = 0.9;  ///< stress at the start over the strength

  double fragment() const { return Ceramic::mean_size(r); }
  double thickness() const { return wall * Ceramic::s0 / r; }
  double length() const { return fragments * fragment(); }

  Model make(const CohesiveCase& cohesive) const {
    const double strain = start * Ceramic::strength / Ceramic::young, rate = r * Ceramic::rate0;
    const double radius = length() / (2 * M_PI);
    const int along = static_cast<int>(std::lround(length() / thickness() * quads));
    Mesh mesh = straight ? rectangle(ElementType::t6, {along, quads}, {length(), thickness()})
                         : ring(ElementType::t6, {quads, along}, radius - thickness() / 2, radius + thickness() / 2);
    perturb(mesh, 0.1, seed);
    Model m = make_model(mesh, ElasticParameters{Ceramic::young, 0, Ceramic::density, PlaneType::strain}, 0.5, 1e-3);
    m.cohesive = cohesive;
    const auto moved = [&](Point p, double part) {
      if (straight) return Point{part * (p.x - length() / 2), 0};
      const double at = std::hypot(p.x, p.y), u = part * radius;
      return Point{u * p.x / at, u * p.y / at};
    };
    set_displacement(m, [&](Point p) { return moved(p, strain); });
    set_velocity(m, [&](Point p) { return moved(p, rate); });
    if (straight) move_x(m, "left", add_motion(m, -rate * length() / 2));
    if (straight) move_x(m, "right", add_motion(m, rate * length() / 2));
    return m;
  }

  /// Lengths of the pieces over that of the fit. Chips of less than a tenth of it do not count.
  std::vector<double> pieces(const Mesh& mesh, const Snapshot& s) const {
    std::vector<double> area(s.fragment.size());
    for (Index e = 0; e < mesh.element_count(); ++e) area[s.fragment[e]] += twice_area(mesh, e) / 2;
    std::vector<double> lengths;
    for (const double a : area)
      if (a > 0.1 * fragment() * thickness()) lengths.push_back(a / (fragment() * thickness()));
    return lengths;
  }
};

}  // namespace cleave::verification
