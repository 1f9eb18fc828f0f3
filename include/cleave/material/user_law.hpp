/// What a header with a user's laws includes, and how it names them.
///
/// A law is a struct in namespace cleave::inline CLEAVE_PRECISION, as it is compiled in single and in double precision:
/// a material as material_point.hpp says, or a traction law as cohesive_point.hpp says. user_example.hpp has a complete
/// one of each, docs/user_laws.md says the rest.
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

/// A law whose stress goes by the rate of strain, too, as that of a dashpot beside a spring. Its damping time, s, is
/// the largest ratio of its stiffness against a rate, Pa s, to that of linear elasticity with the same numbers, Pa: the
/// critical step is shorter for it.
template <class Law>
concept Damps = requires(const MaterialCase c) {
  { Law::damping_time(c) } -> std::same_as<double>;
};

/// A `damping_time` of another form would not be asked.
template <class Law>
constexpr bool damping_time_is_static_double = Damps<Law> || !requires {
  &Law::damping_time;
};

/// What the solver asks of a material. It may also have a `damping_time`, as Damps says.
template <class Law>
concept Material = requires(const Law law, typename Law::State state, Gradient g, Real dt, MaterialCase c) {
  { Law::name } -> std::convertible_to<const char*>;
  { Law::finite } -> std::convertible_to<bool>;
  { Law::make(c) } -> std::same_as<Law>;
  { law.update(g, state, dt) } -> std::same_as<Response>;
  requires damping_time_is_static_double<Law>;
}
&&std::is_trivially_copyable_v<Law>&& std::is_trivially_copyable_v<typename Law::State>;

/// What the solver asks of a traction law. It is made with the case file's numbers, and with the time step if it wants
/// that.
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

/// At the start of a line of its own, outside of any namespace, for each law of a header.
#define CLEAVE_USER_MATERIAL(Law) static_assert(cleave::Material<Law>)
#define CLEAVE_USER_TRACTION_LAW(Law) static_assert(cleave::TractionLaw<Law>)
