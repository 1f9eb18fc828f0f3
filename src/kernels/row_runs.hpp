/// Rows of arrays that go to another rank and come from it, see RowsHome.
#pragma once

#include <cstddef>

#include "kernels/element_table.hpp"
#include "kernels/gather_table.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Rows of an array that follow each other, and the first of them in a message.
struct RowRun {
  Index first, rows, begin;
};

/// Copies rows of an array into a message, or from there: a thread a row.
template <class Word>
struct CopyRows {
  static constexpr const char* name = "rows of ranks";
  const RowRun* runs;  ///< by `begin`, from 0 on
  Index run_count;
  Index begin, end;  ///< of the rows of all runs
  Index words;       ///< of a row
  Word* array;
  Word* message;  ///< from row `begin` on
  bool from_message;

  CLEAVE_HD Index size() const { return end - begin; }
  CLEAVE_HD void operator()(Index i) const {
    const Index row = begin + i;
    Index low = 0, high = run_count;  // the run lies in [low, high)
    while (high - low > 1) {
      const Index middle = low + (high - low) / 2;
      (runs[middle].begin <= row ? low : high) = middle;
    }
    Word* const here = array + static_cast<std::size_t>(runs[low].first + row - runs[low].begin) * words;
    Word* const there = message + static_cast<std::size_t>(i) * words;
    for (Index w = 0; w < words; ++w) (from_message ? here : there)[w] = (from_message ? there : here)[w];
  }
};

/// An element, and which of its nodes, of each of the newest copies: as their first slot has it.
struct CornersOfCopies {
  static constexpr const char* name = "corners of copies";
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
  static constexpr const char* name = "facets of cohesive elements";
  Index first, count;  ///< cohesive elements
  const CohesiveRow<Element>* rows;
  Index* facet;  ///< [cohesive element - first]

  CLEAVE_HD Index size() const { return count; }
  CLEAVE_HD void operator()(Index i) const { facet[i] = rows[first + i].facets[0]; }
};

}  // namespace cleave::inline CLEAVE_PRECISION
