/// The section `output` of the case file: kind, place and times of the output.
#pragma once

#include "case/section.hpp"
#include "cleave/case/case.hpp"

namespace cleave::case_file {

void read_output(Section s, Case& whole);

}  // namespace cleave::case_file
