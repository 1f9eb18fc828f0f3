/// The time of a whole run: taken in full, or estimated from windows of it.
///
/// A CPU may need hours for a run that a GPU does in seconds, and most of what is of interest comes late. So the
/// fastest machine takes the whole run. It stops at the start of each window, and the others take that state, which is
/// the same to the last bit on all of them, and are timed from there. Windows lie in the middle of equal parts of the
/// run: they see the facets break as often as the run does. That it is the same run is checked at the end of every
/// window.
#pragma once

#include <optional>
#include <vector>

#include "bench/bench.hpp"

namespace cleave::benchmark {

/// A run of a case to its last step, with rows of history as the case wants them and without frames.
struct WholeRun {
  const Model& model;
  Step steps;
  Step check_every;    ///< steps between fracture checks
  Step history_every;  ///< steps between rows
};

struct RunTime {
  double seconds = 0;  ///< of the run: the fastest time, or the estimate
  double slowest = 0;  ///< the same of the slowest repeat
  int repeats = 0;     ///< in full; 0: estimated
  int windows = 0;
  Step window_steps = 0;     ///< of each
  double timed_seconds = 0;  ///< in all windows
  bool same_run = true;      ///< every window ended with the energies and counts of the whole run
  HistoryRow end{};          ///< of a run in full
};

/// By machine. The last machine takes the run in full, and so does any that needs no more than `budget` seconds for it;
/// others get windows that take about so long, but never less than one check each.
std::vector<RunTime> time_whole_run(const WholeRun& run, const std::vector<Machine>& on, double budget);

}  // namespace cleave::benchmark
