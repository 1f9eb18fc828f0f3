/// Names of arrays in frame files that several sources use.
#pragma once

#include <array>
#include <string>

namespace cleave {

/// The tensor, which has 6 components, then its scalars (measures.hpp).
inline const std::array<std::string, 6> stress_arrays{
    "stress",   "von_mises_stress",    "largest_principal_stress", "smallest_principal_stress",
    "pressure", "largest_shear_stress"};
inline const std::array<std::string, 3> strain_arrays{"strain", "largest_principal_strain", "equivalent_strain"};
inline const std::string energy_array = "strain_energy_density";

}  // namespace cleave
