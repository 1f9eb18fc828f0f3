/// The states of materials at Gauss points of bulk elements.
#pragma once

#include <type_traits>

#include "cleave/core/record.hpp"
#include "cleave/core/table.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// [element][Gauss point]. Materials without a history have none in memory.
template <class Element, class Material>
struct MaterialStates {
  using State = typename Material::State;
  static constexpr bool kept = !std::is_empty_v<State>;
  Table<State, Element::gauss_points> states;

  CLEAVE_HD_INLINE State at(Index e, int q) const {
    if constexpr (kept)
      return read_record(states(e, q));
    else
      return {};
  }
  CLEAVE_HD_INLINE void load(Index e, State (&local)[Element::gauss_points]) const {
    if constexpr (kept)
      for (int q = 0; q < Element::gauss_points; ++q) local[q] = at(e, q);
  }
  CLEAVE_HD_INLINE void store(Index e, const State (&local)[Element::gauss_points]) const {
    if constexpr (kept)
      for (int q = 0; q < Element::gauss_points; ++q) write_record(states(e, q), local[q]);
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
