/// Example of a user-defined law with a table in the case file: softening of cracks by measured points. Build with
/// -DCLEAVE_USER_LAWS=PATH_OF_THIS_FILE, then write in the cohesive section, here for concrete (P. E. Petersson, 1981)
///     law: tabulated
///     softening: {table: [[0, 1], [0.8, 0.3333], [3.6, 0]]}
#pragma once

#include "cleave/material/effective_opening.hpp"
#include "cleave/material/look_up_table.hpp"
#include "cleave/material/user_law.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Traction over strength as a function of opening. Only the shape of the table counts: it is stretched so that the
/// area below it is the fracture energy. Unloading and contact are those of `linear` and `exponential`.
struct TabulatedSoftening {
  static constexpr const char* name = "tabulated";
  static constexpr LawParameter keys[] = {{.key = "softening",
                                           .unit = "any, strength",
                                           .meaning = "traction by opening, from [0, 1] on to 0",
                                           .at_least = 0,
                                           .at_most = 1,
                                           .is_table = true}};
  static constexpr std::span<const LawParameter> parameters = keys;

  LookUpTable curve;
  Real area = 0;  ///< below the table

  /// @param modes  `tables` are in the order of the tabular parameters
  static TabulatedSoftening make(const CohesiveParameters& modes) {
    const std::vector<TableRow>& rows = modes.tables.at(0).rows;
    double area = 0;
    for (std::size_t i = 1; i < rows.size(); ++i)
      area += 0.5 * (rows[i].level + rows[i - 1].level) * (rows[i].at - rows[i - 1].at);
    return {LookUpTable::make(modes.tables.at(0)), static_cast<Real>(area)};
  }
  /// Loss of strength, 0 to 1.
  CLEAVE_HD Real damage(Real opening, Real strength, Real energy, Real /*initial*/) const {
    return 1 - curve.value(opening * strength / energy * area);
  }
};
using Tabulated = EffectiveOpeningLaw<TabulatedSoftening>;

}  // namespace cleave::inline CLEAVE_PRECISION

CLEAVE_USER_TRACTION_LAW(cleave::Tabulated);
