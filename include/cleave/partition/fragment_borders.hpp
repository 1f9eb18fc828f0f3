/// Fragments over several ranks: each finds those of its own elements, and facets between ranks join them.
///
/// Example: of two ranks, the first with elements 0 to 3 and the second with 4 to 7, share two facets. One holds:
///
///     rank   fragments   facets between ranks {own, other}   labels
///     0      2           {3, 12}, {10, 18}                   {0, 3}
///     1      1           {12, 3}, {18, 10}                   {4, -1}
///
/// Fragments 0 and 4 are one, so that there are 2 in all, and fragment 4 of rank 1 has the name 0.
#pragma once

#include <utility>
#include <vector>

#include "cleave/core/types.hpp"

namespace cleave {

/// A facet between two ranks, as one of them sees it.
struct BorderFacet {
  Index own;    ///< code in the body, of the element of this rank
  Index other;  ///< likewise, of the element of the other rank
};

/// The name over all ranks of a fragment that reaches other ranks.
struct FragmentName {
  Index label;  ///< on its rank
  Index name;   ///< smallest id of an element in it

  friend bool operator==(const FragmentName&, const FragmentName&) = default;
};

/// Joins the fragments of ranks over the facets between them.
class FragmentBorders {
 public:
  /// @param facets  [rank] all between its elements and those of others
  explicit FragmentBorders(const std::vector<std::vector<BorderFacet>>& facets = {});

  /// Joins fragments. Returns how many there are on all ranks.
  /// @param of_ranks  [rank] number of its fragments, then for each of its facets the smallest id in the body of the
  ///                  fragment that the facet holds on this side; -1 where it holds none. A facet that one side does
  ///                  not hold joins nothing.
  Index join(const std::vector<std::vector<Index>>& of_ranks);
  /// Names of a rank's fragments, as joined last, that are not their labels; by ascending label.
  const std::vector<FragmentName>& names(int rank) const { return names_[rank]; }

 private:
  struct Side {
    int rank;
    std::size_t label;  ///< which of its labels
  };
  std::vector<std::pair<Side, Side>> facets_;
  std::vector<std::vector<FragmentName>> names_;  ///< [rank]
};

}  // namespace cleave
