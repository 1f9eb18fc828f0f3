/// Checks of the output directory and of the files in it, and its lock, so that one run at a time uses it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cleave/output/output_directory.hpp"

namespace cleave {

/// Throws InputError, starting with `origin` (such as "ring.yaml:12: output.directory"), if the directory is a file, is
/// not writable or cannot be created. Leaves nothing behind.
void check_output_directory(const std::filesystem::path& directory, const std::string& origin);

/// Names in the directory that belong to files of a run, sorted; without directories.
std::vector<std::string> result_files(const OutputDirectory& directory);

/// Throws InputError, starting with `origin`, if that name belongs to a link, a pipe or anything else that is no plain
/// file.
void check_is_file(const OutputPath& file, const std::string& origin);
/// The same for each of `result_files` and for run.lock.
void check_results_are_files(const OutputDirectory& directory, const std::string& origin);

/// Throws std::runtime_error that names the file if it exists and cannot be removed.
void remove_file(const OutputPath& file);

/// Whether the name is that of a file that was incomplete when its program ended.
bool is_temporary(const std::string& name);

/// The number in a name such as bulk_000012.vtu, for prefix "bulk_" and suffix ".vtu"; -1 for other names.
long long number_in_name(const std::string& name, std::string_view prefix, std::string_view suffix);

/// The number of the frame in the name of its .mesh, .sol, .meshb or .solb file, or -1.
long long number_of_inria_file(const std::string& name);

/// Locks a directory for this process by a lock on the file `run.lock` in it. The system releases the lock when the
/// process ends in any way. The file names the holder.
class DirectoryLock {
 public:
  /// Creates the directory if needed. Throws InputError, starting with `origin` (such as "ring.yaml:12:
  /// output.directory"), if another process holds the lock (the message names it and the time since when), or if
  /// `run.lock` was not left by a run. Throws std::runtime_error if the file cannot be written.
  DirectoryLock(const std::filesystem::path& directory, const std::string& origin);
  /// Removes the file, and the directory if this object created it and it is empty. If the directory has been moved,
  /// nothing that now has its name is touched.
  ~DirectoryLock();
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;

  /// The directory, held open.
  const OutputDirectory& directory() const { return *held_; }
  /// Reason why the file system cannot lock; empty if it can. Without a lock a second run is not prevented.
  const std::string& obstacle() const { return obstacle_; }

 private:
  std::optional<OutputDirectory> take(const std::string& origin);
  void remove_empty_directories() const;

  std::filesystem::path named_, directory_, first_created_;  ///< named_ by the user; directory_: full path
  std::string obstacle_;
  std::optional<OutputDirectory> held_;
  int descriptor_ = -1;  ///< of run.lock; owned by held_
};

}  // namespace cleave
