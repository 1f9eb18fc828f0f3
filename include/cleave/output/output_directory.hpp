/// A directory for output, and names in it. A run holds its directory open: its files stay in that directory wherever
/// it is moved, and nothing is written into another directory that takes its name.
#pragma once

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cleave {

class OutputPath;

/// Name of the file in a directory that its run has locked.
constexpr const char* lock_name = "run.lock";
/// Name of the file in a directory that tells what its run has come to.
constexpr const char* summary_name = "summary.json";

class OutputDirectory {
 public:
  /// A directory known by its name, which is resolved at each use. Touches nothing.
  template <std::convertible_to<std::filesystem::path> Path>
  OutputDirectory(const Path& path) : path_(path) {}
  /// A directory held by an open descriptor, which this object and its copies own.
  OutputDirectory(std::filesystem::path path, int descriptor);
  /// Passes ownership of the open run.lock of the directory.
  void own_lock(int descriptor);
  /// Passes ownership of the open summary.json of the run which holds the directory.
  void own_summary(int descriptor) const;

  /// Path as the user names it.
  const std::filesystem::path& path() const { return path_; }
  std::string string() const { return path_.string(); }
  OutputPath operator/(const std::string& name) const;
  /// All names in the directory; none if it does not exist.
  std::vector<std::string> names() const;

  /// Descriptor for openat and similar calls: AT_FDCWD unless the directory is held.
  int descriptor() const;
  /// Throws std::runtime_error if the directory's name no longer leads to it. The message says where the directory is
  /// and how to continue.
  void check_is_there(const char* go_on = "go on with --resume") const;
  /// Throws std::runtime_error if another run has locked the directory, or has left its summary there and ended. Both
  /// happen only after run.lock was removed.
  void check_is_ours() const;
  /// Whether the directory's name leads to it.
  bool is_there() const;

 private:
  struct Held;
  std::filesystem::path path_;
  std::shared_ptr<Held> held_;
};

/// The name of a file in a directory that may be held.
class OutputPath {
 public:
  template <std::convertible_to<std::filesystem::path> Path>
  OutputPath(const Path& file) : path_(file), directory_(path_.parent_path()), name_(path_.string()) {}
  OutputPath(const OutputDirectory& directory, const std::string& name);

  /// Path as the user names it.
  const std::filesystem::path& path() const { return path_; }
  std::string string() const { return path_.string(); }
  const OutputDirectory& directory() const { return directory_; }
  /// Descriptor of the directory for openat and similar calls.
  int at() const { return directory_.descriptor(); }
  const char* name() const { return name_.c_str(); }
  /// This name with a suffix.
  OutputPath with_suffix(const char* suffix) const;

 private:
  std::filesystem::path path_;
  OutputDirectory directory_;
  std::string name_;
};

/// Opens a plain file; -1, with errno, if that fails. Never follows a link and never waits for the other end of a pipe:
/// errno is ELOOP for a link, ENXIO for a pipe, EISDIR for a directory.
int open_plain(const OutputPath& file, int flags);
/// Kind of the file of that name if it is not plain: "a link", "a pipe", "a directory", ...; otherwise empty.
std::string obstacle_to(const OutputPath& file);
/// Size of a plain file in bytes; empty if there is none.
std::optional<std::int64_t> size_of(const OutputPath& file);
/// Whether the name leads to the open file.
bool leads_to(const OutputPath& file, int descriptor);
/// Text of a plain file; empty if there is none that can be read.
std::optional<std::string> text_of_file(const OutputPath& file);
/// The last bytes of such a text, at most `most`.
std::optional<std::string> tail_of_file(const OutputPath& file, std::int64_t most);

}  // namespace cleave
