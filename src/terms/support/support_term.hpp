/// Elastic supports as a term.
#pragma once

#include <vector>

#include "body/fields.hpp"
#include "cleave/solver/model.hpp"
#include "terms/support/support.hpp"
#include "terms/term.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Element>
class SupportTerm final : public Term<Backend, Element> {
 public:
  using typename Term<Backend, Element>::Body;

  void declare(Body& body, const Model& model) override {
    if (model.support.empty()) return;
    const FieldUse of_nodes{.on = On::node, .saved = true};
    FieldUse kept = of_nodes, force = of_nodes, works = of_nodes;
    kept.split = Split::copy;
    force.split = Split::zero;
    works.summed = Summed::all;
    stiffness_ = body.fields.template add<Vec2>("support stiffnesses", kept);
    force_ = body.fields.add_filled("support forces", force, Vec2{});
    work_ = body.fields.add_filled("support works", works, 0.0);
  }
  void upload(Body&, const Model& model) override {
    std::vector<Vec2> stiffness;
    for (const double k : model.support) stiffness.push_back({static_cast<Real>(k), static_cast<Real>(k)});
    if (stiffness_) stiffness_.upload(stiffness);
  }
  void launch_forces(Body& body, const LaunchedStep& step) override {
    if (!stiffness_) return;
    body.backend.launch(SupportForce{.capacity = body.gather.capacity(),
                                     .present = &body.live()->nodes,
                                     .assembly = body.gather.assembly.data(),
                                     .stiffness = stiffness_.data(),
                                     .displacement = body.nodes.displacement.data(),
                                     .velocity = body.nodes.velocity.data(),
                                     .dt = Real(step.start ? 0 : body.dt),
                                     .insertion_pending = body.insertion_pending(),
                                     .force = force_.data(),
                                     .works = works()});
  }
  const Field<Backend, Vec2>* nodal_force() const override { return force_ ? &force_ : nullptr; }
  void add_sums(Body& body, SumTables& sums) override {
    if (stiffness_) sums.add(works(), body.gather.capacity());
  }

 private:
  SupportWorks works() { return {{work_.data()}}; }

  Field<Backend, Vec2> stiffness_;  ///< [node] see SupportForce
  Field<Backend, Vec2> force_;      ///< [node] of the last step, N
  Field<Backend, double> work_;     ///< [node] SupportWorks; stay with a node that splits
};

}  // namespace cleave::inline CLEAVE_PRECISION
