/// A rank's part of the work, and what it tells the other ranks.
#pragma once

#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "cleave/partition/partition.hpp"
#include "cleave/partition/ranks.hpp"
#include "kernels/element_table.hpp"
#include "kernels/found_facets.hpp"
#include "scheme/host_rows.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Which rank has the true values of each row.
struct RowOwners {
  std::vector<int> element, node, copy, cohesive;
  std::vector<int> work_row;  ///< of blocks, then of blocks of interface nodes
  std::vector<int> load;      ///< of FacetLoads
};

/// Rows of arrays that come to rank 0, each from the rank that owns it. All ranks add the same arrays.
class RowsHome {
 public:
  explicit RowsHome(Ranks& ranks) : ranks_(ranks) {}

  /// Rows of an array, so many values each.
  /// @param owner  [row] rank; kept by reference until `send`
  template <class Buffer>
  void add(Buffer& buffer, int fields, const std::vector<int>& owner) {
    if (owner.empty() || buffer.size() == 0) return;
    const auto host = std::make_shared<HostRows<Buffer>>(buffer, owner.size() * fields);
    const std::size_t bytes = fields * sizeof(*buffer.data());
    auto* const first = reinterpret_cast<std::byte*>(host->data());
    parts_.push_back({&owner, static_cast<Index>(owner.size()), bytes,
                      [=](Index row, Index rows, std::byte* to) { std::memcpy(to, first + row * bytes, rows * bytes); },
                      [=](Index row, Index rows, const std::byte* from) {
                        std::memcpy(first + row * bytes, from, rows * bytes);
                      },
                      [=] { host->write_back(); }});
  }
  /// The first rows of a table.
  /// @tparam Rows  a Table of what the buffer holds
  template <class Rows, class Buffer>
  void add_table(Buffer& buffer, Index rows, const std::vector<int>& owner) {
    const auto host = std::make_shared<HostRows<Buffer>>(buffer, Rows::extent(rows));
    const Rows table{host->data()};
    constexpr std::size_t bytes = sizeof(*buffer.data());
    const auto for_each_value = [=](Index row, Index count, const auto& f) {
      for (Index r = 0; r < count; ++r)
        for (int field = 0; field < Rows::fields; ++field)
          f(&table(row + r, field), (static_cast<std::size_t>(r) * Rows::fields + field) * bytes);
    };
    parts_.push_back({&owner, rows, Rows::fields * bytes,
                      [=](Index row, Index count, std::byte* to) {
                        for_each_value(row, count,
                                       [=](auto* value, std::size_t at) { std::memcpy(to + at, value, bytes); });
                      },
                      [=](Index row, Index count, const std::byte* from) {
                        for_each_value(row, count,
                                       [=](auto* value, std::size_t at) { std::memcpy(value, from + at, bytes); });
                      },
                      [=] { host->write_back(); }});
  }
  void send() {
    Ranks::Bytes own;
    if (!ranks_.is_first())
      for (const Part& part : parts_)
        part.for_each_run([&](int owner, Index row, Index rows) {
          if (owner != ranks_.rank()) return;
          own.resize(own.size() + rows * part.row_bytes);
          part.pack(row, rows, own.data() + own.size() - rows * part.row_bytes);
        });
    const std::vector<Ranks::Bytes> all = ranks_.gather(own);
    if (!ranks_.is_first()) return;
    std::vector<std::size_t> at(ranks_.count(), 0);
    for (const Part& part : parts_) {
      part.for_each_run([&](int owner, Index row, Index rows) {
        if (owner == 0) return;
        part.unpack(row, rows, all[owner].data() + at[owner]);
        at[owner] += rows * part.row_bytes;
      });
      part.write_back();
    }
  }

 private:
  struct Part {
    const std::vector<int>* owner;
    Index rows;
    std::size_t row_bytes;
    std::function<void(Index, Index, std::byte*)> pack;          ///< (row, rows, bytes) writes rows there
    std::function<void(Index, Index, const std::byte*)> unpack;  ///< (row, rows, bytes) reads them from there
    std::function<void()> write_back;

    /// Calls f(owner, row, rows) for rows in a row that have one owner.
    template <class F>
    void for_each_run(F f) const {
      for (Index row = 0, end = 0; row < rows; row = end) {
        const int of = (*owner)[row];
        while (end < rows && (*owner)[end] == of) ++end;
        f(of, row, end - row);
      }
    }
  };
  Ranks& ranks_;
  std::vector<Part> parts_;
};

/// Inactive in a run of one rank.
template <class Backend>
class SharedWork {
 public:
  void start(const Mesh& mesh, const std::vector<BlockRange>& ranges, int interface_width, Backend& backend) {
    if (backend.ranks().is_alone()) return;
    backend_ = &backend;
    intact_ = mesh.elements;
    width_ = nodes_per_element(mesh.type);
    partition_ = make_partition(mesh, ranges, interface_width, ranks().count(), ranks().rank());
    std::vector<ExchangeList<Neighbour::Corner>> corners;
    std::vector<ExchangeList<Index>> elements;
    for (Neighbour& n : partition_.neighbours) {
      corners.push_back({n.rank, std::move(n.send), std::move(n.receive)});
      elements.push_back({n.rank, std::move(n.send_elements), std::move(n.receive_elements)});
    }
    partition_.neighbours.clear();
    corners_.start(backend, std::move(corners));
    elements_.start(backend, std::move(elements));
    start_found();
  }
  bool active() const { return backend_ != nullptr; }
  Ranks& ranks() const { return backend_->ranks(); }
  const Partition& partition() const { return partition_; }
  /// The node that an element had there in the intact mesh.
  Index original_node(Index e, int i) const { return intact_[static_cast<std::size_t>(e) * width_ + i]; }

  /// Exchanges what the elements around shared nodes have there.
  /// @param rows  with Value, `Value give(Neighbour::Corner)` and `void take(Neighbour::Corner, Value)`
  template <class Rows>
  void share_corners(const Rows& rows) {
    corners_(*backend_, rows);
  }
  /// Exchanges what the elements around shared nodes have, by their ids: likewise.
  template <class Rows>
  void share_elements(const Rows& rows) {
    elements_(*backend_, rows);
  }
  /// What each rank has found goes to all.
  FoundByRank* found() { return found_.data(); }  ///< [rank]
  void share_found() { found_everywhere_(*backend_, FoundWords{reinterpret_cast<FoundWords::Value*>(found_.data())}); }

  /// The records of all ranks, in the order of the ranks.
  template <class Record>
  std::vector<Record> records_of_all(const std::vector<Record>& own) {
    Ranks::Bytes bytes(own.size() * sizeof(Record));
    if (!own.empty()) std::memcpy(bytes.data(), own.data(), bytes.size());
    std::vector<Record> all;
    for (const Ranks::Bytes& of_rank : ranks().gather_everywhere(bytes)) {
      const std::size_t before = all.size();
      all.resize(before + of_rank.size() / sizeof(Record));
      if (!of_rank.empty()) std::memcpy(all.data() + before, of_rank.data(), of_rank.size());
    }
    return all;
  }

 private:
  void start_found() {
    constexpr auto words = static_cast<Index>(sizeof(FoundByRank) / sizeof(FoundWords::Value));
    const auto words_of = [](int rank) {
      std::vector<Index> items(words);
      std::iota(items.begin(), items.end(), rank * words);
      return items;
    };
    found_.upload(std::vector<FoundByRank>(ranks().count()));
    std::vector<ExchangeList<Index>> lists;
    for (int r = 0; r < ranks().count(); ++r)
      if (r != ranks().rank()) lists.push_back({r, words_of(ranks().rank()), words_of(r)});
    found_everywhere_.start(*backend_, std::move(lists));
  }

  static constexpr std::size_t corner_bytes = 3 * sizeof(Real), element_bytes = 12 * sizeof(Real);  ///< at most
  Backend* backend_ = nullptr;  ///< null: one rank
  Partition partition_;
  typename Backend::template Exchange<Neighbour::Corner, corner_bytes> corners_;
  typename Backend::template Exchange<Index, element_bytes> elements_;
  typename Backend::template Exchange<Index, sizeof(FoundWords::Value)> found_everywhere_;
  typename Backend::template Buffer<FoundByRank> found_;
  std::vector<Index> intact_;  ///< Mesh::elements
  int width_ = 0;              ///< nodes of an element
};

}  // namespace cleave::inline CLEAVE_PRECISION
