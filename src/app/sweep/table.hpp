/// Results of the runs of a study as one table.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/sweep/runs.hpp"

namespace cleave::sweep_detail {

/// Outcomes, by number of the run, of the runs that ended during this program.
using Outcomes = std::map<std::size_t, Outcome>;

/// Status of a run from its summary: "done", "failed", "stopped", "interrupted", "running" (also after a crash) or
/// "waiting"; "failed" if it ended in this program with an error that its summary lacks.
std::string status_of(const Study& study, const StudyRun& run, const Outcomes& outcomes);

/// Text of study.csv: a row for each run. Numbers are as in the summaries; runs without numbers have empty cells.
std::string study_table(const Study& study, const std::vector<StudyRun>& runs, const Outcomes& outcomes);

}  // namespace cleave::sweep_detail
