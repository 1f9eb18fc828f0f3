/// The arrays of fracture checks in solver memory.
#pragma once

#include "body/fields.hpp"
#include "fracture/fracture_filter.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Stresses that facets are judged by, and what a check finds.
template <class Backend>
struct FractureState {
  template <class T>
  using Field = cleave::Field<Backend, T>;

  Index stress_rows = 1;          ///< of a node in stress_sum
  Field<Real> stress_sum;         ///< [node] NodalStressTable, see NodalStressRows
  Field<std::uint8_t> flagged;    ///< [node] its stress may break a facet
  Field<LoadRank> most_loaded;    ///< [node] see RankFacets; none unless facets are ranked
  Field<std::uint8_t> fractured;  ///< [element] bit k: facet k breaks in this check

  /// @param ranks_facets  see RankFacets
  void declare(Fields<Backend>& fields, bool ranks_facets) {
    FieldUse stress = table_use<NodalStressTable>(On::node);
    stress.width *= static_cast<int>(stress_rows);
    stress.shown = true;
    stress.rows_of = RowsOf::owner_only;
    stress_sum = fields.template add<Real>("nodal stresses", stress);
    flagged = fields.template add<std::uint8_t>("flagged nodes", {.on = On::node});
    if (ranks_facets) most_loaded = fields.template add<LoadRank>("facet ranks", {.on = On::node, .exchanged = true});
    fractured =
        fields.template add<std::uint8_t>("facets that break", {.on = On::element, .rows_of = RowsOf::all_ranks});
  }
  /// Values of the sums of that many nodes.
  std::size_t stress_extent(Index nodes) const {
    return static_cast<std::size_t>(stress_rows) * NodalStressTable::extent(nodes);
  }
};

/// Scratch of an insertion pass.
template <class Backend>
struct InsertionScratch {
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;
  Buffer<Index> elements;     ///< with fractured facets
  Buffer<Index> first_facet;  ///< by entry of FacetsOfList or FacetsOfAll
  Buffer<Index> found;        ///< see FracturedFacets
};

}  // namespace cleave::inline CLEAVE_PRECISION
