/// Rows of arrays that come to rank 0, each from the rank that has its true values.
#pragma once

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "body/fields.hpp"
#include "parts/row_runs.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Rows of one kind, as runs of rows that follow each other. Few runs, as ranks own neighbouring rows.
template <class Backend>
class ListedRows {
 public:
  /// Adds rows behind those that were added before.
  void add(Index row, Index rows = 1) {
    if (rows == 0) return;
    if (!runs_.empty() && runs_.back().first + runs_.back().rows == row)
      runs_.back().rows += rows;
    else
      runs_.push_back({row, rows, count()});
    uploaded_ = false;
  }
  void clear() {
    runs_.clear();
    uploaded_ = false;
  }
  Index count() const { return runs_.empty() ? 0 : runs_.back().begin + runs_.back().rows; }
  Index run_count() const { return static_cast<Index>(runs_.size()); }
  /// Calls f(row) for all rows.
  template <class F>
  void for_each(F f) const {
    for (const RowRun& run : runs_)
      for (Index row = run.first; row < run.first + run.rows; ++row) f(row);
  }
  /// The runs in solver memory.
  const RowRun* uploaded() const {
    if (!uploaded_) {
      if (runs_.size() > table_.size()) table_.resize(runs_.size() + runs_.size() / 2 + 8);  // growing ends recordings
      table_.upload(runs_);
      uploaded_ = true;
    }
    return table_.data();
  }

 private:
  std::vector<RowRun> runs_;
  mutable typename Backend::template Buffer<RowRun> table_;
  mutable bool uploaded_ = false;
};

/// Rows of one kind that come to rank 0, each from the rank that owns it.
template <class Backend>
struct OwnedRows {
  ListedRows<Backend> own;  ///< own ids of those of this rank
  /// [rank] Ids in the body of its rows, in the same order; on rank 0 and where all ranks have the body.
  std::vector<ListedRows<Backend>> in_body;
};

/// All ranks add the same arrays, and then send. Small arrays share a message, large ones come in several. Rows are
/// gathered into a message in solver memory, and spread from one.
template <class Backend>
class RowsHome {
  using Rows = OwnedRows<Backend>;

 public:
  /// Made by all ranks.
  /// @param message_bytes  at most; room for a row of each array, and a multiple of `alignment`
  explicit RowsHome(Backend& backend, std::size_t message_bytes = 16 << 20)
      : backend_(backend), message_bytes_(message_bytes) {
    messages_.start(backend, message_bytes);
    if (backend.ranks().is_first()) own_message_.resize(message_bytes);
  }

  /// Rows of a declared array. Rows behind those that it has say nothing, as of elements of another law.
  /// @param rows  kept by reference until `send`, as ids
  /// @param whole  on rank 0: where launches put the rows, laid out as the array, of the whole body
  /// @param count  number of rows of the body
  void add(AnyField<Backend>& field, const Rows& rows, const IdsInBody& ids, void* whole, Index count) {
    const std::size_t bytes = field.value_bytes, word = word_for(bytes);
    if (field.use.block > 1 && word != bytes) throw std::logic_error(field.name + ": interleaved values must be words");
    const auto room = static_cast<Index>(field.size() / field.use.width);
    const Layout layout{field.use.width * bytes, word, field.use.block};
    parts_.push_back({&rows,
                      layout,
                      {field.data(), std::min(field.row_count(room), room)},
                      {whole, field.body_row_count(count)},
                      field.use.ids ? &field : nullptr,
                      &ids});
  }
  /// Rows of an array that has the same rows on all ranks, so many values each; they come into that of rank 0.
  template <class Buffer>
  void add(Buffer& buffer, int fields, const Rows& rows) {
    constexpr std::size_t bytes = sizeof(*buffer.data());
    const Array array{buffer.data(), static_cast<Index>(buffer.size() / fields)};
    parts_.push_back({&rows, {fields * bytes, word_for(bytes), 1}, array, array, nullptr, nullptr});
  }

  void send() {
    backend_.ranks().is_first() ? receive() : send_messages();
    parts_.clear();
  }

 private:
  struct Layout {
    std::size_t row_bytes, word_bytes;
    Index block;  ///< see CopyRows
  };
  struct Array {
    void* data;
    Index rows;
  };
  struct Part {
    const Rows* rows;
    Layout layout;
    Array own, whole;
    AnyField<Backend>* names;  ///< array whose values are ids; null: they are not
    const IdsInBody* ids;
  };
  /// Rows [begin, end) of those that a rank owns of an array.
  struct Slice {
    const Part* part;
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

  /// Messages of a rank: the same by its own count and by rank 0's.
  std::vector<Message> messages_of(int rank) const {
    std::vector<Message> all;
    for (const Part& part : parts_) {
      const std::size_t row_bytes = part.layout.row_bytes;
      const Index count = rank == backend_.ranks().rank() ? part.rows->own.count() : part.rows->in_body[rank].count();
      for (Index begin = 0; begin < count;) {
        const auto room = [&] { return all.empty() ? 0 : (message_bytes_ - all.back().size) / row_bytes; };
        if (room() == 0) all.emplace_back();
        Message& message = all.back();
        const Index rows = static_cast<Index>(std::min<std::size_t>(count - begin, room()));
        message.slices.push_back({&part, begin, begin + rows, message.size});
        message.size += (rows * row_bytes + alignment - 1) / alignment * alignment;
        begin += rows;
      }
    }
    return all;
  }

  void send_messages() {
    for (const Message& message : messages_of(backend_.ranks().rank())) {
      gather(message, messages_.begin(backend_, message.size));
      messages_.send(backend_);
    }
  }
  /// The first message of every rank, then the second ones.
  void receive() {
    std::vector<std::vector<Message>> of_rank;
    std::size_t most = 0;
    for (int r = 0; r < backend_.ranks().count(); ++r) {
      of_rank.push_back(messages_of(r));
      most = std::max(most, of_rank[r].size());
    }
    for (std::size_t turn = 0; turn < most; ++turn)
      for (int r = 0; r < backend_.ranks().count(); ++r) {
        if (turn >= of_rank[r].size()) continue;
        const Message& message = of_rank[r][turn];
        if (r == 0) {
          gather(message, own_message_.data());
          spread(message, r, own_message_.data());
          continue;
        }
        spread(message, r, messages_.receive(backend_, r, message.size));
        messages_.have_read(backend_, r);
      }
  }

  /// Fills a message with own rows.
  void gather(const Message& message, std::byte* bytes) {
    for (const Slice& slice : message.slices) {
      const Part& part = *slice.part;
      copy(slice, part.rows->own, part.own, bytes + slice.place, false);
      if (part.names == nullptr) continue;
      const std::size_t values = part.layout.row_bytes / part.names->value_bytes * (slice.end - slice.begin);
      part.names->to_body_ids(backend_, bytes + slice.place, static_cast<Index>(values), *part.ids);
    }
  }
  /// Puts the rows of a message where they belong in the body.
  void spread(const Message& message, int rank, std::byte* bytes) {
    for (const Slice& slice : message.slices)
      copy(slice, slice.part->rows->in_body[rank], slice.part->whole, bytes + slice.place, true);
  }
  void copy(const Slice& slice, const ListedRows<Backend>& rows, const Array& array, std::byte* bytes,
            bool from_message) {
    switch (slice.part->layout.word_bytes) {
      case 8:
        return copy_words<unsigned long long>(slice, rows, array, bytes, from_message);
      case 4:
        return copy_words<unsigned>(slice, rows, array, bytes, from_message);
      default:
        return copy_words<unsigned char>(slice, rows, array, bytes, from_message);
    }
  }
  template <class Word>
  void copy_words(const Slice& slice, const ListedRows<Backend>& rows, const Array& array, std::byte* message,
                  bool from_message) {
    const Layout& layout = slice.part->layout;
    backend_.launch(CopyRows<Word>{.runs = rows.uploaded(),
                                   .run_count = rows.run_count(),
                                   .begin = slice.begin,
                                   .end = slice.end,
                                   .rows = array.rows,
                                   .words = static_cast<Index>(layout.row_bytes / sizeof(Word)),
                                   .block = layout.block,
                                   .array = static_cast<Word*>(array.data),
                                   .message = reinterpret_cast<Word*>(message),
                                   .from_message = from_message});
  }

  Backend& backend_;
  std::size_t message_bytes_;
  std::vector<Part> parts_;
  typename Backend::Messages messages_;
  typename Backend::template Buffer<std::byte> own_message_;  ///< of rank 0
};

}  // namespace cleave::inline CLEAVE_PRECISION
