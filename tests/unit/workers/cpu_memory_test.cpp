#include <catch2/catch.hpp>
#include <cstddef>
#include <numeric>
#include <vector>

#include "backend/cpu/cpu_backend.hpp"

using namespace cleave;

TEST_CASE("solver memory keeps its values when it grows or is copied") {
  CpuBackend backend(GENERATE(1, 3));
  CpuBackend::Buffer<int> buffer;
  std::size_t before = 0;
  for (const std::size_t size : {5u, 70'000u, 600'000u, 1'900'000u}) {
    buffer.resize(size);
    for (std::size_t i = 0; i < size; ++i)
      if (buffer.data()[i] != (i < before ? static_cast<int>(i) : -1)) FAIL("value " << i << " of " << size);
    std::iota(buffer.data(), buffer.data() + size, 0);
    before = size;
    std::vector<int> copy(size + 1, -7);
    backend.copy_to_host(copy.data(), buffer.data(), size * sizeof(int));
    CHECK(copy.back() == -7);
    copy.pop_back();
    CHECK(copy == buffer.download(size));
  }
}
