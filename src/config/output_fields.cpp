#include <set>

#include "cleave/config/case.hpp"

namespace cleave {

const std::vector<std::string>& output_fields() {
  static const std::vector<std::string> names{"displacement",
                                              "velocity",
                                              "stress",
                                              "strain",
                                              "von_mises_stress",
                                              "largest_principal_stress",
                                              "smallest_principal_stress",
                                              "pressure",
                                              "largest_shear_stress",
                                              "largest_principal_strain",
                                              "equivalent_strain",
                                              "strain_energy_density",
                                              "fragment",
                                              "original_element",
                                              "displacement_a",
                                              "displacement_b",
                                              "opening_normal",
                                              "opening_tangential",
                                              "traction_normal",
                                              "traction_tangential",
                                              "damage",
                                              "strength_scale",
                                              "failed",
                                              "insertion_step"};
  return names;
}

bool is_named_only(const std::string& field) {
  static const std::set<std::string> names{
      "strain",           "smallest_principal_stress", "pressure", "largest_shear_stress", "largest_principal_strain",
      "equivalent_strain"};
  return names.contains(field);
}

}  // namespace cleave
