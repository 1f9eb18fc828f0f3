/// Writing of files with checks of every operation, and reading of plain files.
#pragma once

#include <cstdint>
#include <streambuf>
#include <string_view>
#include <utility>
#include <vector>

#include "cleave/output/output_directory.hpp"

namespace cleave {

/// A file open for writing. Members throw std::runtime_error that names the file and the system's reason.
class OutputFile {
 public:
  /// How the file is opened. `emptied`: anything that the name leads to, as a user may name a device. The others accept
  /// plain files only: `created` replaces an existing file, `at_end` appends to it.
  enum class Start { emptied, created, at_end };

  /// Creates the file if needed, and its directory unless that is held.
  explicit OutputFile(OutputPath file, Start start = Start::emptied);
  /// Closes the file and ignores errors; call close() to get them.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  int descriptor() const { return descriptor_; }
  /// Writes all bytes or none: if a write fails, as on a full disk, the file stays as it was.
  void write(std::string_view bytes);
  /// Waits until the content is on the disk.
  void sync();
  void close();
  /// Leaves the file open and passes ownership of its descriptor.
  int release() { return std::exchange(descriptor_, -1); }
  /// Whether the file's name still leads to it.
  bool is_there() const { return leads_to(file_, descriptor_); }
  /// Throws std::runtime_error if it does not.
  void check_is_there() const;

 private:
  [[noreturn]] void fail() const;

  OutputPath file_;
  int descriptor_;
};

/// The temporary name of a file until it is complete. The destructor removes the file unless commit() was called.
class TemporaryFile {
 public:
  explicit TemporaryFile(OutputPath file);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const OutputPath& path() const { return temporary_; }
  /// Renames the file to its final name. Throws std::runtime_error that names the file.
  void commit();

 private:
  OutputPath file_, temporary_;
  bool committed_ = false;
};

/// Writes a file under a temporary name and renames it, so that a reader or a crash sees either the old or the new
/// file. Creates its directory unless that is held. Throws as OutputFile and then leaves nothing behind.
void write_atomically(const OutputPath& file, std::string_view text);
/// The same for a text in pieces.
void write_atomically(const OutputPath& file, const std::vector<std::string_view>& pieces);

/// Replaces the text of a plain file in place. This works on a full disk if the text is not much longer than the old
/// one. Throws as OutputFile.
void write_in_place(const OutputPath& file, std::string_view text);

/// Stream buffer of a plain file; empty if there is no file.
class PlainFileBuffer : public std::streambuf {
 public:
  explicit PlainFileBuffer(const OutputPath& file);
  ~PlainFileBuffer() override;
  PlainFileBuffer(const PlainFileBuffer&) = delete;
  PlainFileBuffer& operator=(const PlainFileBuffer&) = delete;

  bool is_open() const { return descriptor_ >= 0; }
  std::int64_t size() const { return size_; }
  /// Moves to a byte of the file; the stream ends before `end`.
  void seek(std::int64_t byte, std::int64_t end);

 protected:
  int_type underflow() override;
  std::streamsize xsgetn(char* to, std::streamsize count) override;

 private:
  std::streamsize read_at(char* to, std::int64_t count);

  int descriptor_;
  std::int64_t size_ = 0, at_ = 0, end_ = 0;
  std::vector<char> piece_;
};

}  // namespace cleave
