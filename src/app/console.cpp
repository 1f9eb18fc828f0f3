#include "app/console.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <tuple>

namespace cleave {

void open_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) != -1) continue;
    // open() returns the lowest free descriptor, which is this stream. Printing to a closed stdout then fails, because
    // it is not open for writing.
    std::ignore = open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);
  }
}

bool flush_stdout(std::string& reason) {
  errno = 0;
  const bool good = std::fflush(stdout) == 0 && !std::ferror(stdout);
  reason = errno != 0 ? std::strerror(errno) : "no reason given";
  return good;
}

}  // namespace cleave
