/// What mpirun and its like tell the processes that they start.
#pragma once

#include <cstdlib>

namespace cleave {

/// How many processes a launcher started, 1 without one: mpirun of Open MPI, of MPICH, srun of Slurm with PMI-2 or PMIx.
inline int launched_ranks() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if (const char* size = std::getenv(name)) return std::atoi(size);
  const char* of_step = std::getenv("PMIX_RANK") == nullptr ? nullptr : std::getenv("SLURM_STEP_NUM_TASKS");
  return of_step == nullptr ? 1 : std::atoi(of_step);
}

}  // namespace cleave
