/// Strengths and fracture energies that differ from facet to facet.
#pragma once

#include <vector>

#include "cleave/config/case_report.hpp"
#include "cleave/solver/model.hpp"

namespace cleave {

/// What `cohesive_entries` has for a facet that no entry is for.
inline constexpr Index no_entry = -1;

/// Which entry of `cohesive` a facet has, [facet code]: 0 the first, 1 + place in `others`, or `no_entry`. Empty if
/// there is only one, for all. Reports unknown groups, and entries for which there is no facet.
std::vector<Index> cohesive_entries(const CohesiveCase& cohesive, const Mesh& mesh, CaseReport& report);

/// Strength over that of `cohesive.parameters`, [facet code]; 1 on the boundary, `unbreakable` without an entry. Empty
/// if all facets have the same. Facets keep their factors whatever the numbering is, as random ones depend on the
/// original ids of their corners.
std::vector<double> strength_scales(const Mesh& mesh, const CohesiveCase& cohesive,
                                    const std::vector<Index>& entries = {});

/// Whether facet k of an element may ever break: it lies between two triangles, an entry of `cohesive` is for it, and
/// its midpoint is inside `insertion.region`, if there is one.
bool may_break(const Model& model, Index e, int k);

/// How many facets may break.
Index breakable_facets(const Model& model);

/// Smallest and largest strength of the facets that may break, over that of the law; 1 and 1 if all have the same.
struct StrengthRange {
  double least = 1, most = 1;
};
StrengthRange strength_range(const Model& model);

/// Gives a model with a cohesive law the factors of its facets and elements.
/// @param entries  see cohesive_entries
void set_strengths(Model& model, std::vector<Index> entries = {});

}  // namespace cleave
