#include "config/csv_line.hpp"

#include <algorithm>
#include <cmath>

#include "config/number.hpp"
#include "config/tree.hpp"

namespace cleave::config {

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

std::optional<double> number_in(const std::string& piece) {
  Value value;
  value.kind = Value::Kind::scalar;
  value.text = piece;
  const auto number = to_number(value);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

}  // namespace cleave::config
