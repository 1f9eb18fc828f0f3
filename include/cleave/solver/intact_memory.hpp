/// Solver memory of a run before it begins, and what its ranks send.
#pragma once

namespace cleave {

struct Model;

/// Solver memory of a rank with an intact body, and what it sends to other ranks, bytes. Cohesive elements and copies
/// of nodes need more memory as the body breaks.
struct IntactMemory {
  double solver = 0;
  double sent_in_step = 0, sent_in_check = 0;
};

/// Counts the arrays that a run of the gather assembly declares, and the exchanges that it launches, without making
/// them.
/// @param rank, ranks  the rank of several whose memory is wanted
IntactMemory intact_memory(const Model& model, bool on_device, int rank = 0, int ranks = 1);

}  // namespace cleave
