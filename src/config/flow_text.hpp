/// Values as YAML on one line.
#pragma once

#include <string>

#include "config/tree.hpp"

namespace cleave::config {

/// Reading the text again gives the same value: `2.0e8`, `[8, 8]`, `{xx: 1}`. Nothing: an empty text.
std::string flow_text(const Value& value);

/// A text, in quotes where it would be read as something else without them.
std::string flow_text(const std::string& text);

}  // namespace cleave::config
