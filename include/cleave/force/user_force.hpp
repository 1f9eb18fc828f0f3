/// Includes and concept for a header with forces of a user's own on nodes.
///
/// A force is a struct in namespace cleave::inline CLEAVE_PRECISION, because it is compiled in single and in double
/// precision. docs/examples/laws/user_force_example.hpp has complete examples; see docs/user_laws.md.
#pragma once

#include <cmath>
#include <concepts>
#include <type_traits>

#include "cleave/core/elementary.hpp"
#include "cleave/core/extremes.hpp"
#include "cleave/force/force_case.hpp"
#include "cleave/material/law_parameter.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// A node on which a force acts.
struct ForcePoint {
  Vec2 place;         ///< of the node in the mesh, m
  Vec2 displacement;  ///< m
  Vec2 velocity;      ///< in the middle of the step before; at the start, at t = 0, m/s
  Real mass;          ///< of the node, kg
  Real time;          ///< s
};

/// A force with springs. Their largest stiffness over the mass that they act on, 1/s^2, shortens the critical step.
template <class Law>
concept HasSprings = requires(const ForceCase c) {
  { Law::squared_frequency(c) } -> std::same_as<double>;
};
/// False for a `squared_frequency` of another form, which the solver would not call.
template <class Law>
constexpr bool squared_frequency_is_static_double = HasSprings<Law> || !requires {
  &Law::squared_frequency;
};

/// Requirements of a force; for the optional `squared_frequency` see HasSprings.
template <class Law>
concept NodalForce = requires(const Law law, ForcePoint at, ForceCase c) {
  { Law::name } -> std::convertible_to<const char*>;
  { Law::make(c) } -> std::same_as<Law>;
  { law.force(at) } -> std::same_as<Vec2>;
  requires squared_frequency_is_static_double<Law>;
}
&&std::is_trivially_copyable_v<Law>;

}  // namespace cleave::inline CLEAVE_PRECISION

/// Use on a line of its own, outside any namespace, for each force of a header.
#define CLEAVE_USER_FORCE(Law) static_assert(cleave::NodalForce<Law>)
