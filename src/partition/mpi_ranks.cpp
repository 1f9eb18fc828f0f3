#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <numeric>

#include "cleave/partition/ranks.hpp"
#include "partition/launcher.hpp"

namespace cleave {
namespace {

constexpr std::size_t most_bytes = std::numeric_limits<int>::max();  // MPI 3 counts in int

/// Calls f(begin, size) for parts that MPI can count.
template <class F>
void in_parts(std::size_t size, const F& f) {
  for (std::size_t begin = 0; begin < size; begin += most_bytes)
    f(begin, static_cast<int>(std::min(size - begin, most_bytes)));
}

/// An error of MPI ends all processes: the default of MPI, which says why.
class MpiRanks final : public Ranks {
 public:
  MpiRanks() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &count_);
    MPI_Comm host;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &host);
    MPI_Comm_rank(host, &host_rank_);
    MPI_Comm_size(host, &host_count_);
    MPI_Comm_free(&host);
  }
  ~MpiRanks() override { MPI_Finalize(); }
  int rank() const override { return rank_; }
  int count() const override { return count_; }
  int host_rank() const override { return host_rank_; }
  int host_count() const override { return host_count_; }

  void exchange(const std::byte* send, std::byte* receive, const std::vector<Piece>& pieces) override {
    requests_.clear();
    for (const Piece& piece : pieces)
      in_parts(piece.receive_size, [&](std::size_t begin, int size) {
        MPI_Irecv(receive + piece.receive_begin + begin, size, MPI_BYTE, piece.rank, 0, MPI_COMM_WORLD, &one_more());
      });
    for (const Piece& piece : pieces)
      in_parts(piece.send_size, [&](std::size_t begin, int size) {
        MPI_Isend(send + piece.send_begin + begin, size, MPI_BYTE, piece.rank, 0, MPI_COMM_WORLD, &one_more());
      });
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  }

  void broadcast(void* data, std::size_t size) override {
    in_parts(size, [&](std::size_t begin, int part) {
      MPI_Bcast(static_cast<std::byte*>(data) + begin, part, MPI_BYTE, 0, MPI_COMM_WORLD);
    });
  }

  std::vector<Bytes> gather(const Bytes& own) override {
    const std::vector<unsigned long long> sizes = sizes_of_all(own);
    std::vector<Piece> pieces;
    std::vector<Bytes> all(is_first() ? count_ : 0);
    if (!is_first()) {
      exchange(own.data(), nullptr, {{0, 0, own.size(), 0, 0}});
      return all;
    }
    std::size_t total = 0;
    for (int r = 1; r < count_; ++r) {
      pieces.push_back({r, 0, 0, total, sizes[r]});
      total += sizes[r];
    }
    Bytes received(total);
    exchange(nullptr, received.data(), pieces);
    all[0] = own;
    for (const Piece& piece : pieces) {
      const auto begin = received.begin() + static_cast<std::ptrdiff_t>(piece.receive_begin);
      all[piece.rank].assign(begin, begin + static_cast<std::ptrdiff_t>(piece.receive_size));
    }
    return all;
  }

  std::vector<Bytes> gather_everywhere(const Bytes& own) override {
    const std::vector<unsigned long long> sizes = sizes_of_all(own);
    std::vector<Bytes> all(count_);
    std::vector<Piece> pieces;
    Bytes received(std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}));
    std::size_t at = 0;
    for (int r = 0; r < count_; ++r) {
      if (r != rank_) pieces.push_back({r, 0, own.size(), at, sizes[r]});
      at += sizes[r];
    }
    exchange(own.data(), received.data(), pieces);
    for (const Piece& piece : pieces) {
      const auto begin = received.begin() + static_cast<std::ptrdiff_t>(piece.receive_begin);
      all[piece.rank].assign(begin, begin + static_cast<std::ptrdiff_t>(piece.receive_size));
    }
    all[rank_] = own;
    return all;
  }

  void end_all(int exit_code) override {
    MPI_Abort(MPI_COMM_WORLD, exit_code);
    std::abort();
  }

 private:
  MPI_Request& one_more() { return requests_.emplace_back(); }
  std::vector<unsigned long long> sizes_of_all(const Bytes& own) {
    const unsigned long long size = own.size();
    std::vector<unsigned long long> sizes(count_);
    MPI_Allgather(&size, 1, MPI_UNSIGNED_LONG_LONG, sizes.data(), 1, MPI_UNSIGNED_LONG_LONG, MPI_COMM_WORLD);
    return sizes;
  }

  int rank_ = 0, count_ = 1, host_rank_ = 0, host_count_ = 1;
  std::vector<MPI_Request> requests_;
};

}  // namespace

Ranks& ranks_of_program() {
  if (launched_ranks() <= 1) return one_rank();
  static MpiRanks ranks;
  return ranks;
}

std::string mpi_of_program() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(text, &length);
  const std::string version(text, length);
  return version.substr(0, version.find_first_of(",\n"));
}

}  // namespace cleave
