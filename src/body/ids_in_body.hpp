/// Ids in the body of what a rank has: those that one rank would have given.
#pragma once

#include <concepts>

#include "body/element_table.hpp"
#include "cleave/lockstep/kernel.hpp"
#include "cleave/partition/part.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// View of the ids in the body, by own id.
struct IdsInBody {
  PartIds elements;
  PartIds nodes;                    ///< of the intact mesh
  Index first_copy = 0;             ///< own id of the first copy
  const Index* copies = nullptr;    ///< [copy]
  const Index* cohesive = nullptr;  ///< [cohesive element]

  CLEAVE_HD Index node(Index own) const { return own < first_copy ? nodes.body_id(own) : copies[own - first_copy]; }
  /// The same for a facet code or a code behind a facet.
  CLEAVE_HD Index facet(Index code) const {
    if (code == boundary_facet) return code;
    if (is_cohesive(code)) return cohesive_code(cohesive[cohesive_of(code)], cohesive_side_of(code));
    return facet_code(elements.body_id(element_of(code)), facet_of(code));
  }

  CLEAVE_HD Index of(Index code) const { return facet(code); }
  CLEAVE_HD ElementNode of(const ElementNode& own) const { return {node(own.node), own.slot}; }
  template <class Element>
  CLEAVE_HD CohesiveRow<Element> of(const CohesiveRow<Element>& own) const {
    CohesiveRow<Element> row;
    for (int side = 0; side < 2; ++side) {
      row.facets[side] = facet(own.facets[side]);
      for (int i = 0; i < Element::facet_nodes; ++i) row.nodes[side][i] = node(own.nodes[side][i]);
    }
    return row;
  }
};

/// Values that may name rows of a body.
template <class T>
concept NamesRows = requires(const IdsInBody& ids, const T& value) {
  { ids.of(value) } -> std::same_as<T>;
};

/// Gives values the ids of the body.
template <class T>
struct ToBodyIds {
  static constexpr KernelTraits traits{.name = "ids in the body"};
  IdsInBody ids;
  Index count;
  T* values;

  CLEAVE_HD Index size() const { return count; }
  CLEAVE_HD void operator()(Index i) const { values[i] = ids.of(values[i]); }
};

}  // namespace cleave::inline CLEAVE_PRECISION
