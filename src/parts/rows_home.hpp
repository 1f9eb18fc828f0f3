/// Rows of arrays that come to rank 0, each from the rank that has its true values.
#pragma once

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "body/fields.hpp"
#include "parts/row_runs.hpp"

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
  Index count(int owner) const {
    return runs_[owner].empty() ? 0 : runs_[owner].back().begin + runs_[owner].back().rows;
  }
  /// Calls f(row) for all rows of an owner.
  template <class F>
  void for_each(int owner, F f) const {
    for (const RowRun& run : runs_[owner])
      for (Index row = run.first; row < run.first + run.rows; ++row) f(row);
  }
  /// Puts the runs into solver memory, if they have changed.
  void upload() const {
    if (uploaded_) return;
    std::vector<RowRun> all;
    for (const auto& runs : runs_) all.insert(all.end(), runs.begin(), runs.end());
    if (all.size() > table_.size()) table_.resize(all.size() + all.size() / 2 + 64);  // growing ends recordings
    table_.upload(all);
    uploaded_ = true;
  }
  const RowRun* uploaded_runs(int owner) const {
    std::size_t before = 0;
    for (int r = 0; r < owner; ++r) before += runs_[r].size();
    return table_.data() + before;
  }

 private:
  std::vector<std::vector<RowRun>> runs_;  ///< [owner]
  mutable typename Backend::template Buffer<RowRun> table_;
  mutable bool uploaded_ = false;
};

/// All ranks add the same arrays, and then send. Small arrays share a message, large ones come in several. Rows are
/// gathered into a message, and spread from one, in solver memory.
template <class Backend>
class RowsHome {
  using Rows = OwnedRows<Backend>;

 public:
  /// Made by all ranks.
  /// @param message_bytes  at most; room for a row of each array, and a multiple of `alignment`
  explicit RowsHome(Backend& backend, std::size_t message_bytes = 16 << 20)
      : backend_(backend), message_bytes_(message_bytes) {
    messages_.start(backend, message_bytes);
  }

  /// Rows of an array, so many values each.
  /// @param rows  kept by reference until `send`
  template <class Buffer>
  void add(Buffer& buffer, int fields, const Rows& rows) {
    constexpr std::size_t bytes = sizeof(*buffer.data());
    add(rows, {buffer.data(), fields * bytes, word_for(bytes), 1, static_cast<Index>(buffer.size() / fields)});
  }
  /// The same of a declared array. Rows behind those that it has say nothing, as of elements of another law.
  void add(AnyField<Backend>& field, const Rows& rows) {
    const std::size_t bytes = field.value_bytes, word = word_for(bytes);
    if (field.use.block > 1 && word != bytes) throw std::logic_error(field.name + ": interleaved values must be words");
    const auto room = static_cast<Index>(field.size() / field.use.width);
    add(rows, {field.data(), field.use.width * bytes, word, field.use.block, std::min(field.row_count(room), room)});
  }

  void send() {
    backend_.ranks().is_first() ? receive() : send_messages();
    parts_.clear();
  }

 private:
  struct Array {
    void* data;
    std::size_t row_bytes, word_bytes;
    Index block, rows;  ///< see CopyRows
  };
  struct Part {
    const Rows* rows;
    Array array;
  };
  /// Rows [begin, end) of those that an owner has of an array.
  struct Slice {
    const Part* part;
    int owner;
    Index begin, end;
    std::size_t place;  ///< in the message, bytes
  };
  struct Message {
    std::vector<Slice> slices;
    std::size_t size = 0;  ///< bytes
  };
  static constexpr std::size_t alignment = 16;  ///< of each slice in a message, bytes
  /// Bytes of the words that make up values of so many bytes.
  static constexpr std::size_t word_for(std::size_t bytes) { return bytes % 8 == 0 ? 8 : bytes % 4 == 0 ? 4 : 1; }

  void add(const Rows& rows, const Array& array) {
    if (rows.empty()) return;
    rows.upload();
    parts_.push_back({&rows, array});
  }
  /// Messages of an owner: the same by its own count and by rank 0's.
  std::vector<Message> messages_of(int owner) const {
    std::vector<Message> all;
    for (const Part& part : parts_) {
      const std::size_t row_bytes = part.array.row_bytes;
      const Index count = part.rows->count(owner);
      for (Index begin = 0; begin < count;) {
        const auto room = [&] { return all.empty() ? 0 : (message_bytes_ - all.back().size) / row_bytes; };
        if (room() == 0) all.emplace_back();
        Message& message = all.back();
        const Index rows = static_cast<Index>(std::min<std::size_t>(count - begin, room()));
        message.slices.push_back({&part, owner, begin, begin + rows, message.size});
        message.size += (rows * row_bytes + alignment - 1) / alignment * alignment;
        begin += rows;
      }
    }
    return all;
  }

  void send_messages() {
    for (const Message& message : messages_of(backend_.ranks().rank())) {
      copy(message, messages_.begin(backend_, message.size), false);
      messages_.send(backend_);
    }
  }
  /// The first message of every owner, then the second ones.
  void receive() {
    std::vector<std::vector<Message>> of_owner(backend_.ranks().count());
    std::size_t most = 0;
    for (int r = 1; r < backend_.ranks().count(); ++r) {
      of_owner[r] = messages_of(r);
      most = std::max(most, of_owner[r].size());
    }
    for (std::size_t turn = 0; turn < most; ++turn)
      for (int r = 1; r < backend_.ranks().count(); ++r) {
        if (turn >= of_owner[r].size()) continue;
        const Message& message = of_owner[r][turn];
        copy(message, messages_.receive(backend_, r, message.size), true);
        messages_.have_read(backend_, r);
      }
  }

  void copy(const Message& message, std::byte* bytes, bool from_message) {
    for (const Slice& slice : message.slices) {
      std::byte* const there = bytes + slice.place;
      switch (slice.part->array.word_bytes) {
        case 8:
          copy_words<unsigned long long>(slice, there, from_message);
          break;
        case 4:
          copy_words<unsigned>(slice, there, from_message);
          break;
        default:
          copy_words<unsigned char>(slice, there, from_message);
          break;
      }
    }
  }
  template <class Word>
  void copy_words(const Slice& slice, std::byte* message, bool from_message) {
    const Array& array = slice.part->array;
    backend_.launch(CopyRows<Word>{.runs = slice.part->rows->uploaded_runs(slice.owner),
                                   .run_count = static_cast<Index>(slice.part->rows->run_count(slice.owner)),
                                   .begin = slice.begin,
                                   .end = slice.end,
                                   .rows = array.rows,
                                   .words = static_cast<Index>(array.row_bytes / sizeof(Word)),
                                   .block = array.block,
                                   .array = static_cast<Word*>(array.data),
                                   .message = reinterpret_cast<Word*>(message),
                                   .from_message = from_message});
  }

  Backend& backend_;
  std::size_t message_bytes_;
  std::vector<Part> parts_;
  typename Backend::Messages messages_;
};

}  // namespace cleave::inline CLEAVE_PRECISION
