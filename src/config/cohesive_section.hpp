/// The section `cohesive` of the case file, which holds the numbers of cohesive laws: keys, units and ranges.
#pragma once

#include <optional>

#include "cleave/config/case.hpp"
#include "config/section.hpp"
#include "config/writer.hpp"

namespace cleave::config {

/// Leaves `cohesive` empty where the case file has no such section, or says that nothing breaks.
void read_cohesive(Section s, std::optional<CohesiveCase>& cohesive);

void write_cohesive(Writer& w, const CohesiveCase& c);

}  // namespace cleave::config
