/// Load curves in CSV files.
#pragma once

#include <filesystem>
#include <utility>
#include <vector>

namespace cleave::config {

/// Rows of such a file at most: all of them stand in the resolved case.
inline constexpr std::size_t most_curve_points = 100'000;

/// Times in s and values of a CSV file: two columns, separated by a comma, a semicolon or blanks; times increase. Empty
/// lines, lines that begin with #, and one line of names before the first row, none of which begins like a number, are
/// passed over.
/// Throws InputError that names file, line and what is wrong with it.
std::vector<std::pair<double, double>> read_curve_file(const std::filesystem::path& file);

}  // namespace cleave::config
