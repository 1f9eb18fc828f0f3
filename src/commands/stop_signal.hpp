/// SIGINT and SIGTERM ask a run to stop at the next good moment; the second one ends the program at once.
#pragma once

namespace cleave {

/// From now on signals are noted instead of ending the program.
void catch_stop_signals();

/// The signal that came, 0 for none.
int stop_signal();

}  // namespace cleave
