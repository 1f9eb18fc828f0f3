/// Rows of several ranks come to rank 0 (devices: tests/program/cuda_ranks.sh).
#include "parts/rows_home.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <condition_variable>
#include <cstdlib>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "backend/cpu/cpu_backend.hpp"

using namespace cleave;

namespace {

/// Ranks that are threads of one process, for what RowsHome takes of them: messages to rank 0.
class Post {
 public:
  void put(int from, Ranks::Bytes message) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return messages_.count(from) == 0; });
    messages_[from] = std::move(message);
    changed_.notify_all();
  }
  Ranks::Bytes take(int from) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return messages_.count(from) > 0; });
    Ranks::Bytes message = std::move(messages_[from]);
    messages_.erase(from);
    changed_.notify_all();
    return message;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<int, Ranks::Bytes> messages_;
};

class ThreadRank final : public Ranks {
 public:
  ThreadRank(Post& post, int rank, int count) : post_(post), rank_(rank), count_(count) {}
  int rank() const override { return rank_; }
  int count() const override { return count_; }
  int host_rank() const override { return rank_; }
  int host_count() const override { return count_; }
  void begin_exchange(const std::byte* send, std::byte* receive, const std::vector<Piece>& pieces) override {
    for (const Piece& piece : pieces) {
      if (rank_ != 0) post_.put(rank_, {send + piece.send_begin, send + piece.send_begin + piece.send_size});
      if (rank_ != 0) continue;
      const Bytes message = post_.take(piece.rank);
      REQUIRE(message.size() == piece.receive_size);
      std::copy(message.begin(), message.end(), receive + piece.receive_begin);
    }
  }
  void finish_exchange() override {}
  void broadcast(void*, std::size_t) override {}
  void sum(std::int64_t*, std::size_t) override {}
  void unite(std::uint8_t*, std::size_t) override {}
  std::vector<Bytes> gather_everywhere(const Bytes& own) override { return {own}; }
  void end_all(const std::string&) override { std::abort(); }
  void when_ended(std::function<void(const std::string&)>) override {}
  bool can_carry() const override { return false; }
  std::unique_ptr<Mail> carry(const std::vector<Mailbox>&) override { return std::make_unique<Mail>(); }
  std::vector<int> gone() const override { return {}; }

 private:
  Post& post_;
  int rank_, count_;
};

constexpr int ranks = 3;
constexpr Index size = 1000, in_table = 990;
int owner_of(Index row) { return row < 300 ? 1 : row / 7 % ranks; }

/// Rows of all ranks, and those of one by its own ids, which follow each other.
void list_rows(OwnedRows<CpuBackend>& of_same, OwnedRows<CpuBackend>& of_part, int rank, Index begin, Index end) {
  for (auto* rows : {&of_same, &of_part}) rows->in_body.resize(ranks);
  for (Index row = begin; row < end; ++row) {
    for (auto* rows : {&of_same, &of_part}) rows->in_body[owner_of(row)].add(row);
    if (owner_of(row) != rank) continue;
    of_same.own.add(row);
    of_part.own.add(of_part.own.count());
  }
}

/// Rank 0 has each row by its owner in the end, as many bytes as T has. An array has the same rows on
/// all ranks; of another one a rank has its own, and rank 0 gets all in memory of its own.
template <class T>
void check_rows(std::size_t message_bytes, T (*value)(Index index, int rank)) {
  constexpr int fields = 3;
  Post post;
  const auto run = [&](int rank) {
    ThreadRank of(post, rank, ranks);
    CpuBackend backend(2, of);
    OwnedRows<CpuBackend> same, part, none;
    none.in_body.resize(ranks);
    RowsHome<CpuBackend> home(backend, message_bytes);
    const IdsInBody no_ids{};
    CpuBuffer<T> values;
    Fields<CpuBackend> fields_of_body;
    const Index own_in_table = [&] {
      Index count = 0;
      for (Index row = 0; row < in_table; ++row) count += owner_of(row) == rank ? 1 : 0;
      return count;
    }();
    using Cells = Table<double, 2, 32>;
    const Field<CpuBackend, double> table = fields_of_body.add<double>(
        "table", {.on = On::element, .width = 2, .block = 32, .rows = own_in_table, .rows_of_body = in_table});
    for (Index end : {size / 2, size}) {  // with rows that come later
      list_rows(same, part, rank, end - size / 2, end);
      std::vector<T> own(size * fields);
      for (Index i = 0; i < size * fields; ++i) own[i] = value(i, rank);
      values.upload(own);
      std::vector<double> cells(Cells::extent(size), -1), whole(Cells::extent(size), -1);
      Index own_row = 0;
      for (Index row = 0; row < size; ++row) {
        if (owner_of(row) != rank) continue;
        for (int f = 0; f < 2; ++f) Cells{cells.data()}(own_row, f) = row + 0.5 * f;
        ++own_row;
      }
      table.upload(cells);
      home.add(values, fields, none);
      home.add(values, fields, same);
      fields_of_body.for_each([&](AnyField<CpuBackend>& field) { home.add(field, part, no_ids, whole.data(), size); });
      home.send();
      if (rank != 0) continue;
      const std::vector<T> got = values.download(size * fields);
      for (Index i = 0; i < size * fields; ++i)
        REQUIRE(got[i] == value(i, i / fields < end ? owner_of(i / fields) : 0));
      for (Index row = 0; row < size; ++row)
        for (int f = 0; f < 2; ++f)
          REQUIRE(Cells{whole.data()}(row, f) == (row < std::min(end, in_table) ? row + 0.5 * f : -1));
    }
  };
  std::vector<std::thread> others;
  for (int r = 1; r < ranks; ++r) others.emplace_back(run, r);
  run(0);
  for (std::thread& other : others) other.join();
}

}  // namespace

TEST_CASE("rows come to rank 0 from the ranks that own them") {
  // One message, or many: of several slices, and of a part of one.
  for (const std::size_t message_bytes : {1 << 20, 1 << 10}) {
    check_rows<double>(message_bytes, [](Index i, int rank) { return i + 0.25 * rank; });
    check_rows<float>(message_bytes,
                      [](Index i, int rank) { return static_cast<float>(i) + 0.25F * static_cast<float>(rank); });
    check_rows<std::uint8_t>(message_bytes, [](Index i, int rank) { return static_cast<std::uint8_t>(i * 4 + rank); });
  }
}

TEST_CASE("values that are ids of a part become those of the body") {
  const std::vector<PartRun> elements{{8, 0, 4}, {16, 4, 4}}, nodes{{10, 0, 3}, {20, 3, 2}};
  const std::vector<Index> copies{107, 103}, cohesive{6, 2, 9};
  const IdsInBody ids{{elements.data(), 2}, {nodes.data(), 2}, 5, copies.data(), cohesive.data()};
  CHECK(ids.node(2) == 12);
  CHECK(ids.node(3) == 20);
  CHECK(ids.node(6) == 103);
  CHECK(ids.facet(boundary_facet) == boundary_facet);
  CHECK(ids.facet(facet_code(5, 2)) == facet_code(17, 2));
  CHECK(ids.facet(cohesive_code(1, 1)) == cohesive_code(2, 1));
  const CohesiveRow<T3> row = ids.of(CohesiveRow<T3>{{{0, 5}, {6, 4}}, {facet_code(3, 0), facet_code(4, 1)}});
  CHECK(row.nodes[0][0] == 10);
  CHECK(row.nodes[0][1] == 107);
  CHECK(row.nodes[1][0] == 103);
  CHECK(row.nodes[1][1] == 21);
  CHECK(row.facets[0] == facet_code(11, 0));
  CHECK(row.facets[1] == facet_code(16, 1));
}
