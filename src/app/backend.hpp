/// The backend of a run, and the reason for it.
#pragma once

#include <memory>
#include <string>

#include "cleave/case/case.hpp"
#include "cleave/partition/ranks.hpp"
#include "cleave/solver/model.hpp"
#include "cleave/solver/solver.hpp"

namespace cleave {

struct Backend {
  bool cuda = false;
  std::string reason;
  int device = 0;                         ///< of CUDA, of this rank
  Transport transport = Transport::peer;  ///< of CUDA

  const char* name() const { return cuda ? "cuda" : "cpu"; }
};

/// Throws InputError if CUDA is requested and cannot be used. Starts the device of this rank, which takes a quarter of
/// a second.
Backend choose_backend(const Case& c, const Ranks& ranks);

/// Throws InputError if the ranks of this machine need more memory on the CPU than it has; otherwise the system might
/// kill them. For a GPU its library reports a lack of memory. Looks at the machine of rank 0, which needs the most.
/// @param in_parts  see memory_of_rank
void check_memory(const Model& model, const Backend& backend, const Ranks& ranks, bool in_parts);

/// Throws InputError for features that several ranks do not support, and for a mesh with fewer blocks than ranks.
void check_ranks(const Case& c, const Model& model, int ranks);

/// Makes the device of this rank the current one of this thread.
std::unique_ptr<Solver> make_solver(const Backend& backend, const Model& model, int threads, Ranks& ranks);

}  // namespace cleave
