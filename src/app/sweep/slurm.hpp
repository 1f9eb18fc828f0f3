/// A study as an array job of Slurm.
#pragma once

#include <string>
#include <vector>

#include "cleave/case/study.hpp"

namespace cleave::sweep_detail {

/// Script for `sbatch` with a task for each run, up to `jobs` at once (0: all). Slurm sends SIGTERM two minutes before
/// the time limit, and the run saves its state.
std::string slurm_script(const Study& study, const std::vector<StudyRun>& runs, int jobs, bool other_output);

}  // namespace cleave::sweep_detail
