/// Tables of nodal stresses.
#pragma once

#include "body/by_material.hpp"
#include "cleave/core/table.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Sums over the elements of a node: stress components in Pa and the number of elements.
using NodalStressTable = Table<Real, Sym2::components + 1>;
inline constexpr int stress_count = Sym2::components;  ///< its field of the number of elements

/// The rows of a NodalStressTable: so many for each node, and materials that meet at a node have different ones.
struct NodalStressRows {
  Index per_node = 1;
  ByMaterial<Index> place{};  ///< of a material among the rows of a node; not used if there is one

  CLEAVE_HD Index first(Index node) const { return per_node * node; }
  /// The row to which an element adds.
  CLEAVE_HD Index row(Index node, Index e) const { return per_node == 1 ? node : first(node) + place.of(e); }
};

/// Mean of the stresses that a row has added up, Pa.
CLEAVE_HD_INLINE Sym2 mean_stress(NodalStressTable sum, Index row) {
  const Real count = sum(row, stress_count);
  return {sum(row, 0) / count, sum(row, 1) / count, sum(row, 2) / count};
}

}  // namespace cleave::inline CLEAVE_PRECISION
