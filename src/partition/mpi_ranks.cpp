#include <mpi.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <functional>
#include <limits>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cleave/core/environment.hpp"
#include "cleave/partition/ranks.hpp"
#include "partition/courier.hpp"
#include "partition/heartbeat.hpp"

namespace cleave {
namespace {

/// Seconds without a sign of life after which all ranks end, unless CLEAVE_PATIENCE says otherwise (0: they never do,
/// as a debugger needs that stops one rank).
constexpr double usual_patience = 45;
constexpr std::size_t most_bytes = std::numeric_limits<int>::max();  // MPI 3 counts with int

/// Calls f(begin, size) for pieces of at most most_bytes.
template <class F>
void in_parts(std::size_t size, const F& f) {
  for (std::size_t begin = 0; begin < size; begin += most_bytes)
    f(begin, static_cast<int>(std::min(size - begin, most_bytes)));
}

/// Ranks by MPI. An MPI error aborts all processes with MPI's message, its default. Calls that wait for other ranks are
/// nonblocking and polled, so that a rank that does not respond is noticed meanwhile.
class MpiRanks final : public Ranks {
 public:
  MpiRanks() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &count_);
    MPI_Comm host;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &host);
    MPI_Comm_rank(host, &host_rank_);
    MPI_Comm_size(host, &host_count_);
    note_processes(host);
    MPI_Comm_free(&host);
    const double patience = environment::patience().value_or(usual_patience);
    has_threads_ = provided >= MPI_THREAD_SERIALIZED;
    if (has_threads_) MPI_Comm_dup(MPI_COMM_WORLD, &mail_);
    if (has_threads_ && patience > 0)
      heartbeat_.emplace(
          mpi_, patience, [this](const std::string& why) { say_why(why); }, [this] { wake(0); });
  }
  /// Ranks that finish early send heartbeats until all have finished.
  ~MpiRanks() override {
    begin([](MPI_Request* done) { MPI_Ibarrier(MPI_COMM_WORLD, done); });
    wait();
    courier_.reset();
    heartbeat_.reset();
    if (mail_ != MPI_COMM_NULL) MPI_Comm_free(&mail_);
    constexpr int seconds = 45;
    alarm(seconds);  // MPI_Finalize waits for all ranks and cannot be polled
    MPI_Finalize();
    alarm(0);
  }
  int rank() const override { return rank_; }
  int count() const override { return count_; }
  int host_rank() const override { return host_rank_; }
  int host_count() const override { return host_count_; }
  bool can_carry() const override { return has_threads_; }

  void begin_exchange(const std::byte* send, std::byte* receive, const std::vector<Piece>& pieces) override {
    for (const Piece& piece : pieces)
      in_parts(piece.receive_size, [&](std::size_t first, int size) {
        begin([&](MPI_Request* done) {
          MPI_Irecv(receive + piece.receive_begin + first, size, MPI_BYTE, piece.rank, 0, MPI_COMM_WORLD, done);
        });
      });
    for (const Piece& piece : pieces)
      in_parts(piece.send_size, [&](std::size_t first, int size) {
        begin([&](MPI_Request* done) {
          MPI_Isend(send + piece.send_begin + first, size, MPI_BYTE, piece.rank, 0, MPI_COMM_WORLD, done);
        });
      });
  }
  void finish_exchange() override { wait(); }

  void broadcast(void* data, std::size_t size) override {
    in_parts(size, [&](std::size_t first, int part) {
      begin([&](MPI_Request* done) {
        MPI_Ibcast(static_cast<std::byte*>(data) + first, part, MPI_BYTE, 0, MPI_COMM_WORLD, done);
      });
    });
    wait();
  }

  void sum(std::int64_t* values, std::size_t count) override { reduce(values, count, MPI_INT64_T, MPI_SUM); }
  void unite(std::uint8_t* bytes, std::size_t count) override { reduce(bytes, count, MPI_UINT8_T, MPI_BOR); }

  std::vector<Bytes> gather_everywhere(const Bytes& own) override {
    const unsigned long long size = own.size();
    std::vector<unsigned long long> sizes(count_);
    begin([&](MPI_Request* done) {
      MPI_Iallgather(&size, 1, MPI_UNSIGNED_LONG_LONG, sizes.data(), 1, MPI_UNSIGNED_LONG_LONG, MPI_COMM_WORLD, done);
    });
    wait();
    std::vector<Piece> pieces;
    std::size_t total = 0;
    for (int r = 0; r < count_; ++r) {
      if (r == rank_) continue;
      pieces.push_back({r, 0, own.size(), total, sizes[r]});
      total += pieces.back().receive_size;
    }
    Bytes received(total);
    exchange(own.data(), received.data(), pieces);
    std::vector<Bytes> all(count_);
    all[rank_] = own;
    for (const Piece& piece : pieces) {
      const auto first = received.begin() + static_cast<std::ptrdiff_t>(piece.receive_begin);
      all[piece.rank].assign(first, first + static_cast<std::ptrdiff_t>(piece.receive_size));
    }
    return all;
  }

  void end_all(const std::string& why) override {
    const std::lock_guard lock(mpi_);
    if (heartbeat_ && !is_first()) heartbeat_->tell_first(why);
    say_why(why);
    MPI_Abort(MPI_COMM_WORLD, 1);
    std::abort();
  }
  void when_ended(std::function<void(const std::string&)> f) override {
    const std::lock_guard lock(mpi_);
    when_ended_ = std::move(f);
  }
  std::unique_ptr<Mail> carry(const std::vector<Mailbox>& boxes) override {
    if (!courier_) courier_.emplace(mpi_, mail_);
    return courier_->carry(boxes);
  }
  std::vector<int> gone() const override {
    std::vector<int> gone;
    for (const Process& process : processes_)
      if (!is_there(process)) gone.push_back(process.rank);
    return gone;
  }

 private:
  struct Process {
    int rank, id;
  };
  static bool is_there(const Process& process) { return kill(process.id, 0) == 0 || errno != ESRCH; }
  /// Notes the processes of the ranks on this machine. Ranks in separate containers may not see each other's processes.
  void note_processes(MPI_Comm host) {
    const Process own{rank_, getpid()};
    processes_.resize(host_count_);
    MPI_Allgather(&own, 2, MPI_INT, processes_.data(), 2, MPI_INT, host);
    std::erase_if(processes_, [](const Process& process) { return !is_there(process); });
  }
  void wake(int rank) const {
    for (const Process& process : processes_)
      if (process.rank == rank) kill(process.id, SIGCONT);
  }
  /// Must be called with `mpi_` locked.
  void say_why(const std::string& why) const {
    if (when_ended_) when_ended_(why);
  }

  /// @param start  starts a request and stores it in its argument
  template <class Start>
  void begin(const Start& start) {
    const std::lock_guard lock(mpi_);
    start(&requests_.emplace_back());
  }
  /// Waits until all started requests are complete.
  void wait() {
    for (int tries = 1, done = 0; !done; ++tries) {
      const std::lock_guard lock(mpi_);
      MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done, MPI_STATUSES_IGNORE);
      constexpr int tries_without_clock = 64;
      if (courier_) courier_->look();
      if (heartbeat_ && tries % tries_without_clock == 0) heartbeat_->beat_if_due();
    }
    requests_.clear();
  }
  template <class T>
  void reduce(T* values, std::size_t count, MPI_Datatype type, MPI_Op operation) {
    in_parts(count, [&](std::size_t first, int part) {
      begin([&](MPI_Request* done) {
        MPI_Iallreduce(MPI_IN_PLACE, values + first, part, type, operation, MPI_COMM_WORLD, done);
      });
    });
    wait();
  }

  int rank_ = 0, count_ = 1, host_rank_ = 0, host_count_ = 1;
  bool has_threads_ = false;  ///< that may take turns in calling MPI
  std::vector<MPI_Request> requests_;
  std::vector<Process> processes_;
  std::function<void(const std::string&)> when_ended_;
  FairMutex mpi_;
  MPI_Comm mail_ = MPI_COMM_NULL;
  std::optional<Heartbeat> heartbeat_;
  std::optional<Courier> courier_;
};

}  // namespace

Ranks& ranks_of_program() {
  if (environment::launched_ranks() <= 1) return one_rank();
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
