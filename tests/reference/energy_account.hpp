/// Steps of one Gauss point of a cohesive element that neither make nor lose energy.
///
/// The work of a step is the trapezoid of the tractions that acted. Of it the law stores the change of w and dissipates
/// D; an account A holds the rest, and an extra traction along the motion brings A back to zero. So the work done since
/// insertion is w + A + the sum of D, exactly.
#pragma once

#include <algorithm>
#include <cmath>

#include "reference/cohesive_law.hpp"

namespace cleave::reference {

/// State of a Gauss point between steps.
struct AccountedPoint {
  PointConstants constants;
  History history{};
  double account = 0;  ///< A, J/m^2
  Pair opening;        ///< m
  Pair traction;       ///< that acted, the extra one included, Pa
};

struct StepAnswer {
  Pair traction;                              ///< that acts, Pa
  double w = 0, account = 0, dissipated = 0;  ///< J/m^2: w and A after the step, D of the step
  bool damaged = false;                       ///< the history moved
  bool failed = false;
  bool contact = false;  ///< X < 0
};

/// A point at opening 0 that carries what the law says there. Nobody paid for its w, which is therefore a debt.
inline AccountedPoint insert_point(const CohesiveLaw& law, double kc, double kp, Pair initial) {
  AccountedPoint p;
  p.constants = law.constants(kc, kp, initial);
  p.history = law.start(p.constants);
  const LawAnswer at_start = law.respond(p.constants, p.history, {});
  p.traction = at_start.traction;
  p.account = -at_start.w;
  return p;
}

/// Work of the law between two openings, in 8 equal pieces. A piece in which the history moves counts its trapezoid
/// less what the trapezoid makes of the kink where contact begins or ends.
inline double law_work(const CohesiveLaw& law, const PointConstants& c, History history, Pair from, Pair to) {
  const auto below = [](double z) { return std::min(0.0, z); };
  const auto above = [](double z) { return std::max(0.0, z); };
  const int pieces = 8;
  double work = 0;
  Pair at = from;
  LawAnswer before = law.respond(c, history, at);
  for (int i = 1; i <= pieces; ++i) {
    const Pair next = i == pieces ? to : from + (static_cast<double>(i) / pieces) * (to - from);
    const History old = history;
    const LawAnswer after = law.respond(c, history, next);
    if (history == old) {
      work += after.w - before.w;
    } else {
      const double xa = at.normal + c.offset.normal, xb = next.normal + c.offset.normal;
      work += 0.5 * dot(before.traction + after.traction, next - at) -
              0.5 * c.kp * (below(xa) * above(xb) - above(xa) * below(xb));
    }
    at = next;
    before = after;
  }
  return work;
}

/// Moves a point to an opening.
inline StepAnswer move_point(const CohesiveLaw& law, AccountedPoint& p, Pair to) {
  const PointConstants& c = p.constants;
  const History old = p.history;
  const bool had_failed = law.failed(c, old);
  History same = old;
  const LawAnswer before = law.respond(c, same, p.opening);
  const LawAnswer after = law.respond(c, p.history, to);
  const Pair d = to - p.opening;
  const bool damaged = p.history != old;

  const double work = 0.5 * dot(p.traction + after.traction, d);
  double dissipated = 0;
  if (damaged && !had_failed) dissipated = std::max(0.0, law_work(law, c, old, p.opening, to) - (after.w - before.w));
  p.account += work - (after.w - before.w) - dissipated;

  // Sliding faces feel no friction of the account's making: only the normal motion settles it.
  const double x_old = p.opening.normal + c.offset.normal, x_new = to.normal + c.offset.normal;
  const bool normal_only = after.failed || x_old < 0 || x_new < 0;
  const Pair g = normal_only ? Pair{d.normal, 0} : d;
  Pair extra;
  if (std::abs(p.account) > 1e-12 * c.kc * dot(d, d) && dot(g, g) > 0) {
    const double lambda = std::clamp(-p.account / dot(g, g), -c.kc / 8, c.kc / 8);
    extra = lambda * g;
    p.account += 0.5 * lambda * dot(g, g);
  }
  p.opening = to;
  p.traction = after.traction + extra;
  return {p.traction, after.w, p.account, dissipated, damaged, after.failed, x_new < 0};
}

}  // namespace cleave::reference
