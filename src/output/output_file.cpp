#include "cleave/output/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace fs = std::filesystem;

namespace cleave {
namespace {

[[noreturn]] void fail_to_write(const OutputPath& file, const std::string& reason) {
  file.directory().check_is_there();  // if the directory is gone, that is the reason to report
  throw std::runtime_error(
      fmt::format("{}: cannot be written ({}); check the free space and the permissions", file.string(), reason));
}

/// Fails with the kind of the obstacle to a plain file, or with the system's reason.
[[noreturn]] void fail_to_open_plain(const OutputPath& file, int error) {
  const std::string obstacle = obstacle_to(file);
  if (error == EISDIR || obstacle.empty()) fail_to_write(file, std::strerror(error));
  fail_to_write(file, fmt::format("{} has this name: remove it", obstacle));
}

/// Creates the directory of a file; a held directory is not created again.
void create_parent(const OutputPath& file) {
  std::error_code error;
  if (file.at() == AT_FDCWD && file.path().has_parent_path()) fs::create_directories(file.path().parent_path(), error);
  if (error) fail_to_write(file, error.message());
}

/// Creates a file and replaces an existing plain one; -1, with errno, if the name belongs to anything else.
int create(const OutputPath& file) {
  constexpr int flags = O_WRONLY | O_CREAT | O_EXCL;
  const int descriptor = open_plain(file, flags);
  if (descriptor >= 0 || errno != EEXIST) return descriptor;
  const std::string obstacle = obstacle_to(file);
  errno = obstacle == "a directory" ? EISDIR : EEXIST;
  if (!obstacle.empty() || unlinkat(file.at(), file.name(), 0) != 0) return -1;
  return open_plain(file, flags);
}

int open_as(const OutputPath& file, OutputFile::Start start) {
  if (start == OutputFile::Start::created) return create(file);
  if (start == OutputFile::Start::at_end) return open_plain(file, O_WRONLY | O_CREAT | O_APPEND);
  return openat(file.at(), file.name(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}

/// Whether all bytes were written; otherwise leaves errno.
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

OutputFile::OutputFile(OutputPath file, Start start) : file_(std::move(file)) {
  file_.directory().check_is_ours();
  create_parent(file_);
  descriptor_ = open_as(file_, start);
  if (descriptor_ < 0 && start == Start::emptied) fail();
  if (descriptor_ < 0) fail_to_open_plain(file_, errno);
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void OutputFile::write(std::string_view bytes) {
  const off_t before = lseek(descriptor_, 0, SEEK_END);
  if (write_all(descriptor_, bytes)) return;
  const int reason = errno;
  // Half a row or half a number would be worse than none. If this fails too, nothing more can be done.
  if (before >= 0) std::ignore = ftruncate(descriptor_, before);
  errno = reason;
  fail();
}

void OutputFile::check_is_there() const {
  if (is_there()) return;
  throw std::runtime_error(
      fmt::format("{}: this file was moved, removed or replaced while the run wrote into it; put it back and go on "
                  "with --resume",
                  file_.string()));
}

void OutputFile::sync() {
  // EINVAL: the file has nothing to synchronise, as /dev/null.
  if (fsync(descriptor_) != 0 && errno != EINVAL) fail();
}

void OutputFile::close() {
  if (::close(std::exchange(descriptor_, -1)) != 0) fail();
}

void OutputFile::fail() const { fail_to_write(file_, std::strerror(errno)); }

TemporaryFile::TemporaryFile(OutputPath file) : file_(std::move(file)), temporary_(file_.with_suffix(".tmp")) {
  file_.directory().check_is_ours();
  create_parent(file_);
}

TemporaryFile::~TemporaryFile() {
  if (!committed_ && obstacle_to(temporary_).empty()) unlinkat(temporary_.at(), temporary_.name(), 0);
}

void TemporaryFile::commit() {
  file_.directory().check_is_ours();
  if (renameat(temporary_.at(), temporary_.name(), file_.at(), file_.name()) != 0)
    fail_to_write(file_, std::strerror(errno));
  committed_ = true;
}

void write_atomically(const OutputPath& file, std::string_view text) {
  write_atomically(file, std::vector<std::string_view>{text});
}

void write_atomically(const OutputPath& file, const std::vector<std::string_view>& pieces) {
  TemporaryFile temporary(file);
  OutputFile out(temporary.path(), OutputFile::Start::created);
  for (const std::string_view piece : pieces) out.write(piece);
  out.close();
  temporary.commit();
}

void write_in_place(const OutputPath& file, std::string_view text) {
  file.directory().check_is_ours();
  const int descriptor = open_plain(file, O_WRONLY);
  if (descriptor < 0) fail_to_open_plain(file, errno);
  const bool written = write_all(descriptor, text) && ftruncate(descriptor, static_cast<off_t>(text.size())) == 0;
  const int reason = errno;
  if (::close(descriptor) != 0 || !written) fail_to_write(file, std::strerror(written ? errno : reason));
}

PlainFileBuffer::PlainFileBuffer(const OutputPath& file) : descriptor_(open_plain(file, O_RDONLY)), piece_(1 << 16) {
  struct stat open {};
  if (is_open() && fstat(descriptor_, &open) == 0) end_ = size_ = open.st_size;
}

PlainFileBuffer::~PlainFileBuffer() {
  if (is_open()) ::close(descriptor_);
}

void PlainFileBuffer::seek(std::int64_t byte, std::int64_t end) {
  at_ = byte;
  end_ = std::min(end, size_);
  setg(nullptr, nullptr, nullptr);
}

std::streamsize PlainFileBuffer::read_at(char* to, std::int64_t count) {
  count = std::min(count, end_ - at_);
  ssize_t got = 0;
  do got = count > 0 ? pread(descriptor_, to, static_cast<std::size_t>(count), at_) : 0;
  while (got < 0 && errno == EINTR);
  at_ += std::max<ssize_t>(got, 0);
  return std::max<ssize_t>(got, 0);
}

PlainFileBuffer::int_type PlainFileBuffer::underflow() {
  const std::streamsize got = read_at(piece_.data(), static_cast<std::int64_t>(piece_.size()));
  setg(piece_.data(), piece_.data(), piece_.data() + got);
  return got > 0 ? traits_type::to_int_type(*gptr()) : traits_type::eof();
}

std::streamsize PlainFileBuffer::xsgetn(char* to, std::streamsize count) {
  std::streamsize done = std::min<std::streamsize>(count, egptr() - gptr());
  std::copy_n(gptr(), done, to);
  setg(eback(), gptr() + done, egptr());
  while (done < count) {
    const std::streamsize got = read_at(to + done, count - done);
    if (got == 0) break;
    done += got;
  }
  return done;
}

}  // namespace cleave
