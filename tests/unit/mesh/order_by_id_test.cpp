#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

#include "cleave/core/parallel.hpp"
#include "cleave/mesh/topology.hpp"
#include "helpers.hpp"
#include "mesh/ids.hpp"

using namespace cleave;
using namespace cleave::test;

TEST_CASE("parts are ordered by dense or sparse ids, ties by position") {
  std::mt19937 random(3);
  constexpr Index most = std::numeric_limits<Index>::max();
  for (const auto& [low, high] : {std::pair<Index, Index>{0, 999}, {-700, 700}, {5, 50}, {-most - 1, most}}) {
    std::vector<Index> ids(1000), expected(1000);
    for (Index& id : ids) id = std::uniform_int_distribution<Index>(low, high)(random);
    std::iota(expected.begin(), expected.end(), 0);
    std::stable_sort(expected.begin(), expected.end(), [&](Index a, Index b) { return ids[a] < ids[b]; });
    CHECK(order_by_id(ids) == expected);
  }
  CHECK(order_by_id({}).empty());
}

TEST_CASE("numbers are sorted on any number of threads") {
  std::vector<std::uint64_t> sorted(300'001);
  std::iota(sorted.begin(), sorted.end(), 0);
  std::vector<std::uint64_t> numbers = sorted;
  std::shuffle(numbers.begin(), numbers.end(), std::mt19937(3));
  for (const int threads : {1, 2, 3, 8}) {
    std::vector<std::uint64_t> copy = numbers;
    parallel_sort(threads, copy);
    CHECK(copy == sorted);
  }
}

TEST_CASE("the wrong elements with the smallest ids are reported on any number of threads") {
  Mesh mesh = rectangle(ElementType::t3, {200, 200}, {1, 1});  // 160,000 elements, more than a thread checks at once
  for (Index e = mesh.element_count() - 5; e > 65'530; e -= 20)
    std::swap(mesh.elements[3 * e], mesh.elements[3 * e + 1]);
  std::string expected;
  for (Index k = 0, e = 65'535; k < 10; ++k, e += 20) expected += "\n  element " + std::to_string(e) + " (";
  const std::string error = input_error([&] { check_mesh(mesh, "plate"); });
  std::string found;
  for (std::size_t at = 0; (at = error.find("\n  element ", at)) != std::string::npos; ++at)
    found += error.substr(at, error.find('(', at) + 1 - at);
  CHECK(found == expected);
  CHECK_THAT(error, Catch::Contains("and 4714 more"));
}
