/// The arrays of erosion in solver memory.
#pragma once

#include <vector>

#include "kernels/erosion.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Without memory unless a material erodes.
template <class Backend>
struct ErosionState {
  static constexpr Step every = 10;                   ///< steps between two looks where there are no fracture checks
  typename Backend::template Buffer<double> rows_of;  ///< see ErodedRows

  bool active() const { return rows_of.size() > 0; }
  ErodedRows rows() { return {{rows_of.data()}}; }
  void start(Index elements) { rows_of.upload(std::vector<double>(ErodedRows::extent(elements), 0)); }
};

}  // namespace cleave::inline CLEAVE_PRECISION
