/// Pressure in cracks as a term.
#pragma once

#include "terms/bulk/material_set.hpp"
#include "terms/cracks/crack_pressure_state.hpp"
#include "terms/term.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Element>
class CrackTerm final : public Term<Backend, Element> {
 public:
  using typename Term<Backend, Element>::Body;

  CrackPressure view() { return {.load = cracks_.load.data(), .push = push_.data(), .work = work_.data()}; }

  void declare(Body& body, const Model& model) override;
  /// Pressure between faces that turn; others take theirs from CohesiveStep.
  void launch_forces(Body& body, const LaunchedStep& step) override;
  void launch_check(Body& body) override;

  void check_loaded(Body& body) override { cracks_.check_loaded(body.cohesive.count, body.inputs.loads().size()); }

 private:
  /// Present thickness at the faces that a load reaches.
  void launch_thickness(Body& body);
  template <class Material>
  void launch_thickness_of(Body& body, const MaterialsOfLaw<Material>& of, MaterialStates<Element, Material> states);

  CrackPressureState<Backend> cracks_;
  Field<Backend, Real> push_;              ///< [cohesive][q] see CrackPressure; where faces do not turn
  Field<Backend, FacePush> faces_;         ///< [cohesive][q] where they do
  Field<Backend, Real> thickness_change_;  ///< see FaceThickness; found anew in each step, none where it is 0
  Field<Backend, double> work_;            ///< [cohesive][q]
};

}  // namespace cleave::inline CLEAVE_PRECISION

#ifdef CLEAVE_TERM_LAUNCHES
#include "terms/cracks/crack_term_impl.hpp"
#endif
