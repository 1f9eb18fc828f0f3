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

  Buffer<Index> part;                  ///< [element] see FindParts
  Buffer<Index> of_element;            ///< [element] see LabelFragments
  Buffer<Index> border;                ///< see JoinParts
  Buffer<std::uint8_t> changed;        ///< [block] see FindParts
  Field<Backend, std::uint8_t> noted;  ///< [cohesive element] see NoteFailures

  void declare(Fields<Backend>& fields) {
    noted = fields.add_filled("noted failures", {.on = On::cohesive}, std::uint8_t{0});
  }
  void start(Backend& backend, const Mesh& mesh) {
    const auto elements = static_cast<std::size_t>(mesh.element_count());
    part.resize(elements);
    of_element.resize(elements);
    std::vector<Index> listed;
    for (Index e = 0; e < mesh.element_count(); ++e) {
      const Index first = e / elements_per_block * elements_per_block;
      bool any = false;
      for (int k = 0; k < Element::facets; ++k)
        any = any || (mesh.neighbour(e, k) >= 0 && element_of(mesh.neighbour(e, k)) < first);
      if (any) listed.push_back(e);
    }
    border.upload(listed);
    changed.resize((elements + elements_per_block - 1) / elements_per_block);
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
  /// Gives elements their fragments, as they were counted last.
  void label(Backend& backend) {
    backend.launch(LabelFragments{static_cast<Index>(part.size()), part.data(), of_element.data()});
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
