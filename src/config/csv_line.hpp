/// Lines of a CSV file and their pieces.
#pragma once

#include <istream>
#include <optional>
#include <string>
#include <vector>

namespace cleave::config {

/// A line of a CSV file with something in it.
struct CsvLine {
  std::string text;
  int number = 0;                   ///< from 1
  std::vector<std::string> pieces;  ///< separated by commas, semicolons or blanks
};

/// Goes to the next line that is neither empty nor begins with #; false: there is none. `line` is that before, or new.
/// The byte-order mark with which spreadsheets begin UTF-8 is passed over.
bool next_line(std::istream& in, CsvLine& line);

/// The finite number that a piece is.
std::optional<double> number_in(const std::string& piece);

/// Whether a line can name columns: no piece begins like a number, or is "nan" or "inf".
bool are_names(const std::vector<std::string>& pieces);

}  // namespace cleave::config
