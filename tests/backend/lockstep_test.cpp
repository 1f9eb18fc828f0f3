/// The lockstep model itself, against plain loops.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <numeric>

#include "backend/backend.hpp"
#include "backend/device_mesh.hpp"
#include "body/body_state.hpp"
#include "cleave/core/atomic.hpp"
#include "cleave/core/fault.hpp"
#include "cleave/lockstep/resident.hpp"
#include "cleave/lockstep/sequence.hpp"

namespace cleave::lockstep_test {

/// Reverses each block through shared memory, with a variable per worker that survives the barrier.
struct Reverse {
  static constexpr KernelTraits traits{.name = "reverse"};
  static constexpr int workers = 96;
  struct Shared {
    double value[workers];
  };
  const double* in;
  double* out;
  Index size;
  CLEAVE_HD Index blocks() const { return (size + workers - 1) / workers; }
  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    const Index first = worker.block * workers;
    ForEachIdx each{worker};
    const auto mine = each([&](Idx i) {
      const double v = first + i < size ? in[first + i] : -1;
      shared.value[i] = v;
      return 2 * v + i;
    });
    worker.sync();
    each([&](Idx i) {
      if (first + i < size) out[first + i] = shared.value[workers - 1 - i] + 1000 * mine[i];
    });
  }
};

/// Blocks in a ring: in each turn a worker takes what the same worker of the blocks on either side has, weighted so
/// that their order counts.
struct RingOfBlocks {
  static constexpr KernelTraits traits{.name = "ring of blocks", .resident_blocks = 1, .reads_early = true};
  static constexpr int workers = 64;
  struct Shared {
    double value[workers];
  };
  double* value;           // [block][worker]
  double* told[2];         // [block][worker] of even and odd turns
  const Index* neighbour;  // [block][2]
  std::uint32_t* done;     // [block]
  Index count;
  int steps;
  const Index* due;

  CLEAVE_HD static double next(double own, double left, double right, double turned) {
    return 0.5 * own + 0.25 * left - 0.125 * right + 0.0625 * turned;
  }
  CLEAVE_HD Index blocks() const { return count; }
  CLEAVE_HD int turns() const { return steps; }
  CLEAVE_HD bool is_due() const { return *due != 0; }
  CLEAVE_HD std::uint32_t* turns_done() const { return done; }
  CLEAVE_HD BlockList neighbours(Index block) const { return {neighbour + 2 * block, 2}; }
  CLEAVE_HD Index at(Index block, int i) const { return block * workers + i; }

  template <class Worker>
  CLEAVE_HD int early(Worker const&, Shared&) const {
    return 0;
  }
  /// What the opposite worker of the block had in the last turn.
  template <class Worker>
  CLEAVE_HD auto begin(Worker const& worker, Shared& shared, int) const {
    return ForEachIdx{worker}([&](Idx i) {
      shared.value[i] = value[at(worker.block, i)];
      return 0.0;
    });
  }
  template <class Worker, class Turned>
  CLEAVE_HD void write(Worker const& worker, Shared& shared, Turned&, int turn) const {
    ForEachIdx{worker}([&](Idx i) { told[turn % 2][at(worker.block, i)] = shared.value[i]; });
  }
  template <class Worker, class Turned>
  CLEAVE_HD void rest(Worker const& worker, Shared& shared, Turned& turned, int) const {
    ForEachIdx{worker}([&](Idx i) { turned[i] = shared.value[workers - 1 - i]; });
  }
  template <class Worker, class Turned>
  CLEAVE_HD void read(Worker const& worker, Shared& shared, Turned& turned, int turn) const {
    const BlockList beside = neighbours(worker.block);
    ForEachIdx{worker}([&](Idx i) {
      const double left = told[turn % 2][at(beside.ids[0], i)], right = told[turn % 2][at(beside.ids[1], i)];
      shared.value[i] = next(shared.value[i], left, right, turned[i]);
    });
  }
  template <class Worker, class Turned>
  CLEAVE_HD void end(Worker const& worker, Shared& shared, Turned&) const {
    ForEachIdx{worker}([&](Idx i) { value[at(worker.block, i)] = shared.value[i]; });
  }
};

/// A CtxArray that is written again, and a counter of how often the master ran.
struct Accumulate {
  static constexpr KernelTraits traits{.name = "accumulate"};
  static constexpr int workers = 64;
  struct Shared {
    int turns;
  };
  int* out;      // [blocks * workers]
  int* masters;  // [blocks]
  Index count;
  CLEAVE_HD Index blocks() const { return count; }
  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    ForEachIdx each{worker};
    auto sum = each([&](Idx i) { return static_cast<int>(i); });
    only_master(worker, [&] { shared.turns = 0; });
    worker.sync();
    for (int turn = 1; turn <= 3; ++turn) {
      each([&](Idx i) { sum[i] += turn * 100; });
      only_master(worker, [&] { ++shared.turns; });
      worker.sync();
    }
    each([&](Idx i) { out[worker.block * workers + i] = sum[i] + 1000 * shared.turns; });
    only_master(worker, [&] { atomic_add(masters[worker.block], 1); });
  }
};

/// Totals of three quantities over a block.
template <int Workers>
struct Totals {
  static constexpr KernelTraits traits{.name = "totals"};
  static constexpr int workers = Workers;
  struct Shared {
    BlockSum<3, Workers> sum;
  };
  const double* in;
  double* out;  // [blocks][3]
  Index count;
  CLEAVE_HD Index blocks() const { return count; }
  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    ForEachIdx each{worker};
    each([&](Idx i) {
      const double v = in[worker.block * workers + i];
      shared.sum.value[0][i] = v;
      shared.sum.value[1][i] = v * v;
      shared.sum.value[2][i] = i;
    });
    shared.sum.reduce(worker);
    only_master(worker, [&] {
      for (int q = 0; q < 3; ++q) out[3 * worker.block + q] = shared.sum.total(q);
    });
  }
};

struct Square {
  static constexpr KernelTraits traits{.name = "square"};
  Index* out;
  Index count;
  CLEAVE_HD Index size() const { return count; }
  CLEAVE_HD void operator()(Index i) const { out[i] = i * i % 10007; }
};

/// Doubles what it has read early, on CUDA while the launch before may still be running, and adds what that one left.
struct EarlyReader {
  static constexpr KernelTraits traits{.name = "early reader", .reads_early = true};
  const Index* constant;
  const Index* left;
  Index* out;
  Index count;
  CLEAVE_HD Index size() const { return count; }
  CLEAVE_HD Index early(Index i) const { return constant[i]; }
  CLEAVE_HD void operator()(Index i) const { (*this)(i, early(i)); }
  CLEAVE_HD void operator()(Index i, Index read) const { out[i] = 2 * read + left[i]; }
};

/// Each item: its team writes the turns of a loop, waits, and reads those of others.
template <int Size>
struct TeamTurns {
  static constexpr KernelTraits traits{.name = "team turns"};
  static constexpr int team_size = Size;
  struct Scratch {
    Index seen[24];
  };
  int turns;
  Index* out;  // [count][turns]
  Index count;
  CLEAVE_HD Index size() const { return count; }
  CLEAVE_HD void operator()(Index item, Team team, Scratch& scratch) const {
    for (int j = team.first; j < turns; j += team.size) scratch.seen[j] = 10 * item + j;
    team.sync();
    for (int j = team.first; j < turns; j += team.size) out[item * turns + j] = scratch.seen[turns - 1 - j];
  }
};

/// Turns an array round through shared memory. Each worker copies a value of the first half; the second half is a run.
struct TurnRound {
  static constexpr KernelTraits traits{.name = "turn round"};
  static constexpr int workers = workers_of_one_block, half = workers / 2;
  struct Shared {
    alignas(fetch_bytes) Index value[workers];
    FetchGate gate;
  };
  Index* values;  // [workers]
  CLEAVE_HD Index blocks() const { return 1; }
  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    ForEachIdx each{worker};
    each([&](Idx i) {
      worker.open(shared.gate);
      if (i < half) worker.fetch(shared.value[i], values[i]);
      worker.fetch_run(shared.gate, shared.value + half, values + half, half);
    });
    worker.sync_fetched(shared.gate);
    each([&](Idx i) { values[i] = shared.value[workers - 1 - i]; });
  }
};

/// Kernels of every kind in a row, each of which needs what the one before it wrote.
struct Row {
  static constexpr Index size = TurnRound::workers;
  using Turns = TeamTurns<4>;
  using Shared = SharedInTurn<TurnRound, BlockScan<Entry<Index>, Index>, Turns>;
  Index* turns;  // [size]
  Index* sums;   // [size]
#if defined(__CUDACC__)
#pragma nv_exec_check_disable
#endif
  template <class Run>
  CLEAVE_HD void steps(Run const& run) const {
    run(Turns{8, turns, size / 8});
    run(TurnRound{turns});
    run(Fill<Index>{turns, 10, -1});
    run.scan(size, Entry<Index>{turns}, sums);
  }
};
struct RowInOneBlock {
  static constexpr KernelTraits traits{.name = "row"};
  static constexpr int workers = workers_of_one_block;
  using Shared = Row::Shared;
  Row row;
  CLEAVE_HD Index blocks() const { return 1; }
  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    row.steps(InOneBlock{worker, shared});
  }
};

struct Copy {
  static constexpr KernelTraits traits{.name = "copy"};
  const Index* from;
  Index* to;
  CLEAVE_HD Index size() const { return 1; }
  CLEAVE_HD void operator()(Index i) const { to[i] = from[i]; }
};

/// Counts how often each item is done, and how often its lines are asked for.
struct CountVisits {
  static constexpr KernelTraits traits{.name = "visits", .has_in_use = true, .lines = 3};
  Index most;
  const Index* live;  // items in use
  Index* visits;      // [most]
  Index* asked;       // [lines][most]
  CLEAVE_HD Index size() const { return most; }
  CLEAVE_HD Index in_use() const { return *live; }
  CLEAVE_HD void operator()(Index i) const { atomic_add(visits[i], Index{1}); }

  template <int n>
  CLEAVE_HD void fetch_lines(Index i) const {
    atomic_add(asked[n * most + i], Index{1});
  }
};

/// Counts how often each item is done, by few blocks.
struct CountInFewBlocks {
  static constexpr KernelTraits traits{.name = "visits of few", .most_blocks = 3, .has_in_use = true};
  Index most;
  const Index* live;  // items in use
  Index* visits;      // [most]
  CLEAVE_HD Index size() const { return most; }
  CLEAVE_HD Index in_use() const { return *live; }
  CLEAVE_HD void operator()(Index i) const { atomic_add(visits[i], Index{1}); }
};

/// Adds from all workers to few places.
struct Histogram {
  static constexpr KernelTraits traits{.name = "histogram"};
  Index count;
  Index* bins;
  Real* sums;
  FaultRecord* fault;
  CLEAVE_HD Index size() const { return count; }
  CLEAVE_HD void operator()(Index i) const {
    atomic_add(bins[i % 7], Index{1});
    atomic_add(sums[i % 7], Real(i));
    if (i % 100 == 99) fault->report(FaultCode::endless_walk, i, i + 5);
  }
};

struct Divides {
  Index by;
  CLEAVE_HD bool operator()(Index i) const { return i % by == 0; }
};
struct Remainder {
  CLEAVE_HD Index operator()(Index i) const { return (i * 7919) % 13; }
};

/// Kernels that have no optional members and all of them, and say of themselves that they have some.
template <bool counts, bool reads, int lines>
struct HasNone {
  static constexpr KernelTraits traits{.name = "none", .has_in_use = counts, .reads_early = reads, .lines = lines};
  CLEAVE_HD Index size() const { return 0; }
  CLEAVE_HD void operator()(Index) const {}
};
template <bool counts, bool reads, int lines>
struct HasAll {
  static constexpr KernelTraits traits{.name = "all", .has_in_use = counts, .reads_early = reads, .lines = lines};
  CLEAVE_HD Index size() const { return 0; }
  CLEAVE_HD Index in_use() const { return 0; }
  CLEAVE_HD int early(Index) const { return 0; }
  template <int n>
  CLEAVE_HD void fetch_lines(Index) const {}
  CLEAVE_HD void operator()(Index) const {}
  CLEAVE_HD void operator()(Index, int) const {}
};
struct BothKinds : HasNone<false, false, 0> {
  CLEAVE_HD Index blocks() const { return 0; }
};
// A misspelt member is one that is promised and not there, or there and not promised.
static_assert(matches_traits<HasNone<false, false, 0>> && matches_traits<HasAll<true, true, 1>>);
static_assert(!matches_traits<HasNone<true, false, 0>> && !matches_traits<HasAll<false, true, 1>>);
static_assert(!matches_traits<HasNone<false, true, 0>> && !matches_traits<HasAll<true, false, 1>>);
static_assert(!matches_traits<HasNone<false, false, 1>> && !matches_traits<HasAll<true, true, 0>>);
static_assert(!matches_traits<BothKinds>);

}  // namespace cleave::lockstep_test

namespace cleave::test {

using namespace lockstep_test;

TEST_CASE("workers exchange values through shared memory and keep their own", "[lockstep]") {
  Backend backend;
  for (const Index size : {0, 1, 31, 33, 95, 96, 97, 5000}) {
    const auto values = random_numbers(size, -1, 1, 1);
    auto in = upload(values);
    auto out = filled<double>(size + 1, -7);
    backend.launch(Reverse{in.data(), out.data(), size});
    const auto result = out.download(size + 1);
    for (Index i = 0; i < size; ++i) {
      const Index block = i / 96, j = i % 96, from = 96 * block + 95 - j;
      const double other = from < size ? values[from] : -1;
      REQUIRE(result[i] == other + 1000 * (2 * values[i] + j));
    }
    CHECK(result[size] == -7);
  }
}

TEST_CASE("a variable per worker lives across phases and the master runs once", "[lockstep]") {
  Backend backend;
  for (const Index blocks : {0, 1, 2, 130}) {
    auto out = filled<int>(blocks * 64 + 1, -7);
    auto masters = filled<int>(blocks + 1, 0);
    backend.launch(Accumulate{out.data(), masters.data(), blocks});
    const auto result = out.download(blocks * 64 + 1);
    const auto turns = masters.download(blocks + 1);
    for (Index i = 0; i < blocks * 64; ++i) REQUIRE(result[i] == i % 64 + 600 + 3000);
    for (Index b = 0; b < blocks; ++b) REQUIRE(turns[b] == 1);
    CHECK(result[blocks * 64] == -7);
    CHECK(turns[blocks] == 0);
  }
}

TEMPLATE_TEST_CASE_SIG("block sums are the sums over the workers, the same on every launch", "[lockstep]",
                       ((int Workers), Workers), 32, 128, 256) {
  Backend backend;
  for (const Index blocks : {0, 1, 33}) {
    const auto values = random_numbers(blocks * Workers, -1, 1, 2);
    auto in = upload(values);
    auto out = filled<double>(3 * blocks + 1, -7), again = filled<double>(3 * blocks + 1, -7);
    backend.launch(Totals<Workers>{in.data(), out.data(), blocks});
    backend.launch(Totals<Workers>{in.data(), again.data(), blocks});
    const auto result = out.download(3 * blocks + 1);
    for (Index b = 0; b < blocks; ++b) {
      double sum = 0, squares = 0;
      for (int i = 0; i < Workers; ++i) {
        sum += values[b * Workers + i];
        squares += values[b * Workers + i] * values[b * Workers + i];
      }
      // The order of additions is the implementation's: Workers roundings of sums below Workers.
      REQUIRE(std::abs(result[3 * b] - sum) < 1e-15 * Workers);
      REQUIRE(std::abs(result[3 * b + 1] - squares) < 1e-15 * Workers);
      REQUIRE(result[3 * b + 2] == Workers * (Workers - 1) / 2);
    }
    CHECK(result[3 * blocks] == -7);
    CHECK(again.download(3 * blocks + 1) == result);
  }
}

TEST_CASE("early reads and results of the previous launch are combined", "[lockstep]") {
  Backend backend;
  for (const Index size : {0, 1, 129, 5000}) {
    auto constant = filled<Index>(size + 1, 7), left = filled<Index>(size + 1, -1), out = filled<Index>(size + 1, -7);
    for (int turn = 0; turn < 20; ++turn) {
      backend.launch(Fill<Index>{left.data(), size, turn});
      backend.launch(EarlyReader{constant.data(), left.data(), out.data(), size});
      const auto result = out.download(size + 1);
      for (Index i = 0; i < size; ++i) REQUIRE(result[i] == 14 + turn);
      CHECK(result[size] == -7);
    }
  }
}

TEMPLATE_TEST_CASE_SIG("teams share the turns of an item's loops and see each other's results", "[lockstep]",
                       ((int Size), Size), 4, 8, 16) {
  Backend backend;
  for (const Index items : {0, 1, 15, 17, 700})
    for (const int turns : {1, 3, 8, 21})
      for (const bool in_one_block : {false, true}) {
        auto out = filled<Index>(items * turns + 1, -7);
        const TeamTurns<Size> kernel{turns, out.data(), items};
        if (in_one_block)
          backend.launch(OneBlock{kernel});
        else
          backend.launch(kernel);
        const auto result = out.download(items * turns + 1);
        for (Index i = 0; i < items; ++i)
          for (int j = 0; j < turns; ++j) REQUIRE(result[i * turns + j] == 10 * i + turns - 1 - j);
        CHECK(result[items * turns] == -7);
      }
}

TEST_CASE("a sequence of kernels has the same results by launches and by one block", "[lockstep]") {
  Backend backend;
  for (const bool in_one_block : {false, true}) {
    auto turns = filled<Index>(Row::size, -7), sums = filled<Index>(Row::size + 1, -7);
    const Row row{turns.data(), sums.data()};
    if (in_one_block)
      backend.launch(RowInOneBlock{row});
    else
      row.steps(Launches{backend});
    // Row i of turns has 10 i + 7 ... 10 i; these are turned round as a whole, the first ten forgotten, and added up.
    std::vector<Index> expected(Row::size);
    for (Index i = 0; i < Row::size; ++i) {
      const Index from = Row::size - 1 - i;
      expected[i] = i < 10 ? -1 : 10 * (from / 8) + 7 - from % 8;
    }
    CHECK(turns.download(Row::size) == expected);
    const auto result = sums.download(Row::size + 1);
    Index sum = 0;
    for (Index i = 0; i < Row::size; sum += expected[i++]) REQUIRE(result[i] == sum);
    CHECK(result[Row::size] == -7);
  }
}

TEST_CASE("resident blocks exchange values in every turn of a launch", "[lockstep]") {
  constexpr int workers = RingOfBlocks::workers;
  Backend backend;
  for (const Index blocks : {1, 2, 3, 100}) {
    const std::size_t size = static_cast<std::size_t>(blocks) * workers;
    std::vector<double> expected = random_numbers(size, -1, 1, 5);
    std::vector<Index> beside;
    for (Index b = 0; b < blocks; ++b) {
      beside.push_back((b + blocks - 1) % blocks);
      beside.push_back((b + 1) % blocks);
    }
    Buffer<double> value = upload(expected), even = filled(size, 7.0), odd = filled(size, 7.0);
    Buffer<Index> neighbour = upload(beside), due = upload(std::vector<Index>{0, 1});
    Buffer<std::uint32_t> done = filled(blocks, std::uint32_t{0xFFFFFFFD});  // counts begin anew behind the largest
    const auto launch = [&](int steps, const Index* is_due) {
      backend.launch(
          RingOfBlocks{value.data(), {even.data(), odd.data()}, neighbour.data(), done.data(), blocks, steps, is_due});
    };
    int turns = 0;
    for (const int steps : {3, 1, 4}) {
      launch(steps, due.data() + 1);
      launch(5, due.data());  // nothing is due
      turns += steps;
    }
    for (int turn = 0; turn < turns; ++turn) {
      const std::vector<double> before = expected;
      for (Index b = 0; b < blocks; ++b)
        for (int i = 0; i < workers; ++i)
          expected[b * workers + i] =
              RingOfBlocks::next(before[b * workers + i], before[beside[2 * b] * workers + i],
                                 before[beside[2 * b + 1] * workers + i], before[b * workers + workers - 1 - i]);
    }
    CHECK(value.download(size) == expected);
  }
  CHECK_FALSE(backend.holds<RingOfBlocks>(1 << 20));
}

TEST_CASE("repeated launches follow a buffer that moves", "[lockstep]") {
  Backend backend;
  Backend::Recording recording;
  auto value = filled<Index>(1, 3), copy = filled<Index>(1, 0);
  const auto replay = [&] { backend.replay(recording, [&] { backend.launch(Copy{value.data(), copy.data()}); }); };
  replay();
  CHECK(copy.download(1)[0] == 3);
  value.upload({4});  // where it was
  replay();
  CHECK(copy.download(1)[0] == 4);
  const std::size_t epoch = Backend::memory.epoch();
  copy.resize(1);  // it is that large already
  CHECK(Backend::memory.epoch() == epoch);
  copy.resize(100000);
  CHECK(Backend::memory.epoch() != epoch);
  value.upload(std::vector<Index>(100000, 5));
  replay();
  CHECK(copy.download(1)[0] == 5);
}

TEST_CASE("items in use are computed once, and their lines fetched once", "[lockstep]") {
  Backend backend;
  constexpr Index most = 1000;
  for (const Index in_use : {0, 1, 8, 24, 25, 129, 1000}) {
    auto live = filled<Index>(1, in_use), visits = filled<Index>(most, 0), asked = filled<Index>(3 * most, 0);
    backend.launch(CountVisits{most, live.data(), visits.data(), asked.data()});
    const auto done = visits.download(most), lines = asked.download(3 * most);
    for (Index i = 0; i < most; ++i) REQUIRE(done[i] == (i < in_use ? 1 : 0));
    for (Index i = 0; i < 3 * most; ++i) REQUIRE(lines[i] <= (i % most < in_use ? 1 : 0));
    backend.launch(OneBlock{CountVisits{most, live.data(), visits.data(), asked.data()}});
    const auto again = visits.download(most);
    for (Index i = 0; i < most; ++i) REQUIRE(again[i] == (i < in_use ? 2 : 0));
  }
}

TEST_CASE("few blocks compute all items in use once", "[lockstep]") {
  Backend backend;
  for (const Index most : {1, 128, 384, 385, 5000})
    for (const Index in_use : {0, 1, 128, 383, 384, 385, 769, 5000}) {
      if (in_use > most) continue;
      auto live = filled<Index>(1, in_use), visits = filled<Index>(most, 0);
      const CountInFewBlocks kernel{most, live.data(), visits.data()};
      REQUIRE(Itemwise<CountInFewBlocks>{kernel}.blocks() <= 3);
      backend.launch(kernel);
      const auto done = visits.download(most);
      CAPTURE(most, in_use);
      for (Index i = 0; i < most; ++i) REQUIRE(done[i] == (i < in_use ? 1 : 0));
    }
}

TEST_CASE("item kernels run once for every index", "[lockstep]") {
  Backend backend;
  for (const Index size : {0, 1, 31, 33, 127, 128, 129, 5000}) {
    auto out = filled<Index>(size + 1, -7);
    backend.launch(Square{out.data(), size});
    const auto result = out.download(size + 1);
    for (Index i = 0; i < size; ++i) REQUIRE(result[i] == i * i % 10007);
    CHECK(result[size] == -7);
    backend.launch(Fill<Index>{out.data(), size, 4});
    const auto after = out.download(size + 1);
    for (Index i = 0; i < size; ++i) REQUIRE(after[i] == 4);
    CHECK(after[size] == -7);
  }
}

TEST_CASE("a gate lets a launch through by a flag in solver memory", "[lockstep]") {
  Backend backend;
  const auto set = filled<Index>(1, 3), clear = filled<Index>(1, 0);
  const auto runs_behind = [&](DeviceGate gate) {
    auto data = filled<Index>(2, -7);
    backend.launch(Guarded{gate, Fill<Index>{data.data(), 2, 5}});
    return data.download(2) == std::vector<Index>{5, 5};
  };
  CHECK(runs_behind(DeviceGate::always()));
  CHECK(runs_behind({}));
  CHECK(runs_behind(DeviceGate::open_if(set.data())));
  CHECK_FALSE(runs_behind(DeviceGate::open_if(clear.data())));
  CHECK_FALSE(runs_behind(DeviceGate::closed_if(set.data())));
  CHECK(runs_behind(DeviceGate::closed_if(clear.data())));
}

TEST_CASE("atomic additions are complete, and a fault keeps one whole record", "[lockstep]") {
  Backend backend;
  for (const Index size : {0, 1, 31, 33, 5000}) {
    auto bins = filled<Index>(7, 0);
    auto sums = filled<Real>(7, 0);
    auto fault = upload(std::vector<FaultRecord>{FaultRecord{}});
    backend.launch(Histogram{size, bins.data(), sums.data(), fault.data()});
    std::vector<Index> expected(7, 0);
    std::vector<Real> totals(7, 0);
    for (Index i = 0; i < size; ++i) {
      ++expected[i % 7];
      totals[i % 7] += i;
    }
    CHECK(bins.download(7) == expected);
    CHECK(sums.download(7) == totals);  // whole numbers: exact in any order
    const FaultRecord record = fault.download(1)[0];
    CHECK(record.code == (size >= 100 ? static_cast<Index>(FaultCode::endless_walk) : 0));
    if (size >= 100) CHECK((record.element % 100 == 99 && record.step == record.element + 5));
  }
}

TEST_CASE("compaction keeps the order and counts, scans exclude their own entry", "[lockstep]") {
  Backend backend;
  for (const Index size : {0, 1, 31, 33, 5000}) {
    std::vector<Index> ids;
    for (Index i = 0; i < size; ++i) ids.push_back((i * 7919) % 10007);
    auto in = upload(ids);
    for (const Index by : {1, 3, 20000}) {
      auto out = filled<Index>(size + 1, -7), count = filled<Index>(1, -7);
      backend.select(in.data(), size, out.data(), count.data(), Divides{by});
      std::vector<Index> expected;
      for (const Index id : ids)
        if (id % by == 0) expected.push_back(id);
      REQUIRE(count.download(1)[0] == static_cast<Index>(expected.size()));
      CHECK(out.download(expected.size()) == expected);
    }
    auto out = filled<Index>(size + 1, -7);
    backend.exclusive_scan(size, Remainder{}, out.data());
    const auto scanned = out.download(size + 1);
    Index sum = 0;
    for (Index i = 0; i < size; ++i) {
      REQUIRE(scanned[i] == sum);
      sum += (i * 7919) % 13;
    }
    CHECK(scanned[size] == -7);
  }
}

TEST_CASE("buffers grow, keep what they hold and start as NaN", "[lockstep]") {
  Buffer<double> buffer;
  CHECK(buffer.size() == 0);
  CHECK(buffer.download(0).empty());
  buffer.upload({1, 2, 3});
  buffer.resize(1000);
  CHECK(buffer.size() == 1000);
  buffer.resize(10);  // never shrinks
  CHECK(buffer.size() == 1000);
  const auto host = buffer.download(1000);
  CHECK((host[0] == 1 && host[1] == 2 && host[2] == 3));
  for (int i = 3; i < 1000; ++i) REQUIRE(host[i] != host[i]);
}

TEST_CASE("many values are set by several launches", "[lockstep]") {
  Backend backend;
  for (const std::size_t count : {0, 1, 99, 100, 101, 1000}) {
    auto out = filled<Index>(1002, -7);
    launch_fill(backend, out.data() + 1, count, Index{4}, 100);
    const auto set = out.download(1002);
    CHECK(std::count(set.begin(), set.end(), 4) == static_cast<std::ptrdiff_t>(count));
    CHECK((set[0] == -7 && set[1 + count] == -7));
    CHECK((count == 0 || (set[1] == 4 && set[count] == 4)));
  }
}

TEST_CASE("a buffer gives memory back that is not needed and keeps the rest", "[lockstep]") {
  constexpr std::int64_t mega = 1 << 20;  // values, 8 MiB
  std::vector<double> values(4 * mega + 100);
  std::iota(values.begin(), values.end(), 0.0);
  Backend backend;
  Buffer<double> buffer;
  buffer.upload(values);
  const auto holds = [&](std::size_t begin, std::size_t end) {
    const auto host = buffer.download(values.size());
    return std::equal(host.begin() + begin, host.begin() + end, values.begin() + begin);
  };
  const auto holds_the_rest = [&] { return holds(mega, 2 * mega) && holds(3 * mega + 1, values.size()); };
  const std::size_t before = Backend::memory.use().now;
  const auto counted = [&] {
    return static_cast<std::int64_t>(before) - static_cast<std::int64_t>(Backend::memory.use().now);
  };
  const std::int64_t given_back =
      Buffer<double>::is_host_memory ? 0 : 2 * 8 * mega;                      // the host's system counts for itself
  const std::vector<ValueRange> ranges{{0, mega}, {2 * mega, 3 * mega + 1}};  // the last value is in no whole page
  const double* place = nullptr;
  for (int time = 0; time < 2; ++time) {
    buffer.give_back(ranges);
    CHECK(holds_the_rest());
    CHECK(counted() == given_back);
    CHECK((time == 0 || buffer.data() == place));
    place = buffer.data();
  }

  // Whoever writes there does no harm: neither to the rest nor to what others have given back.
  Buffer<double> other;
  other.upload(values);
  other.give_back({{mega, 3 * mega}});
  backend.launch(Fill<double>{other.data(), static_cast<Index>(values.size()), 7.0});
  backend.launch(Fill<double>{buffer.data(), static_cast<Index>(mega), 8.0});
  backend.synchronise();
  CHECK(holds_the_rest());
  const auto filled_up = other.download(values.size());
  CHECK(std::count(filled_up.begin(), filled_up.begin() + mega, 7.0) == mega);
  CHECK(std::count(filled_up.begin() + 3 * mega, filled_up.end(), 7.0) == mega + 100);
  // A device makes room behind the values, so that none has to move.
  for (const std::size_t size : {5 * mega, 5 * mega + 1, 9 * mega}) {
    const std::size_t size_before = buffer.size(), memory_before = Backend::memory.use().now;
    buffer.resize(size);
    CHECK(Backend::memory.use().now - memory_before == sizeof(double) * (size - size_before));
    CHECK(holds_the_rest());
    CHECK((Buffer<double>::is_host_memory || buffer.data() == place));
    const auto grown = buffer.download(size);
    CHECK(std::all_of(grown.begin() + size_before, grown.end(), [](double v) { return v != v; }));
    backend.launch(Fill<double>{buffer.data() + size_before, static_cast<Index>(size - size_before), 9.0});
    backend.synchronise();
    CHECK(buffer.download(size).back() == 9.0);
  }
  if (!Buffer<double>::is_host_memory) {  // more than it has addresses for: it keeps what it has
    const std::size_t memory_before = Backend::memory.use().now;
    CHECK_THROWS_AS(buffer.resize(40 * mega), std::bad_alloc);
    CHECK((buffer.size() == 9 * mega && buffer.data() == place && Backend::memory.use().now == memory_before));
    buffer.resize(10 * mega);
    CHECK(holds_the_rest());
  }
  Buffer<double> whole;
  whole.upload({1, 2, 3});
  whole.give_back({{0, 3}, {3, 3}});  // no granule; a CPU's has no whole page
  CHECK(whole.download(3) == std::vector<double>{1, 2, 3});
}

TEST_CASE("tables put rows where their block size says", "[lockstep]") {
  const Table<int, 3> rows{};
  CHECK(decltype(rows)::extent(5) == 15);
  CHECK(Table<int, 3, 32>::extent(33) == 2 * 32 * 3);
  CHECK(Table<int, 3, 32>::extent(0) == 0);
  std::vector<int> storage(Table<int, 3, 4>::extent(6), -1);
  const Table<int, 3, 4> table{storage.data()};
  for (Index row = 0; row < 6; ++row)
    for (int f = 0; f < 3; ++f) table(row, f) = 10 * row + f;
  CHECK(storage[0] == 0);
  CHECK(storage[4 + 1] == 11);       // row 1, field 1 of the first block
  CHECK(storage[12 + 2 * 4] == 42);  // row 4, field 2: second block, its first row
  for (Index row = 0; row < 6; ++row)
    for (int f = 0; f < 3; ++f) CHECK(table(row, f) == 10 * row + f);
}

}  // namespace cleave::test
