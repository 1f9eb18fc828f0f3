/// Runs the command named by the arguments; turns exceptions into one message and an exit code.
#include <fmt/format.h>
#include <malloc.h>

#include <csignal>
#include <filesystem>
#include <limits>
#include <new>

#include "app/agreement.hpp"
#include "app/command_line.hpp"
#include "app/console.hpp"
#include "cleave/core/error.hpp"

namespace {

namespace exit_code = cleave::exit_code;

int report(int code, const std::string& text) {
  cleave::tell("cleave: {}", text);
  return code;
}

int report_closed_stdout(int code, const std::string& reason) {
  return report(code != 0 ? code : exit_code::other_error,
                fmt::format("its output cannot be written to the standard output ({})", reason));
}

}  // namespace

int main(int argc, char** argv) {
  // Keeps freed memory for the next frame on any thread: the system would clear each page again.
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
  mallopt(M_ARENA_MAX, 1);
  cleave::open_standard_streams();
  std::signal(SIGXFSZ, SIG_IGN);  // exceeding `ulimit -f` is a write error
  std::signal(SIGPIPE, SIG_IGN);  // and so is a closed pipe: the run continues
  std::string reason;
  try {
    const int code = cleave::run_command(argc, argv);
    return cleave::flush_stdout(reason) ? code : report_closed_stdout(code, reason);
  } catch (const cleave::FollowerExit& end) {
    return end.exit_code;
  } catch (const cleave::InputError& error) {
    return report(exit_code::wrong_input, error.what());
  } catch (const cleave::NumericalError& error) {
    return report(exit_code::failed_run, error.what());
  } catch (const std::bad_alloc&) {
    return report(exit_code::other_error, cleave::no_memory);
  } catch (const std::filesystem::filesystem_error& error) {
    return report(exit_code::other_error,
                  fmt::format("{}: cannot be used ({})", error.path1().string(), error.code().message()));
  } catch (const std::system_error& error) {
    if (!cleave::flush_stdout(reason)) return report_closed_stdout(exit_code::other_error, error.code().message());
    return report(exit_code::other_error, fmt::format("the system refused ({})", error.code().message()));
  } catch (const std::exception& error) {
    return report(exit_code::other_error, error.what());
  }
}
