/// How a kernel reports that something is wrong: the first writer leaves a record, the host reads it at its next
/// report.
#pragma once

#include "cleave/core/atomic.hpp"

namespace cleave {

enum class FaultCode : Index { none = 0, inverted_element = 1, endless_walk = 2 };

/// In solver memory; all zero when nothing happened.
struct FaultRecord {
  static constexpr Step unknown_step = -1;
  Index code = 0;
  Index element = 0;
  Step step = 0;

  CLEAVE_HD void report(FaultCode what, Index where, Step when) {
    if (atomic_compare_exchange(code, 0, static_cast<Index>(what)) == 0) {
      element = where;
      step = when;
    }
  }
};

}  // namespace cleave
