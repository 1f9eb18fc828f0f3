#include "cleave/output/text.hpp"

#include <fmt/format.h>

#include <cmath>

namespace cleave {

std::string with_thousands(std::int64_t n) {
  std::string text = std::to_string(n);
  for (std::ptrdiff_t at = std::ssize(text) - 3; at > (n < 0 ? 1 : 0); at -= 3) text.insert(at, 1, ',');
  return text;
}

std::string as_bytes(double bytes) {
  if (bytes < 1024) return fmt::format("{:.0f} B", bytes);
  const char* unit = "";
  for (const char* next : {"KiB", "MiB", "GiB", "TiB"}) {
    if (bytes < 1024) break;
    bytes /= 1024;
    unit = next;
  }
  return fmt::format("{:.1f} {}", bytes, unit);
}

std::string as_duration(double seconds) {
  if (seconds < 10) return fmt::format("{:.2f} s", seconds);
  if (seconds < 60) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  const auto minutes = whole / 60;
  if (minutes < 60) return fmt::format("{}:{:02}", minutes, whole % 60);
  return fmt::format("{}:{:02}:{:02}", minutes / 60, minutes % 60, whole % 60);
}

std::string csv_field(std::string text) {
  if (text.find_first_of(",\"\n") == text.npos) return text;
  for (std::size_t at = 0; (at = text.find('"', at)) != text.npos; at += 2) text.insert(at, 1, '"');
  return '"' + text + '"';
}

}  // namespace cleave
