/// Numbers that entries ask for: whoever asks gets his own, whatever the order.
#include "cleave/lockstep/block_counter.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "backend/backend.hpp"
#include "backend/device_mesh.hpp"

namespace cleave::block_counter_test {

/// What an entry asks for: most nothing, one or two, some dozens.
struct Asked {
  Index entries;
  CLEAVE_HD Index operator()(Index i) const {
    if (i >= entries) return 0;
    const auto random = static_cast<unsigned>(i) * 2654435761u >> 12;
    return static_cast<Index>(random % 17 == 0 ? random % 50 : random % 3);
  }
};
struct NothingAsked {
  CLEAVE_HD Index operator()(Index) const { return 0; }
};

/// All of it by one block.
struct NumberInBlock {
  static constexpr KernelTraits traits{.name = "numbers by one block"};
  static constexpr int workers = workers_of_one_block;
  using Shared = SharedInTurn<BlockScan<Asked, Index>, BlockCounter<Asked, Index>>;
  Asked asked;
  bool by_counter;
  Index* out;

  CLEAVE_HD Index blocks() const { return 1; }
  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    number_requests(InOneBlock{worker, shared}, by_counter, asked.entries, asked, out);
  }
};

/// The first numbers of the entries and then how many there are, as plain loops say.
std::vector<Index> in_order(const Asked& asked) {
  std::vector<Index> first{0};
  for (Index i = 0; i < asked.entries; ++i) first.push_back(first.back() + asked(i));
  return first;
}

/// Every number up to the last is one entry's.
void check_numbers(const Asked& asked, const std::vector<Index>& first) {
  REQUIRE(first.back() == in_order(asked).back());
  std::vector<int> holders(first.back(), 0);
  for (Index i = 0; i < asked.entries; ++i)
    for (Index n = 0; n < asked(i); ++n) ++holders.at(first[i] + n);
  CHECK(holders == std::vector<int>(first.back(), 1));
}

}  // namespace cleave::block_counter_test

namespace cleave::test {

using namespace block_counter_test;

TEST_CASE("every number goes to one entry, by a counter and in order", "[lockstep]") {
  Backend backend;
  for (const Index entries : {0, 1, 31, 33, 255, 256, 511, 512, 513, 5000, 63531}) {
    CAPTURE(entries);
    const Asked asked{entries};
    auto out = filled<Index>(entries + 2, -7);
    number_requests(Launches{backend}, false, entries, asked, out.data());
    CHECK(out.download(entries + 1) == in_order(asked));
    number_requests(Launches{backend}, true, entries, asked, out.data());
    check_numbers(asked, out.download(entries + 1));
    CHECK(out.download(entries + 2).back() == -7);
  }
}

TEST_CASE("entries of a block have their numbers in order", "[lockstep]") {
  Backend backend;
  const Asked asked{5000};
  auto out = filled<Index>(asked.entries + 1, -7);
  number_requests(Launches{backend}, true, asked.entries, asked, out.data());
  const auto first = out.download(asked.entries);
  bool in_row = true;
  for (Index i = 1; i < asked.entries; ++i)
    in_row = in_row && (i % BlockCounter<Asked, Index>::entries == 0 || first[i] == first[i - 1] + asked(i - 1));
  CHECK(in_row);
}

TEST_CASE("one block numbers as launches do", "[lockstep]") {
  Backend backend;
  constexpr Index most_by_counter = BlockCounter<Asked, Index>::entries;
  for (const Index entries : {0, 1, 31, 33, 384, 512, 513, 5000})
    for (const bool by_counter : {false, true}) {
      if (by_counter && entries > most_by_counter) continue;
      CAPTURE(entries, by_counter);
      const Asked asked{entries};
      auto out = filled<Index>(entries + 1, -7);
      backend.launch(NumberInBlock{asked, by_counter, out.data()});
      CHECK(out.download(entries + 1) == in_order(asked));
    }
}

TEST_CASE("a counter without requests stays at zero", "[lockstep]") {
  Backend backend;
  auto out = filled<Index>(1001, -7);
  number_requests(Launches{backend}, true, 1000, NothingAsked{}, out.data());
  CHECK(out.download(1001) == std::vector<Index>(1001, 0));
}

}  // namespace cleave::test
