/// How a copy of a node gets its values when a node splits.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <type_traits>

#include "cleave/core/atomic.hpp"
#include "cleave/core/types.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// What a copy of a node begins with: values that nobody sets here, those of its node, or zero.
enum class Split : std::uint8_t { none, copy, zero };

/// Copies the rows of a node in all arrays that say so. Arrays are listed by type: most hold one vector a node, and all
/// of those are read before the first is written.
class NodeCopier {
 public:
  /// Adds an array of `width` values a node.
  template <class T>
  void add(T* rows, int width, Split split) {
    if (split == Split::none) return;
    if constexpr (std::is_same_v<T, Vec2>) {
      if (width == 1) return split == Split::copy ? push(vectors_, rows) : push(zeros_, rows);
    }
    if (split == Split::zero) throw std::logic_error("only vectors of nodes begin with zero");
    if constexpr (std::is_same_v<T, std::uint8_t>) {
      for (int i = 0; i < width; ++i) push(bytes_, {rows + i, width});
    } else if constexpr (std::is_same_v<T, Real> || std::is_same_v<T, Vec2> || std::is_same_v<T, Sym2>) {
      push(rows_, {reinterpret_cast<Real*>(rows), width * static_cast<int>(sizeof(T) / sizeof(Real))});
    } else {
      throw std::logic_error("copies of nodes take over no values of that type");
    }
  }

  CLEAVE_HD void fetch_lines(Index from) const {
    CLEAVE_UNROLL
    for (int k = 0; k < vectors_.most; ++k)
      if (k < vectors_.count) fetch_line(vectors_.of[k][from]);
  }
  CLEAVE_HD void operator()(Index from, Index to) const {
    Vec2 values[decltype(vectors_)::most];
    CLEAVE_UNROLL
    for (int k = 0; k < vectors_.most; ++k)
      if (k < vectors_.count) values[k] = vectors_.of[k][from];
    CLEAVE_UNROLL
    for (int k = 0; k < vectors_.most; ++k)
      if (k < vectors_.count) vectors_.of[k][to] = values[k];
    for (int k = 0; k < zeros_.count; ++k) zeros_.of[k][to] = Vec2{};
    for (int k = 0; k < bytes_.count; ++k) copy_row(bytes_.of[k], 1, from, to);
    for (int k = 0; k < rows_.count; ++k) copy_row(rows_.of[k], rows_.of[k].width, from, to);
  }

 private:
  template <class T, int size>
  struct List {
    using Value = T;
    static constexpr int most = size;
    T of[size];
    int count = 0;
  };
  template <class T>
  struct Rows {
    T* data;
    int width;  ///< values from row to row
  };
  template <class L>
  static void push(L& list, typename L::Value value) {
    if (list.count == L::most) throw std::logic_error("too many arrays whose rows copies of nodes take over");
    list.of[list.count++] = value;
  }
  template <class T>
  CLEAVE_HD static void copy_row(const Rows<T>& rows, int values, Index from, Index to) {
    for (int i = 0; i < values; ++i)
      rows.data[static_cast<std::size_t>(to) * rows.width + i] =
          rows.data[static_cast<std::size_t>(from) * rows.width + i];
  }

  List<Vec2*, 6> vectors_{};  ///< copied
  List<Vec2*, 4> zeros_{};    ///< set to zero
  List<Rows<std::uint8_t>, 2> bytes_{};
  List<Rows<Real>, 2> rows_{};
};

}  // namespace cleave::inline CLEAVE_PRECISION
