/// The arrays of pressure in cracks in solver memory.
#pragma once

#include <vector>

#include "body/body_state.hpp"
#include "cleave/solver/model.hpp"
#include "terms/cracks/crack_pressure.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Without memory unless a load enters cracks.
template <class Backend>
struct CrackPressureState {
  template <class T>
  using Field = cleave::Field<Backend, T>;

  typename Backend::template Buffer<CrackMouth> mouths;
  Field<Index> parent, first_load;  ///< [node] scratch of CrackReach
  Field<Index> load;                ///< [cohesive] see CrackReach
  Field<Real> push;                 ///< [cohesive][q] see CrackPressure; where faces do not turn
  Field<FacePush> faces;            ///< [cohesive][q] where they do
  Field<Real> thickness_change;     ///< see FaceThickness; found anew in each step, none where it is 0
  Field<double> work;               ///< [cohesive][q]

  bool active() const { return mouths.size() > 0; }
  void list_mouths(const std::vector<PressureLoad>& loads) {
    std::vector<CrackMouth> list;
    for (std::size_t l = 0; l < loads.size(); ++l)
      if (loads[l].in_cracks)
        for (const Index facet : loads[l].facets) list.push_back({facet, static_cast<Index>(l)});
    mouths.upload(list);
  }
  void declare(Fields<Backend>& fields) {
    if (!active()) return;
    parent = fields.template add<Index>("crack parents", {.on = On::node});
    first_load = fields.template add<Index>("first loads", {.on = On::node});
    load = fields.add_filled("loads in cracks", {.on = On::cohesive, .saved = true, .rows_of = RowsOf::all_ranks},
                             no_load);
  }
  /// The arrays of the gather assembly.
  /// @param corotational     faces turn
  /// @param thickness_nodes  of both faces of a cohesive element, where the thickness changes; 0: it does not
  void declare_points(Fields<Backend>& fields, bool corotational, int thickness_nodes) {
    if (!active()) return;
    const FieldUse of_points{.on = On::cohesive, .width = FacetGauss::points, .saved = true};
    if (thickness_nodes > 0)
      thickness_change = fields.template add<Real>("thickness changes", {.on = On::cohesive, .width = thickness_nodes});
    if (corotational)
      faces = fields.add_filled("pressures on faces", of_points, FacePush{});
    else
      push = fields.add_filled("pressures in cracks", of_points, Real(0));
    work = fields.add_filled("works in cracks", of_points, 0.0);
  }

  CrackPressure view() { return {.load = active() ? load.data() : nullptr, .push = push.data(), .work = work.data()}; }
};

}  // namespace cleave::inline CLEAVE_PRECISION
