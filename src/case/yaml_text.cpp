#include "case/yaml_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
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

namespace {

/// Whether a text needs no quotes: numbers and plain words.
bool is_plain(const std::string& text) {
  const auto harmless = [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '.' || c == '/' || c == '+' || c == '-' || c >= 0x80;
  };
  const bool word = !text.empty() && text.front() != '-' && std::all_of(text.begin(), text.end(), harmless);
  const bool negative = text.size() > 1 && text.front() == '-' && is_plain(text.substr(1));
  return (word || negative) && text != "null" && text != "Null" && text != "NULL";
}

std::string in_quotes(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    const bool control = static_cast<unsigned char>(c) < 0x20;
    quoted += control ? fmt::format("\\x{:02x}", static_cast<unsigned char>(c)) : std::string(1, c);
  }
  return quoted + '"';
}

}  // namespace

std::string flow_text(const std::string& text) { return is_plain(text) ? text : in_quotes(text); }

std::string flow_text(const Value& value) {
  std::string text;
  const auto separate = [&] { text += text.size() > 1 ? ", " : ""; };
  switch (value.kind) {
    case Value::Kind::nothing:
      return "";
    case Value::Kind::scalar:
      return value.quoted ? in_quotes(value.text) : flow_text(value.text);
    case Value::Kind::list:
      text = "[";
      for (const Value& item : value.items) {
        separate();
        text += item.kind == Value::Kind::nothing ? "null" : flow_text(item);
      }
      return text + "]";
    case Value::Kind::map:
      text = "{";
      for (const Entry& entry : value.entries) {
        separate();
        text += fmt::format("{}: {}", flow_text(entry.key), flow_text(entry.value));
      }
      return text + "}";
  }
  return text;
}

}  // namespace cleave::case_file
