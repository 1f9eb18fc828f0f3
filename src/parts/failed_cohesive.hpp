/// Failed cohesive elements of all ranks.
#pragma once

#include <array>
#include <vector>

#include "body/element_table.hpp"
#include "cleave/core/record.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// A cohesive element that has failed, and its states.
template <class Law>
struct FailedCohesive {
  Index cohesive;
  std::array<typename Law::State, FacetGauss::points> states;
};

/// The cohesive elements of which all ranks know that they have failed. A failed element stays failed.
class FailedEverywhere {
 public:
  /// Tells all ranks of elements that have failed since the last time, as cracks that pressure enters lead through the
  /// parts of all ranks. On one rank there is nothing to tell.
  template <class Body>
  void share(Body& body) {
    if (body.halo.is_alone()) return;
    const Index count = body.report.download(1).front().live.cohesive;
    const ElementRange own_elements = body.halo.own_elements();
    known_.resize(count, false);
    body.cohesive.with_law([&]<class Law>(const Law&, const auto& table) {
      std::vector<FailedCohesive<Law>> own;
      for (Index c = 0; c < count; ++c) {
        if (known_[c] || !own_elements.has(element_of(body.elements.cohesive_rows.data()[c].facets[0]))) continue;
        FailedCohesive<Law> element{c, {}};
        bool failed = true;
        for (int q = 0; q < FacetGauss::points; ++q) {
          element.states[q] = read_record(table.state(c, q));
          failed = failed && Law::failed(element.states[q]);
        }
        if (failed) own.push_back(element);
      }
      for (const FailedCohesive<Law>& element : body.halo.records_of_all(own)) {
        known_[element.cohesive] = true;
        for (int q = 0; q < FacetGauss::points; ++q) write_record(table.state(element.cohesive, q), element.states[q]);
      }
    });
  }

 private:
  std::vector<bool> known_;  ///< [cohesive]
};

}  // namespace cleave::inline CLEAVE_PRECISION
