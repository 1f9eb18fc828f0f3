#include "app/ended_from_outside.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <csignal>
#include <exception>
#include <utility>
#include <vector>

#include "app/stop_signal.hpp"

namespace cleave {
namespace {

std::string reason_of_termination(const std::vector<int>& gone) {
  if (!gone.empty())
    return fmt::format("{} {} died; the message of mpirun says how", gone.size() == 1 ? "rank" : "ranks",
                       fmt::join(gone, ", "));
  return "SIGTERM: all ranks were ended before rank 0 could save the state; the message of mpirun says why";
}

}  // namespace

void SummaryFile::write(const RunSummary& summary) {
  const std::lock_guard lock(mutex_);
  last_ = summary;
  write_summary(directory_, last_);
}

void SummaryFile::interrupted(const std::string& reason, Step reached) {
  const std::lock_guard lock(mutex_);
  if (last_.status != RunSummary().status) return;
  last_.status = "interrupted";
  last_.reason = reason;
  last_.steps_done = reached;
  try {
    write_summary(directory_, last_);
  } catch (const std::exception&) {  // the run has ended in any case, and stderr has the reason
  }
}

EndedFromOutside::EndedFromOutside(Ranks& ranks, std::function<void(const std::string&)> say)
    : ranks_(ranks), say_(std::move(say)) {
  if (ranks_.is_alone()) return;
  ranks_.when_ended(say_);
  thread_ = std::jthread([this](const std::stop_token& stop) { look_for_signal(stop); });
}

EndedFromOutside::~EndedFromOutside() {
  if (!ranks_.is_alone()) ranks_.when_ended({});
}

/// Gives a rank that ends all ranks time to report its reason first.
void EndedFromOutside::look_for_signal(const std::stop_token& stop) {
  constexpr std::chrono::milliseconds interval(100);
  constexpr int looks_for_words = 2;
  std::unique_lock lock(mutex_);
  for (int looks = 0; !stop.stop_requested();) {
    ends_.wait_for(lock, stop, interval, [] { return false; });
    if (stop_signal() == SIGTERM && ++looks > looks_for_words) say_(reason_of_termination(ranks_.gone()));
  }
}

}  // namespace cleave
