/// Sectors of a node star: elements around a node that still hold together.
#pragma once

#include "cleave/core/bits.hpp"
#include "cleave/mesh/blocks.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// A set of positions in a star: bit p says position p.
using StarSet = std::uint32_t;
static_assert(most_elements_at_node <= 32);
CLEAVE_HD constexpr StarSet position_set(int position) { return StarSet{1} << position; }
CLEAVE_HD constexpr StarSet first_positions(int number) { return ~StarSet{0} >> (32 - number); }

/// Sectors around a node. Its elements lie in the order in which they follow each other, so sectors are runs of them;
/// places count from the first element after a cut.
struct StarSectors {
  int elements;
  int start;                         ///< position of place 0
  StarSet ends;                      ///< the places that are the last of a group
  int kept_first = 0, kept_end = 0;  ///< places of the group that keeps the node: the largest, the first one of such
  int kept = 0;                      ///< its number among the groups

  /// @param joined  positions that an intact facet joins to the next one, the last one to the first
  CLEAVE_HD StarSectors(StarSet joined, int number) : elements(number), start(0) {
    const StarSet all = first_positions(number), cuts = ~joined & all;
    ends = cuts;
    if (cuts == 0) return;
    if (joined & position_set(number - 1)) {
      start = first_bit(cuts) + 1;
      ends = (cuts >> start | cuts << (number - start)) & all;
    }
    for_each([this](int group, int first, int end) {
      if (end - first <= kept_size()) return;
      kept = group;
      kept_first = first;
      kept_end = end;
    });
  }

  /// Calls f(group, first place, one past the last place), group by group.
#if defined(__CUDACC__)
#pragma nv_exec_check_disable
#endif
  template <class F>
  CLEAVE_HD_INLINE void for_each(F f) const {
    int first = 0, group = 0;
    for (StarSet left = ends; left != 0; left &= left - 1, ++group) {
      const int end = first_bit(left) + 1;
      f(group, first, end);
      first = end;
    }
  }

  CLEAVE_HD int copies() const { return ends == 0 ? 0 : number_of_bits(ends) - 1; }
  CLEAVE_HD int kept_size() const { return kept_end - kept_first; }
  CLEAVE_HD int position_of(int place) const {
    return place + start < elements ? place + start : place + start - elements;
  }
  CLEAVE_HD bool keeps(int place) const { return place >= kept_first && place < kept_end; }
};

}  // namespace cleave::inline CLEAVE_PRECISION
