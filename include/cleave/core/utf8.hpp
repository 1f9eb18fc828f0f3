/// Text in UTF-8.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cleave {

/// Position of the first byte that does not begin a valid character (RFC 3629); npos if the text is valid.
inline std::size_t first_not_utf8(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(i < text.size() ? text[i] : 0); };
  for (std::size_t i = 0; i < text.size();) {
    const unsigned char c = byte(i), next = byte(i + 1);
    std::size_t length = 1;
    if (c >= 0x80) {
      length = c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : 2;
      // Refuses overlong forms, halves of UTF-16 surrogate pairs and code points above U+10FFFF.
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

/// Length in bytes of the character at `i` if files of results cannot hold it, else 0. Such characters are control
/// characters (U+0000 to U+001F, U+007F to U+009F), separators of lines or paragraphs (U+2028, U+2029) and the
/// non-characters U+FFFE and U+FFFF.
inline std::size_t control_character_at(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(i + k < text.size() ? text[i + k] : 0); };
  if (byte(0) < 0x20 || byte(0) == 0x7F) return 1;
  if (byte(0) == 0xC2 && byte(1) >= 0x80 && byte(1) < 0xA0) return 2;
  if (byte(0) == 0xE2 && byte(1) == 0x80 && (byte(2) == 0xA8 || byte(2) == 0xA9)) return 3;
  if (byte(0) == 0xEF && byte(1) == 0xBF && byte(2) >= 0xBE) return 3;
  return 0;
}

/// The text with each control character (see control_character_at) replaced by a question mark.
/// @param but  control characters that are kept
inline std::string without_control_characters(std::string_view text, std::string_view but = {}) {
  std::string shown;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t bytes = but.find(text[i]) == but.npos ? control_character_at(text, i) : 0;
    shown += bytes > 0 ? '?' : text[i];
    i += bytes > 0 ? bytes : 1;
  }
  return shown;
}

/// @param but  control characters that are allowed
inline bool has_control_characters(std::string_view text, std::string_view but = {}) {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (control_character_at(text, i) > 0 && but.find(text[i]) == but.npos) return true;
  return false;
}

}  // namespace cleave
