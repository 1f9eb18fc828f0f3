#include "case/flow_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace cleave::case_file {
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
