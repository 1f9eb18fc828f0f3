/// What is compressed is read back by zlib, whatever it is.
#include "output/deflate.hpp"

#include <zlib.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>

using cleave::deflated;

namespace {

std::string inflated(const std::string& compressed, std::size_t size) {
  std::string bytes(size + 1, '?');
  uLongf found = bytes.size();
  const int status = uncompress(reinterpret_cast<Bytef*>(bytes.data()), &found,
                                reinterpret_cast<const Bytef*>(compressed.data()), compressed.size());
  REQUIRE(status == Z_OK);
  bytes.resize(found);
  return bytes;
}

/// Bytes that no coder makes smaller.
std::string noise(std::size_t size) {
  std::string bytes(size, '\0');
  std::uint64_t state = 1;
  for (char& byte : bytes) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    byte = static_cast<char>(state >> 56);
  }
  return bytes;
}

/// Leaves a small number in each word of the stack below the caller.
[[gnu::noinline]] int litter_stack(std::uint16_t number) {
  volatile std::uint16_t words[100'000];
  for (volatile std::uint16_t& word : words) word = number;
  int sum = 0;
  for (const volatile std::uint16_t& word : words) sum += word;
  return sum;
}

}  // namespace

TEST_CASE("compressed bytes are in zlib's format, of any size and content") {
  for (const std::size_t size : {0u, 1u, 2u, 33u, 257u, 3000u, 65535u, 65536u, 131071u, 262144u, 1000003u}) {
    CAPTURE(size);
    std::string mixed = noise(size);
    for (std::size_t i = 0; i < size; ++i)
      if (i % 12 >= 8) mixed[i] = '\0';
    const std::string first = deflated(mixed);
    for (const std::string& bytes : {noise(size), std::string(size, 'a'), mixed}) {
      const std::string compressed = deflated(bytes);
      CHECK(inflated(compressed, size) == bytes);
      CHECK(deflated(bytes) == compressed);
      CHECK(compressed.size() <= size + size / 1000 + 64);
    }
    for (std::uint16_t number = 1; number < 5; ++number) {
      REQUIRE(litter_stack(number) > 0);
      CHECK(deflated(mixed) == first);
    }                                                               // whatever has been compressed since
    if (size > 1000) CHECK(deflated(mixed).size() < size * 4 / 5);  // a third of it is zeros, four after eight others
  }
}
