/// The arrays of artificial viscosity in solver memory.
#pragma once

#include <vector>

#include "cleave/material/linear_elastic.hpp"
#include "cleave/solver/model.hpp"
#include "kernels/viscosity.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Without memory unless a material has it. Forces of nodes are in OutsideState.
template <class Backend>
struct ViscosityState {
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  Buffer<Viscosity> of_material;
  Buffer<Vec2> push;  ///< see ViscousPush

  bool active() const { return push.size() > 0; }
  void upload(const Model& model) {
    if (!model.has_artificial_viscosity()) return;
    std::vector<Viscosity> all;
    for (const MaterialCase& m : model.materials) {
      const double density = m.parameters.density, wave = std::sqrt(LinearElastic::make(m.parameters).d11 / density);
      all.push_back(
          {static_cast<Real>(m.viscosity.linear * density * wave), static_cast<Real>(m.viscosity.quadratic * density)});
    }
    of_material.upload(all);
    push.upload(std::vector<Vec2>(3 * static_cast<std::size_t>(model.mesh.element_count()), Vec2{}));
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
