/// Artificial viscosity as a term.
#pragma once

#include <cmath>
#include <vector>

#include "body/fields.hpp"
#include "cleave/material/linear_elastic.hpp"
#include "cleave/solver/model.hpp"
#include "parts/exchanged_rows.hpp"
#include "terms/term.hpp"
#include "terms/viscosity/viscosity.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Element>
class ViscosityTerm final : public Term<Backend, Element> {
 public:
  using typename Term<Backend, Element>::Body;

  void declare(Body& body, const Model& model) override {
    if (!model.has_artificial_viscosity()) return;
    push_ = body.fields.add_filled("viscous pushes", {.on = On::element, .width = 3, .exchanged = true}, Vec2{});
    force_ = body.fields.add_filled("viscous forces", {.on = On::node, .saved = true, .split = Split::zero}, Vec2{});
    const FieldUse works{.on = On::node, .width = ViscousWorks::Sums::count, .saved = true, .summed = Summed::all};
    work_ = body.fields.add_filled("viscous works", works, 0.0);
  }
  void upload(Body&, const Model& model) override {
    if (!push_) return;
    std::vector<Viscosity> all;
    for (const MaterialCase& m : model.materials) {
      const double density = m.parameters.density, wave = std::sqrt(LinearElastic::make(m.parameters).d11 / density);
      all.push_back(
          {static_cast<Real>(m.viscosity.linear * density * wave), static_cast<Real>(m.viscosity.quadratic * density)});
    }
    of_material_.upload(all);
  }
  const Field<Backend, Vec2>* nodal_force() const override { return force_ ? &force_ : nullptr; }
  void launch_forces(Body& body, const LaunchedStep& step) override {
    if (!push_) return;
    body.backend.launch(ViscousPush<Element>{.elements = body.elements.table(),
                                             .position = body.nodes.position.data(),
                                             .displacement = body.moved_facets(),
                                             .velocity = body.nodes.velocity.data(),
                                             .viscosity = {of_material_.data(), body.materials.of_element()},
                                             .flags = body.elements.flags.data(),
                                             .thickness = body.thickness,
                                             .push = {push_.data()}});
    body.halo.exchange_elements(ExchangedElementRows<Vec2, 3>{{push_.data()}});
    body.backend.launch(ViscousForce<Element>{.incidence = body.gather.incidence(),
                                              .assembly = body.gather.assembly.data(),
                                              .capacity = body.gather.capacity(),
                                              .present = &body.live()->nodes,
                                              .push = {push_.data()},
                                              .velocity = body.nodes.velocity.data(),
                                              .dt = Real(step.start ? 0 : body.dt),
                                              .insertion_pending = body.insertion_pending(),
                                              .force = force_.data(),
                                              .works = works()});
  }
  void add_sums(Body& body, SumTables& sums) override {
    if (push_) sums.add(works(), body.gather.capacity());
  }

 private:
  ViscousWorks works() { return {{work_.data()}}; }

  typename Backend::template Buffer<Viscosity> of_material_;  ///< [material]
  Field<Backend, Vec2> push_;                                 ///< [element][corner] see ViscousPush
  Field<Backend, Vec2> force_;                                ///< [node] of the last step, N
  Field<Backend, double> work_;                               ///< [node] ViscousWorks; stay with a node that splits
};

}  // namespace cleave::inline CLEAVE_PRECISION
