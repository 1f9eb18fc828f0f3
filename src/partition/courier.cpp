#include "partition/courier.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iterator>
#include <limits>
#include <mutex>
#include <stdexcept>

#include "cleave/core/signals_blocked.hpp"

namespace cleave {
namespace {

// A device may write the first of these numbers, and read the second, at the same time.
MessageNumber read_number(MessageNumber& number) { return std::atomic_ref(number).load(std::memory_order_acquire); }
void write_number(MessageNumber& number, MessageNumber value) {
  std::atomic_ref(number).store(value, std::memory_order_release);
}

}  // namespace

/// Mail of a round.
class Courier::CarriedMail final : public Mail {
 public:
  CarriedMail(Courier& courier, std::list<Round>::iterator round) : courier_(courier), round_(round) {}
  ~CarriedMail() override { courier_.end(round_); }

 private:
  Courier& courier_;
  std::list<Round>::iterator round_;
};

Courier::Courier(FairMutex& mpi, MPI_Comm channel) : mpi_(mpi), channel_(channel) {
  const SignalsBlocked blocked;
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

Courier::~Courier() = default;

std::unique_ptr<Mail> Courier::carry(const std::vector<Mailbox>& boxes) {
  for (const Mailbox& box : boxes)
    if (box.room > std::numeric_limits<int>::max())
      throw std::length_error("a message between devices may be longer than MPI can send");
  const std::lock_guard lock(mpi_);
  Round& round = rounds_.emplace_back(Round{next_tag(), {}});
  for (const Mailbox& box : boxes) round.routes.push_back({box});
  round.receiving.resize(boxes.size(), MPI_REQUEST_NULL);
  for (std::size_t route = 0; route < boxes.size(); ++route) expect_next(round, route);
  return std::make_unique<CarriedMail>(*this, std::prev(rounds_.end()));
}

/// The same on all ranks, as they begin and end rounds in the same order. A tag is used again as late as can be:
/// another rank may still expect messages of a round that this rank has ended.
int Courier::next_tag() {
  constexpr int tags = 32768;  // that every MPI has
  const auto in_use = [&](const Round& round) { return round.tag == tag_; };
  do tag_ = (tag_ + 1) % tags;
  while (std::any_of(rounds_.begin(), rounds_.end(), in_use));
  return tag_;
}

/// Launches of this rank may have ended before the thread has seen what they wrote.
void Courier::end(std::list<Round>::iterator round) {
  const std::lock_guard lock(mpi_);
  send_written(*round);
  for (MPI_Request& request : round->receiving) {
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  for (Route& route : round->routes) MPI_Waitall(2, route.sending, MPI_STATUSES_IGNORE);
  rounds_.erase(round);
}

/// Looks all the time while messages come, and now and then when none has come for a while.
void Courier::run(const std::stop_token& stop) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds busy{2};
  constexpr std::chrono::microseconds pause{50};
  for (Clock::time_point last = Clock::now(); !stop.stop_requested();) {
    std::unique_lock turn(mpi_);
    const bool moved = look();
    turn.unlock();
    if (moved)
      last = Clock::now();
    else if (Clock::now() - last < busy)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(pause);
  }
}

bool Courier::look() {
  bool moved = false;
  for (Round& round : rounds_) {
    moved |= send_written(round);
    moved |= note_arrived(round);
  }
  return moved;
}

/// Launches may still be reading message n - 2 in the place of message n. The other rank sends message n only after
/// they have read it.
void Courier::expect_next(Round& round, std::size_t route) {
  const auto& [box, sent, received, sending] = round.routes[route];
  MPI_Irecv(box.in[(received + 1) % 2], static_cast<int>(box.room), MPI_BYTE, box.rank, round.tag, channel_,
            &round.receiving[route]);
}

bool Courier::send_written(Round& round) {
  bool moved = false;
  for (Route& route : round.routes)
    for (const MessageNumber last = read_number(route.box.posted->last); route.sent < last;) {
      const std::size_t half = ++route.sent % 2;
      MPI_Wait(&route.sending[half], MPI_STATUS_IGNORE);  // of message n - 2, which the other rank has read
      MPI_Isend(route.box.out[half], static_cast<int>(route.box.posted->bytes[half]), MPI_BYTE, route.box.rank,
                round.tag, channel_, &route.sending[half]);
      moved = true;
    }
  return moved;
}

bool Courier::note_arrived(Round& round) {
  arrived_.resize(round.receiving.size());
  int count = 0;
  MPI_Testsome(static_cast<int>(round.receiving.size()), round.receiving.data(), &count, arrived_.data(),
               MPI_STATUSES_IGNORE);
  if (count == MPI_UNDEFINED) return false;  // nothing is expected
  for (int i = 0; i < count; ++i) {
    Route& route = round.routes[arrived_[i]];
    ++route.received;
    write_number(*route.box.arrived, route.received);
    expect_next(round, arrived_[i]);
  }
  return count > 0;
}

}  // namespace cleave
