#include "cleave/output/results.hpp"

#include <algorithm>

#include "cleave/output/files.hpp"

namespace cleave {

Writers share_among_frames(int threads) {
  constexpr int threads_of_a_frame = 4, most_frames = 4, most_threads_each = 8;
  const int frames = std::clamp(threads / threads_of_a_frame, 1, most_frames);
  return {frames, std::clamp(threads / frames, 1, most_threads_each)};
}

Results::Results(const OutputCase& output, std::vector<Index> original_elements, Writers writers)
    : output_(output),
      original_elements_(std::move(original_elements)),
      choice_{output.real, output.fields, writers.threads_each},
      history_(directory()),
      fragments_csv_(directory() / "fragments.csv", fragments_header()),
      queue_(writers.frames) {}

void Results::resume(const Checkpoint& checkpoint, const Schedule& schedule) {
  frames_ = checkpoint.frames;
  history_.resume(checkpoint.step, schedule.history_due(checkpoint.step));
  fragments_csv_.resume([&](Step step) {
    return std::any_of(frames_.begin(), frames_.end(), [&](const Frame& frame) { return frame.step == step; });
  });
  for (const auto& file : result_files(directory())) {
    const std::string name = file.filename().string();
    const long long frame = std::max(number_in_name(name, "bulk_", ".vtu"), number_in_name(name, "cracks_", ".vtu"));
    // A checkpoint after this one is a broken one, or this would not be the newest.
    const bool is_later_checkpoint = number_in_name(name, "checkpoint_", ".bin") > checkpoint.step;
    if (frame >= static_cast<long long>(frames_.size()) || is_later_checkpoint) std::filesystem::remove(file);
  }
  added_ = frames_.size();
  write_time_series(directory(), "bulk", frames_);
  write_time_series(directory(), "cracks", frames_);
}

void Results::add(PendingSnapshot state) {
  flush();
  queue_.add([this, state = std::move(state), number = added_]() mutable {
    const Snapshot snapshot = state(choice_.threads);
    state = nullptr;  // the copy it was made from
    return write(snapshot, number);
  });
  ++added_;
}

/// The files of one frame. Runs on several threads at the same time.
OrderedQueue::Finish Results::write(const Snapshot& snapshot, std::size_t number) {
  const std::vector<Index> ids = fragment_ids(snapshot, original_elements_);
  write_vtu(directory() / frame_name("bulk", number), bulk_grid(snapshot, original_elements_, ids, choice_),
            output_.compression, choice_.threads);
  write_vtu(directory() / frame_name("cracks", number), cracks_grid(snapshot, choice_), output_.compression,
            choice_.threads);
  return [this, frame = Frame{snapshot.step, snapshot.time}, fragments = find_fragments(snapshot, ids)] {
    list(frame, fragments);
  };
}

/// What names all frames, once the files of this one are there.
void Results::list(Frame frame, std::vector<Fragment> fragments) {
  fragments_ = std::move(fragments);
  for (const Fragment& fragment : fragments_)
    fragments_csv_.append(fragments_row(frame.step, frame.time, fragment));
  fragments_csv_.flush();
  frames_.push_back(frame);
  write_time_series(directory(), "bulk", frames_);
  write_time_series(directory(), "cracks", frames_);
}

}  // namespace cleave
