/// The arrays of erosion in solver memory.
#pragma once

#include "body/fields.hpp"
#include "terms/erosion/erosion.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Without memory unless a material erodes.
template <class Backend>
struct ErosionState {
  static constexpr Step every = 10;  ///< steps between two looks where there are no fracture checks
  Field<Backend, double> rows_of;    ///< [element] see ErodedRows

  bool active() const { return static_cast<bool>(rows_of); }
  ErodedRows rows() { return {{rows_of.data()}}; }
  void declare(Fields<Backend>& fields) {
    rows_of =
        fields.add_filled("eroded energies", {.on = On::element, .width = ErodedRows::Sums::count, .saved = true}, 0.0);
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
