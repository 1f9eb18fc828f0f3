/// The section `output` of the case file: what is written, where and when.
#pragma once

#include "cleave/config/case.hpp"
#include "config/section.hpp"

namespace cleave::config {

void read_output(Section s, Case& whole);

}  // namespace cleave::config
