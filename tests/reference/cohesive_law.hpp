/// A cohesive law at one Gauss point, as simulations of the reference see it.
#pragma once

#include <array>

namespace cleave::reference {

/// Opening (m) or traction (Pa): along the facet's normal and along its tangent.
struct Pair {
  double normal = 0, tangential = 0;
};
inline Pair operator+(Pair a, Pair b) { return {a.normal + b.normal, a.tangential + b.tangential}; }
inline Pair operator-(Pair a, Pair b) { return {a.normal - b.normal, a.tangential - b.tangential}; }
inline Pair operator*(double s, Pair a) { return {s * a.normal, s * a.tangential}; }
inline double dot(Pair a, Pair b) { return a.normal * b.normal + a.tangential * b.tangential; }

/// What insertion fixes for good.
struct PointConstants {
  double kc = 0;        ///< largest secant stiffness, Pa/m
  double kp = 0;        ///< stiffness of contact, Pa/m
  Pair offset;          ///< x0, y0, m: added to the opening, so that tractions start where the bulk left them
  double strength = 0;  ///< law `linear`: effective traction at insertion, Pa
};

/// Largest openings so far, m. Law `ppr`: xm, ym; law `linear`: dm and nothing.
using History = std::array<double, 2>;

struct LawAnswer {
  Pair traction;  ///< Pa
  double w = 0;   ///< J/m^2 that unloading would give back
  bool failed = false;
};

class CohesiveLaw {
 public:
  virtual ~CohesiveLaw() = default;
  /// Constants and first history of a point whose facet carried the traction `initial` when it broke.
  virtual PointConstants constants(double kc, double kp, Pair initial) const = 0;
  virtual History start(const PointConstants& point) const = 0;
  /// The law at an opening; updates the history.
  virtual LawAnswer respond(const PointConstants& point, History& history, Pair opening) const = 0;
  /// True when no opening brings back any cohesive traction.
  virtual bool failed(const PointConstants& point, const History& history) const = 0;
};

}  // namespace cleave::reference
