/// Runs as processes, several at once.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/sweep/plan.hpp"
#include "cleave/output/output_directory.hpp"

namespace cleave::sweep_detail {

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

}  // namespace cleave::sweep_detail
