/// Loads on facets of the boundary as a term: element blocks add them to the forces of their elements.
#pragma once

#include <algorithm>
#include <vector>

#include "body/fields.hpp"
#include "terms/loads/loading.hpp"
#include "terms/term.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Element>
class LoadTerm final : public Term<Backend, Element> {
 public:
  using typename Term<Backend, Element>::Body;
  typename Backend::template Buffer<LoadedFacet> facets;  ///< [row]

  Index rows() const { return static_cast<Index>(facets.size()); }
  FacetLoads<Element> view(const Body& body) {
    return {first_row_.data(), facets.data(), last_.data(), work_.data(), body.thickness_changes};
  }
  /// Rows of elements of this rank.
  ElementRange own_rows() const { return own_; }
  void declare(Body& body, const Model&) override {
    const FieldUse of_rows{.on = On::load, .saved = true};
    last_ = body.fields.template add<LastFacetStep<Element>>("last facet steps", of_rows);
    work_ = body.fields.add_filled("facet works", of_rows, 0.0);
  }
  void upload(Body& body, const Model& model) override {
    if (model.loads.empty()) return;
    const LoadedFacetList<Element> list = list_loaded_facets<Element>(model.mesh, model.loads, model.displacement);
    first_row_.upload(list.first_row);
    facets.upload(list.facets);
    own_ = {first_row_of(list.facets, body.halo.own_elements().begin),
            first_row_of(list.facets, body.halo.own_elements().end)};
    body.fields.reserve(body.backend, On::load, rows());
    last_.upload(list.last);
    body.elements.flags.upload(list.flags);
  }
  /// Nodes have booked the works of loads together with those of internal forces, as elements give both.
  void add_sums(Body&, SumTables& sums) override {
    sums.add(SumRows<QuantityList<Quantity::external_work>>{{work_.data()}}, own_);
    sums.add(SumRows<QuantityList<Quantity::internal_work>>{{work_.data()}}, own_);
  }

 private:
  /// The first of the rows, sorted by facet, whose element is that one or a later one.
  static Index first_row_of(const std::vector<LoadedFacet>& rows, Index element) {
    const auto is_before = [](const LoadedFacet& row, Index e) { return element_of(row.facet) < e; };
    return static_cast<Index>(std::lower_bound(rows.begin(), rows.end(), element, is_before) - rows.begin());
  }

  ElementRange own_;                                    ///< see own_rows
  typename Backend::template Buffer<Index> first_row_;  ///< see FacetLoads
  Field<Backend, LastFacetStep<Element>> last_;
  Field<Backend, double> work_;
};

}  // namespace cleave::inline CLEAVE_PRECISION
