/// Values that ranks exchange through the host's memory.
#pragma once

#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

#include "cleave/lockstep/device_gate.hpp"
#include "cleave/partition/partition.hpp"
#include "cleave/partition/ranks.hpp"

namespace cleave {

/// See Halo: the exchange of a backend whose memory is the host's. A device has its own
/// (cuda/device_exchange.cuh).
template <class Item>
class HostExchange {
 public:
  /// Called by all ranks.
  template <class Backend>
  void start(Backend&, std::vector<ExchangeList<Item>> lists) {
    lists_ = std::move(lists);
  }

  /// The rank works on until `finish`, which takes what others give.
  /// It exchanges behind a closed gate, too: a CPU has none.
  template <class Backend, class Rows>
  void begin(Backend& backend, const Rows& rows, DeviceGate /*gate*/ = DeviceGate::always()) {
    using Value = typename Rows::Value;
    out_.clear();
    pieces_.clear();
    std::size_t received = 0;
    for (const ExchangeList<Item>& list : lists_) {
      const std::size_t begin = out_.size(), size = list.receive.size() * sizeof(Value);
      out_.resize(begin + list.send.size() * sizeof(Value));
      std::byte* to = out_.data() + begin;
      for (const Item& item : list.send) {
        const Value value = rows.give(item);
        std::memcpy(to, &value, sizeof value);
        to += sizeof value;
      }
      pieces_.push_back({list.rank, begin, out_.size() - begin, received, size});
      received += size;
    }
    in_.resize(received);
    backend.ranks().begin_exchange(out_.data(), in_.data(), pieces_);
  }
  template <class Backend, class Rows>
  void finish(Backend& backend, const Rows& rows, DeviceGate /*gate*/ = DeviceGate::always()) {
    using Value = typename Rows::Value;
    backend.ranks().finish_exchange();
    const std::byte* from = in_.data();
    for (const ExchangeList<Item>& list : lists_)
      for (const Item& item : list.receive) {
        Value value;
        std::memcpy(static_cast<void*>(&value), from, sizeof value);
        from += sizeof value;
        rows.take(item, value);
      }
  }

 private:
  std::vector<ExchangeList<Item>> lists_;
  Ranks::Bytes out_, in_;
  std::vector<Ranks::Piece> pieces_;
};

}  // namespace cleave
