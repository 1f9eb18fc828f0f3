/// A study as an array job.
#pragma once

#include <string>

#include "cleave/config/study.hpp"

namespace cleave::sweep_detail {

/// The script for `sbatch`: each of the tasks 1 to `runs` is a run of the study, up to `jobs` at once (0: all).
/// Slurm sends SIGTERM two minutes before the time is over, and the run saves its state.
std::string slurm_script(const Study& study, std::size_t runs, int jobs, bool other_output);

}  // namespace cleave::sweep_detail
