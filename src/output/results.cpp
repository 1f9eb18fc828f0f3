#include "cleave/output/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cleave/output/files.hpp"
#include "cleave/output/output_file.hpp"

namespace cleave {

Results::Results(std::filesystem::path directory, std::vector<Index> original_elements)
    : directory_(std::move(directory)),
      original_elements_(std::move(original_elements)),
      history_(directory_),
      fragments_csv_(directory_ / "fragments.csv", fragments_header()) {}

std::vector<std::string> Results::missing(const Checkpoint& checkpoint) const {
  std::vector<std::string> missing;
  const std::vector<Frame>& frames = checkpoint.written.frames;
  const Step rows = history_.rows_on_disk_before(checkpoint.step);
  if (rows < checkpoint.written.rows)
    missing.push_back(
        fmt::format("{} of the {} rows of history.csv", checkpoint.written.rows - rows, checkpoint.written.rows));
  for (std::size_t i = 0; i < frames.size(); ++i) {
    for (const char* series : {"bulk", "cracks"}) {
      if (!std::filesystem::exists(directory_ / frame_name(series, i))) missing.push_back(frame_name(series, i));
    }
  }
  std::set<Step> steps;
  fragments_csv_.read([&](Step step) { return steps.insert(step).second; });
  for (const Frame& frame : frames) {
    if (!steps.contains(frame.step)) missing.push_back(fmt::format("step {} of fragments.csv", frame.step));
  }
  return missing;
}

void Results::resume(const Checkpoint& checkpoint, const Schedule& schedule) {
  frames_ = checkpoint.written.frames;
  history_.resume(checkpoint.step, schedule.history_due(checkpoint.step));
  fragments_csv_.resume([&](Step step) {
    return std::any_of(frames_.begin(), frames_.end(), [&](const Frame& frame) { return frame.step == step; });
  });
  for (const auto& file : result_files(directory_)) {
    const std::string name = file.filename().string();
    const long long frame = std::max(number_in_name(name, "bulk_", ".vtu"), number_in_name(name, "cracks_", ".vtu"));
    // A checkpoint after this one is a broken one, or this would not be the newest.
    const bool is_later_checkpoint = number_in_name(name, "checkpoint_", ".bin") > checkpoint.step;
    if (frame >= static_cast<long long>(frames_.size()) || is_later_checkpoint || is_temporary(file))
      std::filesystem::remove(file);
  }
  write_time_series(directory_, "bulk", frames_);
  write_time_series(directory_, "cracks", frames_);
}

void Results::add(const Snapshot& snapshot) {
  write_bulk(directory_ / frame_name("bulk", frames_.size()), snapshot, original_elements_);
  write_cracks(directory_ / frame_name("cracks", frames_.size()), snapshot);
  fragments_ = find_fragments(snapshot, original_elements_);
  for (const Fragment& fragment : fragments_) {
    fragments_csv_.append(fragments_row(snapshot.step, snapshot.time, fragment));
  }
  fragments_csv_.flush();
  flush();
  frames_.push_back({snapshot.step, snapshot.time});
  write_time_series(directory_, "bulk", frames_);
  write_time_series(directory_, "cracks", frames_);
}

}  // namespace cleave
