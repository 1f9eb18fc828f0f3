#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cleave/output/sample_files.hpp"

namespace cleave {

LinesFile::LinesFile(const OutputDirectory& directory, std::vector<SampleLine> lines, std::size_t first)
    : lines_(std::move(lines)),
      first_(first),
      csv_(directory / "lines.csv", "step,time,line,s,x,y,ux,uy,vx,vy,sxx,syy,sxy") {}

void LinesFile::resume(Step step) {
  if (!lines_.empty()) csv_.resume([&](Step s) { return s >= 0 && s <= step; });
}

Step LinesFile::missing_rows(Step step) const {
  if (lines_.empty()) return 0;
  Step due = 0;
  for (const SampleLine& line : lines_) due += (step / line.every + 1) * static_cast<Step>(line.places.size());
  return due - static_cast<Step>(csv_.read([&](Step s) { return s >= 0 && s <= step; }).size());
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
      csv_.append(text);
    }
  }
}

}  // namespace cleave
