/// The terms of a body: the one place that lists them.
#pragma once

#include <array>

#include "terms/cohesive/cohesive_term.hpp"
#include "terms/cracks/crack_term.hpp"
#include "terms/erosion/erosion_term.hpp"
#include "terms/friction/friction_term.hpp"
#include "terms/loads/load_term.hpp"
#include "terms/outside/outside_term.hpp"
#include "terms/viscosity/viscosity_term.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Element>
struct Terms {
  explicit Terms(const Model& model) : viscosity(model), cracks(model) {}

  LoadTerm<Backend, Element> loads;
  OutsideTerm<Backend, Element> outside;
  ViscosityTerm<Backend, Element> viscosity;
  ErosionTerm<Backend, Element> erosion;
  CohesiveTerm<Backend, Element> cohesive;
  CrackTerm<Backend, Element> cracks;
  FrictionTerm<Backend, Element> friction;

  /// In the order of their launches and sums: forces between faces follow the tractions that they depend on.
  std::array<Term<Backend, Element>*, 7> all() {
    return {&loads, &outside, &viscosity, &erosion, &cohesive, &cracks, &friction};
  }
  /// Forces of terms on nodes; null: there are none.
  const Vec2* nodal_force() {
    for (const auto* term : all())
      if (const Vec2* force = term->nodal_force()) return force;
    return nullptr;
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
