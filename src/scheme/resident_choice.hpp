/// Whether a backend may run kernels whose blocks wait for each other (cleave/lockstep/resident.hpp).
#pragma once

#include <cstdlib>
#include <stdexcept>
#include <string>

namespace cleave {

/// What the environment's CLEAVE_RESIDENT says, 0 or 1: results are the same.
/// @param by_default  without it
/// Throws std::runtime_error when it is anything else.
inline bool may_be_resident(bool by_default) {
  const char* asked = std::getenv("CLEAVE_RESIDENT");
  const std::string value = asked == nullptr ? "" : asked;
  if (value.empty()) return by_default;
  if (value == "0" || value == "1") return value == "1";
  throw std::runtime_error("environment variable CLEAVE_RESIDENT is '" + value + "'; unset it, or set it to 0 or 1");
}

}  // namespace cleave
