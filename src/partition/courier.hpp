/// A thread that carries the messages of devices between ranks.
#pragma once

#include <mpi.h>

#include <list>
#include <memory>
#include <stop_token>
#include <thread>
#include <vector>

#include "cleave/core/fair_mutex.hpp"
#include "cleave/partition/mail.hpp"

namespace cleave {

/// Looks for messages that launches have written, sends them, and tells launches of those that have arrived. Nobody
/// else has to do anything for them, so a step with messages can be recorded.
class Courier {
 public:
  /// Once MPI has been started for threads that take turns (MPI_THREAD_SERIALIZED).
  /// @param mpi      held by the thread that calls MPI
  /// @param channel  for mail alone
  Courier(FairMutex& mpi, MPI_Comm channel);
  ~Courier();
  Courier(const Courier&) = delete;
  Courier& operator=(const Courier&) = delete;

  /// Called by all ranks, in the same order. Throws std::length_error if a message may be too long for MPI.
  std::unique_ptr<Mail> carry(const std::vector<Mailbox>& boxes);
  /// Sends the messages that have been written and notes those that have arrived. Returns whether there were any. For a
  /// caller that holds `mpi` while it waits.
  bool look();

 private:
  struct Route {
    Mailbox box;
    MessageNumber sent = 0, received = 0;
    MPI_Request sending[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  };
  /// Routes of a call of `carry`.
  struct Round {
    int tag;
    std::vector<Route> routes;
    std::vector<MPI_Request> receiving{};  ///< [route]
  };
  class CarriedMail;

  void run(const std::stop_token& stop);
  void expect_next(Round& round, std::size_t route);
  bool send_written(Round& round);
  bool note_arrived(Round& round);
  void end(std::list<Round>::iterator round);

  int next_tag();

  FairMutex& mpi_;
  MPI_Comm channel_;
  std::list<Round> rounds_;
  int tag_ = 0;               ///< of the last round that has begun
  std::vector<int> arrived_;  ///< routes, when they are looked for
  std::jthread thread_;
};

}  // namespace cleave
