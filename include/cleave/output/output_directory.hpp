/// A directory that is written into, and names in it. A run holds its directory open: its files stay in that directory
/// wherever it is moved to, and nothing goes into another one that has taken its name.
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

/// The file in a directory that its run has locked.
constexpr const char* lock_name = "run.lock";

class OutputDirectory {
 public:
  /// By its name alone: whatever that leads to each time. Touches nothing.
  template <std::convertible_to<std::filesystem::path> Path>
  OutputDirectory(const Path& path) : path_(path) {}
  /// Held by an open descriptor, which this object and its copies own.
  OutputDirectory(std::filesystem::path path, int descriptor);
  /// Its run.lock, which they own, too.
  void own_lock(int descriptor);

  /// As its user names it.
  const std::filesystem::path& path() const { return path_; }
  std::string string() const { return path_.string(); }
  OutputPath operator/(const std::string& name) const;
  /// All names in it; none without a directory.
  std::vector<std::string> names() const;

  /// For openat and its like: AT_FDCWD unless it is held.
  int descriptor() const;
  /// Throws std::runtime_error, saying where it is and how to go on, when its name leads to it no longer.
  void check_is_there(const char* go_on = "go on with --resume") const;
  /// Throws std::runtime_error when another run has locked it, which only happens after run.lock was removed.
  void check_is_ours() const;
  /// Whether its name leads to it.
  bool is_there() const;

 private:
  struct Held;
  std::filesystem::path path_;
  std::shared_ptr<Held> held_;
};

/// The name of a file, in a directory that is held or not.
class OutputPath {
 public:
  template <std::convertible_to<std::filesystem::path> Path>
  OutputPath(const Path& file) : path_(file), directory_(path_.parent_path()), name_(path_.string()) {}
  OutputPath(const OutputDirectory& directory, const std::string& name);

  /// As its user names it.
  const std::filesystem::path& path() const { return path_; }
  std::string string() const { return path_.string(); }
  const OutputDirectory& directory() const { return directory_; }
  /// For openat and its like.
  int at() const { return directory_.descriptor(); }
  const char* name() const { return name_.c_str(); }
  /// Another name beside it.
  OutputPath with_suffix(const char* suffix) const;

 private:
  std::filesystem::path path_;
  OutputDirectory directory_;
  std::string name_;
};

/// Opens a plain file; -1, with errno, where there is none. Never follows a link, nor waits for the other end of a
/// pipe: for either errno says ELOOP or ENXIO, for a directory EISDIR.
int open_plain(const OutputPath& file, int flags);
/// The obstacle to a plain file of that name: "a link", "a pipe", "a directory", ...; empty if there is none.
std::string obstacle_to(const OutputPath& file);
/// Bytes of a plain file; nothing where there is none.
std::optional<std::int64_t> size_of(const OutputPath& file);
/// Whether the name leads to the open file.
bool leads_to(const OutputPath& file, int descriptor);
/// The text of a plain file; nothing where there is none that can be read.
std::optional<std::string> text_of_file(const OutputPath& file);
/// The end of such a text: at most so many bytes.
std::optional<std::string> tail_of_file(const OutputPath& file, std::int64_t most);

}  // namespace cleave
