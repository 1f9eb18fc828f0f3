/// The list of cohesive laws.
#pragma once

#include "cleave/material/effective_opening.hpp"
#include "cleave/material/law_list.hpp"
#include "cleave/material/ppr.hpp"
#include "cleave/material/user_laws.hpp"

namespace cleave::inline CLEAVE_PRECISION {

#if defined(CLEAVE_FEW_LAWS)  // scripts/build_law
using TractionLaws = LawList<Ppr CLEAVE_USER_TRACTION_LAWS>;
#else
using TractionLaws = LawList<Ppr, LinearIrreversible, Exponential CLEAVE_USER_TRACTION_LAWS>;
#endif
static_assert(TractionLaws::names_differ(), "two traction laws have one name");

/// Makes a traction law from the values of the case file.
/// @param step  time step, s, for a law that asks for it
template <class Law>
Law make_traction_law(const CohesiveParameters& modes, double step) {
  if constexpr (requires { Law::make(modes, step); })
    return Law::make(modes, step);
  else
    return Law::make(modes);
}

}  // namespace cleave::inline CLEAVE_PRECISION
