/// Runs as processes of their own, several at once.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cleave/output/output_directory.hpp"
#include "commands/sweep/plan.hpp"

namespace cleave::sweep_detail {

/// How a process ended.
struct Outcome {
  int exit_code = 0;   ///< 128 + its number, if a signal ended it
  std::string reason;  ///< first line that it said on stderr; empty if it said nothing
};

/// Runs what is to be run, `jobs` at a time, and calls `finished` after each. When a signal asks this program to stop
/// (see catch_stop_signals), the runs are asked, too, save checkpoints and end; no more are started. Returns that
/// signal, 0 for none. Throws std::system_error when no process can be started, std::runtime_error when the directory
/// of the study was moved or removed: the runs under way are then asked to stop.
int carry_out(const OutputDirectory& directory, const Study& study, const std::vector<PlannedRun>& plan, int jobs,
              const std::function<void(const PlannedRun&, const Outcome&)>& finished);

/// Its name in the directory of the study: what the run says on stderr.
std::string errors_name(const StudyRun& run);

/// How a study whose directory was moved goes on, once it is back.
constexpr const char* give_again = "give the same command again";

/// The file of this program.
std::string this_program();

}  // namespace cleave::sweep_detail
