/// The processes that share the work of a run, and what they tell each other.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace cleave {

/// All processes of a run, numbered from 0. All of them call what is here in the same order, each with its own values.
class Ranks {
 public:
  using Bytes = std::vector<std::byte>;
  /// What goes to another rank and comes from it, as parts of two arrays of bytes.
  struct Piece {
    int rank;
    std::size_t send_begin, send_size;
    std::size_t receive_begin, receive_size;
  };

  virtual ~Ranks() = default;
  virtual int rank() const = 0;        ///< of this process
  virtual int count() const = 0;       ///< how many there are
  virtual int host_rank() const = 0;   ///< of this process among those on its machine
  virtual int host_count() const = 0;  ///< how many there are on it
  bool is_first() const { return rank() == 0; }
  bool is_alone() const { return count() == 1; }

  /// Sends every piece and receives its counterpart. Pieces of no bytes may be left out, on both sides.
  void exchange(const std::byte* send, std::byte* receive, const std::vector<Piece>& pieces) {
    begin_exchange(send, receive, pieces);
    finish_exchange();
  }
  /// The same in two parts, with no other message of this rank between them: neither array may be touched until then.
  virtual void begin_exchange(const std::byte* send, std::byte* receive, const std::vector<Piece>& pieces) = 0;
  virtual void finish_exchange() = 0;
  /// What rank 0 has goes to all.
  virtual void broadcast(void* data, std::size_t size) = 0;
  /// What each rank has goes to rank 0: by rank there, empty elsewhere.
  virtual std::vector<Bytes> gather(const Bytes& own) = 0;
  /// What each rank has goes to all, by rank.
  virtual std::vector<Bytes> gather_everywhere(const Bytes& own) = 0;
  /// Ends the processes of all ranks, with exit code 1: called by one of them when it cannot go on and the others wait
  /// for it. Rank 0 hears why, if it listens: see when_ended.
  [[noreturn]] virtual void end_all(const std::string& why) = 0;
  /// From now on f is called on rank 0 before one of the ranks ends all, or because one does not answer: with the
  /// reason, by any thread. Without an f nothing is called.
  virtual void when_ended(std::function<void(const std::string& why)> f) = 0;
  /// Ranks of this machine whose processes are no more, though nobody has ended them.
  virtual std::vector<int> gone() const = 0;
};

/// A process by itself: the program without MPI, or not started by mpirun.
Ranks& one_rank();

/// The ranks that mpirun started this program as, or this process by itself. MPI is started by the first call and ends
/// with the program. Throws InputError for a program without MPI that mpirun started several times.
Ranks& ranks_of_program();

/// "Open MPI 4.1.4", or why there is none.
std::string mpi_of_program();

}  // namespace cleave
