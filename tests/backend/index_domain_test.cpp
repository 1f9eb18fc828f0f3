/// Domains of indices that do not depend on the number of workers.
#include "cleave/lockstep/index_domain.hpp"

#include <catch2/catch.hpp>

#include "backend/backend.hpp"
#include "backend/device_mesh.hpp"

namespace cleave::lockstep_test {

/// Visits a domain three times, with barriers between: values made by a function of the index and by a value, read back
/// through shared memory from the other end of the domain.
template <int Domain, int Workers, int Simd>
struct WalkDomain {
  static constexpr KernelTraits traits{.name = "walk domain"};
  static constexpr int workers = Workers;
  using Config = IdxConfig<Domain, Workers, Simd>;
  struct Shared {
    Index value[Domain + 1];
  };
  Index count;
  Index* visits;   // [block][Domain]
  Index* out;      // [block][Domain]
  Index* turns;    // [block] of all workers together
  Index* outside;  // [block] of them without an index of the domain
  Index* masters;  // [block]
  CLEAVE_HD Index blocks() const { return count; }

  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    const Index first = worker.block * Domain;
    ForEachIdxOf<Config, Worker> each{worker};
    const auto squares = each([&](Idx i) { return static_cast<Index>(i * i); });
    auto sum = each.make(Index{1000});
    each([&](Idx i) {
      atomic_add(visits[first + i], Index{1});
      shared.value[i] = squares[i];
    });
    worker.sync();
    each([&](Idx i) { sum[i] += shared.value[Domain - 1 - i]; });
    each([&](Idx i) { out[first + i] = sum[i]; });
    each.collective([&](Idx i, bool inside) {
      sum[i] = 1;  // there is a variable even outside
      atomic_add(turns[worker.block], sum[i]);
      if (!inside) atomic_add(outside[worker.block], sum[i]);
    });
    ForEachIdxOf<IdxConfig<1, Workers, Simd>, Worker>{worker}(
        [&](Idx i) { atomic_add(masters[worker.block], Index{1} + i); });
  }
};

/// One of many, as a CUDA thread is.
struct OneWorker {
  static constexpr int slots = 1;
  int place;
  CLEAVE_HD int index(int) const { return place; }
};

}  // namespace cleave::lockstep_test

namespace cleave::test {

using namespace lockstep_test;

TEMPLATE_TEST_CASE_SIG("every index of a domain is visited once, whatever the workers", "[lockstep]",
                       ((int Domain, int Workers, int Simd), Domain, Workers, Simd), (1, 32, 1), (31, 32, 1),
                       (32, 32, 1), (33, 32, 1), (36, 96, 1), (5000, 128, 1), (7, 64, 4), (256, 64, 4), (257, 64, 4),
                       (1000, 96, 8), (96, 1, 1)) {
  using Config = IdxConfig<Domain, Workers, Simd>;
  Backend backend;
  for (const Index blocks : {0, 1, 33}) {
    const Index size = blocks * Domain;
    auto visits = filled<Index>(size + 1, 0), out = filled<Index>(size + 1, -7);
    auto turns = filled<Index>(blocks + 1, 0), outside = filled<Index>(blocks + 1, 0);
    auto masters = filled<Index>(blocks + 1, 0);
    backend.launch(WalkDomain<Domain, Workers, Simd>{blocks, visits.data(), out.data(), turns.data(), outside.data(),
                                                     masters.data()});
    const auto visited = visits.download(size + 1), left = out.download(size + 1);
    for (Index i = 0; i < size; ++i) {
      const Index other = Domain - 1 - i % Domain;
      REQUIRE(visited[i] == 1);
      REQUIRE(left[i] == 1000 + other * other);
    }
    CHECK(visited[size] == 0);
    CHECK(left[size] == -7);
    const Index all = Config::turns * Workers * Simd;
    for (Index b = 0; b < blocks; ++b) {
      REQUIRE(turns.download(blocks)[b] == all);
      REQUIRE(outside.download(blocks)[b] == all - Domain);
      REQUIRE(masters.download(blocks)[b] == 1);
    }
  }
}

TEST_CASE("workers keep a variable for each of their turns only", "[lockstep]") {
  using Config = IdxConfig<70, 32, 2>;
  CHECK(Config::turns == 2);
  CHECK(ForEachIdxOf<Config, OneWorker>::slots == 4);
  CHECK(ForEachIdxOf<Config, CpuWorker<32>>::slots == 128);
  std::vector<int> seen;
  const OneWorker second{1};
  ForEachIdxOf<Config, OneWorker>{second}([&](Idx i) { seen.push_back(i); });
  CHECK(seen == std::vector<int>{2, 3, 66, 67});
  seen.clear();
  const OneWorker last{31};
  ForEachIdxOf<Config, OneWorker>{last}([&](Idx i) { seen.push_back(i); });
  CHECK(seen == std::vector<int>{62, 63});
}

}  // namespace cleave::test
