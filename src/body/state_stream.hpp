/// A body's state as bytes, to a stream and back.
#pragma once

#include <cstring>
#include <istream>
#include <ostream>
#include <string>
#include <type_traits>

#include "body/checkpoint_indices.hpp"
#include "cleave/core/error.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// A value of which a file has a part alone: in_file() is what is left, with zeros for the rest.
template <class T>
concept PartlyInFile = requires(const T& value) {
  value.in_file();
};

/// Writes values.
class StateWriter {
 public:
  explicit StateWriter(std::ostream& out) : out_(out) {}
  template <class T>
  void value(const T& value) {
    bytes(&value, sizeof value);
  }
  /// Writes values as a file has them (PartlyInFile), and changes them to that.
  template <class T>
  void values(T* first, std::size_t count) {
    if constexpr (PartlyInFile<T>)
      for (std::size_t i = 0; i < count; ++i) first[i] = first[i].in_file();
    bytes(first, count * sizeof(T));
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
    using T = std::decay_t<decltype(host[0])>;
    if constexpr (PartlyInFile<T>)
      for (const T& value : host) {
        const T in_file = value.in_file();
        require_of_state(std::memcmp(&value, &in_file, sizeof value) == 0,
                         [] { return std::string("it has slots of nodes"); });
      }
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
