/// The arrays of fracture checks in solver memory.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "body/fields.hpp"
#include "cleave/solver/model.hpp"
#include "fracture/fracture_filter.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// The criterion, the stresses that facets are judged by, and what a check finds.
template <class Backend>
struct FractureState {
  template <class T>
  using Field = cleave::Field<Backend, T>;
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  FractureCriterion criterion;
  Buffer<Real> strength_scale;                               ///< [facet code]; empty: 1 everywhere
  Buffer<Real> energy_scale;                                 ///< likewise
  std::shared_ptr<const std::vector<double>> element_scale;  ///< [element] see Snapshot

  Index stress_rows = 1;          ///< of a node in stress_sum
  Field<Real> stress_sum;         ///< [node] NodalStressTable, see NodalStressRows
  Field<std::uint8_t> flagged;    ///< [node] its stress may break a facet
  Field<LoadRank> most_loaded;    ///< [node] see RankFacets; none unless facets are ranked
  Field<std::uint8_t> fractured;  ///< [element] bit k: facet k breaks in this check

  /// @param centre  that positions in solver memory are counted from, m
  void upload(const Model& model, Point centre) {
    element_scale = std::make_shared<std::vector<double>>(model.element_strength_scale);
    if (!model.energy_scale.empty()) energy_scale.upload(rounded(model.energy_scale));
    if (!model.cohesive) return;
    const CohesiveCase& of = *model.cohesive;
    criterion.strength_n = static_cast<Real>(of.parameters.normal.strength);
    criterion.strength_t = static_cast<Real>(of.parameters.tangential.strength);
    criterion.criterion = of.insertion.criterion;
    criterion.aggregate = of.insertion.aggregate;
    if (of.insertion.box) {
      const auto& box = *of.insertion.box;
      criterion.limited = true;
      criterion.box_min = {Real(box[0] - centre.x), Real(box[1] - centre.y)};
      criterion.box_max = {Real(box[2] - centre.x), Real(box[3] - centre.y)};
    }
    if (model.strength_scale.empty() && of.rate.exponent == 0) return;
    const std::vector<Real> scales = model.strength_scale.empty() ? std::vector<Real>(model.mesh.neighbours.size(), 1)
                                                                  : rounded(model.strength_scale);
    strength_scale.upload(scales);
    criterion.scale = strength_scale.data();
    criterion.least_scale = *std::min_element(scales.begin(), scales.end());
  }
  /// @param ranks_facets  see RankFacets
  void declare(Fields<Backend>& fields, bool ranks_facets) {
    FieldUse stress = table_use<NodalStressTable>(On::node);
    stress.width *= static_cast<int>(stress_rows);
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

 private:
  static std::vector<Real> rounded(const std::vector<double>& values) { return {values.begin(), values.end()}; }
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
