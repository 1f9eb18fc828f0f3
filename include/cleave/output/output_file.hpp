/// Files being written, with every step checked: opening, each write, closing; and plain files being read.
#pragma once

#include <cstdint>
#include <streambuf>
#include <string_view>
#include <vector>

#include "cleave/output/output_directory.hpp"

namespace cleave {

/// A file open for writing. All members throw std::runtime_error, naming the file and the system's reason.
class OutputFile {
 public:
  /// How it begins. `emptied`: whatever its name leads to, as a user may name a device. The others take plain files
  /// alone: `created` removes one that is there, `at_end` goes on with it.
  enum class Start { emptied, created, at_end };

  /// Creates the file, and the directory of one by its name, if it is not there.
  explicit OutputFile(OutputPath file, Start start = Start::emptied);
  /// Closes it; an error then is lost: call close() to learn of it.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  int descriptor() const { return descriptor_; }
  /// Writes all of it, or nothing: a write that fails, as on a full disk, leaves the file as it was.
  void write(std::string_view bytes);
  /// Waits until the disk has it.
  void sync();
  void close();
  /// Whether its name still leads to it.
  bool is_there() const { return leads_to(file_, descriptor_); }

 private:
  [[noreturn]] void fail() const;

  OutputPath file_;
  int descriptor_;
};

/// The name that a file has until it is complete. The file goes when this object does, unless it was committed.
class TemporaryFile {
 public:
  explicit TemporaryFile(OutputPath file);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const OutputPath& path() const { return temporary_; }
  /// Gives the file its name. Throws std::runtime_error naming it.
  void commit();

 private:
  OutputPath file_, temporary_;
  bool committed_ = false;
};

/// Writes a file under a temporary name and renames it, so that a reader or a crash meets the old or the new one.
/// Creates the directory of one by its name. Throws as OutputFile; nothing stays behind then.
void write_atomically(const OutputPath& file, std::string_view text);
/// The same for a text in pieces.
void write_atomically(const OutputPath& file, const std::vector<std::string_view>& pieces);

/// Replaces the text of a plain file, which keeps its place on the disk: that works on a full disk, too, where the text
/// is not much longer than the old one. Throws as OutputFile.
void write_in_place(const OutputPath& file, std::string_view text);

/// The bytes of a plain file, for a stream. Without a file it is at its end at once.
class PlainFileBuffer : public std::streambuf {
 public:
  explicit PlainFileBuffer(const OutputPath& file);
  ~PlainFileBuffer() override;
  PlainFileBuffer(const PlainFileBuffer&) = delete;
  PlainFileBuffer& operator=(const PlainFileBuffer&) = delete;

  bool is_open() const { return descriptor_ >= 0; }
  std::int64_t size() const { return size_; }
  /// Goes to a byte of the file; the stream ends before `end`.
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
