/// The facets that break in a pass, in the order in which they become cohesive elements.
#pragma once

#include <cstring>

#include "body/element_table.hpp"
#include "cleave/core/bits.hpp"
#include "cleave/lockstep/kernel.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Fractured facets of some elements in a row: bit 8 i + k says facet k of element first + i.
struct FacetBits {
  Index first = 0;
  std::uint64_t bits = 0;
};

/// Facets of the elements of a list, one by one.
struct FacetsOfList {
  ElementList list;
  const std::uint8_t* fractured;  ///< [element] bit k: facet k breaks

  CLEAVE_HD Index size() const { return list.count; }
  CLEAVE_HD FacetBits operator()(Index entry) const { return {list[entry], fractured[list[entry]]}; }
};

/// Facets of all elements, eight an entry.
struct FacetsOfAll {
  static constexpr Index most_elements = sizeof(FacetBits::bits);
  Index elements;
  const std::uint8_t* fractured;  ///< [element] bit k: facet k breaks

  CLEAVE_HD Index size() const { return (elements + most_elements - 1) / most_elements; }
  CLEAVE_HD FacetBits operator()(Index entry) const {
    FacetBits facets{entry * most_elements};
    const std::uint8_t* here = fractured + facets.first;
    const Index number = elements - facets.first;
    if (number >= most_elements)
      std::memcpy(&facets.bits, __builtin_assume_aligned(here, sizeof(facets.bits)), sizeof(facets.bits));
    else
      for (Index i = 0; i < number; ++i) facets.bits |= static_cast<std::uint64_t>(here[i]) << 8 * i;
    return facets;
  }
};

/// How many there are.
template <class Facets>
struct FacetCount {
  Facets facets;
  CLEAVE_HD Index operator()(Index entry) const { return number_of_bits(facets(entry).bits); }
};

/// Writes the facet codes of new cohesive elements, which are numbered along the list.
template <class Element, class Facets>
struct ListFacets {
  static constexpr KernelTraits traits{.name = "facet list"};
  ElementTable<Element> elements;
  Facets facets;             ///< that break
  const Index* first_facet;  ///< [entry] number of them before it
  Index first_cohesive;      ///< number of cohesive elements before the pass

  CLEAVE_HD Index size() const { return facets.size(); }
  CLEAVE_HD void operator()(Index entry) const {
    Index c = first_cohesive + first_facet[entry];
    for (FacetBits left = facets(entry); left.bits != 0; left.bits &= left.bits - 1, ++c) {
      const int bit = first_bit(left.bits);
      const Index e = left.first + bit / 8;
      elements.cohesive_facet(c, 0) = facet_code(e, bit % 8);
      elements.cohesive_facet(c, 1) = elements.neighbour(e, bit % 8);
    }
  }
};

/// Numbers the facets that break as cohesive elements, along `facets`, and lists their codes.
/// @param run          Launches or InOneBlock
/// @param first_facet  scratch, [entry]
#if defined(__CUDACC__)
#pragma nv_exec_check_disable
#endif
template <class Run, class Element, class Facets>
CLEAVE_HD void list_facets(Run const& run, const ElementTable<Element>& elements, const Facets& facets,
                           Index* first_facet, Index first_cohesive) {
  run.scan(facets.size(), FacetCount<Facets>{.facets = facets}, first_facet);
  run(ListFacets<Element, Facets>{
      .elements = elements, .facets = facets, .first_facet = first_facet, .first_cohesive = first_cohesive});
}

}  // namespace cleave::inline CLEAVE_PRECISION
