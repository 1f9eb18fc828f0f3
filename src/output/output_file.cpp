#include "cleave/output/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace fs = std::filesystem;

namespace cleave {
namespace {

[[noreturn]] void fail_to_write(const fs::path& file, const char* reason) {
  throw std::runtime_error(
      fmt::format("{}: cannot be written ({}); check the free space and the permissions", file.string(), reason));
}

/// Creates the directory of a file.
void create_parent(const fs::path& file) {
  std::error_code error;
  if (file.has_parent_path()) fs::create_directories(file.parent_path(), error);
  if (error) fail_to_write(file, error.message().c_str());
}

int open_for_writing(const fs::path& file, int flags) {
  const int descriptor = open(file.c_str(), O_WRONLY | O_CLOEXEC | flags, 0666);
  if (descriptor < 0) fail_to_write(file, std::strerror(errno));
  return descriptor;
}

/// Whether all bytes went out; leaves errno otherwise.
bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

OutputFile::OutputFile(fs::path file, Start start) : file_(std::move(file)) {
  create_parent(file_);
  descriptor_ = open_for_writing(file_, O_CREAT | (start == Start::empty ? O_TRUNC : O_APPEND));
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void OutputFile::write(std::string_view bytes) {
  const off_t before = lseek(descriptor_, 0, SEEK_END);
  if (write_all(descriptor_, bytes)) return;
  const int reason = errno;
  // Half a row or half a number would be worse than none. Nothing more can be done where this fails, too.
  if (before >= 0) std::ignore = ftruncate(descriptor_, before);
  errno = reason;
  fail();
}

void OutputFile::sync() {
  // EINVAL: there is nothing to wait for, as in /dev/null.
  if (fsync(descriptor_) != 0 && errno != EINVAL) fail();
}

void OutputFile::close() {
  if (::close(std::exchange(descriptor_, -1)) != 0) fail();
}

void OutputFile::fail() const { fail_to_write(file_, std::strerror(errno)); }

TemporaryFile::TemporaryFile(fs::path file) : file_(std::move(file)), temporary_(file_) {
  temporary_ += ".tmp";
  create_parent(file_);
}

TemporaryFile::~TemporaryFile() {
  std::error_code ignored;
  if (!temporary_.empty()) fs::remove(temporary_, ignored);
}

void TemporaryFile::commit() {
  std::error_code error;
  fs::rename(temporary_, file_, error);
  if (error) fail_to_write(file_, error.message().c_str());
  temporary_.clear();
}

void write_atomically(const fs::path& file, std::string_view text) {
  write_atomically(file, std::vector<std::string_view>{text});
}

void write_atomically(const fs::path& file, const std::vector<std::string_view>& pieces) {
  TemporaryFile temporary(file);
  OutputFile out(temporary.path());
  for (const std::string_view piece : pieces) out.write(piece);
  out.close();
  temporary.commit();
}

void write_in_place(const fs::path& file, std::string_view text) {
  const int descriptor = open_for_writing(file, 0);
  const bool written = write_all(descriptor, text) && ftruncate(descriptor, static_cast<off_t>(text.size())) == 0;
  const int reason = errno;
  if (::close(descriptor) != 0 || !written) fail_to_write(file, std::strerror(written ? errno : reason));
}

}  // namespace cleave
