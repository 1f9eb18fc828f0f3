/// Rows of arrays that go to another rank and come from it, see RowsHome.
#pragma once

#include <cstddef>
#include <cstring>

#include "body/element_table.hpp"
#include "body/gather_table.hpp"
#include "cleave/lockstep/kernel.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Rows of an array that follow each other, and the first of them in a message.
struct RowRun {
  Index first, rows, begin;
};

/// Copies rows of an array into a message, or from there: a team a row, so that a warp writes words that follow each
/// other, as memory of another device wants it.
template <class Word>
struct CopyRows {
  static constexpr KernelTraits traits{.name = "rows of ranks"};
  static constexpr int team_size = 4;
  struct Scratch {};
  const RowRun* runs;  ///< by `begin`, from 0 on
  Index run_count;
  Index begin, end;  ///< of the rows of all runs
  Index rows;        ///< that the array has: what a run has behind them is left out
  Index words;       ///< of a row
  Index block;       ///< rows of the array that lie interleaved, see Table
  Word* array;
  Word* message;  ///< from row `begin` on
  bool from_message;

  CLEAVE_HD Index size() const { return end - begin; }
  CLEAVE_HD void operator()(Index i, Team team, Scratch&) const {
    const Index row = row_at(begin + i);
    if (row >= rows) return;
    Word* const here = array + static_cast<std::size_t>(row / block) * words * block + row % block;
    Word* const there = message + static_cast<std::size_t>(i) * words;
    for (Index w = team.first; w < words; w += team.size)
      from_message ? copy(there[w], here[w * block]) : copy(here[w * block], there[w]);
  }

 private:
  /// Copies a word of an array of any type: on a host by memcpy, as type-based aliasing asks for.
  CLEAVE_HD static void copy(const Word& from, Word& to) {
#if defined(__CUDA_ARCH__)
    to = from;
#else
    std::memcpy(&to, &from, sizeof(Word));
#endif
  }
  /// The row of the array at a place in all runs, one after the other.
  CLEAVE_HD Index row_at(Index place) const {
    Index low = 0, high = run_count;  // the run lies in [low, high)
    while (high - low > 1) {
      const Index middle = low + (high - low) / 2;
      (runs[middle].begin <= place ? low : high) = middle;
    }
    return runs[low].first + place - runs[low].begin;
  }
};

/// The incidence of the first slot of each of the newest copies.
struct CornersOfCopies {
  static constexpr KernelTraits traits{.name = "corners of copies"};
  Index first, count;  ///< nodes
  const NodeAssembly* assembly;
  const Index* interface_entries;  ///< IncidenceTable
  Index* corner;                   ///< [node - first]

  CLEAVE_HD Index size() const { return count; }
  CLEAVE_HD void operator()(Index i) const { corner[i] = interface_entries[assembly[first + i].first_slot]; }
};

/// The facet that owns each of the newest cohesive elements.
template <class Element>
struct FacetsOfCohesive {
  static constexpr KernelTraits traits{.name = "facets of cohesive elements"};
  Index first, count;  ///< cohesive elements
  const CohesiveRow<Element>* rows;
  Index* facet;  ///< [cohesive element - first]

  CLEAVE_HD Index size() const { return count; }
  CLEAVE_HD void operator()(Index i) const { facet[i] = rows[first + i].facets[0]; }
};

}  // namespace cleave::inline CLEAVE_PRECISION
