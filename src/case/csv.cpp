#include "case/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <sstream>
#include <string_view>

#include "case/tree.hpp"
#include "case/yaml_text.hpp"
#include "cleave/core/error.hpp"
#include "cleave/core/file_text.hpp"

namespace cleave::case_file {

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

std::vector<std::string> pieces_of(const std::string& line) {
  constexpr const char* separators = " \t\r,;";
  std::vector<std::string> pieces;
  for (std::size_t begin = line.find_first_not_of(separators); begin != std::string::npos;) {
    const std::size_t end = std::min(line.find_first_of(separators, begin), line.size());
    pieces.push_back(line.substr(begin, end - begin));
    begin = line.find_first_not_of(separators, end);
  }
  return pieces;
}

/// True for "5", "-.5", "1e-6s", "\"0\"", "NaN", "-inf"; false for "information".
bool begins_like_a_number(const std::string& piece) {
  const std::size_t first = piece.find_first_not_of("+-.\"'");
  if (first == std::string::npos) return false;
  if (std::isdigit(static_cast<unsigned char>(piece[first]))) return true;
  std::string word = piece.substr(first, piece.find_last_not_of("\"'") + 1 - first);
  for (char& letter : word) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return word == "nan" || word == "inf" || word == "infinity";
}

}  // namespace

bool next_line(std::istream& in, CsvLine& line) {
  while (std::getline(in, line.text)) {
    if (++line.number == 1 && line.text.starts_with(byte_order_mark)) line.text.erase(0, byte_order_mark.size());
    line.pieces = pieces_of(line.text);
    if (!line.pieces.empty() && line.pieces.front().front() != '#') return true;
  }
  return false;
}

std::optional<double> number_in(const std::string& piece) {
  Value value;
  value.kind = Value::Kind::scalar;
  value.text = piece;
  const auto number = to_number(value);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

bool are_names(const std::vector<std::string>& pieces) {
  return std::none_of(pieces.begin(), pieces.end(), begins_like_a_number);
}

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
