/// What the case file says of a cohesive law. SI units.
#pragma once

#include <vector>

#include "cleave/material/law_parameter.hpp"

namespace cleave {

/// How the tractions at a facet's nodes become one number in the fracture check.
enum class Aggregate { mean, max };

/// When tractions of both modes together reach the strength: at an ellipse, or where one mode by itself does.
enum class Criterion { ellipse, max };

/// One mode of a cohesive law.
struct CohesiveMode {
  double strength = 0;  ///< Pa
  double energy = 0;    ///< J/m^2
  double shape = 2;     ///< exponent of the softening, > 1; 2 is linear softening

  bool operator==(const CohesiveMode&) const = default;
};

struct CohesiveParameters {
  CohesiveMode normal;
  CohesiveMode tangential;         ///< as normal unless given
  std::vector<double> values{};    ///< of the law's own `parameters`, in their order, but for tables
  std::vector<LawTable> tables{};  ///< those that are tables

  bool operator==(const CohesiveParameters&) const = default;
};

}  // namespace cleave
