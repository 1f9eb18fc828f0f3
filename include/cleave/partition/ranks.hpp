/// The processes that share the work of a run, and their communication.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cleave/partition/mail.hpp"

namespace cleave {

/// All processes of a run, numbered from 0. Exchange, broadcast, sum, unite, gather and carry are collective: all ranks
/// call them, in the same order.
class Ranks {
 public:
  using Bytes = std::vector<std::byte>;
  /// The part of `send` that goes to another rank, and the part of `receive` that comes from it, in bytes.
  struct Piece {
    int rank;
    std::size_t send_begin, send_size;
    std::size_t receive_begin, receive_size;
  };

  virtual ~Ranks() = default;
  virtual int rank() const = 0;        ///< number of this process
  virtual int count() const = 0;       ///< number of processes
  virtual int host_rank() const = 0;   ///< number of this process among those on its machine
  virtual int host_count() const = 0;  ///< number of processes on this machine
  bool is_first() const { return rank() == 0; }
  bool is_alone() const { return count() == 1; }

  /// Sends every piece and receives its counterpart. Pieces of 0 bytes may be left out on both sides.
  void exchange(const std::byte* send, std::byte* receive, const std::vector<Piece>& pieces) {
    begin_exchange(send, receive, pieces);
    finish_exchange();
  }
  /// The same in two calls. Between them this rank sends no other message, and neither array may be touched.
  virtual void begin_exchange(const std::byte* send, std::byte* receive, const std::vector<Piece>& pieces) = 0;
  virtual void finish_exchange() = 0;
  /// Copies `size` bytes of rank 0 to all ranks.
  virtual void broadcast(void* data, std::size_t size) = 0;
  /// Replaces each value by its sum over all ranks.
  virtual void sum(std::int64_t* values, std::size_t count) = 0;
  /// Replaces each byte by the bits that any rank has set in it.
  virtual void unite(std::uint8_t* bytes, std::size_t count) = 0;
  /// The bytes of each rank, on all ranks.
  virtual std::vector<Bytes> gather_everywhere(const Bytes& own) = 0;
  /// Whether this MPI lets a second thread carry mail.
  virtual bool can_carry() const = 0;
  /// Carries messages that launches write and read, while this process does other things or waits for its device.
  virtual std::unique_ptr<Mail> carry(const std::vector<Mailbox>& boxes) = 0;
  /// Ends the processes of all ranks with exit code 1; called by a rank that cannot continue while
  /// others wait for it. Rank 0 gets `why` if it has a handler, see when_ended.
  [[noreturn]] virtual void end_all(const std::string& why) = 0;
  /// Sets the handler that is called on rank 0 before a rank ends all ranks, or when a rank does not respond. It gets
  /// the reason, on any thread. An empty f removes the handler.
  virtual void when_ended(std::function<void(const std::string& why)> f) = 0;
  /// Ranks of this machine whose processes have disappeared without end_all().
  virtual std::vector<int> gone() const = 0;
};

/// The single process of a program that is built without MPI or was not started by mpirun.
Ranks& one_rank();

/// The ranks that mpirun started, or this process alone. The first call starts MPI, which ends with the program. Throws
/// InputError if mpirun started several processes of a program without MPI.
Ranks& ranks_of_program();

/// "Open MPI 4.1.4", or the reason why there is no MPI.
std::string mpi_of_program();

}  // namespace cleave
