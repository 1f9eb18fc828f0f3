/// CSV files: their lines and values, and load curves.
#pragma once

#include <filesystem>
#include <istream>
#include <optional>
#include <string>
#include <utility>
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

/// Largest number of rows of such a file: the resolved case contains all of them.
inline constexpr std::size_t most_curve_points = 100'000;

/// Reads times in s and values from a CSV file with two columns, separated by a comma, a semicolon or blanks; times
/// must increase. Skips empty lines, lines that begin with #, and one line of column names before the first row. Throws
/// InputError that names file, line and error.
std::vector<std::pair<double, double>> read_curve_file(const std::filesystem::path& file);

}  // namespace cleave::case_file
