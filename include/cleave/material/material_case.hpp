/// What the case file says of a material. SI units.
#pragma once

#include <string>
#include <vector>

#include "cleave/material/elastic_parameters.hpp"
#include "cleave/material/law_parameter.hpp"

namespace cleave {

/// How a yield stress grows: one of the two ways, or not at all.
struct HardeningCase {
  double linear = 0;  ///< slope over accumulated plastic strain, Pa
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

/// When an element is taken out of the body.
struct ErosionCase {
  double plastic_strain = 0;  ///< accumulated, at any of its Gauss points; 0: never

  bool any() const { return plastic_strain > 0; }
  bool operator==(const ErosionCase&) const = default;
};

/// A material law and its numbers, whose keys stand beside that of the law.
struct MaterialCase {
  std::string law = "linear_elastic";
  ElasticParameters parameters;
  std::vector<double> values{};  ///< of the law's own `parameters`, in their order, but for tables
  HardeningCase hardening{};     ///< of `j2`
  ViscosityCase viscosity{};
  ErosionCase erosion{};           ///< of `j2`
  std::vector<LawTable> tables{};  ///< of the law's own `parameters` those that are tables

  bool operator==(const MaterialCase&) const = default;
};

}  // namespace cleave
