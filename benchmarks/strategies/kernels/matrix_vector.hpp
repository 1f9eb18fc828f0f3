/// y = alpha A x + beta y for any matrix: the ladder from a block per row to coalesced tiles.
///
/// Products leave sums of parts of rows, which FinishProduct adds up in their order, so that the result repeats.
#pragma once

#include <cmath>

#include "cleave/lockstep/kernel.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// A matrix with its rows one after the other.
struct DenseMatrix {
  const Real* values;
  Index rows;
  Index columns;
  CLEAVE_HD Real operator()(Index row, Index column) const {
    return values[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(column)];
  }
};

/// A row times x over the columns from `begin` to before `end` that are `stride` apart.
CLEAVE_HD_INLINE Real part_of_row(const DenseMatrix& a, const Real* x, Index row, Index begin, Index end,
                                  Index stride) {
  Real sum = 0;
  for (Index column = begin; column < end; column += stride) sum = std::fma(a(row, column), x[column], sum);
  return sum;
}

/// One block a row: each worker takes the columns from its own on, `workers` apart.
template <int Workers>
struct BlockPerRow {
  static constexpr KernelTraits traits{.name = "product, block per row"};
  static constexpr int workers = Workers;
  struct Shared {
    BlockSum<1, Workers> sum;
  };
  DenseMatrix a;
  const Real* x;  ///< [column]
  Real* parts;    ///< [row]

  static Index parts_of(Index /*columns*/) { return 1; }
  CLEAVE_HD Index blocks() const { return a.rows; }

  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    const Index row = worker.block;
    ForEachIdx{worker}([&](Idx i) { shared.sum.value[0][i] = part_of_row(a, x, row, i, a.columns, Workers); });
    shared.sum.reduce(worker);
    only_master(worker, [&] { parts[row] = static_cast<Real>(shared.sum.total(0)); });
  }
};

/// Which of its indices a tile's workers take next to each other.
enum class TileOrder {
  down,   ///< rows: neighbours read words that lie a row apart
  along,  ///< columns: neighbours read neighbouring words, coalesced
};

/// Tiles of Rows x Columns workers over `chunk` columns each: rows and columns are distributed over blocks, and each
/// worker adds up the columns of its row that are `Columns` apart. Their sums meet in a shared array of two dimensions.
/// A tile may have more entries than the block has workers.
template <int Rows, int Columns, TileOrder Order, int Workers = Rows* Columns>
struct TiledProduct {
  static constexpr KernelTraits traits{.name = "product, tiles"};
  static constexpr int workers = Workers;
  static constexpr Index chunk = 16 * Columns;  ///< columns of a tile
  struct Shared {
    Real sum[Rows][Columns + 1];  ///< one more, so that a column does not lie in one bank
  };
  DenseMatrix a;
  const Real* x;  ///< [column]
  Real* parts;    ///< [part][row]

  static Index parts_of(Index columns) { return columns == 0 ? 1 : (columns + chunk - 1) / chunk; }
  CLEAVE_HD Index row_tiles() const { return (a.rows + Rows - 1) / Rows; }
  Index blocks() const { return row_tiles() * parts_of(a.columns); }

  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    const Index part = worker.block / row_tiles(), first_row = worker.block % row_tiles() * Rows;
    const Index begin = part * chunk, end = begin + chunk < a.columns ? begin + chunk : a.columns;
    ForEachIdx each{worker};
    each([&](Idx w) {
      for (int i = w; i < Rows * Columns; i += Workers) {
        const int r = Order == TileOrder::along ? i / Columns : i % Rows;
        const int c = Order == TileOrder::along ? i % Columns : i / Rows;
        shared.sum[r][c] = first_row + r < a.rows ? part_of_row(a, x, first_row + r, begin + c, end, Columns) : Real(0);
      }
    });
    worker.sync();
    each([&](Idx w) {
      for (int r = w; r < Rows && first_row + r < a.rows; r += Workers) {
        Real sum = 0;
        for (int c = 0; c < Columns; ++c) sum += shared.sum[r][c];
        parts[static_cast<std::size_t>(part) * static_cast<std::size_t>(a.rows) +
              static_cast<std::size_t>(first_row + r)] = sum;
      }
    });
  }
};

/// y = alpha (sum of parts) + beta y. With beta 0, y is not read.
struct FinishProduct {
  static constexpr KernelTraits traits{.name = "product, sum of parts"};
  Index rows;
  Index parts;
  const Real* part;  ///< [part][row]
  Real alpha;
  Real beta;
  Real* y;  ///< [row]

  CLEAVE_HD Index size() const { return rows; }
  CLEAVE_HD void operator()(Index row) const {
    Real sum = 0;
    for (Index p = 0; p < parts; ++p)
      sum += part[static_cast<std::size_t>(p) * static_cast<std::size_t>(rows) + static_cast<std::size_t>(row)];
    y[row] = beta == 0 ? alpha * sum : std::fma(alpha, sum, beta * y[row]);
  }
};

// The rungs.
using RowProduct = BlockPerRow<128>;
using ColumnsOverBlocks = TiledProduct<1, 128, TileOrder::along>;  ///< one row, its columns over several blocks
using SquareTiles = TiledProduct<16, 16, TileOrder::down>;
using CoalescedTiles = TiledProduct<16, 16, TileOrder::along>;
using RectangularTiles = TiledProduct<4, 64, TileOrder::along>;
using FewerWorkers = TiledProduct<8, 32, TileOrder::along, 96>;  ///< a domain of 256 indices by 96 workers

}  // namespace cleave::inline CLEAVE_PRECISION
