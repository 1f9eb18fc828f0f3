/// Values by which a solver is asked and answers: kinds of output, norms, memory and time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "cleave/core/types.hpp"

namespace cleave {

/// nothing; energies and counts for a row of history.csv; the whole state.
enum class Output { none, history, state };

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

/// Bytes of solver memory, and bytes copied between it and the host if the solver runs on a device.
struct MemoryUse {
  std::size_t now = 0, peak = 0;
  std::size_t to_device = 0, from_device = 0;  ///< since the program began
};

/// Accumulated time of one stage of the step: on a GPU between events, else wall time.
struct StageTime {
  std::string name;
  double seconds = 0;
  Step calls = 0;
};

}  // namespace cleave
