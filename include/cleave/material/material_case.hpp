/// A material in the case file. SI units.
#pragma once

#include <string>
#include <vector>

#include "cleave/material/law_table.hpp"

namespace cleave {

/// Plane stress or plane strain: the component across the plane that is zero.
enum class PlaneType { stress, strain };

struct ElasticParameters {
  double young_modulus = 0;  ///< Pa
  double poisson_ratio = 0;
  double density = 0;  ///< kg/m^3
  PlaneType plane = PlaneType::strain;

  bool operator==(const ElasticParameters&) const = default;
};

/// Growth of a yield stress: linear, by a table, or none.
struct HardeningCase {
  double linear = 0;  ///< slope of the yield stress over accumulated plastic strain, Pa
  LawTable table;     ///< accumulated plastic strain from 0 on, yield stress in Pa

  bool operator==(const HardeningCase&) const = default;
};

/// Coefficients of artificial viscosity; both zero: none.
struct ViscosityCase {
  double linear = 0;
  double quadratic = 0;

  bool any() const { return linear > 0 || quadratic > 0; }
  bool operator==(const ViscosityCase&) const = default;
};

/// Condition on which an element is removed from the body.
struct ErosionCase {
  double plastic_strain = 0;  ///< accumulated plastic strain at any of its Gauss points; 0: never

  bool any() const { return plastic_strain > 0; }
  bool operator==(const ErosionCase&) const = default;
};

/// A material law and its parameters; their keys are siblings of `law`.
struct MaterialCase {
  std::string law = "linear_elastic";
  ElasticParameters parameters;
  std::vector<double> values{};  ///< values of the law's own scalar `parameters`, in their order
  HardeningCase hardening{};     ///< law `j2` only
  ViscosityCase viscosity{};
  ErosionCase erosion{};           ///< law `j2` only
  std::vector<LawTable> tables{};  ///< values of the law's own tabular `parameters`, in their order

  /// Keys given of what belongs to elements, of which a single point has no part.
  std::vector<std::string> keys_of_elements() const {
    std::vector<std::string> keys;
    if (erosion.any()) keys.push_back("erosion");
    if (viscosity.any()) keys.push_back("artificial_viscosity");
    return keys;
  }
  /// Damping time of an element by forces besides those of the law, over the time in which a wave crosses it: for
  /// elements that close at 0.1 times the wave speed.
  double damping() const { return viscosity.linear + 0.1 * viscosity.quadratic; }
  bool operator==(const MaterialCase&) const = default;
};

}  // namespace cleave
