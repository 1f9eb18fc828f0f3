/// Numbers of VTK's types as they lie in files, in either order of bytes.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace cleave {

static_assert(std::endian::native == std::endian::little, "values are turned where a file is big endian");

/// A fault in data, without its place.
struct Damage {
  std::string what;
};

template <class T>
T number_at(std::string_view bytes, std::size_t at, bool big_endian) {
  std::array<char, sizeof(T)> raw;
  std::memcpy(raw.data(), bytes.data() + at, sizeof(T));
  if (big_endian) std::reverse(raw.begin(), raw.end());
  return std::bit_cast<T>(raw);
}

template <class T, class Stored>
std::vector<T> numbers_of_type(std::string_view bytes, bool big_endian) {
  if (bytes.size() % sizeof(Stored) != 0) throw Damage{"the last number is cut"};
  std::vector<T> values;
  values.reserve(bytes.size() / sizeof(Stored));
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(Stored)) {
    const auto value = number_at<Stored>(bytes, at, big_endian);
    if constexpr (std::is_same_v<T, std::int64_t> && std::is_same_v<Stored, std::uint64_t>) {
      if (value > static_cast<std::uint64_t>(std::numeric_limits<T>::max()))
        throw Damage{fmt::format("{} is above what 64 bits with a sign hold", value)};
    }
    values.push_back(static_cast<T>(value));
  }
  return values;
}

/// Whole numbers are not taken from others.
template <class T>
std::vector<T> numbers_of(std::string_view bytes, std::string_view type, bool big_endian) {
  if (type == "Int8") return numbers_of_type<T, std::int8_t>(bytes, big_endian);
  if (type == "UInt8") return numbers_of_type<T, std::uint8_t>(bytes, big_endian);
  if (type == "Int16") return numbers_of_type<T, std::int16_t>(bytes, big_endian);
  if (type == "UInt16") return numbers_of_type<T, std::uint16_t>(bytes, big_endian);
  if (type == "Int32") return numbers_of_type<T, std::int32_t>(bytes, big_endian);
  if (type == "UInt32") return numbers_of_type<T, std::uint32_t>(bytes, big_endian);
  if (type == "Int64") return numbers_of_type<T, std::int64_t>(bytes, big_endian);
  if (type == "UInt64") return numbers_of_type<T, std::uint64_t>(bytes, big_endian);
  if constexpr (std::is_same_v<T, double>) {
    if (type == "Float32") return numbers_of_type<T, float>(bytes, big_endian);
    if (type == "Float64") return numbers_of_type<T, double>(bytes, big_endian);
  }
  throw Damage{fmt::format("numbers of the type '{}' are not expected here", type)};
}

}  // namespace cleave
