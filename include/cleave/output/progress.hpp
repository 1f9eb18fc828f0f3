/// Display of the progress of a run.
#pragma once

#include <ostream>
#include <string>

#include "cleave/solver/snapshot.hpp"

namespace cleave {

/// Progress in one of three styles. A terminal gets one line, rewritten several times a second, that fits its width;
/// from 60 columns on it shows at least percentage, rate, time left, cracks and fragments. A log gets plain lines at 10
/// % marks and every 10 s. Or nothing.
class Progress {
 public:
  enum class Style { terminal, log, none };

  /// A run of steps first .. steps with that many bulk elements. A terminal has `width` columns.
  Progress(std::ostream& out, Style style, Step first, Step steps, Index elements, int width = 120);

  /// Reports that `step` is reached.
  /// @param seconds    wall time since the start
  /// @param computing  part of it in which the solver computed; gives the rate, as in RunSummary. The time left counts
  /// everything.
  /// @param row        latest row of the history
  void update(Step step, double seconds, double computing, const HistoryRow& row);

  /// Ends the rewritten line; does nothing in a log.
  void finish();

 private:
  struct Reached;
  Reached reached(Step step, double seconds, double computing, const HistoryRow& row) const;
  std::string terminal_line(const Reached& now) const;
  int tenth(Step step) const;

  std::ostream& out_;
  Style style_;
  Step first_;
  Step steps_;
  Index elements_;
  int width_;
  double last_seconds_ = 0;
  int last_tenth_ = 0;
  bool line_open_ = false;
};

/// Style for stderr and its width in columns: that of the terminal, else COLUMNS, else 80.
Progress::Style style_of_stderr();
int width_of_stderr();

}  // namespace cleave
