/// Random numbers that are equal on every machine.
#pragma once

#include <cstdint>

namespace cleave {

/// splitmix64 (G. L. Steele, D. Lea, C. H. Flood, 2014): integer arithmetic only, so that numbers are equal on every
/// machine. Number n + 1 for a seed s is hash(s + n * hash_increment).
inline constexpr std::uint64_t hash_increment = 0x9e3779b97f4a7c15;
constexpr std::uint64_t hash(std::uint64_t counter) {
  std::uint64_t z = counter + hash_increment;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/// Draws these numbers one after the other.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  /// Uniform in [-1, 1), a multiple of 2^-52.
  double symmetric() { return static_cast<double>(next() >> 11) * 0x1p-52 - 1; }

 private:
  std::uint64_t next() {
    const std::uint64_t drawn = hash(state_);
    state_ += hash_increment;
    return drawn;
  }

  std::uint64_t state_;
};

}  // namespace cleave
