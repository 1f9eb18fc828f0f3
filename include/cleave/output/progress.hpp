/// What a user sees while a run goes on.
#pragma once

#include <ostream>
#include <string>

#include "cleave/solver/snapshot.hpp"

namespace cleave {

/// One line on a terminal, rewritten several times a second, with as much as fits into its width and at least
/// percentage, rate, time left, cracks and fragments from 60 columns on; plain lines in a log, at 10 % marks and every
/// 10 s; or nothing.
class Progress {
 public:
  enum class Style { terminal, log, none };

  /// Steps first .. steps of a run with that many bulk elements; a terminal is `width` columns wide.
  Progress(std::ostream& out, Style style, Step first, Step steps, Index elements, int width = 120);

  /// Tells that `step` is reached after `seconds`, of which the solver had `computing` for itself; `row` is the latest
  /// row of the history. The rate is that of RunSummary, of computing; the time that is left counts everything.
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

/// The style for stderr, and its width in columns: of the terminal, else as COLUMNS says, else 80.
Progress::Style style_of_stderr();
int width_of_stderr();

}  // namespace cleave
