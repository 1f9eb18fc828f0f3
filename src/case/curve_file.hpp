/// Load curves in CSV files.
#pragma once

#include <filesystem>
#include <utility>
#include <vector>

namespace cleave::case_file {

/// Largest number of rows of such a file: the resolved case contains all of them.
inline constexpr std::size_t most_curve_points = 100'000;

/// Reads times in s and values from a CSV file with two columns, separated by a comma, a semicolon or blanks; times
/// must increase. Skips empty lines, lines that begin with #, and one line of column names before the first row. Throws
/// InputError that names file, line and error.
std::vector<std::pair<double, double>> read_curve_file(const std::filesystem::path& file);

}  // namespace cleave::case_file
