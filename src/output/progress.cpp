#include "cleave/output/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "cleave/output/text.hpp"

namespace cleave {

Progress::Progress(std::ostream& out, Style style, Step first, Step steps, Index elements, int width)
    : out_(out), style_(style), first_(first), steps_(steps), elements_(elements), width_(width) {
  last_tenth_ = tenth(first);
}

void Progress::update(Step step, double seconds, const HistoryRow& row) {
  constexpr double terminal_pause = 0.2, log_pause = 10;  // s
  const bool last = step >= steps_;
  if (style_ == Style::none) return;

  if (style_ == Style::terminal) {
    if (!last && line_open_ && seconds < last_seconds_ + terminal_pause) return;
    constexpr int bar_length = 20;
    const auto full = static_cast<int>(steps_ > 0 ? bar_length * step / steps_ : bar_length);
    const std::string text =
        fmt::format("[{:#<{}}{:->{}}] {}", "", full, "", bar_length - full, line(step, seconds, row));
    // A line longer than the terminal would wrap, and the next one could not rewrite it.
    out_ << '\r' << fmt::format("{:<{}.{}}", text, width_ - 1, width_ - 1) << std::flush;
    line_open_ = true;
  } else {
    if (!last && tenth(step) == last_tenth_ && seconds < last_seconds_ + log_pause) return;
    out_ << line(step, seconds, row) << std::endl;
    last_tenth_ = tenth(step);
  }
  last_seconds_ = seconds;
}

void Progress::finish() {
  if (line_open_) out_ << std::endl;
  line_open_ = false;
}

int Progress::tenth(Step step) const { return steps_ > 0 ? static_cast<int>(10 * step / steps_) : 10; }

std::string Progress::line(Step step, double seconds, const HistoryRow& row) const {
  const double percent = steps_ > 0 ? 100.0 * static_cast<double>(step) / static_cast<double>(steps_) : 100.0;
  const double steps_per_second = seconds > 0 ? static_cast<double>(step - first_) / seconds : 0;
  const std::string eta =
      steps_per_second > 0 ? as_duration(static_cast<double>(steps_ - step) / steps_per_second) : std::string("?");
  return fmt::format(
      "{:5.1f} %  step {}/{}  {:.3g} el-steps/s  ETA {}  kinetic {:.3e} J  strain {:.3e} J  dissipated {:.3e} J  "
      "cohesive {}  fragments {}",
      percent, with_thousands(step), with_thousands(steps_), steps_per_second * elements_, eta, row.kinetic_energy,
      row.strain_energy, row.dissipated_energy, with_thousands(row.cohesive_elements), with_thousands(row.fragments));
}

Progress::Style style_of_stderr() { return isatty(STDERR_FILENO) ? Progress::Style::terminal : Progress::Style::log; }

int width_of_stderr() {
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? std::max<int>(size.ws_col, 20) : 80;
}

}  // namespace cleave
