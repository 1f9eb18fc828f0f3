/// Rows of arrays that go to another rank and come from it, see RowsHome.
#pragma once

#include <cstddef>
#include <cstring>

#include "body/element_table.hpp"
#include "body/gather_table.hpp"
#include "body/incidence.hpp"
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

/// A cohesive element as all ranks know it.
struct NewCohesive {
  Step step;    ///< of its insertion
  Index facet;  ///< code of its side a
};
/// Lists the newest cohesive elements.
template <class Element>
struct ListNewCohesive {
  static constexpr KernelTraits traits{.name = "new cohesive elements"};
  Index first, count;
  const CohesiveRow<Element>* rows;
  const Step* insertion_step;
  NewCohesive* listed;  ///< [cohesive element - first]

  CLEAVE_HD Index size() const { return count; }
  CLEAVE_HD void operator()(Index i) const { listed[i] = {insertion_step[first + i], rows[first + i].facets[0]}; }
};

/// A copy of a node, by the cut facet for which it was made.
struct NewCopy {
  NewCohesive cut;
  Index place;   ///< see CopyMaker
  Index corner;  ///< an incidence that it has now
};
/// Lists the newest copies.
template <class Element>
struct ListNewCopies {
  static constexpr KernelTraits traits{.name = "new copies of nodes"};
  Index first, count;   ///< nodes
  Index first_copy;     ///< node
  const Index* makers;  ///< [copy] CopyMaker; null: nobody knows any more
  const NodeAssembly* assembly;
  const Index* interface_entries;  ///< IncidenceTable
  const CohesiveRow<Element>* rows;
  const Step* insertion_step;
  NewCopy* listed;  ///< [node - first]

  CLEAVE_HD Index size() const { return count; }
  CLEAVE_HD void operator()(Index i) const {
    NewCopy copy{};
    copy.corner = interface_entries[assembly[first + i].first_slot];
    if (makers != nullptr) {
      const Index maker = makers[first + i - first_copy], c = CopyMaker::cohesive(maker);
      copy.cut = {insertion_step[c], rows[c].facets[0]};
      copy.place = CopyMaker::place(maker);
    }
    listed[i] = copy;
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
