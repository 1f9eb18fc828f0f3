/// Cohesive elements as a term, for CLEAVE_BACKEND.
#pragma once

#include "step/gather_body.hpp"
#include "terms/cohesive/cohesive_term_impl.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template class CohesiveTerm<CLEAVE_BACKEND, T3>;
template class CohesiveTerm<CLEAVE_BACKEND, T6>;

}  // namespace cleave::inline CLEAVE_PRECISION
