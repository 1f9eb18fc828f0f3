#include "cpu/worker_pool.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <vector>

using namespace cleave;

TEST_CASE("every worker does every task once, and all are done when it returns") {
  const int workers = GENERATE(1, 2, 7);
  WorkerPool pool(workers);
  REQUIRE(pool.workers() == workers);
  std::vector<int> done(workers, 0);
  for (int round = 1; round <= 5000; ++round) {
    pool.run([&](int worker) { ++done[worker]; });
    REQUIRE(done == std::vector<int>(workers, round));
  }
}

TEST_CASE("workers that fell asleep wake up, and the caller waits for the slowest") {
  WorkerPool pool(3);
  for (int round = 0; round < 3; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    std::vector<int> done(3, 0);
    pool.run([&](int worker) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10 * worker));
      done[worker] = 1;
    });
    CHECK(done == std::vector<int>(3, 1));
  }
}
