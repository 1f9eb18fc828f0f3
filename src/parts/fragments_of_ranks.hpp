/// Fragments over several ranks: facets between ranks join those of each.
#pragma once

#include <vector>

#include "backend/fill.hpp"
#include "fracture/border_fragments.hpp"
#include "fracture/fragment_state.hpp"
#include "parts/halo.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Joins the fragments of ranks, through the host. All ranks make the same calls. Of one rank: empty.
template <class Backend, class Element>
class FragmentsOfRanks {
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;
  using State = FragmentState<Backend, Element>;

 public:
  void start(const Halo<Backend>& halo, const Mesh& mesh) {
    if (halo.is_alone()) return;
    const ElementRange own = halo.own_elements();
    const PartIds ids = halo.host_element_ids();
    std::vector<Index> listed;
    std::vector<BorderFacet> facets;
    const auto in_body = [&](Index code) { return facet_code(ids.body_id(element_of(code)), facet_of(code)); };
    for (Index e = own.begin; e < own.end; ++e)
      for (int k = 0; k < Element::facets; ++k) {
        const Index other = mesh.neighbour(e, k);
        if (other < 0 || own.has(element_of(other))) continue;
        listed.push_back(facet_code(e, k));
        facets.push_back({in_body(listed.back()), in_body(other)});
      }
    facets_.upload(listed);
    labels_.resize(1 + listed.size());
    names_.resize(listed.size());  // never more: growing ends recordings
    borders_ = FragmentBorders(halo.records_by_rank(facets));
  }

  /// Replaces the number of this rank's fragments, which have just been counted, by that of all ranks.
  void join(Backend& backend, const Halo<Backend>& halo, const HoldingFacets<Element>& facets, const State& of_rank,
            Index* number) {
    if (halo.is_alone()) return;
    are_named_ = false;
    backend.launch(LabelBorder<Element>{.facets = facets,
                                        .border = facets_.data(),
                                        .listed = static_cast<Index>(facets_.size()),
                                        .ids = halo.element_ids(),
                                        .part = of_rank.part.data(),
                                        .parent = of_rank.of_element.data(),
                                        .fragments = number,
                                        .label = labels_.data()});
    backend.launch(Fill<Index>{number, 1, borders_.join(halo.records_by_rank(labels_.download(labels_.size())))});
  }

  /// Gives own elements their fragments, as they were counted last. Does nothing if they have their names: these
  /// overwrite the parents of parts, so that labels cannot be found again before the next count.
  void label(Backend& backend, const Halo<Backend>& halo, State& of_rank) {
    if (are_named_) return;
    of_rank.label(backend);
    if (halo.is_alone()) return;
    are_named_ = true;
    const std::vector<FragmentName>& names = borders_.names(halo.rank());
    names_.upload(names);
    backend.launch(NameFragments{of_rank.own, halo.element_ids(), names_.data(), static_cast<Index>(names.size()),
                                 of_rank.of_element.data()});
  }

 private:
  Buffer<Index> facets_;  ///< codes of those of own elements that lead to other ranks
  Buffer<Index> labels_;  ///< see LabelBorder
  Buffer<FragmentName> names_;
  FragmentBorders borders_;
  bool are_named_ = false;  ///< elements have the names of their fragments over several ranks
};

}  // namespace cleave::inline CLEAVE_PRECISION
