/// The section `cohesive` of the case file, which holds the numbers of cohesive laws: keys, units and ranges.
#pragma once

#include <optional>

#include "cleave/config/case.hpp"
#include "config/section.hpp"
#include "config/writer.hpp"

namespace cleave::config {

/// A map, or a list whose first entry holds for all facets that no other one names. Leaves `cohesive` empty where the
/// case file says that nothing breaks.
void read_cohesive(const Node& node, std::optional<CohesiveCase>& cohesive);

void write_cohesive(Writer& w, const std::optional<CohesiveCase>& c);

}  // namespace cleave::config
