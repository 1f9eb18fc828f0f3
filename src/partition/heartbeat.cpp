#include "partition/heartbeat.hpp"

#include <signal.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "cleave/core/environment.hpp"

namespace cleave {

Heartbeat::Heartbeat(std::mutex& mpi, std::function<void(const std::string&)> say_why, std::function<void()> wake_first)
    : mpi_(mpi),
      say_why_(std::move(say_why)),
      wake_first_(std::move(wake_first)),
      patience_(environment::patience().value_or(usual_patience)) {
  if (patience_ == 0) return;
  MPI_Comm_dup(MPI_COMM_WORLD, &channel_);
  int rank = 0, count = 1;
  MPI_Comm_rank(channel_, &rank);
  MPI_Comm_size(channel_, &count);
  if (rank == 0)
    for (int r = 1; r < count; ++r) others_.push_back({r});
  else
    others_.push_back({0});
  for (Other& other : others_) MPI_Irecv(&other.in, 1, MPI_CHAR, other.rank, beat, channel_, &other.received);
  constexpr double shortest_interval = 1e-3;  // s
  interval_ = std::chrono::duration_cast<Clock::duration>(
      std::chrono::duration<double>(std::max(patience_ / beats_of_patience, shortest_interval)));
  // Rank 1 is the first to miss rank 0 and to say so, and ends all before the others would say it again.
  if (rank > 1) most_silent_ += 1 + static_cast<int>(time_for_words / interval_);
  next_ = Clock::now();

  sigset_t all, before;  // signals are for the program's first thread
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { run(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Heartbeat::~Heartbeat() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(end_mutex_);
    ended_ = true;
  }
  ends_.notify_one();
  thread_.join();
  for (Other& other : others_) {
    MPI_Cancel(&other.received);
    MPI_Request_free(&other.received);
    if (other.sent != MPI_REQUEST_NULL) MPI_Request_free(&other.sent);
  }
  MPI_Comm_free(&channel_);
}

void Heartbeat::run() {
  std::unique_lock ending(end_mutex_);
  while (!ends_.wait_for(ending, interval_, [this] { return ended_; })) {
    const std::lock_guard lock(mpi_);
    beat_if_due();
  }
}

/// Counts beats, not time: a rank that has been stopped together with the others finds none of them silent as it goes
/// on.
void Heartbeat::beat_if_due() {
  if (patience_ == 0 || Clock::now() < next_) return;
  next_ = Clock::now() + interval_;
  for (Other& other : others_) {
    exchange_with(other);
    if (other.silent > most_silent_) give_up(other);
  }
  listen_for_words();  // after a beat: the others are to hear nothing worse
}

/// One byte is under way in each direction at most, or they would heap up where a rank has been stopped.
void Heartbeat::exchange_with(Other& other) {
  int done = 1;
  if (other.sent != MPI_REQUEST_NULL) MPI_Test(&other.sent, &done, MPI_STATUS_IGNORE);
  if (done) MPI_Isend(&other.out, 1, MPI_CHAR, other.rank, beat, channel_, &other.sent);
  ++other.silent;
  MPI_Test(&other.received, &done, MPI_STATUS_IGNORE);
  for (; done; MPI_Test(&other.received, &done, MPI_STATUS_IGNORE)) {
    other.silent = 0;
    MPI_Irecv(&other.in, 1, MPI_CHAR, other.rank, beat, channel_, &other.received);
  }
}

/// What a rank says that cannot go on: rank 0 writes it down and ends all.
void Heartbeat::listen_for_words() {
  int there = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, words, channel_, &there, &status);
  if (!there) return;
  int size = 0;
  MPI_Get_count(&status, MPI_CHAR, &size);
  std::string why(size, ' ');
  MPI_Recv(why.data(), size, MPI_CHAR, status.MPI_SOURCE, words, channel_, MPI_STATUS_IGNORE);
  end_all(why);
}

void Heartbeat::leave_to_first(const std::string& why) {
  if (patience_ == 0) return;
  std::unique_lock lock(mpi_);
  tell_first(why, &lock);
}

/// Returns if rank 0 does not end all. MPI is held by who calls.
/// @param held  by this lock, if others may have MPI while rank 0 listens; null: they may not
void Heartbeat::tell_first(const std::string& why, std::unique_lock<std::mutex>* held) {
  MPI_Request sent;
  MPI_Isend(why.data(), static_cast<int>(why.size()), MPI_CHAR, 0, words, channel_, &sent);
  for (const auto end = Clock::now() + time_for_words; Clock::now() < end;) {
    if (held != nullptr) held->unlock();
    std::this_thread::sleep_for(interval_);
    if (held != nullptr) held->lock();
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
    tell_first(text, nullptr);
  }
  end_all(text);
}

void Heartbeat::end_all(const std::string& why) {
  say_why_(why);
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

}  // namespace cleave
