#include "cleave/output/results.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <future>
#include <iterator>
#include <map>
#include <stdexcept>
#include <utility>

#include "cleave/core/error.hpp"
#include "cleave/core/machine.hpp"
#include "cleave/output/files.hpp"
#include "cleave/output/output_file.hpp"
#include "output/inria_frame.hpp"

namespace cleave {

Writers share_among_frames(int threads, const CopiedFrom& from) {
  constexpr int threads_of_a_frame = 2, most_frames = 8, most_shared = 32;
  return {std::clamp(threads / threads_of_a_frame, 1, most_frames), std::clamp(threads, 1, most_shared), from};
}

namespace {

std::string frame_file(const std::string& series, const Frame& frame) {
  return frame_name(series, static_cast<std::size_t>(frame.number));
}

/// The frames of a checkpoint with which a run continues. The last step of a shorter run is no frame of a run that
/// continues beyond it, unless its other frames had another period too.
std::vector<Frame> frames_to_keep(const Checkpoint& checkpoint, const Schedule& schedule) {
  std::vector<Frame> frames = checkpoint.written.frames;
  const auto is_due = [&](const Frame& frame) { return schedule.fields_due(frame.step); };
  if (!frames.empty() && frames.back().step == checkpoint.step && !is_due(frames.back()) &&
      std::all_of(frames.begin(), frames.end() - 1, is_due))
    frames.pop_back();
  return frames;
}

std::vector<std::string> names_of(const std::vector<ObstacleOutline>& obstacles) {
  std::vector<std::string> names;
  for (const ObstacleOutline& o : obstacles) names.push_back(o.name);
  return names;
}

/// Several chunks for each thread, but few empty rows at the end of a frame.
std::size_t rows_of_chunks(std::size_t elements) {
  return std::clamp(std::bit_floor(elements / 8 + 1), std::size_t{256}, std::size_t{16384});
}

}  // namespace

Results::Results(const OutputCase& output, OutputDirectory directory, const Mesh& mesh, Writers writers,
                 const std::vector<std::string>& groups, bool random_strength, std::vector<SampleLine> lines,
                 std::vector<ObstacleOutline> obstacles, const std::vector<std::string>& process_columns)
    : output_(output),
      directory_(std::move(directory)),
      mesh_(mesh),
      obstacles_(std::move(obstacles)),
      choice_(choice_of(output)),
      threads_(writers.threads),
      in_flight_(writers.in_flight()),
      from_(writers.from),
      history_(directory_, groups, names_of(obstacles_), process_columns),
      probes_(directory_, output_.probes, random_strength),
      lines_(directory_, std::move(lines), output_.probes.size()),
      fragments_csv_(directory_ / "fragments.csv", fragments_header()),
      queue_(writers.frames) {
  if (output_.format != OutputFormat::vtkhdf) return;
  const std::size_t rows = rows_of_chunks(static_cast<std::size_t>(mesh_.element_count()));
  bulk_.emplace(directory_ / "bulk.vtkhdf", output_.compression, rows);
  cracks_.emplace(directory_ / "cracks.vtkhdf", output_.compression, rows);
}

/// In the order of Written::csv.
std::array<const CsvFile*, 4> Results::csv_files() const {
  return {&history_.csv(), &probes_.csv(), &lines_.csv(), &fragments_csv_};
}

Written Results::written(Step step) const {
  Written written{frames_, history_.rows_before(step)};
  const auto files = csv_files();
  for (std::size_t i = 0; i < files.size(); ++i) written.csv[i] = files[i]->mark(step);
  return written;
}

/// Whether all files of a frame of .vtu series exist with all their bytes.
bool Results::has_whole(const std::string& series, const Frame& frame) const {
  return is_whole_vtu(directory_ / frame_file(series, frame), series == "bulk" ? frame.bulk_bytes : frame.cracks_bytes);
}

std::vector<std::string> Results::missing(const Checkpoint& checkpoint, const Schedule& schedule) const {
  std::vector<std::string> missing;
  const std::vector<Frame> frames = frames_to_keep(checkpoint, schedule);
  const bool drops_frame = frames.size() < checkpoint.written.frames.size();
  std::array<bool, 4> has_all{true, true, true, true};  // whether the rows of csv_files() are complete
  const auto check_rows = [&](std::size_t file, Step lost, const std::string& text) {
    if (lost <= 0) return;
    has_all[file] = false;
    missing.push_back(text);
  };
  const Step all = checkpoint.written.rows, rows = history_.rows_on_disk_before(checkpoint.step);
  check_rows(0, all - rows, fmt::format("{} of the {} rows of history.csv", all - rows, all));
  const Step probes = probes_.missing_rows(checkpoint.step), lines = lines_.missing_rows(checkpoint.step);
  check_rows(1, probes, fmt::format("{} rows of probes.csv", probes));
  check_rows(2, lines, fmt::format("{} rows of lines.csv", lines));
  for (const std::string series : {"bulk", "cracks"}) {
    const auto& hdf = series == "bulk" ? bulk_ : cracks_;
    for (const Frame& frame : frames) {
      if (hdf || has_whole(series, frame)) continue;
      const std::string name = frame_file(series, frame);
      missing.push_back(size_of(directory_ / name) ? name + ", which is cut off or another file" : name);
    }
    if (!hdf || frames.empty()) continue;
    const std::size_t found = size_of(hdf->file()) ? hdf->frames() : 0;
    if (found < frames.size())
      missing.push_back(fmt::format("{} of the {} frames of {}.vtkhdf", frames.size() - found, frames.size(), series));
  }
  std::map<Step, std::int64_t> rows_of;
  fragments_csv_.read([&](Step step) { return ++rows_of[step] == 1; });
  for (const Frame& frame : frames)
    check_rows(3, frame.fragments - rows_of[frame.step], fmt::format("step {} of fragments.csv", frame.step));
  const std::array<bool, 4> drops_last{!schedule.history_due(checkpoint.step), false, false, drops_frame};
  const auto files = csv_files();
  for (std::size_t i = 0; i < files.size(); ++i)
    if (has_all[i] && !files[i]->is_as_marked(checkpoint.written.csv[i], drops_last[i]))
      missing.push_back(
          fmt::format("{} as it was (its checksum is another)", files[i]->file().path().filename().string()));
  return missing;
}

void Results::resume(const Checkpoint& checkpoint, const Schedule& schedule) {
  frames_ = frames_to_keep(checkpoint, schedule);
  for (const auto* series : {&bulk_, &cracks_})
    if (*series) (*series)->check_has(frames_.size());  // before anything is changed
  next_number_ = frames_.empty() ? 0 : frames_.back().number + 1;
  history_.resume(checkpoint.step, schedule.history_due(checkpoint.step));
  probes_.resume(checkpoint.step);
  lines_.resume(checkpoint.step);
  fragments_csv_.resume([&](Step step) {
    return std::any_of(frames_.begin(), frames_.end(), [&](const Frame& frame) { return frame.step == step; });
  });
  // Lists leave out missing frames.
  std::erase_if(
      frames_, [&](const Frame& frame) { return !bulk_ && !(has_whole("bulk", frame) && has_whole("cracks", frame)); });
  for (const std::string& name : result_files(directory_)) {
    const long long frame = std::max({number_in_name(name, "bulk_", ".vtu"), number_in_name(name, "cracks_", ".vtu"),
                                      number_in_name(name, "obstacles_", ".vtu"), number_of_inria_file(name)});
    // Later checkpoints are damaged, otherwise this one would not be the newest.
    const bool is_later_checkpoint = number_in_name(name, "checkpoint_", ".bin") > checkpoint.step;
    if (frame >= next_number_ || is_later_checkpoint || is_temporary(name)) remove_file(directory_ / name);
  }
  for (auto* series : {&bulk_, &cracks_})
    if (*series) (*series)->cut(frames_.size());
  write_lists();
}

void Results::check_all_is_there() const {
  directory_.check_is_there();
  std::vector<std::string> gone;
  for (const CsvFile* csv : csv_files())
    if (!csv->is_there()) gone.push_back(csv->file().path().filename().string());
  for (const std::string series : {"bulk", "cracks"}) {
    const auto& hdf = series == "bulk" ? bulk_ : cracks_;
    const std::string list = series + (hdf ? ".vtkhdf" : ".pvd");
    const auto has_frames = [&] {
      try {
        return size_of(directory_ / list) && (!hdf || (hdf->is_there() && hdf->frames() >= frames_.size()));
      } catch (const InputError&) {  // another file has its name
        return false;
      }
    };
    if (!frames_.empty() && !has_frames()) gone.push_back(list);
    for (const Frame& frame : frames_)
      if (!hdf && !has_whole(series, frame)) gone.push_back(frame_file(series, frame));
  }
  if (gone.empty()) return;
  constexpr std::ptrdiff_t most = 5;
  const auto shown = std::min(most, std::ssize(gone));
  throw std::runtime_error(fmt::format(
      "{}: files were moved, removed or replaced while the run wrote into this directory: {}{}; the results are not "
      "complete without them; put them back and go on with --resume",
      directory_.string(), fmt::join(gone.begin(), gone.begin() + shown, ", "),
      shown < std::ssize(gone) ? fmt::format(" and {} more", std::ssize(gone) - shown) : ""));
}

void Results::make_room(const FrameSize& size) {
  flush();                       // this may wait
  constexpr double share = 0.8;  // leaves memory for the solver, which grows, and for errors of the estimate
  const double memory = frame_memory(size, from_, choice_);
  if (queue_.is_idle()) room_ = share * available_memory(in_flight_ * memory / share);
  queue_.make_room(memory, room_);
}

void Results::add(PendingSnapshot state, std::vector<ObstacleValues> obstacles) {
  flush();
  queue_.add([this, state = std::move(state), number = next_number_, places = std::move(obstacles)]() mutable {
    FrameChoice choice = choice_;
    choice.threads = threads_of_next_frame();
    Snapshot snapshot = state(choice.threads);
    state = nullptr;  // frees the copy from which the snapshot was made
    OrderedQueue::Finish finish = write(std::move(snapshot), number, choice, places);
    --under_way_;
    return finish;
  });
  ++next_number_;
}

/// Number of threads of a frame that begins. It gets more than its share, because serial parts of other frames leave
/// processors idle; small frames are done before others start.
int Results::threads_of_next_frame() {
  constexpr int least = 4;
  constexpr Index elements_of_a_thread = 10'000;
  const int useful = static_cast<int>(std::min(mesh_.element_count() / elements_of_a_thread + 1, Index{threads_}));
  return std::min(useful, std::max(least, threads_ / ++under_way_));
}

/// Makes the parts of a frame that need no order. Runs on several threads at the same time.
OrderedQueue::Finish Results::write(Snapshot snapshot, std::int64_t number, const FrameChoice& choice,
                                    const std::vector<ObstacleValues>& places) {
  if (look_) look_(snapshot);
  const std::vector<Index> ids = fragment_ids(snapshot, mesh_.original_elements);
  auto finding = std::async(choice.threads > 1 ? std::launch::async : std::launch::deferred,
                            [&] { return find_fragments(snapshot, ids); });
  Frame frame{snapshot.step, snapshot.time, number};
  if (choice.inria != InriaFrames::none) write_inria_frame(directory_, number, snapshot, mesh_, choice);
  const Grid bulk = bulk_grid(snapshot, mesh_, ids, choice), cracks = cracks_grid(snapshot, choice);
  snapshot.drop_stress();                                                // before compressed arrays take its place
  const auto append = write_grids(bulk, cracks, frame, choice.threads);  // also sets the sizes of the files
  if (!obstacles_.empty())
    write_vtu(directory_ / frame_file("obstacles", frame), obstacles_grid(obstacles_, places, mesh_),
              output_.compression);
  std::vector<Fragment> fragments = finding.get();
  frame.fragments = static_cast<std::int64_t>(fragments.size());
  return [this, append, frame, fragments = std::move(fragments)] {
    append();
    list(frame, fragments);
  };
}

/// Writes the files of a frame, or returns the writing that must happen in order.
OrderedQueue::Finish Results::write_grids(const Grid& bulk, const Grid& cracks, Frame& frame, int threads) {
  if (bulk_) {
    return [this, time = frame.time, b = bulk_->prepare(bulk, threads), c = cracks_->prepare(cracks, threads)] {
      bulk_->append(*b, time);
      cracks_->append(*c, time);
    };
  }
  const auto file = [&](const char* series) { return directory_ / frame_file(series, frame); };
  frame.bulk_bytes = write_vtu(file("bulk"), bulk, output_.compression, threads, &kept_of_bulk_);
  frame.cracks_bytes = write_vtu(file("cracks"), cracks, output_.compression, threads, &kept_of_cracks_);
  return [] {};
}

/// Adds a frame, whose files exist, to the lists of frames.
void Results::list(Frame frame, std::vector<Fragment> fragments) {
  fragments_ = std::move(fragments);
  for (const Fragment& fragment : fragments_) fragments_csv_.append(fragments_row(frame.step, frame.time, fragment));
  fragments_csv_.flush();
  frames_.push_back(frame);
  constexpr std::chrono::milliseconds seldom{250};  // lists of small frames take as long to write as the frames
  lists_are_late_ = true;
  if (std::chrono::steady_clock::now() - lists_written_ > seldom) write_lists();
}

void Results::wait() {
  queue_.wait();
  if (lists_are_late_) write_lists();
}

void Results::write_lists() {
  lists_are_late_ = false;  // set first: a failed attempt is not repeated
  lists_written_ = std::chrono::steady_clock::now();
  if (!obstacles_.empty()) write_time_series(directory(), "obstacles", frames_);
  if (bulk_) return;  // a VTKHDF series lists its frames itself
  write_time_series(directory(), "bulk", frames_);
  write_time_series(directory(), "cracks", frames_);
}

}  // namespace cleave
