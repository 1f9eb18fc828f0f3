/// Mail between ranks, written and read as launches on devices do it. tests/program/mail.sh starts it on several ranks.
/// A rank ends its mail as soon as it has what it waits for: its own last messages may not have been sent by then.
#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <thread>
#include <vector>

#include "cleave/partition/ranks.hpp"

namespace cleave::test {
namespace {

constexpr std::size_t room = 1 << 18, most_words = room / sizeof(std::uint64_t);
constexpr MessageNumber most_messages = 100;

/// One end of the mail of two ranks, with the launches' memory.
struct End {
  int rank;
  std::vector<std::uint64_t> out[2], in[2];
  MessagePost posted{};
  MessageNumber arrived = 0;

  explicit End(int other) : rank(other) {
    for (int half = 0; half < 2; ++half) {
      out[half].resize(most_words);
      in[half].resize(most_words);
    }
  }
  Mailbox box() {
    const auto bytes = [](std::vector<std::uint64_t>& words) { return reinterpret_cast<std::byte*>(words.data()); };
    return {rank, {bytes(out[0]), bytes(out[1])}, &posted, {bytes(in[0]), bytes(in[1])}, room, &arrived};
  }
};

/// Words of a message: every third one is empty, others are so long that MPI asks before it sends them.
std::size_t words_of(int from, MessageNumber number) {
  return number % 3 == 0 ? 0 : (number * 9973 + from) % most_words + 1;
}
std::uint64_t word_of(int from, int to, MessageNumber number, std::size_t i) {
  return number << 32 | i << 8 | from << 4 | to;
}

void write(End& end, int own, MessageNumber number) {
  const std::size_t words = words_of(own, number);
  for (std::size_t i = 0; i < words; ++i) end.out[number % 2][i] = word_of(own, end.rank, number, i);
  end.posted.bytes[number % 2] = words * sizeof(std::uint64_t);
  std::atomic_ref(end.posted.last).store(number, std::memory_order_release);
}
void wait(End& end, MessageNumber number) {
  const auto start = std::chrono::steady_clock::now();
  while (std::atomic_ref(end.arrived).load(std::memory_order_acquire) < number) {
    if (std::chrono::steady_clock::now() - start > std::chrono::seconds(60)) throw std::runtime_error("no mail");
    std::this_thread::yield();
  }
}
bool is_right(End& end, int own, MessageNumber number) {
  const std::size_t words = words_of(end.rank, number);
  const MessageNumber arrived = std::atomic_ref(end.arrived).load();
  bool right = arrived == number || arrived == number + 1;
  for (std::size_t i = 0; i < words; ++i) right = right && end.in[number % 2][i] == word_of(end.rank, own, number, i);
  return right;
}

TEST_CASE("mail arrives whole and in order while ranks talk of other things", "[.mail]") {
  Ranks& ranks = ranks_of_program();
  REQUIRE(ranks.count() > 1);
  const int own = ranks.rank();
  for (int round = 0; round < 2; ++round) {
    std::vector<End> ends;
    ends.reserve(ranks.count());
    for (int r = 0; r < ranks.count(); ++r)
      if (r != own) ends.emplace_back(r);
    std::vector<Mailbox> boxes;
    for (End& end : ends) boxes.push_back(end.box());
    const std::unique_ptr<Mail> mail = ranks.carry(boxes), none = ranks.carry({});
    bool right = true;
    for (MessageNumber number = 1; number <= most_messages; ++number) {
      for (End& end : ends) write(end, own, number);
      if (number % 20 == 0) {
        std::int64_t sum = own;
        ranks.sum(&sum, 1);
        right = right && sum == ranks.count() * (ranks.count() - 1) / 2;
      }
      for (End& end : ends) {
        wait(end, number);
        right = right && is_right(end, own, number);
      }
    }
    CHECK(right);
  }
}

/// As DeviceMessages: all in one place, as the next one is written when the one before has been read.
TEST_CASE("mail in one place arrives when the one before has been read", "[.mail]") {
  Ranks& ranks = ranks_of_program();
  REQUIRE(ranks.count() > 1);
  const int own = ranks.rank();
  std::vector<End> ends;
  ends.reserve(ranks.count());
  for (int r = ranks.is_first() ? 1 : 0; r < (ranks.is_first() ? ranks.count() : 1); ++r) ends.emplace_back(r);
  std::vector<Mailbox> boxes;
  for (End& end : ends) {
    Mailbox box = end.box();
    box.out[1] = box.out[0];
    box.in[1] = box.in[0];
    if (!ranks.is_first()) box.room = 0;
    boxes.push_back(box);
  }
  const std::unique_ptr<Mail> mail = ranks.carry(boxes);
  bool right = true;
  for (MessageNumber number = 1; number <= most_messages; ++number)
    for (End& end : ends) {
      if (ranks.is_first()) {
        wait(end, number);
        const std::size_t words = words_of(end.rank, number);
        for (std::size_t i = 0; i < words; ++i) right = right && end.in[0][i] == word_of(end.rank, 0, number, i);
        end.posted.bytes[number % 2] = 0;
        std::atomic_ref(end.posted.last).store(number, std::memory_order_release);
      } else {
        wait(end, number - 1);
        const std::size_t words = words_of(own, number);
        for (std::size_t i = 0; i < words; ++i) end.out[0][i] = word_of(own, 0, number, i);
        end.posted.bytes[number % 2] = words * sizeof(std::uint64_t);
        std::atomic_ref(end.posted.last).store(number, std::memory_order_release);
      }
    }
  if (!ranks.is_first()) wait(ends.front(), most_messages);
  CHECK(right);
}

}  // namespace
}  // namespace cleave::test
