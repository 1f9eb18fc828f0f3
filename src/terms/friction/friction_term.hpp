/// Friction between the faces of failed cohesive elements as a term: its arrays. CohesiveStep adds its forces to those
/// of the faces.
#pragma once

#include "terms/friction/friction.hpp"
#include "terms/term.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Element>
class FrictionTerm final : public Term<Backend, Element> {
 public:
  using typename Term<Backend, Element>::Body;

  Friction view() { return {Real(coefficient_), spring_.data(), work_.data()}; }

  void declare(Body& body, const Model&) override {
    coefficient_ = body.cohesive_case ? body.cohesive_case->friction : 0;
    if (coefficient_ == 0) return;
    const FieldUse of_points{.on = On::cohesive, .width = FacetGauss::points, .saved = true};
    spring_ = body.fields.add_filled("friction springs", of_points, FrictionPoint{});
    work_ = body.fields.add_filled("friction works", of_points, 0.0);
  }

 private:
  double coefficient_ = 0;
  Field<Backend, FrictionPoint> spring_;  ///< [cohesive][q]
  Field<Backend, double> work_;           ///< [cohesive][q], J
};

}  // namespace cleave::inline CLEAVE_PRECISION
