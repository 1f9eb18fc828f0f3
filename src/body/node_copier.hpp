/// How a copy of a node gets its values when a node splits.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <type_traits>

#include "cleave/core/atomic.hpp"
#include "cleave/core/types.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// First values of a copy of a node.
enum class Split : std::uint8_t {
  none,          ///< those of new rows, see Fields::add
  copy,          ///< those of its node
  copy_flagged,  ///< those of its node, if the node has flags (NodeFlag)
  zero,
};

/// Copies the rows of a node in all arrays that say so. Most arrays hold one vector a node: of these, three are read
/// before the first is written.
class NodeCopier {
 public:
  /// Whether copies can begin so in arrays of T. A quantity that is shared among copies, as mass is, is kept per mass.
  template <class T>
  static constexpr bool can_split(int width, Split split) {
    constexpr bool is_vector = std::is_same_v<T, Vec2>;
    if (split == Split::copy_flagged)
      return is_vector || std::is_same_v<T, Sym2> || std::is_same_v<T, double> || std::is_same_v<T, std::uint8_t>;
    return split == Split::none || (is_vector && width == 1);
  }
  /// Adds an array of `width` values a node. Throws std::logic_error if it cannot split so.
  template <class T>
  void add(T* rows, int width, Split split) {
    if (!can_split<T>(width, split)) throw std::logic_error("copies of nodes cannot begin so in an array of that type");
    if (split == Split::copy_flagged) {
      if constexpr (std::is_same_v<T, std::uint8_t>)
        return push(bytes_, {rows, width});
      else if constexpr (std::is_same_v<T, Vec2> || std::is_same_v<T, Sym2> || std::is_same_v<T, double>)
        return push(reals_, {reinterpret_cast<Real*>(rows), width * static_cast<int>(sizeof(T) / sizeof(Real))});
    } else if constexpr (std::is_same_v<T, Vec2>) {
      if (split != Split::none) split == Split::copy ? push(vectors_, rows) : push(zeros_, rows);
    }
  }

  CLEAVE_HD void fetch_lines(Index from) const {
    CLEAVE_UNROLL
    for (int k = 0; k < vectors_.most; ++k)
      if (k < vectors_.count) fetch_line(vectors_.of[k][from]);
  }
  /// Lists are indexed by constants only: others would put them into the local memory of a GPU's threads.
  /// @param flagged  the node has flags
  CLEAVE_HD void operator()(Index from, Index to, bool flagged) const {
    copy_vectors<0>(from, to);
    copy_vectors<at_once>(from, to);
    copy_vectors<2 * at_once>(from, to);
    CLEAVE_UNROLL
    for (int k = 0; k < zeros_.most; ++k)
      if (k < zeros_.count) zeros_.of[k][to] = Vec2{};
    if (!flagged) return;
    CLEAVE_UNROLL
    for (int k = 0; k < bytes_.most; ++k)
      if (k < bytes_.count) copy_row(bytes_.of[k], from, to);
    CLEAVE_UNROLL
    for (int k = 0; k < reals_.most; ++k)
      if (k < reals_.count) copy_row(reals_.of[k], from, to);
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
    int width;  ///< values of a row
  };
  template <class L>
  static void push(L& list, typename L::Value value) {
    if (list.count == L::most) throw std::logic_error("too many arrays whose rows copies of nodes take over");
    list.of[list.count++] = value;
  }
  static constexpr int at_once = 3;
  template <int first>
  CLEAVE_HD void copy_vectors(Index from, Index to) const {
    if (first >= vectors_.count) return;
    Vec2 values[at_once];
    CLEAVE_UNROLL
    for (int k = 0; k < at_once; ++k)
      if (first + k < vectors_.count) values[k] = vectors_.of[first + k][from];
    CLEAVE_UNROLL
    for (int k = 0; k < at_once; ++k)
      if (first + k < vectors_.count) vectors_.of[first + k][to] = values[k];
  }
  template <class T>
  CLEAVE_HD static void copy_row(const Rows<T>& rows, Index from, Index to) {
    for (int i = 0; i < rows.width; ++i)
      rows.data[static_cast<std::size_t>(to) * rows.width + i] =
          rows.data[static_cast<std::size_t>(from) * rows.width + i];
  }

  List<Vec2*, 3 * at_once> vectors_{};  ///< copied
  List<Vec2*, 8> zeros_{};              ///< set to zero
  List<Rows<std::uint8_t>, 3> bytes_{};
  List<Rows<Real>, 8> reals_{};
};

}  // namespace cleave::inline CLEAVE_PRECISION
