/// A study as an array job.
#pragma once

#include <string>
#include <vector>

#include "cleave/config/study.hpp"

namespace cleave::sweep_detail {

/// The script for `sbatch`: a task for each of the runs, up to `jobs` at once (0: all).
/// Slurm sends SIGTERM two minutes before the time is over, and the run saves its state.
std::string slurm_script(const Study& study, const std::vector<StudyRun>& runs, int jobs, bool other_output);

}  // namespace cleave::sweep_detail
