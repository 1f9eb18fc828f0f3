/// Strengths and fracture energies of facets; ratio of the stiffness cap to the stiffness of cohesive laws, and contact
/// stiffness under the cap.
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

/// The smallest stiffness cap kc of the interior facets that may break, Pa/m, each over the factor by which random
/// strengths make its law stiffer; infinite if there is no such facet. The model must have a cohesive law.
double least_cap(const Model& model);

/// The smallest kc delta_c / sigma_max over the interior facets and both modes, with the stiffness cap kc and the final
/// opening delta_c of monotonic softening. A point that breaks at its strength dissipates about 1 / ratio more than its
/// fracture energy, because it starts with that energy stored. The model must have a cohesive law and interior facets.
double least_cap_ratio(const Model& model);

/// Below this ratio the cap affects the energy that cracks dissipate.
inline constexpr double enough_cap_ratio = 10;

/// Smallest and largest contact stiffness kp of the facets that may break, times facet length over Young's modulus of
/// the softer side: `contact_penalty`, or less if the cap is lower. Zeros if no facet may break.
struct ContactStiffness {
  double least = 0, largest = 0;
};
/// The model must have a cohesive law.
ContactStiffness contact_stiffness(const Model& model);

}  // namespace cleave
