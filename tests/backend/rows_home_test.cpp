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

/// What the rows of rank 0 are in the end: as many bytes as T has, each row by its owner.
template <class T>
void check_rows(std::size_t message_bytes, T (*value)(Index index, int rank)) {
  constexpr int fields = 3;
  Post post;
  std::vector<T> at_first;
  const auto run = [&](int rank) {
    ThreadRank of(post, rank, ranks);
    CpuBackend backend(2, of);
    OwnedRows<CpuBackend> rows, none;
    rows.start(ranks);
    none.start(ranks);
    RowsHome<CpuBackend> home(backend, message_bytes);
    CpuBuffer<T> values;
    Fields<CpuBackend> fields_of_body;
    const Field<CpuBackend, double> table =
        fields_of_body.add<double>("table", {.on = On::element, .width = 2, .block = 32, .rows = in_table});
    for (Index end : {size / 2, size}) {  // with rows that come later
      for (Index row = end - size / 2; row < end; ++row) rows.add(owner_of(row), row);
      std::vector<T> own(size * fields);
      for (Index i = 0; i < size * fields; ++i) own[i] = value(i, rank);
      std::vector<double> cells(Table<double, 2, 32>::extent(size), rank);
      values.upload(own);
      table.upload(cells);
      home.add(values, fields, none);
      home.add(values, fields, rows);
      fields_of_body.for_each([&](AnyField<CpuBackend>& field) { home.add(field, rows); });
      home.send();
      if (rank != 0) continue;
      const std::vector<T> got = values.download(size * fields);
      for (Index i = 0; i < size * fields; ++i)
        REQUIRE(got[i] == value(i, i / fields < end ? owner_of(i / fields) : 0));
      const Table<double, 2, 32> got_table{table.data()};
      for (Index row = 0; row < size; ++row)
        for (int f = 0; f < 2; ++f) REQUIRE(got_table(row, f) == (row < std::min(end, in_table) ? owner_of(row) : 0));
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
