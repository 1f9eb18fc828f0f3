/// Includes and concepts for a header with user-defined laws.
///
/// A law is a struct in namespace cleave::inline CLEAVE_PRECISION, because it is compiled in single and in double
/// precision. A material follows material_point.hpp, a traction law cohesive_point.hpp. docs/examples/laws has complete
/// examples of both; see docs/user_laws.md.
#pragma once

#include <concepts>
#include <type_traits>

#include "cleave/core/elementary.hpp"
#include "cleave/core/extremes.hpp"
#include "cleave/core/quantities.hpp"
#include "cleave/material/cohesive_parameters.hpp"
#include "cleave/material/cohesive_point.hpp"
#include "cleave/material/law_parameter.hpp"
#include "cleave/material/linear_elastic.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// A law whose stress depends on the strain rate, such as a spring and a dashpot in parallel. Its damping time, s, is
/// the largest ratio of its stiffness against a rate, Pa s, to that of linear elasticity with the same parameters, Pa.
/// It shortens the critical step.
template <class Law>
concept Damps = requires(const MaterialCase c) {
  { Law::damping_time(c) } -> std::same_as<double>;
};

/// False for a `damping_time` of another form, which the solver would not call.
template <class Law>
constexpr bool damping_time_is_static_double = Damps<Law> || !requires {
  &Law::damping_time;
};

/// Requirements of a material law; for the optional `damping_time` see Damps.
template <class Law>
concept Material = requires(const Law law, typename Law::State state, Gradient g, Real dt, MaterialCase c) {
  { Law::name } -> std::convertible_to<const char*>;
  { Law::finite } -> std::convertible_to<bool>;
  { Law::make(c) } -> std::same_as<Law>;
  { law.update(g, state, dt) } -> std::same_as<Response>;
  requires damping_time_is_static_double<Law>;
}
&&std::is_trivially_copyable_v<Law>&& std::is_trivially_copyable_v<typename Law::State>;

/// Requirements of a traction law. `make` takes the values of the case file and, optionally, the time step.
template <class Law>
concept TractionLaw = requires(const Law law, typename Law::State state, Vec2 v, Real cap, CohesivePoint point) {
  { Law::name } -> std::convertible_to<const char*>;
  { Law::has_shapes } -> std::convertible_to<bool>;
  { Law::insertion_stress } -> std::convertible_to<FacetStress>;
  { Law::peaks_at_ends } -> std::convertible_to<bool>;
  { law.offset(v, cap) } -> std::same_as<Vec2>;
  { law.start(v, point) } -> std::same_as<typename Law::State>;
  { law.note(v, point, state) } -> std::same_as<bool>;
  { law.settle(point, state) } -> std::same_as<void>;
  { law.respond(v, point, state) } -> std::same_as<CohesiveResponse>;
  { law.failed(state) } -> std::same_as<bool>;
  { law.damage(state) } -> std::same_as<Real>;
}
&&(
    requires(CohesiveParameters c) {
      { Law::make(c) } -> std::same_as<Law>;
    } ||
    requires(CohesiveParameters c, double step) {
      { Law::make(c, step) } -> std::same_as<Law>;
    }) &&
    std::is_trivially_copyable_v<Law>&& std::is_trivially_copyable_v<typename Law::State>;

}  // namespace cleave::inline CLEAVE_PRECISION

/// Use on a line of its own, outside any namespace, for each law of a header.
#define CLEAVE_USER_MATERIAL(Law) static_assert(cleave::Material<Law>)
#define CLEAVE_USER_TRACTION_LAW(Law) static_assert(cleave::TractionLaw<Law>)
