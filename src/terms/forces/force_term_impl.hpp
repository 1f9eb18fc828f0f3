/// ForceTerm: its launches.
#pragma once

#include <stdexcept>

#include "cleave/force/force_laws.hpp"
#include "terms/forces/force_term.hpp"
#include "terms/forces/user_forces.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Element>
void ForceTerm<Backend, Element>::declare(Body& body, const Model& model) {
  for (const ForceCase& entry : model.forces) entries_.push_back(tables_.place(entry));
  if (entries_.empty()) return;
  for (const ForceCase& entry : entries_)
    if (ForceLaws::find(entry.law) < 0) throw std::logic_error("no force has the name " + entry.law);
  const FieldUse of_nodes{.on = On::node, .saved = true};
  FieldUse force = of_nodes, flags{.on = On::node, .saved = true, .rows_of = RowsOf::all_ranks};
  force.split = Split::zero;
  flags.split = Split::copy_flagged;
  if (!model.forced.empty()) acts_ = body.fields.add_filled("nodes with forces", flags, std::uint8_t{0});
  if (entries_.size() > 1) sum_ = body.fields.template add<Vec2>("sums of forces", {.on = On::node});
  force_ = body.fields.add_filled("users' forces", force, Vec2{});
  work_ = body.fields.add_filled("works of users' forces", of_nodes, 0.0);
}

template <class Backend, class Element>
void ForceTerm<Backend, Element>::upload(Body&, const Model& model) {
  if (acts_) acts_.upload(model.forced);
}

template <class Backend, class Element>
void ForceTerm<Backend, Element>::launch_forces(Body& body, const LaunchedStep& step) {
  for (std::size_t i = 0; i < entries_.size(); ++i)
    ForceLaws::for_each([&]<class Law>() {
      if (entries_[i].law != Law::name) return;
      body.backend.launch(UserForce<Law>{.law = Law::make(entries_[i]),
                                         .bit = static_cast<std::uint8_t>(1u << i),
                                         .is_first = i == 0,
                                         .is_last = i + 1 == entries_.size(),
                                         .number = step.number,
                                         .dt = body.dt,
                                         .start = step.start,
                                         .capacity = body.gather.capacity(),
                                         .live = body.live(),
                                         .assembly = body.gather.assembly.data(),
                                         .acts = acts_.data(),
                                         .inverse_mass = body.gather.inverse_mass.data(),
                                         .centre = {static_cast<Real>(body.centre.x), static_cast<Real>(body.centre.y)},
                                         .position = body.nodes.position.data(),
                                         .displacement = body.nodes.displacement.data(),
                                         .velocity = body.nodes.velocity.data(),
                                         .insertion_pending = body.insertion_pending(),
                                         .sum = sum_.data(),
                                         .force = force_.data(),
                                         .works = {{work_.data()}}});
    });
}

template <class Backend, class Element>
void ForceTerm<Backend, Element>::add_sums(Body& body, SumTables& sums) {
  if (force_) body.add_nodes(sums, ForceWorks{{work_.data()}});
}

}  // namespace cleave::inline CLEAVE_PRECISION
