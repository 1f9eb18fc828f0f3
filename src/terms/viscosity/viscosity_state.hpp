/// The arrays of artificial viscosity in solver memory.
#pragma once

#include <vector>

#include "body/fields.hpp"
#include "cleave/material/linear_elastic.hpp"
#include "cleave/solver/model.hpp"
#include "terms/viscosity/viscosity.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Without memory unless a material has it. Forces of nodes are in OutsideState.
template <class Backend>
struct ViscosityState {
  typename Backend::template Buffer<Viscosity> of_material;
  Field<Backend, Vec2> push;  ///< [element][corner] see ViscousPush

  bool active() const { return of_material.size() > 0; }
  void start(Fields<Backend>& fields, const Model& model) {
    if (!model.has_artificial_viscosity()) return;
    std::vector<Viscosity> all;
    for (const MaterialCase& m : model.materials) {
      const double density = m.parameters.density, wave = std::sqrt(LinearElastic::make(m.parameters).d11 / density);
      all.push_back(
          {static_cast<Real>(m.viscosity.linear * density * wave), static_cast<Real>(m.viscosity.quadratic * density)});
    }
    of_material.upload(all);
    push = fields.add_filled("viscous pushes", {.on = On::element, .width = 3, .exchanged = true}, Vec2{});
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
