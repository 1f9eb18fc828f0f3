/// Lock of an output directory, so that one run at a time uses it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "cleave/output/output_directory.hpp"

namespace cleave {

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
