/// What a header with a user's material includes, and how it names its law.
///
/// The law is a struct as material_point.hpp says, in namespace cleave::inline CLEAVE_PRECISION, as it is compiled in
/// single and in double precision. user_example.hpp is a complete one, docs/user_laws.md says the rest.
#pragma once

#include <concepts>
#include <type_traits>

#include "cleave/core/extremes.hpp"
#include "cleave/core/quantities.hpp"
#include "cleave/material/linear_elastic.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// What the solver asks of a material.
template <class Law>
concept Material = requires(const Law law, typename Law::State state, Gradient g, Real dt, MaterialCase c) {
  { Law::name } -> std::convertible_to<const char*>;
  { Law::finite } -> std::convertible_to<bool>;
  { Law::make(c) } -> std::same_as<Law>;
  { law.update(g, state, dt) } -> std::same_as<Response>;
} && std::is_trivially_copyable_v<Law> && std::is_trivially_copyable_v<typename Law::State>;

}  // namespace cleave::inline CLEAVE_PRECISION

/// At the start of a line of its own, outside of any namespace, for each law of a header.
#define CLEAVE_USER_MATERIAL(Law) static_assert(cleave::Material<Law>)
