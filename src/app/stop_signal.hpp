/// Signals that ask a run to stop at the next step; a second signal of the same kind ends the program at once.
#pragma once

namespace cleave {

/// From now on SIGINT, SIGTERM, SIGHUP (unless ignored, as with nohup), SIGUSR1 and SIGXCPU are recorded instead of
/// ending the program, and exceeding a file size limit is a write error instead of SIGXFSZ.
void catch_stop_signals();

/// Requests SIGTERM for the end of the owner (CLEAVE_OWNER), even if it is killed. Without an owner nothing happens.
void end_with_owner();

/// Ignores these signals from now on, on a rank that rank 0 leads.
void ignore_stop_signals();

/// The received signal, 0 for none.
int stop_signal();

/// Name of a signal: "SIGTERM".
const char* name_of_signal(int signal);

}  // namespace cleave
