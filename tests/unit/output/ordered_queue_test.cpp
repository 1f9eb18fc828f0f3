#include "cleave/output/ordered_queue.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

using namespace cleave;

namespace {

/// Pieces of work that end when they are let go.
struct HeldPieces {
  std::atomic<int> let_go = 0;
  std::vector<int> finished;

  OrderedQueue::Work piece(int number) {
    return [this, number] {
      while (let_go <= number) std::this_thread::yield();
      return [this, number] { finished.push_back(number); };
    };
  }
};

/// Whether f() waits until one piece more is let go.
template <class F>
bool waits_for_next(HeldPieces& pieces, const F& f) {
  std::atomic<bool> done = false;
  std::jthread other([&] {
    f();
    done = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const bool waited = !done;
  if (waited) ++pieces.let_go;
  return waited;
}

}  // namespace

TEST_CASE("a queue limits the weight of its pieces, but accepts a single one of any weight") {
  HeldPieces pieces;
  OrderedQueue queue(4);
  CHECK(queue.is_idle());
  queue.make_room(100, 10);
  queue.add(pieces.piece(0));
  CHECK_FALSE(queue.is_idle());
  CHECK(waits_for_next(pieces, [&] { queue.make_room(1, 10); }));
  queue.add(pieces.piece(1));
  queue.make_room(4, 10);
  queue.add(pieces.piece(2));
  queue.make_room(5, 10);
  queue.add(pieces.piece(3));
  CHECK(waits_for_next(pieces, [&] { queue.make_room(1, 10); }));  // piece 1 of weight 1 ends
  queue.add(pieces.piece(4));
  pieces.let_go = 5;
  queue.wait();
  CHECK(pieces.finished == std::vector<int>{0, 1, 2, 3, 4});
  CHECK(queue.is_idle());
}

TEST_CASE("a queue has at most one piece more than threads under way") {
  HeldPieces pieces;
  OrderedQueue queue(2);
  for (int i = 0; i < 3; ++i) {
    queue.make_room(0, 10);
    queue.add(pieces.piece(i));
  }
  CHECK(waits_for_next(pieces, [&] { queue.make_room(0, 10); }));
  CHECK(waits_for_next(pieces, [&] {
    queue.add(pieces.piece(3));
    queue.add(pieces.piece(4));
  }));
  pieces.let_go = 5;
  queue.wait();
  CHECK(pieces.finished == std::vector<int>{0, 1, 2, 3, 4});
}

TEST_CASE("waiting for room throws the exception of a piece") {
  OrderedQueue queue(1);
  std::atomic<bool> go = false;
  queue.add([&]() -> OrderedQueue::Finish {
    while (!go) std::this_thread::yield();
    throw std::runtime_error("the disk is full");
  });
  std::jthread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    go = true;
  });
  CHECK_THROWS_WITH(queue.make_room(1, 0), "the disk is full");
}
