#include "backend/cpu/worker_pool.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <vector>

using namespace cleave;

TEST_CASE("every task is done once by one worker, and all are done on return") {
  const int workers = GENERATE(1, 2, 7);
  WorkerPool pool(workers);
  REQUIRE(pool.workers() == workers);
  std::vector<int> done(workers, 0);
  for (int round = 1; round <= 5000; ++round) {
    pool.run([&](int worker, int) { ++done[worker]; });
    REQUIRE(done == std::vector<int>(workers, round));
  }
}

TEST_CASE("workers that fell asleep wake up, and the caller waits for the slowest") {
  WorkerPool pool(3);
  for (int round = 0; round < 3; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    std::vector<int> done(3, 0);
    pool.run([&](int worker, int) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10 * worker));
      done[worker] = 1;
    });
    CHECK(done == std::vector<int>(3, 1));
  }
}

TEST_CASE("workers rest while threads beside them want their processors, and come back") {
  WorkerPool pool(3, 4);
  const auto workers_of_a_task = [&] {
    std::vector<int> told(3, 0);
    pool.run([&](int worker, int workers) { told[worker] = workers; });
    return told;
  };
  for (int times = 0; times < 200; ++times) {
    CHECK(workers_of_a_task() == std::vector{3, 3, 3});
    const ThreadsBeside first(1);  // the fourth processor is free
    CHECK(workers_of_a_task() == std::vector{3, 3, 3});
    const ThreadsBeside second(1);
    CHECK(workers_of_a_task() == std::vector{2, 2, 0});
    const ThreadsBeside more(20);  // somebody has to do it
    CHECK(workers_of_a_task() == std::vector{1, 0, 0});
  }
}

TEST_CASE("threads of a loop except the calling one count as threads beside the workers") {
  std::atomic<int> most = 0;
  parallel_for(3, 30, 1, [&](std::size_t, std::size_t) {
    if (const int now = threads_beside; now > most) most = now;
  });
  CHECK(most == 2);
  CHECK(threads_beside == 0);
}
