#include "app/stop_signal.hpp"

#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <utility>

#include "cleave/core/environment.hpp"

namespace cleave {
namespace {

constexpr std::pair<int, const char*> stop_signals[] = {
    {SIGINT, "SIGINT"}, {SIGTERM, "SIGTERM"}, {SIGHUP, "SIGHUP"}, {SIGUSR1, "SIGUSR1"}, {SIGXCPU, "SIGXCPU"}};

volatile std::sig_atomic_t noted = 0;

void note(int signal) { noted = signal; }

bool is_ignored(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

void catch_stop_signals() {
  struct sigaction action {};
  action.sa_handler = note;
  action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
  for (const auto& [signal, name] : stop_signals) {
    // A shell also ignores SIGINT for background jobs, to which a user may still send it on purpose.
    if (signal != SIGHUP || !is_ignored(signal)) sigaction(signal, &action, nullptr);
  }
  std::signal(SIGXFSZ, SIG_IGN);
}

void end_with_owner() {
  const auto owner = environment::owner();
  if (!owner) return;
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != *owner) std::raise(SIGTERM);  // the owner has ended already
}

void ignore_stop_signals() {
  for (const auto& [signal, name] : stop_signals) std::signal(signal, SIG_IGN);
}

int stop_signal() { return noted; }

const char* name_of_signal(int signal) {
  for (const auto& [number, name] : stop_signals) {
    if (number == signal) return name;
  }
  return "a signal";
}

}  // namespace cleave
