/// SupportTerm: its launches.
#pragma once

#include <vector>

#include "terms/support/support.hpp"
#include "terms/support/support_term.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Element>
void SupportTerm<Backend, Element>::declare(Body& body, const Model& model) {
  if (model.support.empty()) return;
  const FieldUse of_nodes{.on = On::node, .saved = true};
  FieldUse kept = of_nodes, force = of_nodes;
  kept.split = Split::copy;
  kept.rows_of = RowsOf::all_ranks;
  force.split = Split::zero;
  stiffness_ = body.fields.template add<Vec2>("support stiffnesses", kept);
  force_ = body.fields.add_filled("support forces", force, Vec2{});
  work_ = body.fields.add_filled("support works", of_nodes, 0.0);
}

template <class Backend, class Element>
void SupportTerm<Backend, Element>::upload(Body&, const Model& model) {
  std::vector<Vec2> stiffness;
  for (const double k : model.support) stiffness.push_back({static_cast<Real>(k), static_cast<Real>(k)});
  if (stiffness_) stiffness_.upload(stiffness);
}

template <class Backend, class Element>
void SupportTerm<Backend, Element>::launch_forces(Body& body, const LaunchedStep& step) {
  if (!stiffness_) return;
  body.backend.launch(SupportForce{.capacity = body.gather.capacity(),
                                   .present = &body.live()->nodes,
                                   .inverse_mass = body.gather.inverse_mass.data(),
                                   .stiffness = stiffness_.data(),
                                   .displacement = body.nodes.displacement.data(),
                                   .velocity = body.nodes.velocity.data(),
                                   .dt = Real(step.start ? 0 : body.dt),
                                   .insertion_pending = body.insertion_pending(),
                                   .force = force_.data(),
                                   .works = {{work_.data()}}});
}

template <class Backend, class Element>
void SupportTerm<Backend, Element>::add_sums(Body& body, SumTables& sums) {
  if (stiffness_) body.add_nodes(sums, SupportWorks{{work_.data()}});
}

}  // namespace cleave::inline CLEAVE_PRECISION
