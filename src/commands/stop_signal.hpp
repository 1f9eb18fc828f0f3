/// Signals that ask a run to stop at the next good moment; the second one of a kind ends the program at once.
#pragma once

namespace cleave {

/// From now on SIGINT, SIGTERM, SIGHUP (unless it is ignored, as under nohup), SIGUSR1 and SIGXCPU are noted instead of
/// ending the program, and a file that grows beyond its limit is an error of that file instead of SIGXFSZ.
void catch_stop_signals();

/// Asks for SIGTERM when the owner (CLEAVE_OWNER) ends, also when it is killed. Without an owner nothing happens.
void end_with_owner();

/// From now on they are ignored: of a rank that others lead.
void ignore_stop_signals();

/// The signal that came, 0 for none.
int stop_signal();

/// "SIGTERM" of SIGTERM.
const char* name_of_signal(int signal);

}  // namespace cleave
