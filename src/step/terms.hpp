/// The terms of a body: the one place that lists them.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "terms/cohesive/cohesive_term.hpp"
#include "terms/contact/contact_term.hpp"
#include "terms/cracks/crack_term.hpp"
#include "terms/erosion/erosion_term.hpp"
#include "terms/forces/force_term.hpp"
#include "terms/friction/friction_term.hpp"
#include "terms/loads/load_term.hpp"
#include "terms/nodal_forces.hpp"
#include "terms/outside/outside_term.hpp"
#include "terms/processes/process_term.hpp"
#include "terms/support/support_term.hpp"
#include "terms/viscosity/viscosity_term.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// X(class, name in a body) of each term, in the order of their launches: forces between faces follow the tractions
/// that they depend on, and cracks look at what erosion has left. The header of a term includes its launches where
/// CLEAVE_TERM_LAUNCHES is defined, which src/solvers compiles apart from the solver.
#define CLEAVE_TERMS(X)       \
  X(LoadTerm, loads)          \
  X(OutsideTerm, outside)     \
  X(ViscosityTerm, viscosity) \
  X(SupportTerm, support)     \
  X(ForceTerm, forces)        \
  X(ErosionTerm, erosion)     \
  X(ProcessTerm, processes)   \
  X(CohesiveTerm, cohesive)   \
  X(CrackTerm, cracks)        \
  X(FrictionTerm, friction)   \
  X(ContactTerm, contact)

template <class Backend, class Element>
struct Terms {
#define CLEAVE_TERM_MEMBER(Class, name) Class<Backend, Element> name;
  CLEAVE_TERMS(CLEAVE_TERM_MEMBER)
#undef CLEAVE_TERM_MEMBER
  NodalForces<Backend> nodal_forces;

#define CLEAVE_TERM_ADDRESS(Class, name) &name,
  auto all() { return std::to_array<Term<Backend, Element>*>({CLEAVE_TERMS(CLEAVE_TERM_ADDRESS)}); }
  auto all() const { return std::to_array<const Term<Backend, Element>*>({CLEAVE_TERMS(CLEAVE_TERM_ADDRESS)}); }
#undef CLEAVE_TERM_ADDRESS

  template <class Body>
  void declare(Body& body, const Model& model) {
    std::vector<Field<Backend, Vec2>> on_nodes;
    for (auto* term : all()) {
      term->declare(body, model);
      if (const auto force = term->nodal_force()) on_nodes.push_back(force);
    }
    nodal_forces.declare(body.fields, on_nodes);
  }
  /// Whether terms may have a force on any node.
  bool push_all_nodes() const {
    return std::ranges::any_of(all(), [](const auto* term) { return term->nodal_force() && term->pushes_all_nodes(); });
  }
  /// Whether terms may have a force on nodes that they flag.
  bool push_flagged_nodes() const {
    return std::ranges::any_of(all(),
                               [](const auto* term) { return term->nodal_force() && !term->pushes_all_nodes(); });
  }
  template <class Body>
  void launch_forces(Body& body, const LaunchedStep& step) {
    contact.launch_search_check(body, step);
    for (auto* term : all()) term->launch_forces(body, step);
    nodal_forces.launch_sum(body.backend, body.gather.capacity(), &body.live()->nodes);
  }
  template <class Body>
  void launch_inserted(Body& body) {
    for (auto* term : all()) term->launch_inserted(body);
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
