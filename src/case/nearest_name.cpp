#include "cleave/core/nearest_name.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace cleave {
namespace {

/// Optimal string alignment distance: edits and swaps of neighbours; no letter is edited twice.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

}  // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
  std::string nearest;
  std::size_t least = name.size();  // with more edits than letters, any name would be near a short one
  for (const std::string& candidate : candidates) {
    const std::size_t longer = std::max(name.size(), candidate.size());
    const std::size_t shorter = std::min(name.size(), candidate.size());
    if (longer - shorter > longer / 3 + 1) continue;  // the distance is at least the difference in length
    const std::size_t distance = edit_distance(name, candidate);
    if (distance <= std::max<std::size_t>(1, longer / 3) && distance < shorter && distance < least) {
      nearest = candidate;
      least = distance;
    }
  }
  return nearest;
}

std::string suggest_name(std::string_view name, const std::vector<std::string>& candidates) {
  const std::string nearest = nearest_name(name, candidates);
  if (!nearest.empty()) return fmt::format("did you mean \"{}\"?", nearest);
  if (candidates.empty()) return "there are none";
  return fmt::format("valid names: {}", fmt::join(candidates, ", "));
}

}  // namespace cleave
