#include "cleave/output/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "cleave/core/environment.hpp"
#include "cleave/output/text.hpp"

namespace cleave {

Progress::Progress(std::ostream& out, Style style, Step first, Step steps, Index elements, int width)
    : out_(out), style_(style), first_(first), steps_(steps), elements_(elements), width_(width) {
  last_tenth_ = tenth(first);
}

/// Values to display.
struct Progress::Reached {
  Step step, steps;
  double percent, rate;  ///< elements times steps per second
  std::string time_left;
  const HistoryRow& row;

  /// A line of a log.
  std::string full() const {
    return fmt::format(
        "{:5.1f} %  step {}/{}  {:.3g} el-steps/s  ETA {}  kinetic {:.3e} J  strain {:.3e} J  dissipated {:.3e} J  "
        "cracks {}  fragments {}",
        percent, with_thousands(step), with_thousands(steps), rate, time_left, row.kinetic_energy, row.strain_energy,
        row.dissipated_energy, with_thousands(row.cohesive_elements), with_thousands(row.fragments));
  }
  std::string usual() const {
    return fmt::format("{:5.1f} %  {:.3g} el-steps/s  ETA {}  cracks {}  fragments {}", percent, rate, time_left,
                       with_thousands(row.cohesive_elements), with_thousands(row.fragments));
  }
  std::string narrow() const {
    return fmt::format("{:.0f}% {:.2g} el-st/s ETA {} cracks {} frag. {}", percent, rate, time_left,
                       row.cohesive_elements, row.fragments);
  }
};

Progress::Reached Progress::reached(Step step, double seconds, double computing, const HistoryRow& row) const {
  const auto done = static_cast<double>(step - first_);
  const double percent = steps_ > 0 ? 100.0 * static_cast<double>(step) / static_cast<double>(steps_) : 100.0;
  const std::string time_left =
      done > 0 ? as_duration(static_cast<double>(steps_ - step) * seconds / done) : std::string("?");
  return {step, steps_, percent, computing > 0 ? done / computing * elements_ : 0, time_left, row};
}

void Progress::update(Step step, double seconds, double computing, const HistoryRow& row) {
  constexpr double terminal_pause = 0.2, log_pause = 10;  // s
  const bool last = step >= steps_;
  if (style_ == Style::none) return;

  if (style_ == Style::terminal) {
    if (!last && line_open_ && seconds < last_seconds_ + terminal_pause) return;
    // A line longer than the terminal would wrap and could not be rewritten.
    out_ << '\r'
         << fmt::format("{:<{}.{}}", terminal_line(reached(step, seconds, computing, row)), width_ - 1, width_ - 1)
         << std::flush;
    line_open_ = true;
  } else {
    if (!last && tenth(step) == last_tenth_ && seconds < last_seconds_ + log_pause) return;
    out_ << reached(step, seconds, computing, row).full() << std::endl;
    last_tenth_ = tenth(step);
  }
  last_seconds_ = seconds;
}

/// The longest text that fits, with a bar if there is room.
std::string Progress::terminal_line(const Reached& now) const {
  constexpr int shortest_bar = 5, longest_bar = 20, frame = 3;  // columns
  for (const std::string& text : {now.full(), now.usual(), now.narrow()}) {
    const int room = width_ - 1 - static_cast<int>(text.size());
    if (room < 0) continue;
    const int bar = std::min(room - frame, longest_bar);
    if (bar < shortest_bar) return text;
    const auto full = static_cast<int>(bar * now.percent / 100);
    return fmt::format("[{:#<{}}{:-<{}}] {}", "", full, "", bar - full, text);
  }
  return now.narrow();
}

void Progress::finish() {
  if (line_open_) out_ << std::endl;
  line_open_ = false;
}

int Progress::tenth(Step step) const { return steps_ > 0 ? static_cast<int>(10 * step / steps_) : 10; }

Progress::Style style_of_stderr() { return isatty(STDERR_FILENO) ? Progress::Style::terminal : Progress::Style::log; }

int width_of_stderr() {
  constexpr int narrowest = 20, usual = 80;
  winsize size{};
  int width = 0;
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0) width = size.ws_col;
  if (width == 0) width = environment::columns().value_or(0);
  return width > 0 ? std::max(width, narrowest) : usual;
}

}  // namespace cleave
