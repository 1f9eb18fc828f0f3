/// Kernels whose blocks are all there at once and wait for each other: several turns of work in one launch. What a
/// block needs from turn to turn stays in its registers and its shared memory.
///
///     static constexpr KernelTraits traits{.name = ..., .resident_blocks = ..., .reads_early = true};
///     static constexpr int workers;  struct Shared;
///     Index blocks() const;
///     int turns() const;
///     bool is_due() const;                           // else nothing is done; the same for all blocks
///     BlockList neighbours(Index block) const;       // whose writes a block reads, and who read its own
///     std::uint32_t* turns_done() const;             // [block] in solver memory, in all launches; the same for all
///     auto early(worker) const;                      // read while the launch before still runs
///     auto begin(worker, shared, early) const;       // what each worker keeps
///     void write(worker, shared, kept, turn) const;  // leaves in memory what neighbours read
///     void rest(worker, shared, kept, turn) const;   // needs nothing of them
///     void read(worker, shared, kept, turn) const;   // when all neighbours have written
///     void end(worker, shared, kept) const;
///
/// A barrier of the block lies between any two of them. Neighbours may still read the writes of a turn while a block is
/// at its next one, whose writes therefore go elsewhere; those of the turn after may take the first place again.
///
/// A GPU runs such a kernel only if it holds all blocks (`holds` of the backend): blocks that wait for one that has no
/// place would wait for ever. The CPU lets all blocks write, then all blocks read.
#pragma once

#include <cstdint>

#include "cleave/lockstep/kernel.hpp"

namespace cleave {

/// Some blocks of a kernel, in solver memory.
struct BlockList {
  const Index* ids;
  Index count;
};

template <class Kernel>
concept ResidentKernel = requires(Kernel const& k) {
  k.turns();
  k.turns_done();
  k.neighbours(Index{});
};

}  // namespace cleave
