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

  /// The first bytes of a buffer.
  struct Piece {
    const void* buffer;  ///< its address
    const void* from;
    std::size_t offset, bytes;
  };

  /// The first `count` values of a buffer or a declared array.
  template <class Array>
  auto add(const Array& array, std::size_t count) {
    using T = std::remove_cvref_t<decltype(*array.data())>;
    const void* buffer = &array;
    if constexpr (requires { array.address(); }) buffer = array.address();
    return Part<T>{add(buffer, array.data(), count * sizeof(T))};
  }
  /// The same without its type. Returns the offset.
  std::size_t add(const void* buffer, const void* from, std::size_t bytes) {
    pieces_.push_back({buffer, from, size_, bytes});
    constexpr std::size_t line = 64;  // bytes
    size_ += (bytes + line - 1) / line * line;
    return pieces_.back().offset;
  }

  /// Starts the copies, after the launches so far and before those to come.
  void start(Backend& backend) {
    start(
        backend, [&](const Piece& piece, std::byte* to) { backend.copy_to_host(to, piece.from, piece.bytes); }, [] {});
  }
  /// The same by `copy(piece, to)` for each piece and `finish()`, which may launch kernels that write there.
  template <class CopyPiece, class Finish>
  void start(Backend& backend, const CopyPiece& copy, const Finish& finish) {
    memory_ = backend.host_memory(size_);
    for (const Piece& piece : pieces_) copy(piece, memory_.data() + piece.offset);
    finish();
    memory_.mark(backend);
  }
  const std::vector<Piece>& pieces() const { return pieces_; }
  /// Waits until they are done. Throws std::runtime_error when the device has failed.
  void wait() { memory_.wait(); }

  /// The bytes of a piece, likewise.
  std::byte* bytes(std::size_t offset) { return memory_.data() + offset; }
  /// The array, after wait(). Laid out as in solver memory; not const, as views of tables are not.
  template <class T>
  T* data(Part<T> part) {
    return reinterpret_cast<T*>(memory_.data() + part.offset);
  }

 private:
  std::vector<Piece> pieces_;
  std::size_t size_ = 0;
  typename Backend::HostMemory memory_;
};

}  // namespace cleave
