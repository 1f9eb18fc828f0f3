/// The other terms with kernels, for CLEAVE_BACKEND.
#pragma once

#include "step/gather_body.hpp"
#include "terms/contact/contact_term_impl.hpp"
#include "terms/cracks/crack_term_impl.hpp"
#include "terms/erosion/erosion_term_impl.hpp"
#include "terms/friction/friction_term_impl.hpp"
#include "terms/support/support_term_impl.hpp"
#include "terms/viscosity/viscosity_term_impl.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template class ContactTerm<CLEAVE_BACKEND, T3>;
template class ContactTerm<CLEAVE_BACKEND, T6>;
template class CrackTerm<CLEAVE_BACKEND, T3>;
template class CrackTerm<CLEAVE_BACKEND, T6>;
template class ErosionTerm<CLEAVE_BACKEND, T3>;
template class ErosionTerm<CLEAVE_BACKEND, T6>;
template class FrictionTerm<CLEAVE_BACKEND, T3>;
template class FrictionTerm<CLEAVE_BACKEND, T6>;
template class SupportTerm<CLEAVE_BACKEND, T3>;
template class SupportTerm<CLEAVE_BACKEND, T6>;
template class ViscosityTerm<CLEAVE_BACKEND, T3>;
template class ViscosityTerm<CLEAVE_BACKEND, T6>;

}  // namespace cleave::inline CLEAVE_PRECISION
