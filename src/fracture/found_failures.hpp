/// Facets that have failed on other ranks, told to rank 0 by their codes in the body.
#pragma once

#include "body/element_table.hpp"
#include "cleave/core/atomic.hpp"
#include "cleave/lockstep/kernel.hpp"
#include "cleave/partition/part.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Lists the facets of own elements that have failed since they were listed last.
template <class Element>
struct ListFailures {
  static constexpr KernelTraits traits{.name = "listed failures", .has_in_use = true};
  ElementTable<Element> elements;
  Index capacity;              ///< of cohesive elements
  const Index* present;        ///< how many there are
  ElementRange own;            ///< elements of this rank
  PartIds ids;                 ///< of elements
  const std::uint8_t* failed;  ///< [cohesive element]
  std::uint8_t* noted;         ///< [cohesive element] whether it has been listed
  Index* list;                 ///< their number, then facet codes in the body, in any order

  CLEAVE_HD Index size() const { return capacity; }
  CLEAVE_HD Index in_use() const { return *present; }
  CLEAVE_HD void operator()(Index c) const {
    const Index facet = elements.cohesive_facet(c, 0);
    if (failed[c] == noted[c] || !own.has(element_of(facet))) return;
    noted[c] = failed[c];
    list[1 + atomic_add(list[0], Index{1})] = facet_code(ids.body_id(element_of(facet)), facet_of(facet));
  }
};

/// Takes over such facets in the whole body.
template <class Element>
struct TakeFailures {
  static constexpr KernelTraits traits{.name = "taken failures"};
  ElementTable<Element> elements;
  const Index* facets;
  Index count;
  std::uint8_t* failed;  ///< [cohesive element]

  CLEAVE_HD Index size() const { return count; }
  CLEAVE_HD void operator()(Index i) const {
    failed[cohesive_of(elements.neighbour(element_of(facets[i]), facet_of(facets[i])))] = 1;
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
