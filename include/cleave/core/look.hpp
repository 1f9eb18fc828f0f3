/// What somebody wants of a step.
#pragma once

namespace cleave {

/// nothing; the energies and counts of a history row; or the whole state, from which anything can be asked.
enum class Look { none, row, state };

}  // namespace cleave
