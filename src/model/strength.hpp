/// Random strengths of the facets of a mesh.
#pragma once

#include <vector>

#include "cleave/solver/model.hpp"

namespace cleave {

/// Strength over the nominal one, [facet code]; 1 on the boundary. Empty if all facets have the same. Facets keep their
/// factors whatever the numbering is, as these depend on the original ids of their corners.
std::vector<double> strength_scales(const Mesh& mesh, const CohesiveCase& cohesive);

/// Smallest and largest factor of the facets that may break; 1 and 1 without a distribution.
struct StrengthRange {
  double least = 1, most = 1;
};
StrengthRange strength_range(const Model& model);

/// Gives a model with a cohesive law the factors of its facets and elements.
void set_strengths(Model& model);

}  // namespace cleave
