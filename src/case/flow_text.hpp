/// Values as YAML on one line.
#pragma once

#include <string>

#include "case/tree.hpp"

namespace cleave::case_file {

/// A value as flow-style YAML that reads back as the same value: `2.0e8`, `[8, 8]`, `{xx: 1}`; an empty text for no
/// value.
std::string flow_text(const Value& value);

/// A text, in quotes if it would otherwise be read as something else.
std::string flow_text(const std::string& text);

}  // namespace cleave::case_file
