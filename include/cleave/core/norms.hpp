/// Norms of a field.
#pragma once

#include <cstdint>

namespace cleave {

/// Norms of the values of a field at all nodes or elements, in the unit of the field. Values that are not finite are
/// only counted.
struct Norms {
  double least = 0, largest = 0;  ///< 0 when there is no finite value
  std::int64_t l0 = 0;            ///< number of values that are not zero
  double l1 = 0;                  ///< sum of magnitudes
  double l2 = 0;                  ///< square root of the sum of squares
  double linf = 0;                ///< largest magnitude
  std::int64_t not_finite = 0;    ///< number of values that are NaN or infinite
};

}  // namespace cleave
