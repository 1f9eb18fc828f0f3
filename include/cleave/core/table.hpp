/// Structured data in solver memory: rows of `Fields` values with a fixed layout, and records of several words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "cleave/core/types.hpp"

namespace cleave {

/// View of rows of `Fields` values. Value f of row i lies at (i / Block) * Fields * Block + f * Block + i % Block:
/// Block 1 stores records, Block 32 stores a warp's rows interleaved, so that each thread reads its own row coalesced.
/// Appending rows never moves earlier ones.
template <class T, int Fields, int Block = 1>
struct Table {
  static constexpr int fields = Fields, block = Block;
  T* data = nullptr;

  CLEAVE_HD T& operator()(Index row, int field) const {
    const auto r = static_cast<std::uint32_t>(row);  // never negative: division is a shift
    return data[static_cast<std::size_t>(r / Block) * Fields * Block + static_cast<std::size_t>(field) * Block +
                r % Block];
  }
  /// Number of values that store `rows` rows.
  static constexpr std::size_t extent(Index rows) {
    return (static_cast<std::size_t>(rows) + Block - 1) / Block * Block * Fields;
  }
  /// Number of values in the leading blocks that hold nothing but the first `rows` rows.
  static constexpr std::size_t whole_blocks(Index rows) {
    return static_cast<std::size_t>(rows) / Block * Block * Fields;
  }
};

#if defined(__CUDA_ARCH__)
/// The largest word type whose size divides the size of the record.
template <class T>
using WordOf = std::conditional_t<alignof(T) % 16 == 0, int4, std::conditional_t<alignof(T) % 8 == 0, int2, int>>;
template <class T>
struct Words {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % sizeof(WordOf<T>) == 0);
  WordOf<T> word[sizeof(T) / sizeof(WordOf<T>)];
};
#endif

template <class T>
CLEAVE_HD_INLINE T read_record(const T& from) {
#if defined(__CUDA_ARCH__)
  const auto words = *reinterpret_cast<const Words<T>*>(&from);
  T record;
  std::memcpy(&record, &words, sizeof(T));
  return record;
#else
  return from;
#endif
}

template <class T>
CLEAVE_HD_INLINE void write_record(T& to, const T& record) {
#if defined(__CUDA_ARCH__)
  Words<T> words;
  std::memcpy(&words, &record, sizeof(T));
  *reinterpret_cast<Words<T>*>(&to) = words;
#else
  to = record;
#endif
}

}  // namespace cleave
