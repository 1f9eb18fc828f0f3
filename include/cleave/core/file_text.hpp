/// Reading of whole input files up to a limit of size.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>

#include "cleave/core/error.hpp"

namespace cleave {

/// Content of a plain file or a pipe (such as `<(...)` of a shell). Devices are refused, as they have no end; files
/// larger than `most` bytes are refused before they are read.
/// @param what  the kind of file, for messages: "a case file (YAML)"
/// Throws InputError whose text does not name the file.
inline std::string file_text(const std::filesystem::path& file, std::uintmax_t most, const std::string& what) {
  struct stat is {};
  const auto refuse_size = [&] {
    throw InputError("has more than " + std::to_string(most) + " bytes; expected " + what + " of at most that many");
  };
  if (stat(file.c_str(), &is) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) throw InputError("no such file");
    throw InputError(std::string("cannot be opened for reading (") + std::strerror(errno) + ")");
  }
  if (S_ISDIR(is.st_mode)) throw InputError("is a directory; expected " + what);
  if (!S_ISREG(is.st_mode) && !S_ISFIFO(is.st_mode))
    throw InputError("is neither a plain file nor a pipe; expected " + what);
  if (S_ISREG(is.st_mode) && static_cast<std::uintmax_t>(is.st_size) > most) refuse_size();
  // Some system files are reported as plain and block their reader; non-blocking reads of them return at once.
  const int mode = O_RDONLY | O_CLOEXEC | (S_ISREG(is.st_mode) ? O_NONBLOCK : 0);
  struct Descriptor {
    int number;
    ~Descriptor() {
      if (number >= 0) close(number);
    }
  } const in{open(file.c_str(), mode)};
  if (in.number < 0) throw InputError(std::string("cannot be opened for reading (") + std::strerror(errno) + ")");

  // A pipe has no size, and a system file may report size 0.
  std::string text;
  constexpr std::size_t piece = 1 << 16;
  const std::size_t expected = S_ISREG(is.st_mode) ? static_cast<std::size_t>(is.st_size) + 1 : 0;
  for (std::size_t size = 0;; size = text.size()) {
    text.resize(std::max(size + piece, expected));
    const ssize_t got = read(in.number, text.data() + size, text.size() - size);
    text.resize(size + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw InputError(std::string("cannot be read (") + std::strerror(errno) + ")");
    if (got == 0) return text;
    if (text.size() > most) refuse_size();
  }
}

}  // namespace cleave
