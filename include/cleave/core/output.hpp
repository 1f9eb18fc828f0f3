/// What is wanted of a step.
#pragma once

namespace cleave {

/// nothing; the energies and counts of a history row; or the whole state, from which anything can be asked.
enum class Output { none, history, state };

}  // namespace cleave
