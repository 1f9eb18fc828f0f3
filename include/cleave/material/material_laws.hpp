/// The list of material laws.
#pragma once

#include "cleave/material/hyperelastic.hpp"
#include "cleave/material/j2.hpp"
#include "cleave/material/kelvin_voigt.hpp"
#include "cleave/material/law_list.hpp"
#include "cleave/material/linear_elastic.hpp"
#include "cleave/material/user_laws.hpp"

namespace cleave::inline CLEAVE_PRECISION {

#if defined(CLEAVE_FEW_LAWS)  // scripts/build_law
using MaterialLaws = LawList<LinearElastic CLEAVE_USER_MATERIALS>;
#else
using MaterialLaws = LawList<LinearElastic, KelvinVoigt, J2, StVenantKirchhoff, NeoHookean CLEAVE_USER_MATERIALS>;
#endif
static_assert(MaterialLaws::names_differ(), "two material laws have one name");

}  // namespace cleave::inline CLEAVE_PRECISION
