/// Fault reports of kernels: the first kernel that finds a fault writes a record, and the host reads it at its next
/// report.
#pragma once

#include "cleave/core/atomic.hpp"

namespace cleave {

/// Kinds of faults.
enum class FaultCode : Index {
  none = 0,
  inverted_element = 1,  ///< a bulk element
  endless_walk = 2,      ///< around a node of a bulk element
  healed_facet = 3,      ///< a cohesive element that had failed, and whose law no longer reports it as failed
  deep_contact = 4,      ///< a side of a bulk element is deeper inside an obstacle than it may be
  deep_overlap = 5,      ///< a side of a bulk element is deeper inside another one than it may be
  crossed_corners = 6    ///< a corner of a bulk element lies across another one
};

/// Record of the first fault, in solver memory; all zero without a fault.
struct FaultRecord {
  static constexpr Step unknown_step = -1;
  Index code = 0;
  Index element = 0;  ///< bulk or cohesive element, depending on FaultCode
  Step step = 0;
  Index in_body = 0;  ///< 1: a bulk element has its id in the body, not that of the rank's part

  CLEAVE_HD void report(FaultCode what, Index where, Step when) {
    if (atomic_compare_exchange(code, 0, static_cast<Index>(what)) == 0) {
      element = where;
      step = when;
    }
  }
};

}  // namespace cleave
