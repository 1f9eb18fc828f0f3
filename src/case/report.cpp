#include <fmt/format.h>

#include <algorithm>

#include "case/tree.hpp"
#include "cleave/core/error.hpp"

namespace cleave::case_file {

std::string shortened(const std::string& text) {
  constexpr std::size_t most = 80;
  if (text.size() <= most) return text;
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // do not cut a character
  return text.substr(0, end) + "...";
}

void Report::add(const Place& place, const std::string& path, const std::string& message) {
  errors_.push_back({place, text_of(place, path, message)});
}

std::string Report::text_of(const Place& place, const std::string& path, const std::string& message) const {
  std::string source = file_;
  if (!place.overriding.empty()) {
    source = fmt::format("--set {}", shortened(place.overriding));
  } else if (place.line > 0) {
    source = fmt::format("{}:{}", file_, place.line);
  }
  return fmt::format("{}: {}{}{}", source, path, path.empty() ? "" : ": ", message);
}

void Report::throw_if_any() const {
  if (errors_.empty()) return;
  auto sorted = errors_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Error& a, const Error& b) {
    return std::pair(!a.place.overriding.empty(), a.place.line) < std::pair(!b.place.overriding.empty(), b.place.line);
  });
  constexpr std::size_t most = 1000;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, sorted.size()); ++i) text += sorted[i].text + '\n';
  if (sorted.size() > most) text += fmt::format("{}: and {} more\n", file_, sorted.size() - most);
  throw InputError(text + fmt::format("{}: {} error{}", file_, sorted.size(), sorted.size() == 1 ? "" : "s"));
}

}  // namespace cleave::case_file
