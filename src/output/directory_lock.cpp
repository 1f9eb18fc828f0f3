#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "cleave/core/error.hpp"
#include "cleave/output/files.hpp"

namespace fs = std::filesystem;

namespace cleave {
namespace {

/// The absolute path without a trailing slash.
fs::path full_path(const fs::path& directory) {
  const fs::path path = fs::absolute(directory).lexically_normal();
  return path.has_filename() ? path : path.parent_path();
}

/// The topmost directory of a full path that does not exist yet; empty if all exist.
fs::path first_missing(const fs::path& directory) {
  fs::path missing;
  for (fs::path p = directory; !fs::exists(p); p = p.parent_path()) missing = p;
  return missing;
}

constexpr std::string_view first_word = "process ";

std::string this_process() {
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  return fmt::format("{}{} on {} since {:%Y-%m-%d %H:%M:%S}", first_word, getpid(), host,
                     fmt::localtime(std::time(nullptr)));
}

/// Holder of a lock, from the first line of its file.
std::string holder_in(const std::optional<std::string>& text) {
  const std::string line = text ? text->substr(0, text->find('\n')) : "";
  return line.empty() ? "another process" : line;
}

void refuse_obstacle(const OutputPath& file, const std::string& origin) {
  const int error = errno;
  const std::string obstacle = obstacle_to(file);
  if (!obstacle.empty())
    throw InputError(
        fmt::format("{}: '{}' is {}, where a run locks a file; remove it, or give another directory with "
                    "--output",
                    origin, file.string(), obstacle));
  errno = error;
}

}  // namespace

DirectoryLock::DirectoryLock(const fs::path& directory, const std::string& origin)
    : named_(directory), directory_(full_path(directory)), first_created_(first_missing(directory_)) {
  // The holder removes the file when it ends; then this lock is on a file without a name, and another attempt follows.
  constexpr int attempts = 100;
  for (int i = 0; i < attempts && !held_; ++i) held_ = take(origin);
  const std::string text = this_process() + "\n";
  if (!held_ || ftruncate(descriptor_, 0) != 0 ||
      write(descriptor_, text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    throw std::runtime_error(fmt::format("{}: cannot be written ({}); check the free space and the permissions",
                                         (directory / lock_name).string(), std::strerror(errno)));
  }
}

/// The directory with the locked file; nothing, with errno, if the file was removed before it was locked.
std::optional<OutputDirectory> DirectoryLock::take(const std::string& origin) {
  std::error_code ignored;
  fs::create_directories(directory_, ignored);
  const int opened = open(directory_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (opened < 0) return std::nullopt;
  OutputDirectory directory(named_, opened);
  const OutputPath file = directory / lock_name;
  descriptor_ = open_plain(file, O_RDWR | O_CREAT);
  if (descriptor_ < 0) {
    refuse_obstacle(file, origin);
    return std::nullopt;
  }
  directory.own_lock(descriptor_);
  const bool locked = flock(descriptor_, LOCK_EX | LOCK_NB) == 0;
  const bool is_held = !locked && errno == EWOULDBLOCK;
  if (!locked && !is_held) obstacle_ = std::strerror(errno);
  if (!is_held && !leads_to(file, descriptor_)) return std::nullopt;
  const auto text = text_of_file(file);
  if (text && !text->empty() && !text->starts_with(first_word))
    throw InputError(
        fmt::format("{}: '{}' is not the lock of a run, and a run would overwrite it; move it, or give another "
                    "directory with --output",
                    origin, file.string()));
  if (is_held)
    throw InputError(
        fmt::format("{}: '{}' is in use by {}; wait until it has ended, or give another directory with --output",
                    origin, named_.string(), holder_in(text)));
  return directory;
}

DirectoryLock::~DirectoryLock() {
  const OutputPath file = *held_ / lock_name;
  if (leads_to(file, descriptor_)) unlinkat(file.at(), file.name(), 0);
  if (!first_created_.empty() && held_->is_there()) remove_empty_directories();
}

/// Stops at the first directory that is not empty, which the system refuses to remove.
void DirectoryLock::remove_empty_directories() const {
  for (fs::path p = directory_; rmdir(p.c_str()) == 0 && p != first_created_;) p = p.parent_path();
}

}  // namespace cleave
