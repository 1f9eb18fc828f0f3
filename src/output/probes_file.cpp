#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cleave/output/sample_files.hpp"

namespace cleave {

std::string probes_header(const std::vector<ProbeCase>& probes, bool random_strength) {
  std::string header = "step,time";
  for (const ProbeCase& probe : probes) {
    for (const char* value : {"ux", "uy", "vx", "vy", "sxx", "syy", "sxy"})
      header += fmt::format(",{}.{}", probe.name, value);
    if (random_strength) header += fmt::format(",{}.strength_scale", probe.name);
  }
  return header;
}

ProbesFile::ProbesFile(const OutputDirectory& directory, std::vector<ProbeCase> probes, bool random_strength)
    : probes_(std::move(probes)),
      random_strength_(random_strength),
      csv_(directory / "probes.csv", probes_header(probes_, random_strength)) {}

bool ProbesFile::due(Step step) const {
  return std::any_of(probes_.begin(), probes_.end(), [&](const ProbeCase& probe) { return step % probe.every == 0; });
}

void ProbesFile::resume(Step step) {
  if (!probes_.empty()) csv_.resume([&](Step s) { return s >= 0 && s <= step; });
}

Step ProbesFile::missing_rows(Step step) const {
  if (probes_.empty()) return 0;
  Step missing = 0;
  for (Step s = 0; s <= step; ++s) missing += due(s);
  return missing - static_cast<Step>(csv_.read([&](Step s) { return s >= 0 && s <= step; }).size());
}

void ProbesFile::append(const ProbeRow& row) {
  if (!due(row.step)) return;
  std::string text = fmt::format("{},{:.17g}", row.step, row.time);
  for (std::size_t i = 0; i < probes_.size(); ++i) {
    const ProbeValues& p = row.probes.at(i);
    const bool shown = row.step % probes_[i].every == 0;
    for (const double value : {p.ux, p.uy, p.vx, p.vy, p.sxx, p.syy, p.sxy})
      text += shown ? fmt::format(",{:.17g}", value) : ",";
    if (random_strength_) text += shown ? fmt::format(",{:.17g}", p.strength_scale) : ",";
  }
  csv_.append(text);
}

}  // namespace cleave
