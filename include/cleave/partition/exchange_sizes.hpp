/// Sizes of the messages between ranks, for the estimate of `cleave check`. The solver asserts them.
#pragma once

#include <cstddef>

namespace cleave::exchange {

/// Real numbers per corner of an element: its force in a step, its stress in a check.
inline constexpr std::size_t force_reals = 2, stress_reals = 3;
/// Real numbers per element, where needed: its viscous force in a step, its displacements and velocities in a check.
inline constexpr std::size_t push_reals = 6, motion_reals = 12;
/// Bytes per element in a check: its erosion flag.
inline constexpr std::size_t eroded_bytes = 4;
/// Bytes per corner with `selection: local_maximum`.
inline constexpr std::size_t load_rank_bytes = 8;
/// Bytes that each rank sends to every other rank about the facets found in a check.
inline constexpr std::size_t found_bytes = 12320;

}  // namespace cleave::exchange
