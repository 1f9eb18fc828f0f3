#include "cleave/output/sample_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace cleave {
namespace {

std::function<bool(Step)> until(Step step) {
  return [step](Step s) { return s >= 0 && s <= step; };
}

}  // namespace

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
  if (!probes_.empty()) csv_.resume(until(step));
}

Step ProbesFile::missing_rows(Step step) const {
  if (probes_.empty()) return 0;
  Step missing = 0;
  for (Step s = 0; s <= step; ++s) missing += due(s);
  return missing - std::ssize(csv_.read(until(step)));
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

LinesFile::LinesFile(const OutputDirectory& directory, std::vector<SampleLine> lines, std::size_t first)
    : lines_(std::move(lines)),
      first_(first),
      touches_(std::any_of(lines_.begin(), lines_.end(), [](const SampleLine& line) { return line.touches; })),
      csv_(directory / "lines.csv",
           std::string("step,time,line,s,x,y,ux,uy,vx,vy,sxx,syy,sxy") + (touches_ ? ",contact_pressure" : "")) {}

void LinesFile::resume(Step step) {
  if (!lines_.empty()) csv_.resume(until(step));
}

Step LinesFile::missing_rows(Step step) const {
  if (lines_.empty()) return 0;
  Step due = 0;
  for (const SampleLine& line : lines_) due += (step / line.every + 1) * static_cast<Step>(line.places.size());
  return due - std::ssize(csv_.read(until(step)));
}

void LinesFile::append(const ProbeRow& row) {
  std::size_t next = first_;
  for (const SampleLine& line : lines_) {
    const std::size_t begin = std::exchange(next, next + line.places.size());
    if (row.step % line.every != 0) continue;
    for (std::size_t i = 0; i < line.places.size(); ++i) {
      const auto& [s, at] = line.places[i];
      const ProbeValues& p = row.probes.at(begin + i);
      std::string text = fmt::format("{},{:.17g},{}", row.step, row.time, line.name);
      for (const double value : {s, at.x, at.y, p.ux, p.uy, p.vx, p.vy, p.sxx, p.syy, p.sxy})
        text += fmt::format(",{:.17g}", value);
      if (touches_) text += line.touches ? fmt::format(",{:.17g}", p.contact_pressure) : ",";
      csv_.append(text);
    }
  }
}

}  // namespace cleave
