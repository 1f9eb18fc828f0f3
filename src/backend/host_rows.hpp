/// Solver memory as the host reads and writes it, now and then.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

namespace cleave {

/// The first values of a buffer: where they lie if that is the host's memory, else copied, and copied back by
/// `write_back`.
template <class Buffer>
class HostRows {
 public:
  using T = std::remove_cvref_t<decltype(*std::declval<Buffer&>().data())>;
  explicit HostRows(Buffer& buffer) : HostRows(buffer, buffer.size()) {}
  HostRows(Buffer& buffer, std::size_t count) : buffer_(buffer) {
    if constexpr (!Buffer::is_host_memory) copy_ = buffer.download(count);
  }
  T* data() {
    if constexpr (Buffer::is_host_memory)
      return buffer_.data();
    else
      return copy_.data();
  }
  T& operator[](std::size_t i) { return data()[i]; }
  void write_back() {
    if constexpr (!Buffer::is_host_memory) buffer_.upload(copy_);
  }

 private:
  Buffer& buffer_;
  std::vector<T> copy_;
};

}  // namespace cleave
