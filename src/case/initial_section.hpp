/// The section `initial` of the case file: the initial state.
#pragma once

#include "case/section.hpp"
#include "case/writer.hpp"
#include "cleave/case/case.hpp"

namespace cleave::case_file {

/// Reads a map, or a list of maps.
void read_initial(const Node& node, Case& c);

void write_initial(Writer& w, const Case& c);

}  // namespace cleave::case_file
