#include "cleave/output/directory_lock.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "cleave/core/error.hpp"

namespace fs = std::filesystem;

namespace cleave {
namespace {

/// The whole path, without a slash at its end.
fs::path full_path(const fs::path& directory) {
  const fs::path path = fs::absolute(directory).lexically_normal();
  return path.has_filename() ? path : path.parent_path();
}

/// The topmost directory of a full path that is not there yet; empty if all are.
fs::path first_missing(const fs::path& directory) {
  fs::path missing;
  for (fs::path p = directory; !fs::exists(p); p = p.parent_path()) missing = p;
  return missing;
}

/// Whether the name still leads to the open file.
bool is_the_file(const fs::path& file, int descriptor) {
  struct stat named {
  }, open{};
  return stat(file.c_str(), &named) == 0 && fstat(descriptor, &open) == 0 && named.st_ino == open.st_ino &&
         named.st_dev == open.st_dev;
}

std::string this_process() {
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  return fmt::format("process {} on {} since {:%Y-%m-%d %H:%M:%S}", getpid(), host, fmt::localtime(std::time(nullptr)));
}

std::string text_in(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line.empty() ? "another process" : line;
}

}  // namespace

DirectoryLock::DirectoryLock(const fs::path& directory, const std::string& origin)
    : directory_(full_path(directory)), first_created_(first_missing(directory_)), file_(directory / "run.lock") {
  // The holder removes the file when it ends: then the lock is on a file without a name, and we try once more.
  constexpr int attempts = 100;
  for (int i = 0; i < attempts && descriptor_ < 0; ++i) descriptor_ = take(origin);
  const std::string text = this_process() + "\n";
  if (descriptor_ < 0 || ftruncate(descriptor_, 0) != 0 ||
      write(descriptor_, text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    const int reason = errno;
    if (descriptor_ >= 0) close(descriptor_);
    throw std::runtime_error(fmt::format("{}: cannot be written ({}); check the free space and the permissions",
                                         file_.string(), std::strerror(reason)));
  }
}

/// The locked file, or -1 when it was gone before it was locked.
int DirectoryLock::take(const std::string& origin) {
  std::error_code ignored;
  fs::create_directories(directory_, ignored);
  const int descriptor = open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0) return -1;
  const bool locked = flock(descriptor, LOCK_EX | LOCK_NB) == 0;
  if (!locked && errno == EWOULDBLOCK) {
    close(descriptor);
    throw InputError(
        fmt::format("{}: '{}' is in use by {}; wait until it has ended, or give another directory with "
                    "--output",
                    origin, file_.parent_path().string(), text_in(file_)));
  }
  if (!locked) obstacle_ = std::strerror(errno);
  if (!locked || is_the_file(file_, descriptor)) return descriptor;
  close(descriptor);
  return -1;
}

DirectoryLock::~DirectoryLock() {
  unlink(file_.c_str());
  close(descriptor_);
  if (!first_created_.empty()) remove_empty_directories();
}

/// Stops at the first that is not empty, which the system refuses to remove.
void DirectoryLock::remove_empty_directories() const {
  for (fs::path p = directory_; rmdir(p.c_str()) == 0 && p != first_created_;) p = p.parent_path();
}

}  // namespace cleave
