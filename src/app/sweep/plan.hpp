/// The runs of a study that remain to be done.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cleave/case/study.hpp"
#include "cleave/core/types.hpp"

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

}  // namespace cleave::sweep_detail
