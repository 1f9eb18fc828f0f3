/// The section `output` of the case file: kind, place and times of the output.
#pragma once

#include "cleave/config/case.hpp"
#include "config/section.hpp"

namespace cleave::config {

void read_output(Section s, Case& whole);

}  // namespace cleave::config
