/// Parameters of a cohesive law from the case file. SI units.
#pragma once

#include <vector>

#include "cleave/material/law_table.hpp"

namespace cleave {

/// How the fracture check reduces the tractions at a facet's nodes to one number.
enum class Aggregate { mean, max };

/// How tractions of both modes combine to reach the strength: on an ellipse, or each mode by itself.
enum class Criterion { ellipse, max };

/// Parameters of one mode of a cohesive law.
struct CohesiveMode {
  double strength = 0;  ///< Pa
  double energy = 0;    ///< J/m^2
  double shape = 2;     ///< exponent of the softening, > 1; 2 is linear softening

  bool operator==(const CohesiveMode&) const = default;
};

struct CohesiveParameters {
  CohesiveMode normal;
  CohesiveMode tangential;         ///< equal to `normal` unless given
  std::vector<double> values{};    ///< values of the law's own scalar `parameters`, in their order
  std::vector<LawTable> tables{};  ///< values of the law's own tabular `parameters`, in their order

  bool operator==(const CohesiveParameters&) const = default;
};

}  // namespace cleave
