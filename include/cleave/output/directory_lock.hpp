/// One run at a time in an output directory.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "cleave/output/output_directory.hpp"

namespace cleave {

/// Holds a directory for this process: a lock on the file `run.lock` in it, which the system gives back by itself when
/// the process ends, however it ends. The file says who holds it.
class DirectoryLock {
 public:
  /// Creates the directory if it is not there. Throws InputError, starting with `origin` (such as "ring.yaml:12:
  /// output.directory"), when another process holds it, and says which and since when, or when `run.lock` is something
  /// else than a file that a run has left; std::runtime_error when the file cannot be written.
  DirectoryLock(const std::filesystem::path& directory, const std::string& origin);
  /// Removes the file, and the directory if this object created it and nothing else is in it. Where the directory has
  /// been moved meanwhile, what now has its name is left alone.
  ~DirectoryLock();
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;

  /// The directory, held open.
  const OutputDirectory& directory() const { return *held_; }
  /// Why the file system cannot lock; empty when it can. Without a lock nothing stops a second run.
  const std::string& obstacle() const { return obstacle_; }

 private:
  std::optional<OutputDirectory> take(const std::string& origin);
  void remove_empty_directories() const;

  std::filesystem::path named_, directory_, first_created_;  ///< as its user names it; the whole path
  std::string obstacle_;
  std::optional<OutputDirectory> held_;
  int descriptor_ = -1;  ///< of the file, which `held_` owns
};

}  // namespace cleave
