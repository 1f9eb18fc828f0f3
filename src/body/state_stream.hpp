/// A body's state as bytes, to a stream and back.
#pragma once

#include <istream>
#include <ostream>
#include <string>

#include "body/checkpoint_indices.hpp"
#include "cleave/core/error.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Writes values and buffers of solver memory.
class StateWriter {
 public:
  explicit StateWriter(std::ostream& out) : out_(out) {}
  template <class T>
  void value(const T& value) {
    bytes(&value, sizeof value);
  }
  /// The first `count` values.
  template <class Buffer>
  void buffer(const Buffer& buffer, std::size_t count) {
    const auto host = buffer.download(count);
    bytes(host.data(), host.size() * sizeof(host[0]));
  }

 private:
  void bytes(const void* data, std::size_t size) {
    out_.write(static_cast<const char*>(data), static_cast<std::streamsize>(size));
  }
  std::ostream& out_;
};

/// Reads them. Throws InputError when the stream ends too early.
class StateReader {
 public:
  explicit StateReader(std::istream& in) : in_(in) {}
  template <class T>
  void value(T& value) {
    bytes(&value, sizeof value);
  }
  template <class Buffer>
  void buffer(Buffer& buffer, std::size_t count) {
    auto host = buffer.download(0);
    host.resize(count);
    bytes(host.data(), count * sizeof(host[0]));
    buffer.upload(host);
  }
  /// Throws InputError when bytes are left, which belong to no array.
  void end() {
    require_of_state(in_.peek() == std::istream::traits_type::eof(), [] { return std::string("it is too long"); });
  }

 private:
  void bytes(void* data, std::size_t size) {
    in_.read(static_cast<char*>(data), static_cast<std::streamsize>(size));
    if (!in_) throw InputError("the checkpoint is truncated: remove it and resume from an older one");
  }
  std::istream& in_;
};

}  // namespace cleave::inline CLEAVE_PRECISION
