/// Works and energies of the gather assembly: in rows of blocks, and of copies.
#pragma once

#include "body/gather_table.hpp"
#include "step/gather_node.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Running works of each block, in lanes that are added up only for output: J.
struct LaneLedger {
  static constexpr int kinds = NodeWorks::count, lanes = 16, fields = kinds * lanes;
  Table<double, fields> sums;  ///< [block][kind, lane]
};

/// Energies of a block of elements and its interior nodes, J.
using BlockEnergies =
    Joined<NodeEnergies, QuantityList<Quantity::strain_energy, Quantity::plastic_energy, Quantity::viscous_energy>>;
/// Report of each block in a step with output, J: its works until then, and its energies.
using BlockReport = SumRows<Joined<NodeWorks, BlockEnergies>>;

/// Works and energies of copies. Each keeps its own: copies lie in the order in which they were made, so those of a
/// block come from anywhere in the body.
struct CopyLedger {
  using Report = SumRows<Joined<NodeWorks, NodeEnergies>>;
  Table<double, NodeWorks::count> works;  ///< [copy] J, of all steps so far
  Report report;                          ///< [copy] J, of the step with output

  CLEAVE_HD_INLINE Works works_of(Index copy) const {
    Works before;
    CLEAVE_UNROLL
    for (int kind = 0; kind < NodeWorks::count; ++kind) before.value[kind] = works(copy, kind);
    return before;
  }
  /// @param before  what works_of said before the step
  template <Output output>
  CLEAVE_HD_INLINE void book(Index copy, const Works& before, const NodeWork& work) const {
    CLEAVE_UNROLL
    for (int kind = 0; kind < NodeWorks::count; ++kind) {
      if constexpr (output != Output::state) works(copy, kind) = before.value[kind] + work.step.value[kind];
      if constexpr (output != Output::none) report.rows(copy, kind) = before.value[kind] + work.to_output.value[kind];
    }
    if constexpr (output != Output::none)
      for (int field = 0; field < NodeEnergies::count; ++field)
        report.rows(copy, NodeWorks::count + field) = work.energies.value[field];
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
