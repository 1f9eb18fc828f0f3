#include "case/curve_file.hpp"

#include <fmt/format.h>

#include <optional>
#include <sstream>
#include <string>
#include <utility>

#include "case/csv_line.hpp"
#include "cleave/core/error.hpp"
#include "cleave/core/file_text.hpp"

namespace cleave::case_file {
namespace {

constexpr std::uintmax_t most_bytes = 16'000'000;

/// A line, shortened for messages.
std::string shown(const std::string& line) {
  constexpr std::size_t most = 40;
  return line.size() <= most ? line : line.substr(0, most) + "...";
}

}  // namespace

std::vector<std::pair<double, double>> read_curve_file(const std::filesystem::path& file) {
  std::istringstream in;
  try {
    in.str(file_text(file, most_bytes, "a curve (CSV)"));
  } catch (const InputError& wrong) {
    throw InputError(fmt::format("{}: {}", wrong.what(), file.string()));
  }

  std::vector<std::pair<double, double>> points;
  bool names_may_come = true;
  for (CsvLine line; next_line(in, line);) {
    const std::vector<std::string>& pieces = line.pieces;
    if (std::exchange(names_may_come, false) && are_names(pieces)) continue;
    const auto error = [&](const std::string& what) {
      return InputError(fmt::format("{}:{}: {}", file.string(), line.number, what));
    };
    const auto time = number_in(pieces.front()), value = number_in(pieces.back());
    if (pieces.size() != 2 || !time || !value)
      throw error(fmt::format("expected a time and a value, found \"{}\"", shown(line.text)));
    if (!points.empty() && *time <= points.back().first)
      throw error(fmt::format("times must increase, found {} after {}", *time, points.back().first));
    if (points.size() == most_curve_points)
      throw error(fmt::format("more than {} rows: leave some out", most_curve_points));
    points.emplace_back(*time, *value);
  }
  if (points.empty()) throw InputError(fmt::format("{} has no row with a time and a value", file.string()));
  return points;
}

}  // namespace cleave::case_file
