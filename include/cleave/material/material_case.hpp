/// What the case file says of a material. SI units.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cleave/material/elastic_parameters.hpp"

namespace cleave {

/// How a yield stress grows: one of the two ways, or not at all.
struct HardeningCase {
  double linear = 0;                             ///< slope over accumulated plastic strain, Pa
  std::vector<std::pair<double, double>> table;  ///< accumulated plastic strain from 0 on, yield stress in Pa

  bool operator==(const HardeningCase&) const = default;
};

/// A material law and its numbers, whose keys stand beside that of the law.
struct MaterialCase {
  std::string law = "linear_elastic";
  ElasticParameters parameters;
  std::vector<double> values{};  ///< of the law's own `parameters`, in their order
  HardeningCase hardening{};     ///< of `j2`

  bool operator==(const MaterialCase&) const = default;
};

}  // namespace cleave
