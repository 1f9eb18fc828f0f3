/// How a kernel reports that something is wrong: the first writer leaves a record, the host reads it at its next
/// report.
#pragma once

#include "cleave/core/atomic.hpp"

namespace cleave {

/// What can be wrong.
enum class FaultCode : Index {
  none = 0,
  inverted_element = 1,  ///< a bulk element
  endless_walk = 2,      ///< around a node of a bulk element
  healed_facet = 3       ///< a cohesive element whose law has said that it has failed, and says so no more
};

/// In solver memory; all zero when nothing happened.
struct FaultRecord {
  static constexpr Step unknown_step = -1;
  Index code = 0;
  Index element = 0;  ///< bulk or cohesive, as FaultCode says
  Step step = 0;

  CLEAVE_HD void report(FaultCode what, Index where, Step when) {
    if (atomic_compare_exchange(code, 0, static_cast<Index>(what)) == 0) {
      element = where;
      step = when;
    }
  }
};

}  // namespace cleave
