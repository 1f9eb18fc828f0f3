/// Replaces mpi_ranks.cpp in a program built without MPI.
#include "cleave/core/environment.hpp"
#include "cleave/core/error.hpp"
#include "cleave/partition/ranks.hpp"

namespace cleave {

Ranks& ranks_of_program() {
  if (environment::launched_ranks() > 1)
    throw InputError(
        "this program is built without MPI, and mpirun started it several times: install libopenmpi-dev and "
        "build it again, or start it without mpirun");
  return one_rank();
}

std::string mpi_of_program() { return "not built in: libopenmpi-dev was not there"; }

}  // namespace cleave
