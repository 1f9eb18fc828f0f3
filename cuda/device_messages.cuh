/// Messages to rank 0 through the memory of its device, into which the devices of others write.
#pragma once

#include <cstddef>
#include <vector>

#include "cleave/core/types.hpp"
#include "cleave/partition/ranks.hpp"
#include "peer_memory.cuh"

namespace cleave {

/// The launches after this one begin when another rank has sent, or read, the message with that number.
struct WaitForMessage {
  static constexpr KernelTraits traits{.name = "wait for ranks"};
  static constexpr int workers = 1;
  struct Shared {};
  const volatile MessageNumber* number;
  MessageNumber wanted;
  int rank;
  int* silent_rank;  ///< in the host's memory, see SilentRank

  CLEAVE_HD Index blocks() const { return 1; }
  template <class Worker>
  __device__ void operator()(Worker const&, Shared&) const {
    wait_for_message(number, wanted, rank, silent_rank);
  }
};

/// Tells another rank that the launches before this one have written, or read, the message with that number.
struct TellMessage {
  static constexpr KernelTraits traits{.name = "told messages"};
  static constexpr int workers = 1;
  struct Shared {};
  volatile MessageNumber* number;
  MessageNumber now;

  CLEAVE_HD Index blocks() const { return 1; }
  template <class Worker>
  __device__ void operator()(Worker const&, Shared&) const {
    __threadfence_system();
    *number = now;
  }
};

/// See RowsHome. Rank 0 has room for a message of each other rank. Nothing here waits on the host, but launches do on
/// the device.
class DeviceMessages {
 public:
  /// Called by all ranks.
  /// @param most_bytes  of a message
  template <class Backend>
  void start(Backend& backend, std::size_t most_bytes) {
    Ranks& ranks = backend.ranks();
    cudaIpcMemHandle_t handle{};
    const std::size_t others = ranks.count() - 1;
    std::byte* first = nullptr;
    if (ranks.is_first()) {
      first = memory_.make(others * (most_bytes + line));
      handle = memory_.handle();
    }
    ranks.broadcast(&handle, sizeof handle);
    if (!ranks.is_first()) first = memory_.open(handle, 0);
    senders_.resize(ranks.count());
    for (std::size_t i = 0; i < others; ++i) {
      std::byte* const numbers = first + others * most_bytes + i * line;
      senders_[i + 1] = {first + i * most_bytes, reinterpret_cast<MessageNumber*>(numbers),
                         reinterpret_cast<MessageNumber*>(numbers + line / 2)};
    }
    own_ = ranks.rank();
  }

  /// Memory for the next message to rank 0, which launches fill before it is sent.
  template <class Backend>
  std::byte* begin(Backend& backend, std::size_t /*bytes*/) {
    const Sender& self = senders_[own_];
    backend.launch(WaitForMessage{self.read, self.last, 0, backend.silent_rank()});
    return self.message;
  }
  template <class Backend>
  void send(Backend& backend) {
    Sender& self = senders_[own_];
    backend.launch(TellMessage{self.sent, ++self.last});
  }

  /// On rank 0: where launches find the next message of a rank, until it has been read.
  template <class Backend>
  std::byte* receive(Backend& backend, int rank, std::size_t /*bytes*/) {
    Sender& sender = senders_[rank];
    backend.launch(WaitForMessage{sender.sent, ++sender.last, rank, backend.silent_rank()});
    return sender.message;
  }
  template <class Backend>
  void have_read(Backend& backend, int rank) {
    const Sender& sender = senders_[rank];
    backend.launch(TellMessage{sender.read, sender.last});
  }

 private:
  static constexpr std::size_t line = 256;  ///< bytes: no two ranks write into the same
  /// Addresses in the memory of rank 0.
  struct Sender {
    std::byte* message = nullptr;
    volatile MessageNumber* sent = nullptr;  ///< its last message so far
    volatile MessageNumber* read = nullptr;  ///< by rank 0
    MessageNumber last = 0;                  ///< that launches so far send or read
  };
  PeerMemory memory_;
  std::vector<Sender> senders_;  ///< [rank], nothing for rank 0
  int own_ = 0;
};

}  // namespace cleave
