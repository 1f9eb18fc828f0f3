/// Numbers in YAML text: from characters and back without loss.
#pragma once

#include <optional>
#include <string>

#include "config/tree.hpp"

namespace cleave::config {

/// The number that an unquoted scalar stands for: `7850`, `210.0e9`, `+3e-9`, `.inf`, `.nan`. Text, lists, maps: none.
/// What is too large for a double is infinite.
std::optional<double> to_number(const Value& value);
inline bool is_number(const Value& value) { return to_number(value).has_value(); }

/// The shortest text that reads back as the same double. It has a decimal point where it has an exponent, without
/// which other YAML readers take `3e-09` for text.
std::string number_text(double number);

}  // namespace cleave::config
