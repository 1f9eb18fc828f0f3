/// Where the values of per-element rows lie: the choices that a study of strategies compares.
#pragma once

#include "cleave/core/table.hpp"
#include "cleave/lockstep/kernel.hpp"
#include "cleave/mesh/element.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// View of rows stored field by field, each field with `stride` rows.
template <class T, int Fields>
struct StridedTable {
  T* data = nullptr;
  std::size_t stride = 0;
  CLEAVE_HD T& operator()(Index row, int field) const { return data[field * stride + static_cast<std::size_t>(row)]; }
};

/// View of records of T6 matrices that are asked for in column order but lie there in row order.
template <class T>
struct RowOrderTable {
  static constexpr int dofs = T6::dofs;
  T* data = nullptr;
  CLEAVE_HD T& operator()(Index row, int field) const {
    return data[static_cast<std::size_t>(row) * dofs * dofs + field % dofs * dofs + field / dofs];
  }
};

/// One row after the other.
struct Records {
  template <class T, int Fields>
  static Table<T, Fields> view(T* data, Index /*rows*/) {
    return {data};
  }
};

/// The rows of a warp's 32 elements interleaved.
struct Interleaved {
  template <class T, int Fields>
  static Table<T, Fields, 32> view(T* data, Index /*rows*/) {
    return {data};
  }
};

/// Every field of all rows, then the next.
struct Strided {
  template <class T, int Fields>
  static StridedTable<T, Fields> view(T* data, Index rows) {
    return {data, static_cast<std::size_t>(rows)};
  }
};

/// Records of matrices that are not transposed: the threads of consecutive rows read words that lie apart.
struct RowOrder {
  template <class T, int Fields>
  static RowOrderTable<T> view(T* data, Index /*rows*/) {
    static_assert(Fields == T6::dofs * T6::dofs);
    return {data};
  }
};

/// Copies rows from one layout to another.
template <int Fields, class From, class To>
struct CopyRows {
  static constexpr KernelTraits traits{.name = "copy rows"};
  Index rows;
  From from;
  To to;

  CLEAVE_HD Index size() const { return rows; }
  CLEAVE_HD void operator()(Index row) const {
    for (int f = 0; f < Fields; ++f) to(row, f) = from(row, f);
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
