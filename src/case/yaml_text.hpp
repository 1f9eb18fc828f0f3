/// Numbers and other values from and to YAML text, without loss.
#pragma once

#include <optional>
#include <string>

#include "case/tree.hpp"

namespace cleave::case_file {

/// The number of an unquoted scalar: `7850`, `210.0e9`, `+3e-9`, `.inf`, `.nan`; empty for text, lists and maps.
/// Numbers beyond the range of double are infinite.
std::optional<double> to_number(const Value& value);
inline bool is_number(const Value& value) { return to_number(value).has_value(); }

/// The shortest text that reads back as the same double. Texts with an exponent have a decimal point; otherwise other
/// YAML readers take `3e-09` for text.
std::string number_text(double number);

/// A value as flow-style YAML that reads back as the same value: `2.0e8`, `[8, 8]`, `{xx: 1}`; an empty text for no
/// value.
std::string flow_text(const Value& value);

/// A text, in quotes if it would otherwise be read as something else.
std::string flow_text(const std::string& text);

}  // namespace cleave::case_file
