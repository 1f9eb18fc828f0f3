/// The terms of a body: the one place that lists them.
#pragma once

#include <array>
#include <vector>

#include "terms/cohesive/cohesive_term.hpp"
#include "terms/contact/contact_term.hpp"
#include "terms/cracks/crack_term.hpp"
#include "terms/erosion/erosion_term.hpp"
#include "terms/friction/friction_term.hpp"
#include "terms/loads/load_term.hpp"
#include "terms/nodal_forces.hpp"
#include "terms/outside/outside_term.hpp"
#include "terms/support/support_term.hpp"
#include "terms/viscosity/viscosity_term.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Element>
struct Terms {
  LoadTerm<Backend, Element> loads;
  OutsideTerm<Backend, Element> outside;
  ViscosityTerm<Backend, Element> viscosity;
  SupportTerm<Backend, Element> support;
  ErosionTerm<Backend, Element> erosion;
  CohesiveTerm<Backend, Element> cohesive;
  CrackTerm<Backend, Element> cracks;
  FrictionTerm<Backend, Element> friction;
  ContactTerm<Backend, Element> contact;
  NodalForces<Backend> nodal_forces;

  /// In the order of their launches: forces between faces follow the tractions that they depend on, and cracks
  /// look at what erosion has left.
  std::array<Term<Backend, Element>*, 9> all() {
    return {&loads, &outside, &viscosity, &support, &erosion, &cohesive, &cracks, &friction, &contact};
  }

  template <class Body>
  void declare(Body& body, const Model& model) {
    std::vector<Field<Backend, Vec2>> on_nodes;
    for (auto* term : all()) {
      term->declare(body, model);
      if (const auto force = term->nodal_force()) on_nodes.push_back(force);
    }
    nodal_forces.declare(body.fields, on_nodes);
  }
  template <class Body>
  void launch_forces(Body& body, const LaunchedStep& step) {
    contact.launch_search_check(body, step);
    for (auto* term : all()) term->launch_forces(body, step);
    nodal_forces.launch_sum(body.backend, body.gather.capacity(), &body.live()->nodes);
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
