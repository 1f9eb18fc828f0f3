/// The list of users' forces. Without CLEAVE_USER_LAWS it is empty.
#pragma once

#include "cleave/force/user_force.hpp"
#include "cleave/material/law_list.hpp"
#include "cleave/material/user_laws.hpp"

namespace cleave::inline CLEAVE_PRECISION {

namespace detail {

/// The list of the laws behind the first type.
template <class First, class... Laws>
using LawsBehind = LawList<Laws...>;

}  // namespace detail

using ForceLaws = detail::LawsBehind<void CLEAVE_USER_FORCES>;
static_assert(ForceLaws::names_differ(), "two forces have one name");

/// ForceCase::stiffness by the law; 0: it has no springs.
inline double squared_frequency(const ForceCase& c) {
  double found = 0;
  ForceLaws::for_each([&]<class Law>() {
    if constexpr (HasSprings<Law>)
      if (c.law == Law::name) found = Law::squared_frequency(c);
  });
  return found;
}

}  // namespace cleave::inline CLEAVE_PRECISION
