/// How much ranks tell each other: for `cleave check`, while the solver makes sure that it is so.
#pragma once

#include <cstddef>

namespace cleave::exchange {

/// Real numbers of a corner of an element: its force in a step, its stress in a check.
inline constexpr std::size_t force_reals = 2, stress_reals = 3;
/// Of an element, where they are needed: its viscous push in a step, its motion in a check.
inline constexpr std::size_t push_reals = 6, motion_reals = 12;
/// Whether an element has eroded, bytes: in a check.
inline constexpr std::size_t eroded_bytes = 4;
/// Of a corner with `selection: local_maximum`, bytes.
inline constexpr std::size_t load_rank_bytes = 8;
/// What a rank tells every other one of what a check has found, bytes.
inline constexpr std::size_t found_bytes = 12320;

}  // namespace cleave::exchange
