/// Text in UTF-8.
#pragma once

#include <cstddef>
#include <string_view>

namespace cleave {

/// Where the first byte lies that begins no character (RFC 3629); npos if all is well.
inline std::size_t first_not_utf8(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(i < text.size() ? text[i] : 0); };
  for (std::size_t i = 0; i < text.size();) {
    const unsigned char c = byte(i), next = byte(i + 1);
    std::size_t length = 1;
    if (c >= 0x80) {
      length = c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : 2;
      // Neither longer than needed, nor half of a pair of UTF-16, nor beyond the last character.
      if (c < 0xC2 || c > 0xF4 || (c == 0xE0 && next < 0xA0) || (c == 0xED && next > 0x9F) ||
          (c == 0xF0 && next < 0x90) || (c == 0xF4 && next > 0x8F))
        return i;
      for (std::size_t k = 1; k < length; ++k)
        if ((byte(i + k) & 0xC0) != 0x80) return i;
    }
    i += length;
  }
  return std::string_view::npos;
}

inline bool is_utf8(std::string_view text) { return first_not_utf8(text) == std::string_view::npos; }

}  // namespace cleave
