#include <algorithm>
#include <limits>

#include "mesh/io/abaqus.hpp"

namespace cleave {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

std::vector<std::string_view> parts_of(std::string_view line) {
  std::vector<std::string_view> parts;
  while (true) {
    const auto comma = line.find(',');
    parts.push_back(trimmed(line.substr(0, comma)));
    if (comma == line.npos) break;
    line.remove_prefix(comma + 1);
  }
  if (parts.back().empty()) parts.pop_back();
  return parts;
}

std::string_view without_quotes(std::string_view text) {
  return text.size() >= 2 && text.front() == '"' && text.back() == '"' ? text.substr(1, text.size() - 2) : text;
}

}  // namespace

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return out;
}

bool AbaqusKeyword::has(std::string_view parameter) const {
  return std::any_of(parameters.begin(), parameters.end(), [&](const auto& p) { return p.first == parameter; });
}

std::string AbaqusKeyword::value(std::string_view parameter) const {
  const auto found =
      std::find_if(parameters.begin(), parameters.end(), [&](const auto& p) { return p.first == parameter; });
  return found == parameters.end() ? "" : found->second;
}

bool AbaqusLines::next() {
  if (peeked_) {
    peeked_ = false;
    return true;
  }
  while (file_.next()) {
    line_ = trimmed(file_.line());
    if (!line_.starts_with("**")) return true;
  }
  return false;
}

AbaqusKeyword AbaqusLines::keyword() {
  AbaqusKeyword keyword;
  keyword.place = file_.place();
  std::vector<std::string_view> parts = parts_of(line_);
  while (continues() && next()) {
    // A comma too many ends some keyword lines: data begin with a number.
    peeked_ = line_.find_first_of("*0123456789+-.") == 0;
    if (peeked_) break;
    for (const std::string_view part : parts_of(line_)) parts.push_back(part);
  }
  keyword.name = upper(parts.front().substr(1));
  std::erase_if(keyword.name, [](char c) { return c == ' ' || c == '\t'; });
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const auto equals = std::min(parts[i].find('='), parts[i].size());
    const std::string_view value = parts[i].substr(std::min(equals + 1, parts[i].size()));
    keyword.parameters.emplace_back(upper(trimmed(parts[i].substr(0, equals))), without_quotes(trimmed(value)));
  }
  return keyword;
}

std::vector<std::string_view> AbaqusLines::values() const {
  std::vector<std::string_view> values = parts_of(line_);
  for (std::string_view& value : values) value = without_quotes(value);
  return values;
}

std::int64_t AbaqusLines::id(std::string_view value, std::string_view what) const {
  Words words(value);
  Index id = 0;
  if (words.read(id) && id > 0 && words.next().empty()) return id;
  file_.fail_numbers(words,
                     fmt::format("expected {}, a whole number from 1 on, found '{}'", what, value.substr(0, 40)));
}

double AbaqusLines::real(std::string_view value, std::string_view what) const {
  if (value.empty()) return 0;
  std::string text(value.substr(0, 80));
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == 'd' || c == 'D'; }, 'e');  // Fortran's 1.0D-3
  Words words(text);
  double number = 0;
  if (words.read(number) && words.next().empty()) return number;
  file_.fail(fmt::format("expected {}, a number, found '{}'", what, value.substr(0, 40)));
}

}  // namespace cleave
