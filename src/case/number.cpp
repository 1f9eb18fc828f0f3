#include "case/number.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

namespace cleave::case_file {

std::optional<double> to_number(const Value& value) {
  if (value.kind != Value::Kind::scalar || value.quoted || value.text.empty()) return std::nullopt;
  std::string_view text = value.text;
  const double sign = text.front() == '-' ? -1.0 : 1.0;
  if (text.front() == '+' || text.front() == '-') text.remove_prefix(1);
  if (text == ".inf" || text == ".Inf" || text == ".INF" || text == "inf") {
    return sign * std::numeric_limits<double>::infinity();
  }
  if (text == ".nan" || text == ".NaN" || text == ".NAN" || text == "nan") {
    return std::numeric_limits<double>::quiet_NaN();
  }
  const bool digit_first = !text.empty() && (text.front() == '.' || (text.front() >= '0' && text.front() <= '9'));
  if (!digit_first) return std::nullopt;

  double number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (stop != text.data() + text.size() || error == std::errc::invalid_argument) return std::nullopt;
  if (error == std::errc::result_out_of_range) {
    const bool tiny = text.find("e-") != text.npos || text.find("E-") != text.npos;
    number = tiny ? 0.0 : std::numeric_limits<double>::infinity();
  }
  return sign * number;
}

std::string number_text(double number) {
  std::array<char, 32> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr;
  std::string text(buffer.data(), end);
  const std::size_t exponent = text.find('e');
  if (exponent != text.npos && text.find('.') == text.npos) text.insert(exponent, ".0");
  return text;
}

}  // namespace cleave::case_file
