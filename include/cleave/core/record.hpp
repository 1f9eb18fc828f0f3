/// Records in memory, read and written in as few words as their alignment allows. A GPU's compiler reads one member at
/// a time, which costs one memory request each.
#pragma once

#include <cstring>
#include <type_traits>

#include "cleave/core/types.hpp"

namespace cleave {

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
