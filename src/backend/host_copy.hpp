/// Copies of solver memory that the host reads while the solver goes on.
#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

namespace cleave {

/// Arrays of one moment, in one piece of host memory. First all are added, then the copies are started, together.
template <class Backend>
class HostCopy {
 public:
  /// An array in the copy.
  template <class T>
  struct Part {
    std::size_t offset = 0;
  };

  /// The first `count` values of a buffer.
  template <class Buffer>
  auto add(const Buffer& buffer, std::size_t count) {
    using T = std::remove_cvref_t<decltype(*buffer.data())>;
    pieces_.push_back({buffer.data(), size_, count * sizeof(T)});
    constexpr std::size_t line = 64;  // bytes
    size_ += (count * sizeof(T) + line - 1) / line * line;
    return Part<T>{pieces_.back().offset};
  }

  /// Starts the copies, after the launches so far and before those to come.
  void start(Backend& backend) {
    memory_ = backend.host_memory(size_);
    for (const Piece& piece : pieces_) backend.copy_to_host(memory_.data() + piece.offset, piece.from, piece.bytes);
    memory_.mark(backend);
  }
  /// Waits until they are done. Throws std::runtime_error when the device has failed.
  void wait() { memory_.wait(); }

  /// The array, after wait(). Laid out as in solver memory; not const, as views of tables are not.
  template <class T>
  T* data(Part<T> part) {
    return reinterpret_cast<T*>(memory_.data() + part.offset);
  }

 private:
  struct Piece {
    const void* from;
    std::size_t offset, bytes;
  };
  std::vector<Piece> pieces_;
  std::size_t size_ = 0;
  typename Backend::HostMemory memory_;
};

}  // namespace cleave
