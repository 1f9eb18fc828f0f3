/// Example of a user-defined material with every kind of value in a state: one number, a block of six, a history of
/// several, a 3 x 3 matrix, and flags of an element. Build with -DCLEAVE_USER_LAWS=PATH_OF_THIS_FILE, then set `law:
/// spall` in the material, with the keys below.
#pragma once

#include <cmath>

#include "cleave/material/user_law.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Elasticity with spalling by the impulse of tension (F. R. Tuler, B. M. Butcher, Int. J. Fracture Mech. 4 (1968)
/// 431). s1 is the largest principal stress. An element is removed when the integral of (s1 - spall_stress)^2 over the
/// time in which s1 exceeds spall_stress reaches `spall_impulse`. Once s1 has exceeded spall_stress at one point, the
/// element has pores; then all its points count stress from `growth_stress` on. Stresses are means of the last
/// `num_history` steps, so that one peak between two elements does not count.
struct Spall {
  static constexpr const char* name = "spall";
  static constexpr bool finite = false;
  static constexpr LawParameter parameters[] = {
      {.key = "spall_stress", .unit = "Pa", .meaning = "tension below which nothing happens", .at_least = 0},
      {.key = "spall_impulse", .unit = "Pa² s", .meaning = "at which the element is taken out", .above = 0},
      {.key = "growth_stress",
       .unit = "Pa",
       .meaning = "as `spall_stress`, once there are pores in the element; no more than that",
       .at_least = 0,
       .otherwise = 1e300}};
  static constexpr int num_history = 4;
  /// Members of one type, in any order, scalars or arrays. The solver chooses the layout in memory.
  struct alignas(2 * sizeof(Real)) State {
    Real impulse = 0;                ///< one value, Pa^2 s
    Real stress[6] = {};             ///< a block of six, Pa: xx, yy, zz, xy, yz, zx
    Real tension[num_history] = {};  ///< s1 of the last steps, latest first, Pa
    Real gradient[3][3] = {};        ///< displacement gradient, three by three
    Real eroded = 0;                 ///< 1: the element has been removed
    Real porous = 0;                 ///< flag of the element, 1: a point of it has exceeded the spall stress
  };
  static constexpr std::size_t element_flag = offsetof(State, porous);

  LinearElastic elastic;
  Real threshold = 0;  ///< Pa
  Real limit = 0;      ///< Pa^2 s
  Real growth = 0;     ///< Pa

  static Spall make(const MaterialCase& c) {
    const double spall = c.values.at(0), growth = c.values.at(2);
    return {LinearElastic::make(c), static_cast<Real>(spall), static_cast<Real>(c.values.at(1)),
            static_cast<Real>(growth < spall ? growth : spall)};
  }

  bool may_erode() const { return true; }
  CLEAVE_HD bool erodes(const State& state) const { return state.impulse >= limit; }
  CLEAVE_HD static void erode(State& state) { state.eroded = 1; }

  CLEAVE_HD_INLINE Response update(const Gradient& g, State& state, Real dt) const {
    if (state.eroded != 0) return {};
    LinearElastic::State none;
    const Response r = elastic.update(g, none, dt);
    if (!(dt > 0)) return r;  // evaluation without a step
    remember(g, r, state);
    CLEAVE_UNROLL
    for (int i = num_history - 1; i > 0; --i) state.tension[i] = state.tension[i - 1];
    state.tension[0] = largest_principal(r.stress.symmetric());
    Real mean = 0;
    CLEAVE_UNROLL
    for (const Real s : state.tension) mean += Real(1) / num_history * s;
    const Real above = larger(Real(0), mean - (state.porous != 0 ? growth : threshold));
    if (mean > threshold) state.porous = 1;
    state.impulse += dt * above * above;
    return r;
  }

 private:
  CLEAVE_HD_INLINE static void remember(const Gradient& g, const Response& r, State& state) {
    state.stress[0] = r.stress.xx;
    state.stress[1] = r.stress.yy;
    state.stress[2] = r.across;
    state.stress[3] = r.stress.xy;
    state.gradient[0][0] = g.xx;
    state.gradient[0][1] = g.xy;
    state.gradient[1][0] = g.yx;
    state.gradient[1][1] = g.yy;
  }
  CLEAVE_HD_INLINE static Real largest_principal(Sym2 s) {
    const Real half = Real(0.5) * (s.xx - s.yy);
    return Real(0.5) * (s.xx + s.yy) + std::sqrt(half * half + s.xy * s.xy);
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION

CLEAVE_USER_MATERIAL(cleave::Spall);
