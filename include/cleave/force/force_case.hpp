/// A force of a user's own in the case file. SI units.
#pragma once

#include <string>
#include <vector>

#include "cleave/material/law_table.hpp"

namespace cleave {

/// An entry of `forces`: a law and its parameters, whose keys are siblings of `law`.
struct ForceCase {
  std::string law;
  std::string on;                  ///< name of the group on whose nodes it acts; empty: on all
  std::vector<double> values{};    ///< values of the law's own scalar `parameters`, in their order
  std::vector<LawTable> tables{};  ///< values of the law's own tabular `parameters`, in their order
  int line = 0;                    ///< in the case file, for messages
  double stiffness = 0;  ///< largest one of its springs over the mass that they act on, 1/s^2; see apply_forces
};

/// Largest number of entries: a node has a bit for each.
inline constexpr std::size_t most_forces = 8;

}  // namespace cleave
