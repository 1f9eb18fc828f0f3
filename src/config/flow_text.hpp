/// Values as YAML on one line.
#pragma once

#include <string>

#include "config/tree.hpp"

namespace cleave::config {

/// Reading the text again gives the same value: `2.0e8`, `[8, 8]`, `{xx: 1}`. Nothing: an empty text.
std::string flow_text(const Value& value);

}  // namespace cleave::config
