/// Messages of structures: their members one behind the other, in the bytes of this machine.
///
/// A type that is not plain memory has `for_each_member(value, f)`, which calls f(members...).
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace cleave {

/// Whether T is Type or const Type.
template <class T, class Type>
concept Same = std::same_as<std::remove_const_t<T>, Type>;

/// Whether a value is nothing but its bytes.
template <class T>
inline constexpr bool is_plain = std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>;

/// Writes values to the end of a message.
class MessageWriter {
 public:
  template <class... Values>
  void operator()(const Values&... values) {
    (put(values), ...);
  }
  /// So many values that lie one behind the other.
  template <class T>
  void raw(const T* values, std::size_t count) {
    static_assert(is_plain<T>);
    const auto* const bytes = reinterpret_cast<const std::byte*>(values);
    bytes_.insert(bytes_.end(), bytes, bytes + count * sizeof(T));
  }
  /// Makes room for so many more bytes.
  void expect(std::size_t bytes) { bytes_.reserve(bytes_.size() + bytes); }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  template <class T>
  void put(const T& value) {
    if constexpr (is_plain<T>)
      raw(&value, 1);
    else
      for_each_member(value, *this);
  }
  template <class T>
  void put(const std::vector<T>& values) {
    put(static_cast<std::uint64_t>(values.size()));
    if constexpr (is_plain<T>)
      raw(values.data(), values.size());
    else
      for (const T& value : values) put(value);
  }
  void put(const std::string& text) { put(std::vector<char>(text.begin(), text.end())); }
  template <class T>
  void put(const std::optional<T>& value) {
    put(value.has_value());
    if (value) put(*value);
  }
  template <class First, class Second>
  void put(const std::pair<First, Second>& pair) {
    (*this)(pair.first, pair.second);
  }

  std::vector<std::byte> bytes_;
};

/// Reads them in the same order.
class MessageReader {
 public:
  explicit MessageReader(const std::vector<std::byte>& bytes) : bytes_(bytes) {}
  template <class... Values>
  void operator()(Values&... values) {
    (take(values), ...);
  }
  /// Whether all has been read.
  bool at_end() const { return at_ == bytes_.size(); }

 private:
  template <class T>
  void raw(T* values, std::size_t count) {
    if (count > 0) std::memcpy(values, bytes_.data() + at_, count * sizeof(T));
    at_ += count * sizeof(T);
  }
  template <class T>
  void take(T& value) {
    if constexpr (is_plain<T>)
      raw(&value, 1);
    else
      for_each_member(value, *this);
  }
  template <class T>
  void take(std::vector<T>& values) {
    std::uint64_t size = 0;
    take(size);
    values.resize(size);
    if constexpr (is_plain<T>)
      raw(values.data(), values.size());
    else
      for (T& value : values) take(value);
  }
  void take(std::string& text) {
    std::vector<char> letters;
    take(letters);
    text.assign(letters.begin(), letters.end());
  }
  template <class T>
  void take(std::optional<T>& value) {
    bool has_value = false;
    take(has_value);
    if (has_value) take(value.emplace());
  }
  template <class First, class Second>
  void take(std::pair<First, Second>& pair) {
    (*this)(pair.first, pair.second);
  }

  const std::vector<std::byte>& bytes_;
  std::size_t at_ = 0;
};

}  // namespace cleave
