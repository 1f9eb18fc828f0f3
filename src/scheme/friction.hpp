/// The arrays of friction in solver memory.
#pragma once

#include "kernels/friction.hpp"
#include "scheme/state.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Without memory unless faces rub.
template <class Backend>
struct FrictionState {
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  double coefficient = 0;
  Buffer<FrictionPoint> spring;  ///< [cohesive][q] see FrictionStep
  Buffer<double> work;           ///< [cohesive][q], J

  bool active() const { return coefficient > 0; }
  Friction view() { return {Real(coefficient), spring.data(), work.data()}; }
  void reserve_cohesive(Backend& backend, Index room) {
    if (!active()) return;
    const std::size_t points = FacetGauss::points * static_cast<std::size_t>(room);
    grow_filled(backend, spring, points, FrictionPoint{});
    grow_filled(backend, work, points, 0.0);
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
