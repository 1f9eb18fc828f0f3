/// The solver memory of a body in each precision; each has a source file of its own.
#pragma once

#include "cleave/core/types.hpp"
#include "cleave/solver/intact_memory.hpp"

namespace cleave {

class Ranks;

inline namespace double_precision {
IntactMemory count(const Model& model, bool on_device, Ranks& ranks);
}
inline namespace single_precision {
IntactMemory count(const Model& model, bool on_device, Ranks& ranks);
}

}  // namespace cleave
