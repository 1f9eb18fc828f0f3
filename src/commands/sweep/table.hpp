/// What came out of the runs of a study, as one table.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "commands/sweep/runs.hpp"

namespace cleave::sweep_detail {

/// By the number of the run: of those that ended while this program ran.
using Outcomes = std::map<std::size_t, Outcome>;

/// "done", "failed", "stopped", "interrupted", "running" (also after a crash), "waiting": as the summary of the run
/// says, or "failed" for one that ended in this program with an error that its summary knows nothing of.
std::string status_of(const Study& study, const StudyRun& run, const Outcomes& outcomes);

/// The text of study.csv: a row for each run. Numbers stand as in the summaries, cells of runs that have none are
/// empty.
std::string study_table(const Study& study, const std::vector<StudyRun>& runs, const Outcomes& outcomes);

}  // namespace cleave::sweep_detail
