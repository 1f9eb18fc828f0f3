/// Steps of cohesive laws whose history moves, followed by all workers of a GPU's block together.
#pragma once

#include "cleave/core/atomic.hpp"
#include "cleave/lockstep/kernel.hpp"
#include "cleave/material/energy_account.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// The law's work in a step at those Gauss points of a block whose history moves. Most points rest, and a moving one is
/// followed in pieces: so all workers share the pieces of those that move.
template <class Law, int Workers>
struct SharedPieces {
  static constexpr int pieces = pieces_of_step, at_once = 32;
  int count;  ///< of moving points, as many as workers at most
  CohesiveMotion motion[Workers];
  typename Law::State was[Workers], now[Workers];
  Real work[Workers][pieces];
  PieceEnd end[at_once][1 + pieces];

  /// Adds a point; returns the place of its results.
  CLEAVE_HD int add(const CohesiveMotion& step, const typename Law::State& state) {
    const int at = atomic_add(count, 1);
    motion[at] = step;
    was[at] = state;
    return at;
  }
  /// Follows all points that were added.
  template <class Worker>
  CLEAVE_HD void follow(const Law& law, Worker const& worker) {
    ForEachIdx each{worker};
    for (int first = 0; first < count; first += at_once) {
      const int points = count - first < at_once ? count - first : at_once;
      each([&](Idx i) {
        for (int item = i; item < points * (1 + pieces); item += Workers)
          find_end(law, first, item / (1 + pieces), item % (1 + pieces));
      });
      worker.sync();
      each([&](Idx i) {
        for (int item = i; item < points * pieces; item += Workers) {
          const int p = item / pieces, piece = 1 + item % pieces;
          work[first + p][piece - 1] = work_of_piece(motion[first + p], piece, end[p][piece - 1], end[p][piece]);
        }
      });
      worker.sync();
    }
  }
  CLEAVE_HD Real total_work(int p) const {
    Real sum = 0;
    for (const Real of_piece : work[p]) sum += of_piece;
    return sum;
  }

 private:
  /// Response at the end of sub-step `piece`; piece 0: at the start of the step. The worker of piece 0 also leads the
  /// law over the whole step, so that all workers do the same.
  CLEAVE_HD void find_end(const Law& law, int first, int p, int piece) {
    const CohesiveMotion& step = motion[first + p];
    typename Law::State state = was[first + p];
    const CohesiveResponse start = law.respond(step.from, step.point, state);
    bool unsettled = false;
    if constexpr (Law::peaks_at_ends) {
      if (piece > 1) unsettled = law.note(step.at(piece - 1), step.point, state);
    } else {
      for (int i = 1; i < piece; ++i) unsettled = law.note(step.at(i), step.point, state) || unsettled;
    }
    const PieceEnd last = end_of_piece(law, step, piece == 0 ? pieces : piece, state, unsettled);
    end[p][piece] = piece == 0 ? PieceEnd{start, false, false} : last;
    if (piece == 0) now[first + p] = state;
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
