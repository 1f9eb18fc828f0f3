/// Values that arrays in solver memory begin with.
#pragma once

#include <algorithm>
#include <cstddef>

#include "cleave/lockstep/kernel.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Sets that many values, however many they are: a launch has no more than an Index can count.
/// @param at_once  values of a launch
template <class Backend, class T>
void launch_fill(Backend& backend, T* data, std::size_t count, T value, std::size_t at_once = std::size_t{1} << 30) {
  for (std::size_t first = 0; first < count; first += at_once)
    backend.launch(Fill<T>{data + first, static_cast<Index>(std::min(at_once, count - first)), value});
}

/// Makes an array longer; what is added has that value.
template <class Backend, class Buffer, class T>
void grow_filled(Backend& backend, Buffer& buffer, std::size_t size, T value) {
  const std::size_t before = buffer.size();
  if (size <= before) return;
  buffer.resize(size);
  launch_fill(backend, buffer.data() + before, size - before, value);
}

}  // namespace cleave::inline CLEAVE_PRECISION
