/// Erosion as a term.
#pragma once

#include "terms/bulk/material_set.hpp"
#include "terms/term.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Element>
class ErosionTerm final : public Term<Backend, Element> {
 public:
  using typename Term<Backend, Element>::Body;

  void declare(Body& body, const Model&) override;
  Step check_interval() const override { return rows_ ? 10 : 0; }
  /// Takes out the elements whose material erodes: this rank its own, of which it has the states.
  void launch_check(Body& body) override;
  void add_sums(Body& body, SumTables& sums) override;

 private:
  template <class Material>
  void launch_of(Body& body, const MaterialsOfLaw<Material>& of, MaterialStates<Element, Material> states);

  Field<Backend, double> rows_;  ///< [element] see ErodedRows
};

}  // namespace cleave::inline CLEAVE_PRECISION

#ifdef CLEAVE_TERM_LAUNCHES
#include "terms/erosion/erosion_term_impl.hpp"
#endif
