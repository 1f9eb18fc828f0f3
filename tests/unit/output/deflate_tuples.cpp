/// What is compressed for numbers in tuples, read back by zlib.
#include <zlib.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <cstring>
#include <random>

#include "output/deflate.hpp"

using namespace cleave;

namespace {

std::string inflated(const std::string& compressed, std::size_t size) {
  std::string out(size + 1, '?');
  uLongf length = out.size();
  const int result = uncompress(reinterpret_cast<Bytef*>(out.data()), &length,
                                reinterpret_cast<const Bytef*>(compressed.data()), compressed.size());
  REQUIRE(result == Z_OK);
  out.resize(length);
  return out;
}

/// Returns the size relative to that of the bytes.
double check_round_trip(const std::string& bytes, std::size_t tuple) {
  const std::string compressed = deflated_tuples(bytes, tuple);
  REQUIRE(inflated(compressed, bytes.size()) == bytes);
  return static_cast<double>(compressed.size()) / static_cast<double>(std::max<std::size_t>(bytes.size(), 1));
}

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

/// `tuples` times x, y and zeros, x and y without any repetition.
template <class T>
std::vector<T> vectors(std::size_t tuples, std::size_t components) {
  std::mt19937 random(1);
  std::normal_distribution<T> normal;
  std::vector<T> values(tuples * components, 0);
  for (std::size_t i = 0; i < tuples; ++i)
    for (std::size_t k = 0; k < std::min<std::size_t>(2, components); ++k) values[i * components + k] = normal(random);
  return values;
}

}  // namespace

TEST_CASE("tuples of floats and doubles of any number come back") {
  const std::size_t tuples = GENERATE(0, 1, 7, 400, 5461, 10922, 10923, 32768, 32769, 50'000);
  const std::size_t components = GENERATE(1, 3, 6);
  INFO(tuples << " of " << components);
  check_round_trip(bytes_of(vectors<float>(tuples, components)), 4 * components);
  check_round_trip(bytes_of(vectors<double>(tuples, components)), 8 * components);
}

TEST_CASE("components that are zero take little, digits what they are") {
  // Of 12 bytes, 8 have digits, of which the exponents are alike; of 4 bytes, 3.
  CHECK(check_round_trip(bytes_of(vectors<float>(20'000, 3)), 12) < 0.7);
  CHECK(check_round_trip(bytes_of(vectors<float>(20'000, 1)), 4) < 0.95);
  CHECK(check_round_trip(bytes_of(vectors<double>(20'000, 6)), 48) < 0.37);
}

TEST_CASE("a field that is the same all over takes next to nothing") {
  std::vector<float> values;
  for (int i = 0; i < 20'000; ++i) values.insert(values.end(), {0.1f, -0.2f, 0.3f});
  CHECK(check_round_trip(bytes_of(values), 12) < 0.01);
  CHECK(check_round_trip(std::string(240'000, '\0'), 24) < 0.01);
}

TEST_CASE("numbers that repeat, but not from tuple to tuple, are left to libdeflate") {
  std::vector<float> values = vectors<float>(20'000, 1);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = values[i % 150];
  const std::string bytes = bytes_of(values);
  CHECK(check_round_trip(bytes, 4) < 0.05);
  CHECK(deflated_tuples(bytes, 4) == deflated(bytes));
}

TEST_CASE("bytes of all kinds and of any number are no larger than they are but for the frame around them") {
  std::mt19937 random(2);
  std::string bytes(100'000, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  CHECK(check_round_trip(bytes, 4) < 1.001);
  for (const std::size_t size : {1u, 4095u, 4096u, 4097u, 4099u, 65'537u}) check_round_trip(bytes.substr(0, size), 12);
}

TEST_CASE("codes of symbols that are very rare are not too long") {
  // Fibonacci's numbers of bytes make the deepest tree: 22 bits here, where the format has 15.
  std::string bytes;
  for (std::size_t byte = 0, count = 1, next = 1; byte < 23; ++byte) {
    bytes.append(count, static_cast<char>(byte));
    next += count;
    count = next - count;
  }
  bytes.resize(bytes.size() / 4 * 4);
  std::mt19937 random(3);
  std::shuffle(bytes.begin(), bytes.end(), random);
  check_round_trip(bytes, 4);
}

TEST_CASE("what lasts is compressed by libdeflate, as are whole numbers") {
  GridArray array{"a", 3, vectors<float>(10'000, 3)};
  const std::string bytes = bytes_of(std::get<std::vector<float>>(array.values));
  CHECK(deflated(bytes, array) == deflated_tuples(bytes, 12));
  CHECK(deflated(bytes, array) != deflated(bytes));
  array.lasting = true;
  CHECK(deflated(bytes, array) == deflated(bytes));
  CHECK(deflated(bytes, {"ids", 1, std::vector<std::int32_t>{}}) == deflated(bytes));
}
