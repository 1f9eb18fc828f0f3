#include "cleave/output/output_directory.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <stdexcept>
#include <utility>

namespace fs = std::filesystem;

namespace cleave {
namespace {

bool are_same(const struct stat& a, const struct stat& b) { return a.st_ino == b.st_ino && a.st_dev == b.st_dev; }

const char* kind_of(mode_t mode) {
  if (S_ISREG(mode)) return "";
  if (S_ISLNK(mode)) return "a link";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISDIR(mode)) return "a directory";
  return S_ISSOCK(mode) ? "a socket" : "a device";
}

bool exists(const OutputPath& file) {
  struct stat named {};
  return fstatat(file.at(), file.name(), &named, AT_SYMLINK_NOFOLLOW) == 0;
}

/// Path of an open directory.
fs::path place_of(int descriptor) {
  std::error_code error;
  const fs::path place = fs::read_symlink(fmt::format("/proc/self/fd/{}", descriptor), error);
  return error ? "another place" : place;
}

}  // namespace

struct OutputDirectory::Held {
  int directory, lock = -1;
  fs::path place;    ///< when it was opened
  std::mutex mutex;  ///< of `summary`
  int summary = -1;  ///< summary.json as this run wrote it last
  explicit Held(int descriptor) : directory(descriptor), place(place_of(descriptor)) {}
  ~Held() {
    if (lock >= 0) close(lock);
    if (summary >= 0) close(summary);
    close(directory);
  }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
};

OutputDirectory::OutputDirectory(fs::path path, int descriptor)
    : path_(std::move(path)), held_(std::make_shared<Held>(descriptor)) {}

void OutputDirectory::own_lock(int descriptor) { held_->lock = descriptor; }

void OutputDirectory::own_summary(int descriptor) const {
  if (!held_) {
    close(descriptor);
    return;
  }
  const std::lock_guard lock(held_->mutex);
  if (held_->summary >= 0) close(held_->summary);
  held_->summary = descriptor;
}

OutputPath OutputDirectory::operator/(const std::string& name) const { return {*this, name}; }

int OutputDirectory::descriptor() const { return held_ ? held_->directory : AT_FDCWD; }

std::vector<std::string> OutputDirectory::names() const {
  std::vector<std::string> names;
  const std::string name = held_ ? "." : path_.empty() ? "." : path_.string();
  const int opened = openat(descriptor(), name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* const entries = opened < 0 ? nullptr : fdopendir(opened);
  if (entries == nullptr) {
    if (opened >= 0) close(opened);
    return names;
  }
  while (const dirent* entry = readdir(entries)) names.emplace_back(entry->d_name);
  closedir(entries);
  std::sort(names.begin(), names.end());
  return names;
}

bool OutputDirectory::is_there() const {
  struct stat named {
  }, open{};
  if (!held_) return fs::is_directory(path_);
  return stat(path_.c_str(), &named) == 0 && fstat(held_->directory, &open) == 0 && are_same(named, open);
}

void OutputDirectory::check_is_there(const char* go_on) const {
  if (!held_) return;
  check_is_ours();
  if (is_there()) return;
  struct stat open {};
  if (fstat(held_->directory, &open) != 0 || open.st_nlink == 0)
    throw std::runtime_error(fmt::format(
        "{}: this directory was removed, or moved to another file system, while the run wrote into it; if it "
        "was moved, put it back and {}",
        path_.string(), go_on));
  const fs::path now = place_of(held_->directory);
  if (now == held_->place)
    throw std::runtime_error(
        fmt::format("{}: this name, or a link in it, led to '{}' at first and leads to another directory now; the "
                    "results of the run are in '{}'; restore the name and {}",
                    path_.string(), now.string(), now.string(), go_on));
  throw std::runtime_error(fmt::format(
      "{}: this directory was moved while the run wrote into it; the results are in '{}'; put it back and {}",
      path_.string(), now.string(), go_on));
}

void OutputDirectory::check_is_ours() const {
  if (!held_ || held_->lock < 0) return;  // several programs may write into it
  const auto is_of_another = [&](const char* name, int own) {
    return exists(*this / name) && !leads_to(*this / name, own);
  };
  const bool is_locked = exists(*this / lock_name);
  const std::lock_guard lock(held_->mutex);
  if (is_locked ? !is_of_another(lock_name, held_->lock) : !is_of_another(summary_name, held_->summary)) return;
  throw std::runtime_error(
      fmt::format("{}: run.lock was removed while the run wrote into this directory, and another run {}; give each run "
                  "its own directory",
                  path_.string(), is_locked ? "has locked it now" : "has written its results there since"));
}

OutputPath::OutputPath(const OutputDirectory& directory, const std::string& name)
    : path_(directory.path() / name),
      directory_(directory),
      name_(directory.descriptor() == AT_FDCWD ? path_.string() : name) {}

OutputPath OutputPath::with_suffix(const char* suffix) const {
  OutputPath other = *this;
  other.path_ += suffix;
  other.name_ += suffix;
  return other;
}

int open_plain(const OutputPath& file, int flags) {
  const int descriptor = openat(file.at(), file.name(), flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666);
  struct stat open {};
  if (descriptor < 0 || (fstat(descriptor, &open) == 0 && S_ISREG(open.st_mode))) return descriptor;
  close(descriptor);
  errno = S_ISDIR(open.st_mode) ? EISDIR : ENXIO;
  return -1;
}

std::string obstacle_to(const OutputPath& file) {
  struct stat named {};
  return fstatat(file.at(), file.name(), &named, AT_SYMLINK_NOFOLLOW) == 0 ? kind_of(named.st_mode) : "";
}

std::optional<std::int64_t> size_of(const OutputPath& file) {
  struct stat named {};
  if (fstatat(file.at(), file.name(), &named, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(named.st_mode)) return std::nullopt;
  return named.st_size;
}

bool leads_to(const OutputPath& file, int descriptor) {
  struct stat named {
  }, open{};
  return fstatat(file.at(), file.name(), &named, AT_SYMLINK_NOFOLLOW) == 0 && fstat(descriptor, &open) == 0 &&
         are_same(named, open);
}

namespace {

/// Remaining content of an open file, which is closed; empty if it cannot be read.
std::optional<std::string> rest_of(int descriptor) {
  std::string text;
  constexpr std::size_t piece = 1 << 20;
  ssize_t got = 0;
  do {
    const std::size_t before = text.size();
    text.resize(before + piece);
    got = read(descriptor, text.data() + before, piece);
    text.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  } while (got > 0 || (got < 0 && errno == EINTR));
  close(descriptor);
  if (got < 0) return std::nullopt;
  return text;
}

}  // namespace

std::optional<std::string> text_of_file(const OutputPath& file) {
  const int descriptor = open_plain(file, O_RDONLY);
  if (descriptor < 0) return std::nullopt;
  return rest_of(descriptor);
}

std::optional<std::string> tail_of_file(const OutputPath& file, std::int64_t most) {
  const int descriptor = open_plain(file, O_RDONLY);
  if (descriptor < 0) return std::nullopt;
  const off_t size = lseek(descriptor, 0, SEEK_END);
  lseek(descriptor, std::max<off_t>(size - most, 0), SEEK_SET);
  return rest_of(descriptor);
}

}  // namespace cleave
