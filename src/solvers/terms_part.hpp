/// The terms with their launches, for CLEAVE_BACKEND; those of cohesive elements are in cohesive_part.hpp.
#pragma once

#define CLEAVE_TERM_LAUNCHES
#include "step/gather_body.hpp"

namespace cleave::inline CLEAVE_PRECISION {

#define CLEAVE_TERM_INSTANCES(Class, name)  \
  template class Class<CLEAVE_BACKEND, T3>; \
  template class Class<CLEAVE_BACKEND, T6>;
CLEAVE_TERMS(CLEAVE_TERM_INSTANCES)
#undef CLEAVE_TERM_INSTANCES

}  // namespace cleave::inline CLEAVE_PRECISION
