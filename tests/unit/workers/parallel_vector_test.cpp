#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <vector>

#include "cleave/core/parallel.hpp"

using namespace cleave;

namespace {

struct Seven {
  double value = 7;
  char more = 3;
};

}  // namespace

TEST_CASE("a vector filled by several threads has the values of others") {
  const int threads = GENERATE(0, 1, 2, 5);
  for (const std::size_t size : {0, 1, 4095, 4097, 300'001}) {
    const std::vector<int> zeros = parallel_vector<int>(threads, size);
    CHECK(zeros.size() == size);
    CHECK(std::all_of(zeros.begin(), zeros.end(), [](int value) { return value == 0; }));
    const std::vector<Seven> sevens = parallel_vector<Seven>(threads, size);
    CHECK(sevens.size() == size);
    CHECK(std::all_of(sevens.begin(), sevens.end(), [](const Seven& s) { return s.value == 7 && s.more == 3; }));
  }
}

TEST_CASE("memory that threads fill together is full, and what is beside it is as before") {
  const int threads = GENERATE(0, 1, 3);
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{1} << 21, (std::size_t{5} << 20) + 3}) {
    std::vector<unsigned char> memory(bytes + 2, 7);
    parallel_fill(threads, memory.data() + 1, bytes, 0xFF);
    CHECK(memory.front() == 7);
    CHECK(memory.back() == 7);
    CHECK(std::all_of(memory.begin() + 1, memory.end() - 1, [](unsigned char value) { return value == 0xFF; }));
  }
}
