/// Messages to rank 0 (Transport): the devices of others write into the memory of its device. Where they are on several
/// machines, NCCL sends from their memory, or they write into that of their hosts, from which mail goes to its host.
#pragma once

#include <cstddef>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "cleave/core/types.hpp"
#include "cleave/partition/ranks.hpp"
#include "cuda_buffer.cuh"
#include "mail_memory.cuh"
#include "nccl.cuh"
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
  MessagePost* post;
  MessageNumber now;
  std::size_t bytes;

  CLEAVE_HD Index blocks() const { return 1; }
  template <class Worker>
  __device__ void operator()(Worker const&, Shared&) const {
    post->bytes[now % 2] = bytes;
    __threadfence_system();
    tell_message(*post, now);
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
    senders_.resize(ranks.count());
    own_ = ranks.rank();
    switch (backend.transport()) {
      case Transport::peer:
        return open_peers(ranks, most_bytes);
      case Transport::nccl:
        return by_nccl_.resize(most_bytes);
      case Transport::mpi:
        return open_mail(ranks, most_bytes);
    }
  }

  /// Memory for the next message to rank 0, which launches fill before it is sent.
  template <class Backend>
  std::byte* begin(Backend& backend, std::size_t bytes) {
    Sender& self = senders_[own_];
    self.bytes = bytes;
    if (by_nccl_.size() > 0) return by_nccl_.data();
    backend.launch(WaitForMessage{self.seen, self.last, 0, backend.silent_rank()});
    return self.message;
  }
  template <class Backend>
  void send(Backend& backend) {
    Sender& self = senders_[own_];
    if (by_nccl_.size() > 0)
      return backend.launch_messages(
          [&](NcclRanks& ranks, cudaStream_t stream) { ranks.send(by_nccl_.data(), self.bytes, 0, stream); });
    backend.launch(TellMessage{self.posted, ++self.last, self.bytes});
  }

  /// On rank 0: where launches find the next message of a rank, until it has been read.
  template <class Backend>
  std::byte* receive(Backend& backend, int rank, std::size_t bytes) {
    if (by_nccl_.size() > 0) {
      backend.launch_messages(
          [&](NcclRanks& ranks, cudaStream_t stream) { ranks.receive(by_nccl_.data(), bytes, rank, stream); });
      return by_nccl_.data();
    }
    Sender& sender = senders_[rank];
    backend.launch(WaitForMessage{sender.seen, ++sender.last, rank, backend.silent_rank()});
    return sender.message;
  }
  template <class Backend>
  void have_read(Backend& backend, int rank) {
    const Sender& sender = senders_[rank];
    if (by_nccl_.size() > 0) return;  // the next message is launched behind what reads this one
    backend.launch(TellMessage{sender.posted, sender.last, 0});
  }

 private:
  static constexpr std::size_t line = 256;  ///< bytes: no two ranks write into the same
  /// Messages of a rank, as that rank and rank 0 see them.
  struct Sender {
    std::byte* message = nullptr;
    MessagePost* posted = nullptr;  ///< the sender's last message so far; by rank 0: the last it has read
    const volatile MessageNumber* seen = nullptr;  ///< what the other one of the two has posted
    MessageNumber last = 0;                        ///< that launches so far send or read
    std::size_t bytes = 0;                         ///< of the message that is to be sent
  };
  /// All in the memory of rank 0's device.
  void open_peers(Ranks& ranks, std::size_t most_bytes) {
    cudaIpcMemHandle_t handle{};
    const std::size_t others = ranks.count() - 1;
    std::byte* first = nullptr;
    if (ranks.is_first()) {
      first = peer_memory_.make(others * (most_bytes + line));
      handle = peer_memory_.handle();
    }
    ranks.broadcast(&handle, sizeof handle);
    if (!ranks.is_first()) first = peer_memory_.open(handle, 0);
    for (std::size_t i = 0; i < others; ++i) {
      std::byte* const posts = first + others * most_bytes + i * line;
      auto* const sent = reinterpret_cast<MessagePost*>(posts);
      auto* const read = reinterpret_cast<MessagePost*>(posts + line / 2);
      senders_[i + 1] = {first + i * most_bytes, ranks.is_first() ? read : sent,
                         ranks.is_first() ? &sent->last : &read->last};
    }
  }
  /// In the memory of the host of either rank. A message and the answer that it has been read are one another's mail.
  void open_mail(Ranks& ranks, std::size_t most_bytes) {
    std::vector<int> others = {0};
    if (ranks.is_first()) {
      others.resize(ranks.count() - 1);
      std::iota(others.begin(), others.end(), 1);
    }
    std::byte* next = mail_memory_.make(others.size() * (most_bytes + 2 * line));
    const auto take = [&](std::size_t size) { return std::exchange(next, next + size); };
    std::vector<Mailbox> boxes;
    for (const int other : others) {
      std::byte* const message = take(most_bytes);
      auto* const posted = reinterpret_cast<MessagePost*>(take(line));
      auto* const arrived = reinterpret_cast<MessageNumber*>(take(line));
      senders_[ranks.is_first() ? other : own_] = {message, posted, arrived};
      boxes.push_back(
          {other, {message, message}, posted, {message, message}, ranks.is_first() ? most_bytes : 0, arrived});
    }
    mail_ = ranks.carry(boxes);
  }

  PeerMemory peer_memory_;
  MailMemory mail_memory_;
  std::unique_ptr<Mail> mail_;     ///< in that memory, so it ends first
  CudaBuffer<std::byte> by_nccl_;  ///< a message that NCCL sends or has received; empty: it does neither
  std::vector<Sender> senders_;    ///< [rank], nothing for rank 0
  int own_ = 0;
};

}  // namespace cleave
