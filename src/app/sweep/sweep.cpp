/// cleave sweep: runs a study from its file to its table.
#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <memory>
#include <optional>
#include <system_error>
#include <thread>

#include "app/commands.hpp"
#include "app/console.hpp"
#include "app/stop_signal.hpp"
#include "app/sweep/runs.hpp"
#include "cleave/case/case.hpp"
#include "cleave/core/error.hpp"
#include "cleave/core/machine.hpp"
#include "cleave/output/files.hpp"
#include "cleave/output/output_file.hpp"
#include "cleave/output/text.hpp"

namespace fs = std::filesystem;

namespace cleave {
namespace {

using namespace sweep_detail;
using Clock = std::chrono::steady_clock;

constexpr int some_failed = 3;  // exit code
constexpr const char* resolved_name = "study.resolved.yaml";
constexpr const char* table_name = "study.csv";

/// Throws InputError, starting with `origin`, if a file of the study outside its runs is a link or a pipe.
void check_study_files(const Study& study, const std::vector<StudyRun>& runs, const std::string& origin) {
  const OutputDirectory directory = study.directory;
  for (const std::string name : {resolved_name, table_name}) {
    check_is_file(directory / name, origin);
    check_is_file((directory / name).with_suffix(".tmp"), origin);
  }
  check_is_file(directory / lock_name, origin);
  for (const StudyRun& run : runs) check_is_file(directory / errors_name(run), origin);
}

std::string origin_of_output(const SweepOptions& options, const Study& study) {
  if (options.output) return "--output";
  return study.line_of_directory > 0
             ? fmt::format("{}:{}: output.directory", study.file.string(), study.line_of_directory)
             : study.file.string() + ": output.directory";
}

int jobs_of(const SweepOptions& options, const Study& study) {
  const auto devices = static_cast<int>(study.devices.size());
  if (options.jobs && devices > 0 && *options.jobs > devices)
    throw InputError(
        fmt::format("--jobs: {} runs at once for {} devices; name a device several times in run.devices to "
                    "share it",
                    *options.jobs, devices));
  if (options.jobs) return *options.jobs;
  if (study.jobs > 0) return study.jobs;
  return devices > 0 ? devices : std::max(1, processors() / study.threads);
}

/// The directory of a study. A program that executes all runs keeps its lock. Programs that execute some of them, such
/// as the tasks of an array job, share it: each takes the lock to write the table, which is made from the results of
/// all.
class StudyDirectory {
 public:
  StudyDirectory(const Study& study, std::vector<StudyRun> runs, std::string origin, bool shared)
      : study_(study), runs_(std::move(runs)), origin_(std::move(origin)), shared_(shared) {
    if (!shared_) lock_.emplace(study_.directory, origin_);
    const auto lock = hold();
    held_.emplace(shared_ ? opened(study_.directory) : lock_->directory());
    write_atomically(*held_ / resolved_name, resolved_yaml(study_));
    write_table();
  }

  /// Throws std::runtime_error if the directory was moved or removed.
  void add(const StudyRun& run, const Outcome& outcome) {
    outcomes_[run.number] = outcome;
    held_->check_is_there(give_again);
    const auto lock = hold();
    write_table();
  }

  /// The directory, held open.
  const OutputDirectory& held() const { return *held_; }
  const Outcomes& outcomes() const { return outcomes_; }

 private:
  /// Opens the directory without its lock.
  static OutputDirectory opened(const fs::path& directory) {
    const int descriptor = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
      throw std::system_error(errno, std::generic_category(), directory.string() + ": cannot be opened");
    return {directory, descriptor};
  }

  /// Takes the lock; waits for other programs, which keep it briefly.
  std::unique_ptr<DirectoryLock> hold() const {
    if (!shared_) return nullptr;
    constexpr std::chrono::milliseconds pause{50};
    constexpr int attempts = 200;
    for (int i = 1;; ++i) {
      try {
        return std::make_unique<DirectoryLock>(study_.directory, origin_);
      } catch (const InputError&) {
        if (i == attempts) throw;
        std::this_thread::sleep_for(pause);
      }
    }
  }

  void write_table() const { write_atomically(*held_ / table_name, study_table(study_, runs_, outcomes_)); }

  const Study& study_;
  std::vector<StudyRun> runs_;
  std::string origin_;
  bool shared_;
  std::optional<DirectoryLock> lock_;
  std::optional<OutputDirectory> held_;
  Outcomes outcomes_;
};

void print_plan(const Study& study, const std::vector<PlannedRun>& plan, int jobs) {
  fmt::print("{} ({}): {} runs of {}, {} at once with {} thread{} each\n", study.title, study.file.string(),
             plan.size(), study.case_file.string(), jobs, study.threads, study.threads == 1 ? "" : "s");
  for (const PlannedRun& p : plan) {
    const std::string what = p.action == PlannedRun::Action::skip     ? "is done"
                             : p.action == PlannedRun::Action::resume ? fmt::format("resumes at step {}", p.step)
                                                                      : "starts";
    fmt::print("  {}  {:<10}  {}\n", p.run.name(), what, values_text(study, p.run));
  }
}

/// Prints a line for each run that has ended.
class Reporter {
 public:
  Reporter(const Study& study, const std::vector<PlannedRun>& plan, bool quiet)
      : study_(study), quiet_(quiet), width_(std::to_string(plan.size()).size()), all_(plan.size()) {
    ended_ = before_ = std::count_if(plan.begin(), plan.end(),
                                     [](const PlannedRun& p) { return p.action == PlannedRun::Action::skip; });
    if (!quiet_ && before_ > 0) tell("{} of {} runs are done already", before_, all_);
  }

  void operator()(const PlannedRun& planned, const Outcome& outcome) {
    if (stop_signal() == 0 && outcome.exit_code != 0) {
      tell("cleave: {} ({}) failed with exit code {}: {}", planned.run.name(), values_text(study_, planned.run),
           outcome.exit_code, outcome.reason.empty() ? "no reason given" : outcome.reason);
    }
    const bool stopped = outcome.exit_code > 128;
    if (!stopped) ++ended_;
    if (quiet_) return;
    const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    const std::size_t now = ended_ - before_;
    const std::string left =
        now > 0 ? as_duration(seconds * static_cast<double>(all_ - ended_) / static_cast<double>(now)) : "?";
    tell("[{:>{}}/{}] {} {}  {}  ETA {}", ended_, width_, all_, planned.run.name(),
         outcome.exit_code == 0 ? "done"
         : stopped              ? "stopped"
                                : "failed",
         values_text(study_, planned.run), left);
  }

 private:
  const Study& study_;
  bool quiet_;
  std::size_t width_, all_, ended_ = 0, before_ = 0;
  Clock::time_point start_ = Clock::now();
};

/// Prints the number of runs by status. Returns whether all are done.
bool summarize(const Study& study, const std::vector<PlannedRun>& plan, const Outcomes& outcomes, bool quiet) {
  std::map<std::string, std::vector<const PlannedRun*>> by_status;
  for (const PlannedRun& p : plan) by_status[status_of(study, p.run, outcomes)].push_back(&p);
  const std::size_t done = by_status["done"].size();
  if (quiet) return done == plan.size();
  fmt::print("{}\n  {:<12}{} of {}\n", study.title, "done", done, plan.size());
  for (const auto& [status, runs] : by_status) {
    if (status == "done") continue;
    fmt::print("  {:<12}{}\n", status, runs.size());
    if (status == "waiting") continue;
    for (const PlannedRun* p : runs) {
      const auto outcome = outcomes.find(p->run.number);
      const std::string reason =
          outcome == outcomes.end() || outcome->second.reason.empty() ? "" : ": " + outcome->second.reason;
      fmt::print("    {} ({}){}\n", p->run.name(), values_text(study, p->run), reason);
    }
  }
  fmt::print("  {:<12}{}\n", "results", (study.directory / table_name).string());
  return done == plan.size();
}

}  // namespace

int sweep(const SweepOptions& options) {
  if (options.slurm && options.slurm->empty()) throw InputError("--slurm: the file to write has no name; give one");
  Study study = read_study(options.file);
  if (options.output) study.directory = *options.output;
  const std::string origin = origin_of_output(options, study);
  const int jobs = jobs_of(options, study);
  const std::vector<StudyRun> runs = study_runs(study);
  const std::vector<StudyRun> selected = select_runs(runs, options.only);
  check_cases(study, selected);
  check_output_directory(study.directory, origin);
  check_study_files(study, selected, origin);
  if (options.slurm) {
    write_atomically(*options.slurm,
                     slurm_script(study, selected, options.jobs.value_or(study.jobs), options.output.has_value()));
    if (!options.quiet) fmt::print("written to {}; submit it with sbatch\n", options.slurm->string());
    return 0;
  }
  std::vector<PlannedRun> plan = plan_runs(study, selected, origin);
  if (options.dry_run) {
    print_plan(study, plan, jobs);
    return 0;
  }

  // The directory is changed from here on.
  StudyDirectory directory(study, runs, origin, options.only.has_value());
  plan = plan_runs(study, selected, origin);  // another program may have changed it before the lock was taken
  catch_stop_signals();
  Reporter report(study, plan, options.quiet);
  const int signal =
      carry_out(directory.held(), study, plan, jobs, [&](const PlannedRun& planned, const Outcome& outcome) {
        directory.add(planned.run, outcome);
        report(planned, outcome);
      });
  const bool all_done = summarize(study, plan, directory.outcomes(), options.quiet);
  if (signal != 0) tell("cleave: stopped by {}; the same command continues", name_of_signal(signal));
  if (signal != 0) return 128 + signal;
  return all_done ? 0 : some_failed;
}

}  // namespace cleave
