/// What is compressed is read back by zlib, whatever it is.
#include "output/deflate.hpp"

#include <zlib.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

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

/// As deflated, with 64 KiB more of stack above it for each of `depth`.
[[gnu::noinline]] std::string deflated_below(int depth, const std::string& bytes) {
  volatile char room[1 << 16];
  room[0] = '\0';
  std::string compressed = depth == 0 ? deflated(bytes) : deflated_below(depth - 1, bytes);
  room[1] = room[0];  // used after the call, which therefore does not reuse the frame
  return compressed;
}

}  // namespace

TEST_CASE("compressed bytes are in zlib's format, of any size and content") {
  for (const std::size_t size :
       {0u, 1u, 2u, 3u, 4u, 5u, 20u, 21u, 33u, 257u, 3000u, 65535u, 65536u, 131071u, 262144u, 1000003u}) {
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

TEST_CASE("compressed bytes do not depend on the address of the stack") {
  std::string ones;  // an array of a few cracks
  for (int k = 0; k < 42; ++k) ones.append("\0\0\x80\x3f", 4);
  std::string numbers;  // a column of node numbers
  for (std::uint64_t k = 0; k < 100; ++k) {
    const std::uint64_t number = k * 7919 % 64;
    numbers.append(reinterpret_cast<const char*>(&number), sizeof number);
  }
  for (const std::string& bytes : {ones, numbers}) {
    const std::string compressed = deflated(bytes);
    int differ = 0;
    std::vector<std::thread> threads;  // each has a stack elsewhere, while all of them are there
    std::mutex counting;
    for (int k = 0; k < 16; ++k) {
      threads.emplace_back([&] {
        int here = 0;
        for (int depth = 0; depth < 64; ++depth) here += deflated_below(depth, bytes) != compressed;
        const std::lock_guard lock(counting);
        differ += here;
      });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(differ == 0);
  }
}
