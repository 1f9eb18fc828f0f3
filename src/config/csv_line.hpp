/// The pieces of a line of a CSV file.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace cleave::config {

/// Separated by commas, semicolons or blanks.
std::vector<std::string> pieces_of(const std::string& line);

/// The finite number that a piece is.
std::optional<double> number_in(const std::string& piece);

}  // namespace cleave::config
