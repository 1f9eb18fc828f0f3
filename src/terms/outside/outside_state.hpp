/// The arrays of a body force, of absorbing boundaries and of drag in solver memory.
#pragma once

#include "body/fields.hpp"
#include "cleave/solver/model.hpp"
#include "terms/outside/outside_forces.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Arrays by node of a body force, of absorbing boundaries and of drag; none is declared of what a body does not have.
template <class Backend>
struct OutsideState {
  template <class T>
  using Field = cleave::Field<Backend, T>;
  using Works = OutsideForces::Works;

  bool pushes = false;  ///< there is a body force, or dashpots, or drag
  bool absorbs = false, drags = false;
  Field<Sym2> damping;
  Field<Vec2> accelerations, drag;
  Field<double> work, drag_work;

  /// Works stay with the node when it splits.
  void declare(Fields<Backend>& fields, const Model& model) {
    absorbs = !model.damping.empty();
    drags = model.drag.rate > 0;
    pushes = model.has_body_force() || absorbs || drags;
    constexpr int kinds = decltype(OutsideForces::accelerations)::fields;
    const auto works = [](int width) { return FieldUse{.on = On::node, .width = width, .saved = true}; };
    const FieldUse vector{.on = On::node, .saved = true, .split = Split::copy_flagged};
    if (absorbs) damping = fields.template add<Sym2>("damping", vector);
    if (pushes) {
      FieldUse both = vector;
      both.width = kinds;
      accelerations = fields.add_filled("outside accelerations", both, Vec2{});
    }
    if (pushes) work = fields.add_filled("outside works", works(Works::Sums::count), 0.0);
    if (drags) drag = fields.add_filled("drag", vector, Vec2{});
    if (drags) drag_work = fields.add_filled("drag works", works(Drag::Works::Sums::count), 0.0);
  }
  OutsideForces forces() {
    return {.damping = damping.data(),
            .accelerations = {accelerations.data()},
            .works = {{work.data()}},
            .drag = {drag.data(), {{drag_work.data()}}}};
  }
  /// Calls add(works by node) for each table of works.
  template <class Add>
  void add_sums(const Add& add) {
    if (pushes) add(forces().works);
    if (drags) add(forces().drag.works);
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
