/// Rows of arrays that come to rank 0, each from the rank that has its true values.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "cleave/partition/ranks.hpp"
#include "kernels/row_runs.hpp"
#include "scheme/host_rows.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Rows of arrays of one kind that come home, by the rank that owns them. Few runs, as ranks own neighbouring rows.
template <class Backend>
class OwnedRows {
 public:
  /// Without rows.
  void start(int ranks) {
    runs_.assign(ranks, {});
    uploaded_ = false;
  }
  /// Rows that follow each other, behind those that the owner has been given before.
  void add(int owner, Index row, Index rows = 1) {
    std::vector<RowRun>& runs = runs_[owner];
    if (rows == 0) return;
    if (!runs.empty() && runs.back().first + runs.back().rows == row)
      runs.back().rows += rows;
    else
      runs.push_back({row, rows, count(owner)});
    uploaded_ = false;
  }
  void clear() { start(static_cast<int>(runs_.size())); }
  bool empty() const {
    return std::all_of(runs_.begin(), runs_.end(), [](const auto& runs) { return runs.empty(); });
  }
  std::size_t run_count(int owner) const { return runs_[owner].size(); }
  /// Calls f(first row, rows) for each run of the rows [begin, end) of an owner.
  template <class F>
  void for_each_run(int owner, Index begin, Index end, F f) const {
    for (const RowRun& run : runs_[owner]) {
      const Index from = std::max(run.begin, begin), to = std::min(run.begin + run.rows, end);
      if (from < to) f(run.first + from - run.begin, to - from);
    }
  }
  Index count(int owner) const {
    return runs_[owner].empty() ? 0 : runs_[owner].back().begin + runs_[owner].back().rows;
  }
  /// In solver memory, where that is not the host's.
  const RowRun* uploaded_runs(int owner) const {
    if (!uploaded_) upload();
    std::size_t before = 0;
    for (int r = 0; r < owner; ++r) before += runs_[r].size();
    return table_.data() + before;
  }

 private:
  void upload() const {
    std::vector<RowRun> all;
    for (const auto& runs : runs_) all.insert(all.end(), runs.begin(), runs.end());
    if (all.size() > table_.size()) table_.resize(all.size() + all.size() / 2 + 64);  // growing ends recordings
    table_.upload(all);
    uploaded_ = true;
  }
  std::vector<std::vector<RowRun>> runs_;  ///< [owner]
  mutable typename Backend::template Buffer<RowRun> table_;
  mutable bool uploaded_ = false;
};

/// All ranks add the same arrays, and then send. Small arrays share a message, large ones come in several, so that
/// messages need little memory. Where solver memory is not the host's, rows are gathered there into a message, and
/// spread from one.
template <class Backend>
class RowsHome {
  using Rows = OwnedRows<Backend>;

 public:
  /// @param message_bytes  at most; room for a row of each array, and a multiple of `alignment`
  explicit RowsHome(Backend& backend, std::size_t message_bytes = 32 << 20)
      : backend_(backend), message_bytes_(message_bytes) {}

  /// Rows of an array, so many values each.
  /// @param rows  kept by reference until `send`
  template <class Buffer>
  void add(Buffer& buffer, int fields, const Rows& rows) {
    using T = std::remove_cvref_t<decltype(*buffer.data())>;
    if (buffer.size() == 0 || rows.empty()) return;
    const std::size_t bytes = fields * sizeof(T);
    Part part{&rows, bytes, Buffer::is_host_memory, {}, {}};
    if constexpr (Buffer::is_host_memory)
      part.copy = [&rows, bytes, array = reinterpret_cast<std::byte*>(buffer.data())](
                      const Slice& slice, std::byte* message, bool from_message) {
        rows.for_each_run(slice.owner, slice.begin, slice.end, [&](Index first, Index count) {
          std::byte* const here = array + first * bytes;
          std::memcpy(from_message ? here : message, from_message ? message : here, count * bytes);
          message += count * bytes;
        });
      };
    else
      part.copy = [this, &rows, bytes, &buffer](const Slice& slice, std::byte* message, bool from_message) {
        constexpr std::size_t align = alignof(T);
        using Word = std::conditional_t<align % 8 == 0, unsigned long long,
                                        std::conditional_t<align % 4 == 0, unsigned, unsigned char>>;
        backend_.launch(CopyRows<Word>{.runs = rows.uploaded_runs(slice.owner),
                                       .run_count = static_cast<Index>(rows.run_count(slice.owner)),
                                       .begin = slice.begin,
                                       .end = slice.end,
                                       .words = static_cast<Index>(bytes / sizeof(Word)),
                                       .array = reinterpret_cast<Word*>(buffer.data()),
                                       .message = reinterpret_cast<Word*>(message),
                                       .from_message = from_message});
      };
    parts_.push_back(std::move(part));
  }
  /// The same of a table. It goes through the host as a whole.
  /// @tparam Layout  a Table of what the buffer holds
  /// @param size  rows that it has: what lies behind them says nothing, as of elements of another law
  template <class Layout, class Buffer>
  void add_table(Buffer& buffer, Index size, const Rows& rows) {
    const auto host = std::make_shared<HostRows<Buffer>>(buffer, Layout::extent(size));
    constexpr std::size_t bytes = sizeof(*buffer.data());
    const auto copy = [&rows, size, table = Layout{host->data()}](const Slice& slice, std::byte* message,
                                                                  bool from_message) {
      rows.for_each_run(slice.owner, slice.begin, slice.end, [&](Index first, Index count) {
        for (Index row = first; row < std::min(first + count, size); ++row)
          for (int field = 0; field < Layout::fields; ++field, message += bytes) {
            auto* const value = &table(row, field);
            from_message ? std::memcpy(value, message, bytes) : std::memcpy(message, value, bytes);
          }
      });
    };
    parts_.push_back({&rows, Layout::fields * bytes, true, copy, [host] { host->write_back(); }});
  }

  void send() {
    Ranks& ranks = backend_.ranks();
    if (ranks.is_first())
      receive(ranks);
    else
      send_from(ranks);
    for (const Part& part : parts_)
      if (part.write_back && ranks.is_first()) part.write_back();
    parts_.clear();
  }

 private:
  /// Rows [begin, end) of those that an owner has of an array.
  struct Slice {
    int owner;
    Index begin, end;
  };
  struct Part {
    const Rows* rows;
    std::size_t row_bytes;
    bool through_host;  ///< `copy` takes a message in the host's memory, else one in solver memory
    std::function<void(const Slice& slice, std::byte* message, bool from_message)> copy;
    std::function<void()> write_back;
  };
  struct PlacedSlice {
    const Part* part;
    Slice slice;
    std::size_t begin;  ///< in the message, bytes
  };
  struct Message {
    std::vector<PlacedSlice> slices;
    std::size_t size = 0;  ///< bytes
  };
  static constexpr std::size_t alignment = 16;  ///< of each slice in a message, bytes

  /// What an owner sends: the same by its own count and by rank 0's.
  std::vector<Message> messages_of(int owner) const {
    std::vector<Message> all;
    for (const Part& part : parts_) {
      const Index count = part.rows->count(owner);
      for (Index begin = 0; begin < count;) {
        const auto room = [&] { return all.empty() ? 0 : (message_bytes_ - all.back().size) / part.row_bytes; };
        if (room() == 0) all.emplace_back();
        Message& message = all.back();
        const Index rows = static_cast<Index>(std::min<std::size_t>(count - begin, room()));
        message.slices.push_back({&part, {owner, begin, begin + rows}, message.size});
        message.size += (rows * part.row_bytes + alignment - 1) / alignment * alignment;
        begin += rows;
      }
    }
    return all;
  }
  /// Copies the slices of the one or of the other kind.
  static void copy(bool through_host, const Message& message, std::byte* bytes, bool from_message) {
    for (const PlacedSlice& placed : message.slices)
      if (placed.part->through_host == through_host)
        placed.part->copy(placed.slice, bytes + placed.begin, from_message);
  }
  bool has_parts_in_solver_memory() const {
    return std::any_of(parts_.begin(), parts_.end(), [](const Part& part) { return !part.through_host; });
  }
  void make_room(std::size_t size) {
    if (size > staged_.size()) staged_.resize(size + size / 2);  // growing ends recordings
  }

  void send_from(Ranks& ranks) {
    const bool staged = has_parts_in_solver_memory();
    for (const Message& message : messages_of(ranks.rank())) {
      if (staged) {
        make_room(message.size);
        copy(false, message, staged_.data(), false);
        bytes_ = staged_.download(message.size);
      }
      bytes_.resize(message.size);
      copy(true, message, bytes_.data(), false);
      const Ranks::Piece home{0, 0, message.size, 0, 0};
      ranks.exchange(bytes_.data(), nullptr, {home});
    }
  }
  void receive(Ranks& ranks) {
    std::vector<std::vector<Message>> of_owner(ranks.count());
    std::size_t most = 0;
    for (int r = 1; r < ranks.count(); ++r) {
      of_owner[r] = messages_of(r);
      most = std::max(most, of_owner[r].size());
    }
    for (std::size_t turn = 0; turn < most; ++turn) {
      std::vector<const Message*> messages;
      for (const std::vector<Message>& of : of_owner)
        if (turn < of.size()) messages.push_back(&of[turn]);
      receive(ranks, messages);
    }
  }
  /// One message each of several owners.
  void receive(Ranks& ranks, const std::vector<const Message*>& messages) {
    std::vector<Ranks::Piece> pieces;
    std::size_t size = 0;
    for (const Message* message : messages) {
      pieces.push_back({message->slices.front().slice.owner, 0, 0, size, message->size});
      size += message->size;
    }
    bytes_.resize(size);
    ranks.exchange(nullptr, bytes_.data(), pieces);
    const bool staged = has_parts_in_solver_memory();
    if (staged) {
      make_room(size);
      staged_.upload(bytes_);
    }
    std::size_t begin = 0;
    for (const Message* message : messages) {
      if (staged) copy(false, *message, staged_.data() + begin, true);
      copy(true, *message, bytes_.data() + begin, true);
      begin += message->size;
    }
  }

  Backend& backend_;
  std::size_t message_bytes_;
  std::vector<Part> parts_;
  Ranks::Bytes bytes_;
  typename Backend::template Buffer<std::byte> staged_;
};

}  // namespace cleave::inline CLEAVE_PRECISION
