/// Artificial viscosity as a term.
#pragma once

#include "terms/term.hpp"
#include "terms/viscosity/viscosity.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Element>
class ViscosityTerm final : public Term<Backend, Element> {
 public:
  using typename Term<Backend, Element>::Body;

  void declare(Body& body, const Model& model) override;
  void upload(Body&, const Model& model) override;
  Field<Backend, Vec2> nodal_force() const override { return force_; }
  void launch_forces(Body& body, const LaunchedStep& step) override;
  void add_sums(Body& body, SumTables& sums) override;

 private:
  typename Backend::template Buffer<Viscosity> of_material_;  ///< [material]
  Field<Backend, Vec2> push_;                                 ///< [element][corner] see ViscousPush
  Field<Backend, Vec2> force_;                                ///< [node] of the last step, N
  Field<Backend, double> work_;                               ///< [node] ViscousWorks; stay with a node that splits
};

}  // namespace cleave::inline CLEAVE_PRECISION

#ifdef CLEAVE_TERM_LAUNCHES
#include "terms/viscosity/viscosity_term_impl.hpp"
#endif
