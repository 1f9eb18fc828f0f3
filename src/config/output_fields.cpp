#include "cleave/config/case.hpp"

namespace cleave {

const std::vector<std::string>& output_fields() {
  static const std::vector<std::string> names{"displacement",
                                              "velocity",
                                              "stress",
                                              "strain",
                                              "von_mises_stress",
                                              "largest_principal_stress",
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

}  // namespace cleave
