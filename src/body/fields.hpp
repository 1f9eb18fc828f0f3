/// The arrays of a body in solver memory, each declared once: growing, saving, loading, copying on a split, bringing to
/// rank 0 and counting bytes are loops over the declarations.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "backend/fill.hpp"
#include "backend/value_range.hpp"
#include "body/ids_in_body.hpp"
#include "body/node_copier.hpp"
#include "body/state_stream.hpp"
#include "cleave/core/table.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Kind of item that each row of an array belongs to.
enum class On : std::uint8_t {
  node,
  copy,      ///< nodes that insertion has made
  element,   ///< bulk elements
  cohesive,  ///< cohesive elements
  slot,      ///< slots in memory, see gather_table.hpp
  work_row,  ///< blocks of elements or nodes that book work
  load,      ///< facets under a load, see FacetLoads
  side,      ///< sides of the surface, see terms/contact/surface.hpp
};
inline constexpr int on_count = 8;

/// Numbers of rows, by kind of item.
class RowCounts {
 public:
  Index& operator[](On on) { return count_[static_cast<int>(on)]; }
  Index operator[](On on) const { return count_[static_cast<int>(on)]; }

 private:
  std::array<Index, on_count> count_{};
};

/// Ranks that have the values of a row.
enum class RowsOf : std::uint8_t {
  all_ranks,   ///< each rank has them, of the rows that it has
  owner,       ///< the others have memory for it, with values that are out of date
  owner_only,  ///< the others give its memory back
};

/// How an array is used.
///
/// Example: two values of each Gauss point of a cohesive element, kept from step to step:
///     FieldUse{.on = On::cohesive, .width = 2 * FacetGauss::points, .saved = true}
struct FieldUse {
  On on;
  int width = 1;           ///< values of a row
  Index block = 1;         ///< rows that lie interleaved, see Table
  Index rows = 0;          ///< number of rows; 0: one for each item of `on`
  Index rows_of_body = 0;  ///< likewise, of the whole body
  bool ids = false;        ///< values name nodes or facets (an Index is a facet code), see IdsInBody
  bool saved = false;      ///< part of the state from step to step
  bool exchanged = false;  ///< neighbours send rows of theirs
  RowsOf rows_of = RowsOf::owner;
  Split split = Split::none;  ///< first values of a copy of a node, in an array by node
};
/// The use of a Table.
template <class Layout>
constexpr FieldUse table_use(On on) {
  return {.on = on, .width = Layout::fields, .block = Layout::block};
}

/// An array of T that Fields holds, or none where nobody has declared it: its data are then null, its size 0.
template <class Backend, class T>
class Field {
 public:
  using Buffer = typename Backend::template Buffer<T>;
  static constexpr bool is_host_memory = Buffer::is_host_memory;
  Field() = default;
  explicit Field(Buffer& buffer) : buffer_(&buffer) {}
  T* data() const { return buffer_ == nullptr ? nullptr : buffer_->data(); }
  std::size_t size() const { return buffer_ == nullptr ? 0 : buffer_->size(); }
  explicit operator bool() const { return buffer_ != nullptr; }
  Buffer& buffer() const { return *buffer_; }
  /// That of the buffer; null without one.
  const void* address() const { return buffer_; }
  void upload(const std::vector<T>& values) const { buffer_->upload(values); }
  std::vector<T> download(std::size_t count) const { return buffer_->download(count); }

 private:
  Buffer* buffer_ = nullptr;
};

/// A declared array without its type.
template <class Backend>
class AnyField {
 public:
  AnyField(std::string named, const FieldUse& used, std::size_t bytes_of_value)
      : name(std::move(named)), use(used), value_bytes(bytes_of_value) {}
  virtual ~AnyField() = default;
  const std::string name;
  const FieldUse use;
  const std::size_t value_bytes;

  /// Number of rows where there are `count` items.
  Index row_count(Index count) const { return use.rows > 0 ? use.rows : count; }
  /// The same of the whole body.
  Index body_row_count(Index count) const { return use.rows > 0 ? use.rows_of_body : count; }
  /// Values of that many rows.
  std::size_t extent(Index rows) const {
    const auto blocks = (static_cast<std::size_t>(rows) + use.block - 1) / use.block;
    return blocks * use.block * use.width;
  }
  /// Values of the first rows that share no block with those behind them.
  std::size_t whole_blocks(Index rows) const {
    return static_cast<std::size_t>(rows) / use.block * use.block * use.width;
  }
  std::size_t bytes() const { return size() * value_bytes; }
  /// Clears values behind that many rows, in the last block of those that lie interleaved.
  void clear_behind(std::byte* values, Index rows) const {
    const auto in_block = static_cast<std::size_t>(rows % use.block), block = static_cast<std::size_t>(use.block);
    for (std::size_t field = 0; in_block > 0 && field < static_cast<std::size_t>(use.width); ++field)
      std::memset(values + (whole_blocks(rows) + field * block + in_block) * value_bytes, 0,
                  (block - in_block) * value_bytes);
  }

  virtual void* data() = 0;
  virtual std::size_t size() const = 0;
  /// Its address, which it keeps as it grows.
  virtual const void* buffer() const = 0;
  virtual void reserve(Backend& backend, std::size_t size) = 0;
  /// Gives values, which lie anywhere in solver memory, the ids of the body.
  virtual void to_body_ids(Backend& backend, void* values, Index count, const IdsInBody& ids) = 0;
  /// Writes values, which lie in the host's memory.
  virtual void save(StateWriter& to, void* values, std::size_t count) = 0;
  virtual void load(StateReader& from, std::size_t size) = 0;
  virtual void give_back(const std::vector<ValueRange>& values) = 0;
  virtual void add_to(NodeCopier& copier) = 0;
};

/// All declared arrays of a body, in the order of their declarations.
template <class Backend>
class Fields {
 public:
  /// Declares an array. New rows read as NaN.
  template <class T>
  Field<Backend, T> add(std::string name, const FieldUse& use) {
    return keep(std::make_unique<Unset<T>>(std::move(name), use, sizeof(T)));
  }
  /// Declares an array whose new rows begin with `start`.
  template <class T>
  Field<Backend, T> add_filled(std::string name, const FieldUse& use, T start) {
    return keep(std::make_unique<Filled<T>>(std::move(name), use, start));
  }

  /// Calls f(AnyField&) for each array.
  template <class F>
  void for_each(F f) {
    for (const auto& field : fields_) f(*field);
  }
  /// Makes room for that many rows in all arrays of one kind.
  void reserve(Backend& backend, On on, Index rows) {
    for (const auto& field : fields_)
      if (field->use.on == on) field->reserve(backend, field->extent(field->row_count(rows)));
  }
  /// The array whose buffer lies there; null if none does.
  AnyField<Backend>* find(const void* buffer) const {
    for (const auto& field : fields_)
      if (field->buffer() == buffer) return field.get();
    return nullptr;
  }
  /// Reads the rows in use of all arrays that are part of the state, into arrays that have room. Throws InputError when
  /// the stream ends too early.
  void load(StateReader& from, const RowCounts& counts) {
    for (const auto& field : fields_)
      if (field->use.saved) field->load(from, field->extent(field->row_count(counts[field->use.on])));
  }
  /// Copies rows of nodes in all arrays with a Split. Valid until arrays grow.
  NodeCopier node_copier() {
    NodeCopier copier;
    for (const auto& field : fields_)
      if (field->use.split != Split::none) field->add_to(copier);
    return copier;
  }

 private:
  template <class T>
  class Typed : public AnyField<Backend> {
   public:
    using AnyField<Backend>::AnyField;
    void* data() override { return values_.data(); }
    std::size_t size() const override { return values_.size(); }
    const void* buffer() const override { return &values_; }
    void to_body_ids(Backend& backend, void* values, Index count, const IdsInBody& ids) override {
      if constexpr (NamesRows<T>) backend.launch(ToBodyIds<T>{ids, count, static_cast<T*>(values)});
    }
    void save(StateWriter& to, void* values, std::size_t count) override { to.values(static_cast<T*>(values), count); }
    void load(StateReader& from, std::size_t size) override { from.buffer(values_, size); }
    void give_back(const std::vector<ValueRange>& values) override { values_.give_back(values); }
    void add_to(NodeCopier& copier) override { copier.add(values_.data(), this->use.width, this->use.split); }
    typename Backend::template Buffer<T> values_;
  };
  template <class T>
  class Unset final : public Typed<T> {
   public:
    using Typed<T>::Typed;
    void reserve(Backend&, std::size_t size) override { this->values_.resize(size); }
  };
  template <class T>
  class Filled final : public Typed<T> {
   public:
    Filled(std::string named, const FieldUse& used, T start)
        : Typed<T>(std::move(named), used, sizeof(T)), start_(start) {}
    void reserve(Backend& backend, std::size_t size) override { grow_filled(backend, this->values_, size, start_); }

   private:
    T start_;
  };

  template <class Made>
  auto keep(std::unique_ptr<Made> made) {
    auto& buffer = made->values_;
    using T = std::remove_pointer_t<decltype(buffer.data())>;
    if ((made->use.rows > 0) != (made->use.rows_of_body > 0) || (made->use.ids && !NamesRows<T>))
      throw std::logic_error(made->name + ": its rows in the body, or what its ids name, are not declared");
    if (!NodeCopier::can_split<T>(made->use.width, made->use.split))
      throw std::logic_error(made->name + ": copies of nodes cannot begin so in an array of that type and width");
    fields_.push_back(std::move(made));
    return Field<Backend, T>(buffer);
  }
  std::vector<std::unique_ptr<AnyField<Backend>>> fields_;
};

}  // namespace cleave::inline CLEAVE_PRECISION
