/// Body force, dashpots and drag as a term: nodes step with them.
#pragma once

#include "terms/outside/outside_state.hpp"
#include "terms/term.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Element>
class OutsideTerm final : public Term<Backend, Element> {
 public:
  using typename Term<Backend, Element>::Body;

  void add_sums(Body& body, SumTables& sums) override {
    body.outside.add_sums([&](const auto& works) { body.add_nodes(sums, works); });
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
