/// Files being written, with every step checked: opening, each write, closing.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace cleave {

/// A file open for writing. All members throw std::runtime_error, naming the file and the system's reason.
class OutputFile {
 public:
  enum class Start { empty, at_end };

  /// Creates the file, and its directory, if it is not there.
  explicit OutputFile(std::filesystem::path file, Start start = Start::empty);
  /// Closes it; an error then is lost: call close() to learn of it.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Writes all of it, or nothing: a write that fails, as on a full disk, leaves the file as it was.
  void write(std::string_view bytes);
  /// Waits until the disk has it.
  void sync();
  void close();

 private:
  [[noreturn]] void fail() const;

  std::filesystem::path file_;
  int descriptor_;
};

/// The name that a file has until it is complete. The file goes when this object does, unless it was committed.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::filesystem::path file);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::filesystem::path& path() const { return temporary_; }
  /// Gives the file its name. Throws std::runtime_error naming it.
  void commit();

 private:
  std::filesystem::path file_, temporary_;
};

/// Writes a file under a temporary name and renames it, so that a reader or a crash meets the old or the new one.
/// Creates the directory. Throws as OutputFile; nothing stays behind then.
void write_atomically(const std::filesystem::path& file, std::string_view text);
/// The same for a text in pieces.
void write_atomically(const std::filesystem::path& file, const std::vector<std::string_view>& pieces);

/// Replaces the text of a file, which keeps its place on the disk: that works on a full disk, too, where the text is
/// not much longer than the old one. Throws as OutputFile.
void write_in_place(const std::filesystem::path& file, std::string_view text);

}  // namespace cleave
