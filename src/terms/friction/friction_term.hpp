/// Friction between the faces of failed cohesive elements as a term.
#pragma once

#include "terms/friction/friction.hpp"
#include "terms/term.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Element>
class FrictionTerm final : public Term<Backend, Element> {
 public:
  using typename Term<Backend, Element>::Body;

  Friction view() { return {Real(coefficient_), spring_.data(), work_.data()}; }

  void declare(Body& body, const Model&) override;
  /// Adds friction to faces that do not turn; CorotationalFaces does so for the others.
  void launch_forces(Body& body, const LaunchedStep&) override;

 private:
  double coefficient_ = 0;
  Field<Backend, FrictionPoint> spring_;  ///< [cohesive][q]
  Field<Backend, double> work_;           ///< [cohesive][q], J
};

}  // namespace cleave::inline CLEAVE_PRECISION

#ifdef CLEAVE_TERM_LAUNCHES
#include "terms/friction/friction_term_impl.hpp"
#endif
