/// Lines of a CSV file and their values.
#pragma once

#include <istream>
#include <optional>
#include <string>
#include <vector>

namespace cleave::case_file {

/// A line of a CSV file that is not empty.
struct CsvLine {
  std::string text;
  int number = 0;                   ///< from 1
  std::vector<std::string> pieces;  ///< values, separated by commas, semicolons or blanks
};

/// Advances `line` to the next line that is neither empty nor begins with #; initially `line` is new. Returns false at
/// the end. Skips the byte-order mark at the start of UTF-8 files from spreadsheets.
bool next_line(std::istream& in, CsvLine& line);

/// The finite number that a value spells; empty if it spells none.
std::optional<double> number_in(const std::string& piece);

/// Whether a line can name columns: no value begins like a number, nor is it "nan" or "inf".
bool are_names(const std::vector<std::string>& pieces);

}  // namespace cleave::case_file
