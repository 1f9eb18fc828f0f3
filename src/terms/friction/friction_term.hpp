/// Friction between the faces of failed cohesive elements as a term.
#pragma once

#include "body/fields.hpp"
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
    FieldUse of_points{.on = On::cohesive, .width = FacetGauss::points, .saved = true};
    spring_ = body.fields.add_filled("friction springs", of_points, FrictionPoint{});
    of_points.summed = Summed::all;
    work_ = body.fields.add_filled("friction works", of_points, 0.0);
  }
  /// Where faces turn, CorotationalFaces does this.
  void launch_forces(Body& body, const LaunchedStep&) override {
    if (!spring_ || body.cohesive.count == 0 || body.finite) return;
    body.cohesive.with_law([&]<class Law>(const Law& law, const CohesiveTable<Law>& table) {
      body.backend.launch(FrictionStep<Law>{.capacity = body.cohesive.capacity(),
                                            .live = body.live(),
                                            .law = law,
                                            .cohesive = table,
                                            .friction = view(),
                                            .thickness = body.thickness,
                                            .gauss_force = body.terms.cohesive.force(),
                                            .insertion_pending = body.insertion_pending()});
    });
  }

 private:
  double coefficient_ = 0;
  Field<Backend, FrictionPoint> spring_;  ///< [cohesive][q] see FrictionStep
  Field<Backend, double> work_;           ///< [cohesive][q], J
};

}  // namespace cleave::inline CLEAVE_PRECISION
