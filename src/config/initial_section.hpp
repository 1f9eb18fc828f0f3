/// The section `initial` of the case file: the initial state.
#pragma once

#include "cleave/config/case.hpp"
#include "config/section.hpp"
#include "config/writer.hpp"

namespace cleave::config {

/// Reads a map, or a list of maps.
void read_initial(const Node& node, Case& c);

void write_initial(Writer& w, const Case& c);

}  // namespace cleave::config
