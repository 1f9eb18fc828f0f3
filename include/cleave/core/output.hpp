/// Kinds of output after a step.
#pragma once

namespace cleave {

/// nothing; energies and counts for a row of history.csv; the whole state.
enum class Output { none, history, state };

}  // namespace cleave
