#include "app/sweep/runs.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <list>
#include <system_error>
#include <thread>

#include "app/stop_signal.hpp"
#include "cleave/core/environment.hpp"
#include "cleave/output/files.hpp"
#include "cleave/output/output_file.hpp"

namespace fs = std::filesystem;

namespace cleave::sweep_detail {
namespace {

/// Runs take at least seconds; this delay is not noticeable.
constexpr std::chrono::milliseconds pause{10};

std::vector<std::string> arguments_of(const Study& study, const PlannedRun& planned, int device) {
  std::vector<std::string> arguments{"cleave", "run", study.case_file.string()};
  const auto set = [&](const std::string& text) { arguments.insert(arguments.end(), {"--set", text}); };
  set(fmt::format("run.threads={}", study.threads));  // needed in case the study varies it
  if (device >= 0) set(fmt::format("run.device={}", device));
  for (const std::string& text : overrides_of(study, planned.run)) set(text);
  arguments.insert(arguments.end(), {"--output", planned.directory.string(), "--quiet"});
  if (planned.action == PlannedRun::Action::resume) arguments.push_back("--resume");
  return arguments;
}

/// @param errors  a file instead of a pipe: writing to a pipe without reader would end the run
pid_t start(std::vector<std::string> arguments, const OutputFile& errors) {
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&files, errors.descriptor(), STDERR_FILENO);
  std::string owner = fmt::format("{}={}", environment::owner_name, getpid());
  std::vector<char*> environment{owner.data()};
  for (char** variable = environ; *variable != nullptr; ++variable) environment.push_back(*variable);
  environment.push_back(nullptr);
  pid_t process = 0;
  const int error = posix_spawn(&process, "/proc/self/exe", &files, nullptr, pointers.data(), environment.data());
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) throw std::system_error(error, std::generic_category(), "a run cannot be started");
  return process;
}

/// First line of the file; removes an empty file.
std::string first_line(const OutputPath& errors) {
  const auto text = text_of_file(errors);
  if (text && text->empty()) remove_file(errors);
  const std::string line = text ? text->substr(0, text->find('\n')) : "";
  const std::string prefix = "cleave: ";
  return line.starts_with(prefix) ? line.substr(prefix.size()) : line;
}

struct Running {
  pid_t process;
  const PlannedRun* planned;
  int device;
};

/// The running processes, and the devices that they leave free.
class Pool {
 public:
  Pool(const OutputDirectory& directory, const Study& study)
      : directory_(directory), study_(study), free_(study.devices.rbegin(), study.devices.rend()) {}
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  /// Ends processes that an exception has left behind, as nobody waits for them.
  ~Pool() {
    ask_to_stop();
    for (const Running& r : running_) waitpid(r.process, nullptr, 0);
  }

  std::size_t size() const { return running_.size(); }

  void add(const PlannedRun& planned) {
    directory_.check_is_there(give_again);
    const int device = free_.empty() ? -1 : free_.back();
    const OutputFile errors(directory_ / errors_name(planned.run), OutputFile::Start::created);
    running_.push_back({start(arguments_of(study_, planned, device), errors), &planned, device});
    if (device >= 0) free_.pop_back();
  }

  /// Removes one run that has ended. Returns whether there was one.
  bool take_ended(const std::function<void(const PlannedRun&, const Outcome&)>& finished) {
    for (auto r = running_.begin(); r != running_.end(); ++r) {
      int status = 0;
      if (waitpid(r->process, &status, WNOHANG) != r->process) continue;
      const Running ended = *r;
      running_.erase(r);
      if (ended.device >= 0) free_.push_back(ended.device);
      const int code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
      finished(*ended.planned, {code, first_line(directory_ / errors_name(ended.planned->run))});
      return true;
    }
    return false;
  }

  /// Uses another signal than a terminal or a scheduler may have sent to the runs too: a second one of the same kind
  /// would end them before they have saved their state.
  void ask_to_stop() {
    for (const Running& r : running_) kill(r.process, SIGUSR1);
  }

 private:
  const OutputDirectory& directory_;
  const Study& study_;
  std::vector<int> free_;
  std::list<Running> running_;
};

}  // namespace

int carry_out(const OutputDirectory& directory, const Study& study, const std::vector<PlannedRun>& plan, int jobs,
              const std::function<void(const PlannedRun&, const Outcome&)>& finished) {
  Pool pool(directory, study);
  auto next = plan.begin();
  bool asked = false;
  while (true) {
    const bool stopping = stop_signal() != 0;
    next = std::find_if(next, plan.end(), [](const PlannedRun& p) { return p.action != PlannedRun::Action::skip; });
    if (!stopping && next != plan.end() && pool.size() < static_cast<std::size_t>(jobs)) {
      pool.add(*next++);
      continue;
    }
    if (stopping && !asked) pool.ask_to_stop();
    asked = asked || stopping;
    if (pool.size() == 0) return stop_signal();
    if (!pool.take_ended(finished)) std::this_thread::sleep_for(pause);
  }
}

std::string errors_name(const StudyRun& run) { return run.name() + ".stderr"; }

std::string this_program() { return fs::read_symlink("/proc/self/exe").string(); }

}  // namespace cleave::sweep_detail
