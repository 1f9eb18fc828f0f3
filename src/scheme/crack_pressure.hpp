/// The arrays of pressure in cracks in solver memory.
#pragma once

#include <vector>

#include "cleave/solver/model.hpp"
#include "kernels/crack_pressure.hpp"
#include "scheme/state.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Without memory unless a load enters cracks.
template <class Backend>
struct CrackPressureState {
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  Buffer<CrackMouth> mouths;
  Buffer<Index> parent, first_load;  ///< [node] scratch of CrackReach
  Buffer<Index> load;                ///< [cohesive] see CrackReach
  Buffer<Real> push;                 ///< [cohesive][q] see CrackPressure; of the gather solver, where faces do not turn
  Buffer<FacePush> faces;            ///< [cohesive][q] where they do
  Buffer<Real> thickness_change;     ///< see FaceThickness; found anew in each step, without memory where it is 0
  Buffer<double> work;               ///< [cohesive][q] of the gather solver

  bool active() const { return mouths.size() > 0; }
  void list_mouths(const std::vector<PressureLoad>& loads) {
    std::vector<CrackMouth> list;
    for (std::size_t l = 0; l < loads.size(); ++l)
      if (loads[l].in_cracks)
        for (const Index facet : loads[l].facets) list.push_back({facet, static_cast<Index>(l)});
    mouths.upload(list);
  }

  void reserve_nodes(Index room) {
    if (!active()) return;
    parent.resize(room);
    first_load.resize(room);
  }
  void reserve_cohesive(Backend& backend, Index room) {
    if (active()) grow_filled(backend, load, room, no_load);
  }
  /// @param turns            faces do
  /// @param thickness_nodes  of both faces of a cohesive element, where the thickness changes; 0: it does not
  void reserve_points(Backend& backend, Index room, bool turns, int thickness_nodes) {
    if (!active()) return;
    thickness_change.resize(thickness_nodes * static_cast<std::size_t>(room));
    const std::size_t points = FacetGauss::points * static_cast<std::size_t>(room);
    if (turns)
      grow_filled(backend, faces, points, FacePush{});
    else
      grow_filled(backend, push, points, Real(0));
    grow_filled(backend, work, points, 0.0);
  }

  CrackPressure view() { return {active() ? load.data() : nullptr, push.data(), work.data()}; }
};

}  // namespace cleave::inline CLEAVE_PRECISION
