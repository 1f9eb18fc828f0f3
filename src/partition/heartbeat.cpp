#include "partition/heartbeat.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "cleave/core/signals_blocked.hpp"

namespace cleave {
namespace {

constexpr int beats_of_patience = 40;
constexpr std::chrono::seconds time_for_words{6};  // that rank 0 has to hear why and to end all

}  // namespace

Heartbeat::Heartbeat(FairMutex& mpi, double patience, std::function<void(const std::string&)> say_why,
                     std::function<void()> wake_first)
    : mpi_(mpi),
      patience_(patience),
      say_why_(std::move(say_why)),
      wake_first_(std::move(wake_first)),
      most_silent_(beats_of_patience) {
  MPI_Comm_dup(MPI_COMM_WORLD, &channel_);
  int rank = 0, count = 1;
  MPI_Comm_rank(channel_, &rank);
  MPI_Comm_size(channel_, &count);
  if (rank == 0)
    for (int r = 1; r < count; ++r) others_.push_back({r});
  else
    others_.push_back({0});
  constexpr double shortest_interval = 1e-3;  // s
  interval_ = std::chrono::duration_cast<Clock::duration>(
      std::chrono::duration<double>(std::max(patience_ / beats_of_patience, shortest_interval)));
  // Rank 1 is the first to miss rank 0 and to say so, and ends all before the others would say it again.
  if (rank > 1) most_silent_ += 1 + static_cast<int>(time_for_words / interval_);

  const SignalsBlocked blocked;
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

Heartbeat::~Heartbeat() {
  thread_ = {};
  for (Other& other : others_)
    if (other.sent != MPI_REQUEST_NULL) MPI_Request_free(&other.sent);
  MPI_Comm_free(&channel_);
}

void Heartbeat::run(const std::stop_token& stop) {
  for (std::unique_lock lock(sleep_); !stop.stop_requested();) {
    wake_.wait_for(lock, stop, interval_, [] { return false; });
    const std::lock_guard turn(mpi_);
    beat_if_due();
  }
}

/// Counts beats, not time: a rank that has been stopped together with the others finds none of them silent as it goes
/// on. Received is after a beat: the others are to hear nothing worse.
void Heartbeat::beat_if_due() {
  if (Clock::now() < next_) return;
  next_ = Clock::now() + interval_;
  for (Other& other : others_) {
    int done = 1;
    if (other.sent != MPI_REQUEST_NULL) MPI_Test(&other.sent, &done, MPI_STATUS_IGNORE);
    if (done) MPI_Isend(nullptr, 0, MPI_CHAR, other.rank, 0, channel_, &other.sent);
    ++other.silent;
  }
  receive();
  for (const Other& other : others_)
    if (other.silent > most_silent_) give_up(other);
}

void Heartbeat::receive() {
  for (int there = 1; there;) {
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, 0, channel_, &there, &status);
    if (!there) return;
    int size = 0;
    MPI_Get_count(&status, MPI_CHAR, &size);
    std::string why(size, ' ');
    MPI_Recv(why.data(), size, MPI_CHAR, status.MPI_SOURCE, 0, channel_, MPI_STATUS_IGNORE);
    if (!why.empty()) end_all(why);
    others_[std::max(status.MPI_SOURCE - 1, 0)].silent = 0;
  }
}

void Heartbeat::tell_first(const std::string& why) {
  MPI_Request sent;
  MPI_Isend(why.data(), static_cast<int>(why.size()), MPI_CHAR, 0, 0, channel_, &sent);
  for (const auto end = Clock::now() + time_for_words; Clock::now() < end;) {
    std::this_thread::sleep_for(interval_);
    int done;
    MPI_Test(&sent, &done, MPI_STATUS_IGNORE);
  }
}

/// A rank 0 that has been stopped ends all itself once it is awake, as mpirun leaves it a second only to write down
/// why.
void Heartbeat::give_up(const Other& silent) {
  char text[64];
  std::snprintf(text, sizeof text, "rank %d has not answered for %g s", silent.rank, patience_);
  std::fprintf(stderr, "cleave: %s; all ranks end\n", text);
  if (silent.rank == 0) {
    wake_first_();
    tell_first(text);
  }
  end_all(text);
}

void Heartbeat::end_all(const std::string& why) {
  say_why_(why);
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

}  // namespace cleave
