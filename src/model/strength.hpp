/// Strengths and fracture energies of facets.
#pragma once

#include <vector>

#include "cleave/case/case_report.hpp"
#include "cleave/solver/model.hpp"

namespace cleave {

/// Value of `cohesive_entries` for a facet without an entry.
inline constexpr Index no_entry = -1;

/// [facet code] Entry of `cohesive`: 0 the first, 1 + index in `others`, or `no_entry`. Empty if there is only one
/// entry, for all facets. Reports unknown groups and entries without facets.
std::vector<Index> cohesive_entries(const CohesiveCase& cohesive, const Mesh& mesh, CaseReport& report);

/// [facet code] Strength over that of `cohesive.parameters`; 1 on the boundary, `unbreakable` without an entry. Empty
/// if all facets have the same strength. Random factors depend on the original ids of the facet's corners, not on the
/// numbering.
std::vector<double> strength_scales(const Mesh& mesh, const CohesiveCase& cohesive,
                                    const std::vector<Index>& entries = {});

/// Whether facet k of an element may ever break: it lies inside the body, has an entry of `cohesive`, and its midpoint
/// lies in `insertion.region` if there is one.
bool may_break(const Model& model, Index e, int k);

/// Number of facets that may break.
Index breakable_facets(const Model& model);

/// Smallest and largest strength of the facets that may break, over that of the law; 1 and 1 if all are equal.
struct StrengthRange {
  double least = 1, most = 1;
};
StrengthRange strength_range(const Model& model);

/// Sets the factors of facets and elements of a model with a cohesive law.
/// @param entries  see cohesive_entries
void set_strengths(Model& model, std::vector<Index> entries = {});

}  // namespace cleave
