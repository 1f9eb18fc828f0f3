/// Values that ranks exchange by launches that can be recorded with the steps (Transport). Where all are on one
/// machine, each writes into the memory of the others' devices. Else NCCL takes messages from device to device, or each
/// writes into its host's memory, from which mail goes to the other hosts. One process a device.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "cleave/core/types.hpp"
#include "cleave/partition/partition.hpp"
#include "cleave/partition/ranks.hpp"
#include "cuda_buffer.cuh"
#include "mail_memory.cuh"
#include "nccl.cuh"
#include "peer_memory.cuh"

namespace cleave {

/// Another rank. Its messages are numbered from 1 on; there is room for two, so that a rank can send the next one while
/// the other still reads.
struct ExchangePeer {
  int rank;
  Index first_send, end_send, first_receive, end_receive;  ///< its items
  Index first_send_block, first_receive_block;             ///< of a launch
  // In its memory, or in that of this rank's host: what it reads of messages with even and odd numbers, and which is
  // the last one that this rank has sent.
  std::byte* remote[2];
  MessagePost* posted;
  // In the memory of this rank, or of its host: what this rank reads, and the last message that is there.
  const std::byte* local[2];
  const volatile MessageNumber* sent;
  unsigned* done;  ///< blocks of this launch that have sent their part
};

inline constexpr int exchange_workers = 128;

/// Sends and receives a message: blocks that send come first and wait for nobody.
/// @tparam Rows  with Value, `Value give(Item)` and `void take(Item, Value)`
template <class Item, class Rows>
struct ExchangeMessages {
  static constexpr KernelTraits traits{.name = "exchange"};
  static constexpr int workers = exchange_workers;
  struct Shared {};
  using Value = typename Rows::Value;
  using Word = std::conditional_t<alignof(Value) % 8 == 0, unsigned long long, unsigned>;
  static_assert(std::is_trivially_copyable_v<Value> && sizeof(Value) % sizeof(Word) == 0);
  const ExchangePeer* peers;
  int count;
  Index send_blocks, all_blocks;
  const Item* send;
  const Item* receive;
  MessageNumber* number;  ///< of the last message
  unsigned* done;         ///< blocks
  int* silent_rank;       ///< in the host's memory, see SilentRank
  DeviceGate gate;        ///< closed: there is no message, as all ranks know
  Rows rows;

  Index blocks() const { return all_blocks; }

  template <class Worker>
  __device__ void operator()(Worker const& worker, Shared&) const {
    if (!gate.is_open()) return;
    const MessageNumber now = *number + 1;
    const Index block = worker.block;
    if (block < send_blocks)
      give(peer_of(block, &ExchangePeer::first_send_block), block, worker, now);
    else
      take(peer_of(block - send_blocks, &ExchangePeer::first_receive_block), block - send_blocks, worker, now);
    worker.sync();
    if (!worker.is_master() || atomicAdd(done, 1u) + 1 != static_cast<unsigned>(all_blocks)) return;
    *done = 0;
    *number = now;
  }

 private:
  __device__ const ExchangePeer& peer_of(Index block, Index ExchangePeer::*first) const {
    int p = count - 1;
    while (peers[p].*first > block) --p;
    return peers[p];
  }
  template <class Worker>
  __device__ void give(const ExchangePeer& to, Index block, Worker const& worker, MessageNumber now) const {
    const Index i = (block - to.first_send_block) * workers + worker.index(0), items = to.end_send - to.first_send;
    if (i < items) write_words(to.remote[now % 2], i, rows.give(send[to.first_send + i]));
    worker.sync();
    if (!worker.is_master()) return;
    if (block == to.first_send_block) to.posted->bytes[now % 2] = static_cast<std::size_t>(items) * sizeof(Value);
    __threadfence_system();
    const auto blocks = static_cast<unsigned>((items + workers - 1) / workers);
    if (atomicAdd(to.done, 1u) + 1 < blocks) return;
    *to.done = 0;
    __threadfence_system();
    tell_message(*to.posted, now);
  }
  template <class Worker>
  __device__ void take(const ExchangePeer& from, Index block, Worker const& worker, MessageNumber now) const {
    if (worker.is_master()) wait_for_message(from.sent, now, from.rank, silent_rank);
    worker.sync();
    const Index i = (block - from.first_receive_block) * workers + worker.index(0);
    if (i >= from.end_receive - from.first_receive) return;
    rows.take(receive[from.first_receive + i], read_words(from.local[now % 2], i));
  }
  __device__ static void write_words(std::byte* message, Index i, const Value& value) {
    Word words[sizeof(Value) / sizeof(Word)];
    memcpy(words, &value, sizeof value);
    auto* const to = reinterpret_cast<Word*>(message) + static_cast<std::size_t>(i) * (sizeof(Value) / sizeof(Word));
    for (std::size_t w = 0; w < sizeof(Value) / sizeof(Word); ++w) to[w] = words[w];
  }
  /// From memory, not from a cache, which may hold what was there two messages before.
  __device__ static Value read_words(const std::byte* message, Index i) {
    Word words[sizeof(Value) / sizeof(Word)];
    const volatile auto* const from =
        reinterpret_cast<const volatile Word*>(message) + static_cast<std::size_t>(i) * (sizeof(Value) / sizeof(Word));
    for (std::size_t w = 0; w < sizeof(Value) / sizeof(Word); ++w) words[w] = from[w];
    Value value;
    memcpy(static_cast<void*>(&value), words, sizeof value);
    return value;
  }
};

/// Values that this rank gives others, one after the other in memory, from where NCCL sends them.
template <class Item, class Rows>
struct GiveValues {
  static constexpr KernelTraits traits{.name = "exchange"};
  const Item* items;
  Index count;
  DeviceGate gate;  ///< closed: they are as they were, and nobody takes them
  Rows rows;
  std::byte* message;

  CLEAVE_HD Index size() const { return count; }
  CLEAVE_HD void operator()(Index i) const {
    if (gate.is_open()) reinterpret_cast<typename Rows::Value*>(message)[i] = rows.give(items[i]);
  }
};

/// Values that others have given.
template <class Item, class Rows>
struct TakeValues {
  static constexpr KernelTraits traits{.name = "exchange"};
  const Item* items;
  Index count;
  DeviceGate gate;
  Rows rows;
  const std::byte* message;

  CLEAVE_HD Index size() const { return count; }
  CLEAVE_HD void operator()(Index i) const {
    if (gate.is_open()) rows.take(items[i], reinterpret_cast<const typename Rows::Value*>(message)[i]);
  }
};

/// See Halo: the exchange of lists of items.
/// @tparam most_bytes  of a value
template <class Item, std::size_t most_bytes>
class DeviceExchange {
  static constexpr std::size_t line = 256;  ///< bytes: no two ranks write into the same

 public:
  /// Called by all ranks, again for other lists: nothing may be under way then.
  template <class Backend>
  void start(Backend& backend, const std::vector<ExchangeList<Item>>& lists) {
    backend.synchronise();
    mail_.reset();
    peer_memory_.close();
    backend.ranks().gather_everywhere({});  // all have closed what they are to make anew
    Backend::memory.take(0);                // recordings hold the numbers of blocks
    std::vector<ExchangePeer> peers = with_items(lists);
    switch (backend.transport()) {
      case Transport::peer:
        open_peers(backend.ranks(), lists, peers);
        break;
      case Transport::nccl:
        given_.resize(send_.size() * most_bytes);
        taken_.resize(receive_.size() * most_bytes);
        by_nccl_ = std::move(peers);
        return;
      case Transport::mpi:
        open_mail(backend.ranks(), lists, peers);
    }
    peers_.upload(peers);
  }

  /// The device works on while messages are under way: launches beside this one (see CudaBackend::first_beside) need
  /// not wait for them, and those that follow both do.
  /// @param gate  closed: nothing is exchanged; the same on all ranks. By NCCL messages go out in any case, and nobody
  ///              takes them.
  template <class Backend, class Rows>
  void begin(Backend& backend, const Rows& rows, DeviceGate gate = DeviceGate::always()) {
    static_assert(sizeof(typename Rows::Value) <= most_bytes);
    if (all_blocks_ == 0) return;
    if (!by_nccl_.empty()) return exchange_by_nccl(backend, rows, gate);
    backend.launch(ExchangeMessages<Item, Rows>{.peers = peers_.data(),
                                                .count = static_cast<int>(peers_.size()),
                                                .send_blocks = send_blocks_,
                                                .all_blocks = all_blocks_,
                                                .send = send_.data(),
                                                .receive = receive_.data(),
                                                .number = number_.data(),
                                                .done = done_.data() + peers_.size(),
                                                .silent_rank = backend.silent_rank(),
                                                .gate = gate,
                                                .rows = rows});
  }
  template <class Backend, class Rows>
  void finish(Backend&, const Rows&, DeviceGate /*gate*/ = DeviceGate::always()) {}

 private:
  template <class Backend, class Rows>
  void exchange_by_nccl(Backend& backend, const Rows& rows, DeviceGate gate) {
    constexpr std::size_t bytes = sizeof(typename Rows::Value);
    const auto& [sent, received] = std::pair(by_nccl_.back().end_send, by_nccl_.back().end_receive);
    backend.launch(GiveValues<Item, Rows>{send_.data(), sent, gate, rows, given_.data()});
    backend.launch_messages([&](NcclRanks& ranks, cudaStream_t stream) {
      for (const ExchangePeer& peer : by_nccl_) {
        if (const Index count = peer.end_send - peer.first_send; count > 0)
          ranks.send(given_.data() + peer.first_send * bytes, count * bytes, peer.rank, stream);
        if (const Index count = peer.end_receive - peer.first_receive; count > 0)
          ranks.receive(taken_.data() + peer.first_receive * bytes, count * bytes, peer.rank, stream);
      }
    });
    backend.launch(TakeValues<Item, Rows>{receive_.data(), received, gate, rows, taken_.data()});
  }
  /// The other ranks, without places of messages.
  std::vector<ExchangePeer> with_items(const std::vector<ExchangeList<Item>>& lists) {
    std::vector<Item> send, receive;
    std::vector<ExchangePeer> peers;
    Index receive_blocks = 0;
    send_blocks_ = 0;
    done_.upload(std::vector<unsigned>(lists.size() + 1, 0));
    number_.upload({0});
    for (const ExchangeList<Item>& list : lists) {
      ExchangePeer& peer = peers.emplace_back();
      peer.rank = list.rank;
      append(list.send, send, peer.first_send, peer.end_send);
      append(list.receive, receive, peer.first_receive, peer.end_receive);
      peer.first_send_block = send_blocks_;
      peer.first_receive_block = receive_blocks;
      send_blocks_ += blocks_of(list.send);
      receive_blocks += blocks_of(list.receive);
      peer.done = done_.data() + (peers.size() - 1);
    }
    all_blocks_ = send_blocks_ + receive_blocks;
    send_.upload(send);
    receive_.upload(receive);
    return peers;
  }
  static std::size_t room_for(const std::vector<Item>& items) {
    return (items.size() * most_bytes + line - 1) / line * line;
  }

  void open_peers(Ranks& ranks, const std::vector<ExchangeList<Item>>& lists, std::vector<ExchangePeer>& peers) {
    std::vector<Place> places;
    std::size_t bytes = line * lists.size();  // what senders post
    for (const ExchangeList<Item>& list : lists) {
      const std::size_t room = room_for(list.receive);
      places.push_back({list.rank, line * places.size(), {bytes, bytes + room}});
      bytes += 2 * room;
    }
    std::byte* const own = lists.empty() ? nullptr : peer_memory_.make(bytes);
    const std::vector<Announcement> all = announce(ranks, places);
    for (std::size_t p = 0; p < peers.size(); ++p) {
      ExchangePeer& peer = peers[p];
      const Announcement& of = all[peer.rank];
      const Place& there = of.place_for(ranks.rank());
      std::byte* const remote = peer_memory_.open(of.handle, peer.rank);
      peer.posted = reinterpret_cast<MessagePost*>(remote + there.posted);
      peer.sent = &reinterpret_cast<const MessagePost*>(own + places[p].posted)->last;
      for (int half = 0; half < 2; ++half) {
        peer.remote[half] = remote + there.message[half];
        peer.local[half] = own + places[p].message[half];
      }
    }
  }

  void open_mail(Ranks& ranks, const std::vector<ExchangeList<Item>>& lists, std::vector<ExchangePeer>& peers) {
    std::size_t bytes = 0;
    for (const ExchangeList<Item>& list : lists) bytes += 2 * (line + room_for(list.send) + room_for(list.receive));
    std::byte* next = mail_memory_.make(bytes);
    const auto take = [&](std::size_t size) { return std::exchange(next, next + size); };
    std::vector<Mailbox> boxes;
    for (std::size_t p = 0; p < peers.size(); ++p) {
      const std::size_t sent = room_for(lists[p].send), received = room_for(lists[p].receive);
      ExchangePeer& peer = peers[p];
      auto* const posted = peer.posted = reinterpret_cast<MessagePost*>(take(line));
      auto* const arrived = reinterpret_cast<MessageNumber*>(take(line));
      std::byte *const out[] = {take(sent), take(sent)}, *const in[] = {take(received), take(received)};
      for (int half = 0; half < 2; ++half) {
        peer.remote[half] = out[half];
        peer.local[half] = in[half];
      }
      peer.sent = arrived;
      boxes.push_back({peer.rank, {out[0], out[1]}, posted, {in[0], in[1]}, received, arrived});
    }
    mail_ = ranks.carry(boxes);
  }

  /// Places of a rank's messages: offsets in bytes.
  struct Place {
    int rank;
    std::size_t posted, message[2];
  };
  struct Announcement {
    cudaIpcMemHandle_t handle{};
    std::vector<Place> places;
    const Place& place_for(int rank) const {
      for (const Place& place : places)
        if (place.rank == rank) return place;
      throw std::logic_error("two ranks do not agree on what they exchange");
    }
  };
  /// Announcements of all ranks, by rank.
  std::vector<Announcement> announce(Ranks& ranks, const std::vector<Place>& places) {
    const cudaIpcMemHandle_t handle = places.empty() ? cudaIpcMemHandle_t{} : peer_memory_.handle();
    Ranks::Bytes own(sizeof handle + places.size() * sizeof(Place));
    std::memcpy(own.data(), &handle, sizeof handle);
    if (!places.empty()) std::memcpy(own.data() + sizeof handle, places.data(), places.size() * sizeof(Place));
    std::vector<Announcement> all;
    for (const Ranks::Bytes& bytes : ranks.gather_everywhere(own)) {
      Announcement& of = all.emplace_back();
      std::memcpy(&of.handle, bytes.data(), sizeof handle);
      of.places.resize((bytes.size() - sizeof handle) / sizeof(Place));
      if (!of.places.empty())
        std::memcpy(static_cast<void*>(of.places.data()), bytes.data() + sizeof handle, bytes.size() - sizeof handle);
    }
    return all;
  }
  static void append(const std::vector<Item>& items, std::vector<Item>& all, Index& first, Index& end) {
    first = static_cast<Index>(all.size());
    all.insert(all.end(), items.begin(), items.end());
    end = static_cast<Index>(all.size());
  }
  /// At least one: it tells that the message is there.
  static Index blocks_of(const std::vector<Item>& items) {
    return std::max(static_cast<Index>((items.size() + exchange_workers - 1) / exchange_workers), Index{1});
  }

  PeerMemory peer_memory_;
  MailMemory mail_memory_;
  std::unique_ptr<Mail> mail_;  ///< in that memory, so it ends first
  CudaBuffer<ExchangePeer> peers_;
  CudaBuffer<Item> send_, receive_;
  CudaBuffer<MessageNumber> number_;
  CudaBuffer<unsigned> done_;            ///< by peer, then of all blocks
  CudaBuffer<std::byte> given_, taken_;  ///< messages by NCCL, peer after peer
  std::vector<ExchangePeer> by_nccl_;    ///< their items
  Index send_blocks_ = 0, all_blocks_ = 0;
};

}  // namespace cleave
