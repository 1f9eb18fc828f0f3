/// Brings what a later block will read into the cache of a GPU.
#pragma once

#include "body/packed_blocks.hpp"
#include "cleave/lockstep/lockstep.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// A block reads its header, then where its border nodes are, then these: memory answers three times, one after the
/// other. So each block asks for the data of the one that takes its place on a multiprocessor. T3 gain nothing: their
/// blocks have half as many workers, for whom the requests take too long (benchmarks/notebook.md).
/// @tparam Step  BlockStep
template <class Step, class Element>
struct BlockPrefetch {
  static constexpr bool pays = Step::traits.reads_early && Element::nodes == 6;
  static constexpr int asking = 32;                    ///< the worker that asks: one of a warp that copies no runs
  static constexpr Index ahead = Step::for_law * 128;  ///< about as many as an H100 or H200 computes at once
  const Step& step;

  /// Header of the later block. Without rows: there is none, or another worker asks.
  CLEAVE_HD_INLINE BlockHeader header(Index launched, int worker) const {
    if (!pays || worker != asking || launched + ahead >= step.materials.blocks()) return {};
    return read_record(step.packed.headers[step.materials.block(launched + ahead)]);
  }
  template <class Worker>
  CLEAVE_HD_INLINE void run(Worker const& worker, const BlockHeader& later) const {
    if (!pays || later.rows == 0) return;
    const Index launched = worker.block + ahead, block = step.materials.block(launched);
    if (launched + ahead < step.materials.blocks())
      worker.prefetch(step.packed.headers + step.materials.block(launched + ahead), 1);
    worker.prefetch(step.packed.border + later.first_border, later.border());
    worker.prefetch(step.step.nodes.displacement + later.first_node, later.interior);
    worker.prefetch(step.step.nodes.velocity + later.first_node, later.interior);
    worker.prefetch(step.position + later.first_node, later.interior_corners);
    worker.prefetch(step.step.inverse_mass + later.first_node, later.interior);
    worker.prefetch(step.packed.pairs_of(block), (later.rows + 1) / 2);
    const BlockRange range = step.materials.range_of(block);
    const Index first = range.begin_of(block), elements = range.end_of(block) - first;
    const auto *begin = &step.packed.words(first, 0),
               *last = &step.packed.words(first + elements - 1, PackedBlocks<Element>::words_of_element - 1);
    worker.prefetch(begin, static_cast<int>(last - begin) + 1);
    worker.prefetch(step.flags + first, elements);
    if constexpr (Step::States::kept) {
      const auto& states = step.states.states;
      const auto* of_first = &states(first, 0);
      const auto* of_last = &states(first + elements - 1, states.fields - 1);
      worker.prefetch(of_first, static_cast<int>(of_last - of_first) + 1);
    }
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
