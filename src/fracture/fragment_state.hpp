/// The arrays of fragments in solver memory, and how they are counted.
#pragma once

#include <cstdint>
#include <vector>

#include "body/body_state.hpp"
#include "cleave/mesh/mesh.hpp"
#include "fracture/fragments.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Parts and fragments of the elements of a body, and what says which of them to look for anew. Not part of a
/// checkpoint: a run that goes on from one finds all parts.
template <class Backend, class Element>
struct FragmentState {
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  ElementRange own;                    ///< elements of this rank
  bool out_of_date = false;            ///< of several ranks: facets have failed or elements eroded since the count
  Field<Backend, Index> part;          ///< [element] see FindParts
  Field<Backend, Index> of_element;    ///< [element] see LabelFragments, NameFragments
  Buffer<Index> border;                ///< see JoinParts
  Buffer<std::uint8_t> changed;        ///< [block] see FindParts
  Field<Backend, std::uint8_t> noted;  ///< [cohesive element] see NoteFailures

  void declare(Fields<Backend>& fields) {
    part = fields.template add<Index>("parts of blocks", {.on = On::element});
    of_element = fields.template add<Index>("fragments of elements", {.on = On::element});
    noted = fields.add_filled("noted failures", {.on = On::cohesive}, std::uint8_t{0});
  }
  void start(Backend& backend, const Mesh& mesh, ElementRange own_elements) {
    own = own_elements;
    std::vector<Index> listed;
    for (Index e = own.begin; e < own.end; ++e) {
      const ElementRange before{own.begin, e / elements_per_block * elements_per_block};
      bool any = false;
      for (int k = 0; k < Element::facets; ++k)
        any = any || (mesh.neighbour(e, k) >= 0 && before.has(element_of(mesh.neighbour(e, k))));
      if (any) listed.push_back(e);
    }
    border.upload(listed);
    changed.resize((static_cast<std::size_t>(mesh.element_count()) + elements_per_block - 1) / elements_per_block);
    mark_all(backend);
  }
  void mark_all(Backend& backend) {
    backend.launch(Fill<std::uint8_t>{changed.data(), static_cast<Index>(changed.size()), 1});
  }
  /// Counts fragments.
  /// @param capacity  of cohesive elements
  /// @param present   how many there are
  /// @param counted   where the count goes
  void count(Backend& backend, const HoldingFacets<Element>& facets, Index capacity, const Index* present,
             const CountedFragments& counted) {
    const FindParts<Element> find{.facets = facets,
                                  .changed = changed.data(),
                                  .part = part.data(),
                                  .parent = of_element.data(),
                                  .fragments = counted.number};
    const JoinParts<Element> join{.facets = facets,
                                  .border = border.data(),
                                  .listed = static_cast<Index>(border.size()),
                                  .part = part.data(),
                                  .parent = of_element.data(),
                                  .fragments = counted.number};
    backend.launch(NoteFailures<Element>{.elements = facets.elements,
                                         .capacity = capacity,
                                         .present = present,
                                         .failed = facets.failed,
                                         .noted = noted.data(),
                                         .changed = changed.data(),
                                         .counted = counted});
    if (counted.only_if_failures) {
      const DeviceGate gate = DeviceGate::open_if(counted.failures);
      backend.launch(Guarded{gate, find});
      backend.launch(Guarded{gate, join});
    } else {
      backend.launch(find);
      backend.launch(join);
    }
  }
  /// Gives own elements their fragments, as they were counted last.
  void label(Backend& backend) { backend.launch(LabelFragments{own, part.data(), of_element.data()}); }
};

}  // namespace cleave::inline CLEAVE_PRECISION
