#include "case/csv_line.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string_view>

#include "case/number.hpp"
#include "case/tree.hpp"

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

}  // namespace cleave::case_file
