/// Forces of a user's own as a term.
#pragma once

#include <vector>

#include "body/placed_tables.hpp"
#include "terms/term.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Element>
class ForceTerm final : public Term<Backend, Element> {
 public:
  using typename Term<Backend, Element>::Body;

  void declare(Body& body, const Model& model) override;
  void upload(Body&, const Model& model) override;
  void launch_forces(Body& body, const LaunchedStep& step) override;
  Field<Backend, Vec2> nodal_force() const override { return force_; }
  void add_sums(Body& body, SumTables& sums) override;

 private:
  PlacedTables<Backend> tables_;
  std::vector<ForceCase> entries_;
  Field<Backend, std::uint8_t> acts_;  ///< [node] see UserForce
  Field<Backend, Vec2> sum_;           ///< [node] of several entries, N
  Field<Backend, Vec2> force_;         ///< [node] of the last step, N
  Field<Backend, double> work_;        ///< [node] ForceWorks; stay with a node that splits
};

}  // namespace cleave::inline CLEAVE_PRECISION

#ifdef CLEAVE_TERM_LAUNCHES
#include "terms/forces/force_term_impl.hpp"
#endif
