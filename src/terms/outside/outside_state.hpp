/// The arrays of a body force, of absorbing boundaries, of drag and of artificial viscosity in solver memory.
#pragma once

#include "body/fields.hpp"
#include "cleave/solver/model.hpp"
#include "terms/outside/outside_forces.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Arrays by node of a body force, of absorbing boundaries, of drag and of artificial viscosity; none is declared of
/// what a body does not have.
template <class Backend>
struct OutsideState {
  template <class T>
  using Field = cleave::Field<Backend, T>;
  using Works = OutsideForces::Works;

  bool pushes = false;  ///< there is a body force, or dashpots, or drag
  bool absorbs = false, drags = false, is_viscous = false;
  Field<Sym2> damping;
  Field<Vec2> accelerations, viscous, drag;
  Field<double> work, drag_work;

  bool active() const { return pushes || is_viscous; }
  /// Works stay with the node when it splits, and so does the viscous force of the last step.
  void declare(Fields<Backend>& fields, const Model& model) {
    absorbs = !model.damping.empty();
    is_viscous = model.has_artificial_viscosity();
    drags = model.drag.rate > 0;
    pushes = model.has_body_force() || absorbs || drags;
    constexpr int kinds = decltype(OutsideForces::accelerations)::fields;
    const auto works = [](int width) {
      return FieldUse{.on = On::node, .width = width, .saved = true, .summed = Summed::all};
    };
    const FieldUse vector{.on = On::node, .saved = true, .split = Split::copy_flagged};
    if (absorbs) damping = fields.template add<Sym2>("damping", vector);
    if (pushes) {
      FieldUse both = vector;
      both.width = kinds;
      accelerations = fields.add_filled("outside accelerations", both, Vec2{});
    }
    if (active()) work = fields.add_filled("outside works", works(Works::Sums::count), 0.0);
    if (drags) drag = fields.add_filled("drag", vector, Vec2{});
    if (drags) drag_work = fields.add_filled("drag works", works(Drag::Works::Sums::count), 0.0);
    if (is_viscous)
      viscous = fields.add_filled("viscous forces", {.on = On::node, .saved = true, .split = Split::zero}, Vec2{});
  }
  OutsideForces forces() {
    return {
        damping.data(), {accelerations.data()}, {{work.data()}}, viscous.data(), {drag.data(), {{drag_work.data()}}}};
  }
  /// @param nodes  that there is room for
  void add_sums(SumTables& sums, Index nodes) {
    if (active()) sums.add(forces().works, nodes);
    if (drags) sums.add(forces().drag.works, nodes);
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
