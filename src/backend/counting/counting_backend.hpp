/// A backend that counts memory and messages: its buffers have sizes and no values, its launches do nothing, and its
/// exchanges add up what they would send. A body made with it says how much solver memory it takes on a CPU or a
/// device.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "backend/memory_meter.hpp"
#include "backend/value_range.hpp"
#include "cleave/lockstep/device_gate.hpp"
#include "cleave/lockstep/foreign_kernel.hpp"
#include "cleave/partition/partition.hpp"
#include "cleave/partition/ranks.hpp"

namespace cleave {

/// A rank of several that are not there: it has a number, and exchanges nothing.
class ImaginedRank final : public Ranks {
 public:
  ImaginedRank(int rank, int count) : rank_(rank), count_(count) {}
  int rank() const override { return rank_; }
  int count() const override { return count_; }
  int host_rank() const override { return rank_; }
  int host_count() const override { return count_; }
  void begin_exchange(const std::byte*, std::byte*, const std::vector<Piece>&) override {}
  void finish_exchange() override {}
  void broadcast(void*, std::size_t) override {}
  void sum(std::int64_t*, std::size_t) override {}
  void unite(std::uint8_t*, std::size_t) override {}
  std::vector<Bytes> gather_everywhere(const Bytes&) override { return {}; }
  [[noreturn]] void end_all(const std::string& why) override { throw std::logic_error(why); }
  void when_ended(std::function<void(const std::string& why)>) override {}
  bool can_carry() const override { return false; }
  std::unique_ptr<Mail> carry(const std::vector<Mailbox>&) override { return std::make_unique<Mail>(); }
  std::vector<int> gone() const override { return {}; }

 private:
  int rank_, count_;
};

/// @tparam on_device  whether to count what a device needs: rows that neighbours send stay in its memory
template <bool on_device>
class CountingBackend {
 public:
  static constexpr bool holds_values = false;
  static inline MemoryMeter memory;  ///< bytes of all buffers but for those that were given back

  template <class T>
  class Buffer {
   public:
    static constexpr bool is_host_memory = !on_device;
    Buffer() = default;
    Buffer(Buffer&& other) noexcept : size_(std::exchange(other.size_, 0)) {}
    /// An address with which kernels are made, and where nothing lies.
    T* data() const { return size_ == 0 ? nullptr : reinterpret_cast<T*>(std::uintptr_t{1} << 40); }
    std::size_t size() const { return size_; }
    void resize(std::size_t size) {
      if (size <= size_) return;
      memory.take((size - size_) * sizeof(T));
      size_ = size;
    }
    void upload(const std::vector<T>& host) { resize(host.size()); }
    std::vector<T> download(std::size_t count) const { return std::vector<T>(count); }
    void give_back(const std::vector<ValueRange>& ranges) {
      for (const ValueRange& range : ranges) {
        const std::size_t end = std::min(range.end, size_), begin = std::min(range.begin, end);
        memory.give_back((end - begin) * sizeof(T));
      }
    }

   private:
    std::size_t size_ = 0;
  };

  template <class Item, std::size_t most_bytes>
  struct Exchange {
    std::size_t items = 0;  ///< that this rank sends

    void start(CountingBackend&, const std::vector<ExchangeList<Item>>& lists) {
      for (const auto& list : lists) items += list.send.size();
    }
    template <class Rows>
    void begin(CountingBackend& backend, const Rows&, DeviceGate = DeviceGate::always()) {
      backend.sent_ += items * sizeof(typename Rows::Value);
    }
    template <class Rows>
    void finish(CountingBackend&, const Rows&, DeviceGate = DeviceGate::always()) {}
  };
  struct Recording {};
  struct Messages {
    void start(CountingBackend&, std::size_t) {}
  };

  explicit CountingBackend(Ranks& ranks) : ranks_(ranks) {}
  Ranks& ranks() const { return ranks_; }
  template <class Kernel>
  void launch(const Kernel&) {}
  void launch_foreign(const ForeignKernel&) {}
  template <class First, class Beside>
  void first_beside(const First& first, const Beside& beside) {
    first();
    beside();
  }
  void time_stages(bool) {}
  /// Bytes that a rank sends by launches.
  template <class Launches>
  double sent_by(const Launches& launches) {
    sent_ = 0;
    launches();
    return static_cast<double>(sent_);
  }

 private:
  Ranks& ranks_;
  std::size_t sent_ = 0;
};

}  // namespace cleave
