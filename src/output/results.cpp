#include "cleave/output/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <future>
#include <map>

#include "cleave/core/machine.hpp"
#include "cleave/output/files.hpp"
#include "cleave/output/output_file.hpp"

namespace cleave {

Writers share_among_frames(int threads, const CopiedFrom& from) {
  constexpr int threads_of_a_frame = 2, most_frames = 8, most_shared = 32;
  return {std::clamp(threads / threads_of_a_frame, 1, most_frames), std::clamp(threads, 1, most_shared), from};
}

namespace {

std::string frame_file(const std::string& series, const Frame& frame) {
  return frame_name(series, static_cast<std::size_t>(frame.number));
}

/// Some chunks for each thread, but no more empty rows at the end of a frame than its size allows.
std::size_t rows_of_chunks(std::size_t elements) {
  return std::clamp(std::bit_floor(elements / 8 + 1), std::size_t{256}, std::size_t{16384});
}

}  // namespace

Results::Results(const OutputCase& output, const Mesh& mesh, Writers writers, const std::vector<std::string>& groups,
                 bool random_strength, std::vector<SampleLine> lines)
    : output_(output),
      mesh_(mesh),
      choice_(choice_of(output)),
      threads_(writers.threads),
      in_flight_(writers.in_flight()),
      from_(writers.from),
      history_(directory(), groups),
      probes_(directory(), output_.probes, random_strength),
      lines_(directory(), std::move(lines), output_.probes.size()),
      fragments_csv_(directory() / "fragments.csv", fragments_header()),
      queue_(writers.frames) {
  if (output_.format != OutputFormat::vtkhdf) return;
  const std::size_t rows = rows_of_chunks(static_cast<std::size_t>(mesh_.element_count()));
  bulk_.emplace(directory() / "bulk.vtkhdf", output_.compression, rows);
  cracks_.emplace(directory() / "cracks.vtkhdf", output_.compression, rows);
}

std::vector<std::string> Results::missing(const Checkpoint& checkpoint) const {
  std::vector<std::string> missing;
  const std::vector<Frame>& frames = checkpoint.written.frames;
  const Step rows = history_.rows_on_disk_before(checkpoint.step);
  if (rows < checkpoint.written.rows)
    missing.push_back(
        fmt::format("{} of the {} rows of history.csv", checkpoint.written.rows - rows, checkpoint.written.rows));
  if (const Step lost = probes_.missing_rows(checkpoint.step); lost > 0)
    missing.push_back(fmt::format("{} rows of probes.csv", lost));
  if (const Step lost = lines_.missing_rows(checkpoint.step); lost > 0)
    missing.push_back(fmt::format("{} rows of lines.csv", lost));
  const auto look_for = [&](const std::string& name) {
    if (!std::filesystem::exists(directory() / name)) missing.push_back(name);
  };
  for (const std::string series : {"bulk", "cracks"}) {
    const auto& hdf = series == "bulk" ? bulk_ : cracks_;
    for (std::size_t i = 0; !hdf && i < frames.size(); ++i) look_for(frame_file(series, frames[i]));
    if (!hdf || frames.empty()) continue;
    const std::string name = series + ".vtkhdf";
    const std::size_t found = std::filesystem::exists(directory() / name) ? hdf->frames() : 0;
    if (found < frames.size())
      missing.push_back(fmt::format("{} of the {} frames of {}", frames.size() - found, frames.size(), name));
  }
  std::map<Step, std::int64_t> rows_of;
  fragments_csv_.read([&](Step step) { return ++rows_of[step] == 1; });
  for (const Frame& frame : frames)
    if (rows_of[frame.step] < frame.fragments) missing.push_back(fmt::format("step {} of fragments.csv", frame.step));
  return missing;
}

void Results::resume(const Checkpoint& checkpoint, const Schedule& schedule) {
  frames_ = checkpoint.written.frames;
  // A run that is led on beyond its end has no frame there, unless other frames are of other periods, too.
  const auto is_due = [&](const Frame& frame) { return schedule.fields_due(frame.step); };
  if (!frames_.empty() && frames_.back().step == checkpoint.step && !is_due(frames_.back()) &&
      std::all_of(frames_.begin(), frames_.end() - 1, is_due))
    frames_.pop_back();
  for (const auto* series : {&bulk_, &cracks_})
    if (*series) (*series)->check_has(frames_.size());  // before anything is touched
  next_number_ = frames_.empty() ? 0 : frames_.back().number + 1;
  history_.resume(checkpoint.step, schedule.history_due(checkpoint.step));
  probes_.resume(checkpoint.step);
  lines_.resume(checkpoint.step);
  fragments_csv_.resume([&](Step step) {
    return std::any_of(frames_.begin(), frames_.end(), [&](const Frame& frame) { return frame.step == step; });
  });
  // Whoever goes on without frames that are gone has lists without them.
  const auto is_gone = [&](const Frame& frame) {
    return !bulk_ && (!std::filesystem::exists(directory() / frame_file("bulk", frame)) ||
                      !std::filesystem::exists(directory() / frame_file("cracks", frame)));
  };
  std::erase_if(frames_, is_gone);
  for (const auto& file : result_files(directory())) {
    const std::string name = file.filename().string();
    const long long frame = std::max(number_in_name(name, "bulk_", ".vtu"), number_in_name(name, "cracks_", ".vtu"));
    // A checkpoint after this one is a broken one, or this would not be the newest.
    const bool is_later_checkpoint = number_in_name(name, "checkpoint_", ".bin") > checkpoint.step;
    if (frame >= next_number_ || is_later_checkpoint || is_temporary(file)) remove_file(file);
  }
  for (const auto* series : {&bulk_, &cracks_})
    if (*series) (*series)->cut(frames_.size());
  write_lists();
}

void Results::make_room(Index nodes, Index cohesive) {
  flush();  // it may wait
  constexpr double share = 0.8;  // the solver grows while it goes on, and what frames take is an estimate
  const FrameSize size{mesh_.type, static_cast<double>(nodes), static_cast<double>(mesh_.element_count()),
                       static_cast<double>(cohesive)};
  const double memory = frame_memory(size, from_, choice_);
  if (queue_.is_idle()) room_ = share * available_memory(in_flight_ * memory / share);
  queue_.make_room(memory, room_);
}

void Results::add(PendingSnapshot state) {
  flush();
  queue_.add([this, state = std::move(state), number = next_number_]() mutable {
    FrameChoice choice = choice_;
    choice.threads = threads_for_one_more();
    Snapshot snapshot = state(choice.threads);
    state = nullptr;  // the copy it was made from
    OrderedQueue::Finish finish = write(std::move(snapshot), number, choice);
    --under_way_;
    return finish;
  });
  ++next_number_;
}

/// Of a frame that begins. Its serial parts leave processors to the others: so it takes more than its share. A small
/// one is done before others have started.
int Results::threads_for_one_more() {
  constexpr int least = 4;
  constexpr Index elements_of_a_thread = 10'000;
  const int useful = static_cast<int>(std::min(mesh_.element_count() / elements_of_a_thread + 1, Index{threads_}));
  return std::min(useful, std::max(least, threads_ / ++under_way_));
}

/// What of a frame needs no order. Runs on several threads at the same time.
OrderedQueue::Finish Results::write(Snapshot snapshot, std::int64_t number, const FrameChoice& choice) {
  const std::vector<Index> ids = fragment_ids(snapshot, mesh_.original_elements);
  auto finding = std::async(choice.threads > 1 ? std::launch::async : std::launch::deferred,
                            [&] { return find_fragments(snapshot, ids); });
  Frame frame{snapshot.step, snapshot.time, number};
  const Grid bulk = bulk_grid(snapshot, mesh_, ids, choice), cracks = cracks_grid(snapshot, choice);
  snapshot.drop_stress();  // compressed arrays take its place
  const auto append = write_grids(bulk, cracks, frame, choice.threads);
  std::vector<Fragment> fragments = finding.get();
  frame.fragments = static_cast<std::int64_t>(fragments.size());
  return [this, append, frame, fragments = std::move(fragments)] {
    append();
    list(frame, fragments);
  };
}

/// Writes files, or what is left to be written in order.
OrderedQueue::Finish Results::write_grids(const Grid& bulk, const Grid& cracks, const Frame& frame, int threads) {
  if (bulk_) {
    return [this, time = frame.time, b = bulk_->prepare(bulk, threads), c = cracks_->prepare(cracks, threads)] {
      bulk_->append(*b, time);
      cracks_->append(*c, time);
    };
  }
  const auto file = [&](const char* series) { return directory() / frame_file(series, frame); };
  write_vtu(file("bulk"), bulk, output_.compression, threads, &kept_of_bulk_);
  write_vtu(file("cracks"), cracks, output_.compression, threads, &kept_of_cracks_);
  return [] {};
}

/// What names all frames, once the files of this one are there.
void Results::list(Frame frame, std::vector<Fragment> fragments) {
  fragments_ = std::move(fragments);
  for (const Fragment& fragment : fragments_) fragments_csv_.append(fragments_row(frame.step, frame.time, fragment));
  fragments_csv_.flush();
  frames_.push_back(frame);
  constexpr std::chrono::milliseconds seldom{250};  // small frames take no longer to write than their lists
  lists_are_late_ = true;
  if (std::chrono::steady_clock::now() - lists_written_ > seldom) write_lists();
}

void Results::wait() {
  queue_.wait();
  if (lists_are_late_) write_lists();
}

void Results::write_lists() {
  lists_are_late_ = false;  // nor are they tried again where they cannot be written
  lists_written_ = std::chrono::steady_clock::now();
  if (bulk_) return;  // a series that knows its frames
  write_time_series(directory(), "bulk", frames_);
  write_time_series(directory(), "cracks", frames_);
}

}  // namespace cleave
