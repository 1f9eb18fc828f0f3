#include "config/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cleave/core/error.hpp"

namespace cleave::config {

void Report::add(const Place& place, const std::string& path, const std::string& message) {
  std::string source = file_;
  if (!place.overriding.empty()) {
    source = fmt::format("--set {}", place.overriding);
  } else if (place.line > 0) {
    source = fmt::format("{}:{}", file_, place.line);
  }
  errors_.push_back({place, fmt::format("{}: {}{}{}", source, path, path.empty() ? "" : ": ", message)});
}

void Report::throw_if_any() const {
  if (errors_.empty()) return;
  auto sorted = errors_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Error& a, const Error& b) {
    return std::pair(!a.place.overriding.empty(), a.place.line) < std::pair(!b.place.overriding.empty(), b.place.line);
  });
  std::string text;
  for (const Error& error : sorted) text += error.text + '\n';
  throw InputError(text + fmt::format("{}: {} error{}", file_, sorted.size(), sorted.size() == 1 ? "" : "s"));
}

}  // namespace cleave::config
