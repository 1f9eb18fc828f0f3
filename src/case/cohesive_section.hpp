/// The section `cohesive` of the case file: cohesive laws with their keys, units and ranges.
#pragma once

#include <optional>

#include "case/section.hpp"
#include "case/writer.hpp"
#include "cleave/case/case.hpp"

namespace cleave::case_file {

/// Reads a map, or a list whose first entry holds for all facets that no other entry names. `cohesive` stays empty if
/// the case file disables fracture.
void read_cohesive(const Node& node, std::optional<CohesiveCase>& cohesive);

/// The key that only the gather assembly has, if the case gives it; null: none.
const char* key_of_gather(const std::optional<CohesiveCase>& c);

void write_cohesive(Writer& w, const std::optional<CohesiveCase>& c);

}  // namespace cleave::case_file
