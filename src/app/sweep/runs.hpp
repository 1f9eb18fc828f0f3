/// The runs of a study: those that remain, as processes, several at once, as a table, as an array job of Slurm.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cleave/case/study.hpp"
#include "cleave/core/types.hpp"
#include "cleave/output/output_directory.hpp"

namespace cleave::sweep_detail {

struct PlannedRun {
  enum class Action { start, resume, skip };

  StudyRun run;
  std::filesystem::path directory;
  Action action = Action::start;
  Step step = 0;  ///< resume: step of the checkpoint
};

/// The runs with these numbers, "3,7-9"; all runs without numbers. Throws InputError.
std::vector<StudyRun> select_runs(const std::vector<StudyRun>& runs, const std::optional<std::string>& only);

/// Plans each run by the content of its directory: finished runs of the same case are skipped, runs with a checkpoint
/// resumed. Throws InputError if a directory has a run of another case, which must not be lost.
/// @param origin  origin of the study's directory, for messages
std::vector<PlannedRun> plan_runs(const Study& study, const std::vector<StudyRun>& runs, const std::string& origin);

/// Result of a process.
struct Outcome {
  int exit_code = 0;   ///< 128 + the number of the signal that ended it
  std::string reason;  ///< first line on stderr; empty without output
};

/// Runs the planned runs, `jobs` at a time, and calls `finished` after each. When a signal asks this program to stop
/// (see catch_stop_signals), running ones are asked to save checkpoints and end, and no more are started. Returns that
/// signal, 0 for none. Throws std::system_error if a process cannot be started, and std::runtime_error if the directory
/// of the study was moved or removed, after asking the runs to stop.
int carry_out(const OutputDirectory& directory, const Study& study, const std::vector<PlannedRun>& plan, int jobs,
              const std::function<void(const PlannedRun&, const Outcome&)>& finished);

/// Name of the file in the study's directory with the run's output on stderr.
std::string errors_name(const StudyRun& run);

/// How to continue a study whose directory was moved, once it is back.
constexpr const char* give_again = "give the same command again";

/// Path of this program.
std::string this_program();

/// Outcomes, by number of the run, of the runs that ended during this program.
using Outcomes = std::map<std::size_t, Outcome>;

/// Status of a run from its summary: "done", "failed", "stopped", "interrupted", "running" (also after a crash) or
/// "waiting"; "failed" if it ended in this program with an error that its summary lacks.
std::string status_of(const Study& study, const StudyRun& run, const Outcomes& outcomes);

/// Text of study.csv: a row for each run. Numbers are as in the summaries; runs without numbers have empty cells.
std::string study_table(const Study& study, const std::vector<StudyRun>& runs, const Outcomes& outcomes);

/// Script for `sbatch` with a task for each run, up to `jobs` at once (0: all). Slurm sends SIGTERM two minutes before
/// the time limit, and the run saves its state.
std::string slurm_script(const Study& study, const std::vector<StudyRun>& runs, int jobs, bool other_output);

}  // namespace cleave::sweep_detail
