/// The arrays of friction in solver memory.
#pragma once

#include "body/body_state.hpp"
#include "terms/friction/friction.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Without memory unless faces rub.
template <class Backend>
struct FrictionState {
  double coefficient = 0;
  Field<Backend, FrictionPoint> spring;  ///< [cohesive][q] see FrictionStep
  Field<Backend, double> work;           ///< [cohesive][q], J

  bool active() const { return coefficient > 0; }
  Friction view() { return {Real(coefficient), spring.data(), work.data()}; }
  void declare(Fields<Backend>& fields) {
    if (!active()) return;
    const FieldUse of_points{.on = On::cohesive, .width = FacetGauss::points, .saved = true};
    spring = fields.add_filled("friction springs", of_points, FrictionPoint{});
    work = fields.add_filled("friction works", of_points, 0.0);
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
