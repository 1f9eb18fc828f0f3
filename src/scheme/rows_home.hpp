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
  const std::vector<RowRun>& runs(int owner) const { return runs_[owner]; }
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

/// All ranks add the same arrays, and then send. Where solver memory is not the host's, rows are gathered there into
/// one message, and spread from one.
template <class Backend>
class RowsHome {
  using Rows = OwnedRows<Backend>;

 public:
  explicit RowsHome(Backend& backend) : backend_(backend) {}

  /// Rows of an array, so many values each.
  /// @param rows  kept by reference until `send`
  template <class Buffer>
  void add(Buffer& buffer, int fields, const Rows& rows) {
    using T = std::remove_cvref_t<decltype(*buffer.data())>;
    if (buffer.size() == 0 || rows.empty()) return;
    const std::size_t bytes = fields * sizeof(T);
    Part part{&rows, bytes, Buffer::is_host_memory, {}, {}};
    if constexpr (Buffer::is_host_memory)
      part.copy = [&rows, bytes, array = reinterpret_cast<std::byte*>(buffer.data())](int owner, std::byte* message,
                                                                                      bool from_message) {
        for (const RowRun& run : rows.runs(owner)) {
          std::byte *const here = array + run.first * bytes, *const there = message + run.begin * bytes;
          std::memcpy(from_message ? here : there, from_message ? there : here, run.rows * bytes);
        }
      };
    else
      part.copy = [this, &rows, bytes, &buffer](int owner, std::byte* message, bool from_message) {
        constexpr std::size_t align = alignof(T);
        using Word = std::conditional_t<align % 8 == 0, unsigned long long,
                                        std::conditional_t<align % 4 == 0, unsigned, unsigned char>>;
        if (rows.count(owner) == 0) return;
        backend_.launch(CopyRows<Word>{.runs = rows.uploaded_runs(owner),
                                       .run_count = static_cast<Index>(rows.runs(owner).size()),
                                       .count = rows.count(owner),
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
    const auto copy = [&rows, size, table = Layout{host->data()}](int owner, std::byte* message, bool from_message) {
      for (const RowRun& run : rows.runs(owner))
        for (Index row = run.first; row < std::min(run.first + run.rows, size); ++row)
          for (int field = 0; field < Layout::fields; ++field, message += bytes) {
            auto* const value = &table(row, field);
            from_message ? std::memcpy(value, message, bytes) : std::memcpy(message, value, bytes);
          }
    };
    parts_.push_back({&rows, Layout::fields * bytes, true, copy, [host] { host->write_back(); }});
  }

  void send() {
    Ranks& ranks = backend_.ranks();
    if (ranks.is_first())
      receive(ranks);
    else
      send_from(ranks);
    parts_.clear();
  }

 private:
  struct Part {
    const Rows* rows;
    std::size_t row_bytes;
    bool through_host;  ///< `copy` takes a message in the host's memory, else one in solver memory
    std::function<void(int owner, std::byte* message, bool from_message)> copy;
    std::function<void()> write_back;
  };
  static constexpr std::size_t alignment = 16;  ///< of each part of a message, bytes

  static std::size_t size_of(const Part& part, int owner) {
    return (part.rows->count(owner) * part.row_bytes + alignment - 1) / alignment * alignment;
  }
  std::size_t message_size(int owner) const {
    std::size_t size = 0;
    for (const Part& part : parts_) size += size_of(part, owner);
    return size;
  }
  /// Copies the parts of the one or of the other kind.
  void copy(bool through_host, int owner, std::byte* message, bool from_message) const {
    for (const Part& part : parts_) {
      if (part.through_host == through_host) part.copy(owner, message, from_message);
      message += size_of(part, owner);
    }
  }
  bool has_parts_in_solver_memory() const {
    return std::any_of(parts_.begin(), parts_.end(), [](const Part& part) { return !part.through_host; });
  }
  void make_room(std::size_t size) {
    if (size > staged_.size()) staged_.resize(size + size / 2);  // growing ends recordings
  }

  void send_from(Ranks& ranks) {
    const std::size_t size = message_size(ranks.rank());
    if (has_parts_in_solver_memory()) {
      make_room(size);
      copy(false, ranks.rank(), staged_.data(), false);
      message_ = staged_.download(size);
    }
    message_.resize(size);
    copy(true, ranks.rank(), message_.data(), false);
    ranks.exchange(message_.data(), nullptr, {{0, 0, size, 0, 0}});
  }
  void receive(Ranks& ranks) {
    std::vector<Ranks::Piece> pieces;
    std::size_t size = 0;
    for (int r = 1; r < ranks.count(); ++r) {
      pieces.push_back({r, 0, 0, size, message_size(r)});
      size += pieces.back().receive_size;
    }
    message_.resize(size);
    ranks.exchange(nullptr, message_.data(), pieces);
    const bool staged = has_parts_in_solver_memory();
    if (staged) {
      make_room(size);
      staged_.upload(message_);
    }
    for (const Ranks::Piece& piece : pieces) {
      if (staged) copy(false, piece.rank, staged_.data() + piece.receive_begin, true);
      copy(true, piece.rank, message_.data() + piece.receive_begin, true);
    }
    for (const Part& part : parts_)
      if (part.write_back) part.write_back();
  }

  Backend& backend_;
  std::vector<Part> parts_;
  Ranks::Bytes message_;
  typename Backend::template Buffer<std::byte> staged_;
};

}  // namespace cleave::inline CLEAVE_PRECISION
