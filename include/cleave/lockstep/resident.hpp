/// Resident kernels: all blocks are on the device at once and wait for each other, so that one launch runs several
/// turns. State that a block needs from turn to turn stays in its registers and its shared memory.
///
///     static constexpr KernelTraits traits{.name = ..., .resident_blocks = ..., .reads_early = true};
///     static constexpr int workers;  struct Shared;
///     Index blocks() const;
///     int turns() const;
///     bool is_due() const;                           // else nothing is done; the same for all blocks
///     BlockList neighbours(Index block) const;       // whose writes a block reads, and who read its own
///     std::uint32_t* turns_done() const;             // [block] in solver memory, in all launches; the same for all
///     auto early(worker, shared) const;              // read while the launch before still runs
///     auto begin(worker, shared, early) const;       // what each worker keeps
///     void write(worker, shared, kept, turn) const;  // leaves in memory what neighbours read
///     void rest(worker, shared, kept, turn) const;   // needs nothing of them
///     void read(worker, shared, kept, turn) const;   // when all neighbours have written
///     void end(worker, shared, kept) const;
///
/// A barrier of the block separates these calls. While a block writes turn n + 1, neighbours may still read its turn n:
/// writes therefore alternate between two places, and turn n + 2 reuses that of turn n.
///
/// A GPU runs such a kernel only if it holds all blocks (`holds` of the backend); otherwise blocks would wait for ever
/// for blocks that cannot start. On the CPU all blocks write, then all blocks read.
#pragma once

#include <cstdint>

#include "cleave/lockstep/kernel.hpp"

namespace cleave {

/// A list of blocks of a kernel, in solver memory.
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
