/// Elastic supports as a term.
#pragma once

#include "terms/term.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Element>
class SupportTerm final : public Term<Backend, Element> {
 public:
  using typename Term<Backend, Element>::Body;

  void declare(Body& body, const Model& model) override;
  void upload(Body&, const Model& model) override;
  void launch_forces(Body& body, const LaunchedStep& step) override;
  Field<Backend, Vec2> nodal_force() const override { return force_; }
  void add_sums(Body& body, SumTables& sums) override;

 private:
  Field<Backend, Vec2> stiffness_;  ///< [node] see SupportForce
  Field<Backend, Vec2> force_;      ///< [node] of the last step, N
  Field<Backend, double> work_;     ///< [node] SupportWorks; stay with a node that splits
};

}  // namespace cleave::inline CLEAVE_PRECISION

#ifdef CLEAVE_TERM_LAUNCHES
#include "terms/support/support_term_impl.hpp"
#endif
