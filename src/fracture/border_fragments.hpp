/// Fragments of several ranks: each rank finds those of its own elements, and says which of them reach other ranks.
#pragma once

#include "cleave/partition/fragment_borders.hpp"
#include "cleave/partition/part.hpp"
#include "fracture/fragments.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Gives the facets between elements of this rank and others the labels of the fragments that they hold on this side,
/// behind the number of this rank's fragments.
template <class Element>
struct LabelBorder {
  static constexpr KernelTraits traits{.name = "fragments at borders"};
  HoldingFacets<Element> facets;
  const Index* border;  ///< their codes, with own elements
  Index listed;         ///< number of them
  PartIds ids;          ///< of elements
  const Index* part;    ///< see FindParts
  Index* parent;
  const Index* fragments;  ///< number of this rank's
  Index* label;  ///< the number, then [facet] smallest id in the body of a fragment of this rank; -1: nothing is held

  CLEAVE_HD Index size() const { return 1 + listed; }
  CLEAVE_HD void operator()(Index i) const { label[i] = i == 0 ? *fragments : label_of(border[i - 1]); }

 private:
  CLEAVE_HD Index label_of(Index facet) const {
    const Index e = element_of(facet);
    const bool holds = facets.behind(e, facet_of(facet)) >= 0 && part[e] >= 0;
    return holds ? ids.body_id(root_of(parent, part[e])) : -1;
  }
};

/// Gives own elements the names of their fragments over all ranks in place of their labels.
struct NameFragments {
  static constexpr KernelTraits traits{.name = "fragment names"};
  ElementRange own;           ///< elements of this rank
  PartIds ids;                ///< of elements
  const FragmentName* names;  ///< of fragments with a name that is not their label, by ascending label
  Index named;                ///< number of them
  Index* fragment;            ///< [element] see LabelFragments

  CLEAVE_HD Index size() const { return own.size(); }
  CLEAVE_HD void operator()(Index i) const {
    Index& of = fragment[own.begin + i];
    if (of >= 0) of = name_of(ids.body_id(of));
  }

 private:
  CLEAVE_HD Index name_of(Index label) const {
    Index low = 0, high = named;  // the first name of this label or a larger one lies in [low, high]
    while (low < high) {
      const Index middle = low + (high - low) / 2;
      (names[middle].label < label ? low : high) = names[middle].label < label ? middle + 1 : middle;
    }
    return low < named && names[low].label == label ? names[low].name : label;
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
