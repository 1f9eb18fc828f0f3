/// A rank's part of the work, and what it tells the other ranks.
#pragma once

#include <cstddef>
#include <cstring>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

#include "cleave/partition/partition.hpp"
#include "cleave/partition/ranks.hpp"
#include "kernels/element_table.hpp"

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

  /// @param owner   [row] rank; kept by reference until `send`
  /// @param rows    how many of them there are
  /// @param pack    (row, bytes) writes a row there
  /// @param unpack  (row, bytes) reads it from there
  void add(const std::vector<int>& owner, Index rows, std::size_t row_bytes,
           std::function<void(Index, std::byte*)> pack, std::function<void(Index, const std::byte*)> unpack) {
    parts_.push_back({&owner, rows, row_bytes, std::move(pack), std::move(unpack)});
  }
  /// Rows of an array, so many values each.
  template <class Buffer>
  void add(Buffer& buffer, int fields, const std::vector<int>& owner) {
    if (owner.empty() || buffer.size() == 0) return;
    const std::size_t bytes = fields * sizeof(*buffer.data());
    auto* const first = reinterpret_cast<std::byte*>(buffer.data());
    add(
        owner, static_cast<Index>(owner.size()), bytes,
        [=](Index row, std::byte* to) { std::memcpy(to, first + row * bytes, bytes); },
        [=](Index row, const std::byte* from) { std::memcpy(first + row * bytes, from, bytes); });
  }
  void send() {
    Ranks::Bytes own;
    if (!ranks_.is_first())
      for (const Part& part : parts_)
        for (Index row = 0; row < part.rows; ++row) {
          if ((*part.owner)[row] != ranks_.rank()) continue;
          own.resize(own.size() + part.row_bytes);
          part.pack(row, own.data() + own.size() - part.row_bytes);
        }
    const std::vector<Ranks::Bytes> all = ranks_.gather(own);
    if (!ranks_.is_first()) return;
    std::vector<std::size_t> at(ranks_.count(), 0);
    for (const Part& part : parts_)
      for (Index row = 0; row < part.rows; ++row) {
        const int r = (*part.owner)[row];
        if (r == 0) continue;
        part.unpack(row, all[r].data() + at[r]);
        at[r] += part.row_bytes;
      }
  }

 private:
  struct Part {
    const std::vector<int>* owner;
    Index rows;
    std::size_t row_bytes;
    std::function<void(Index, std::byte*)> pack;
    std::function<void(Index, const std::byte*)> unpack;
  };
  Ranks& ranks_;
  std::vector<Part> parts_;
};

/// Inactive in a run of one rank. Solver memory must be the host's.
class SharedWork {
 public:
  void start(const Mesh& mesh, const std::vector<BlockRange>& ranges, int interface_width, Ranks& ranks) {
    if (ranks.is_alone()) return;
    ranks_ = &ranks;
    intact_ = mesh.elements;
    width_ = nodes_per_element(mesh.type);
    partition_ = make_partition(mesh, ranges, interface_width, ranks.count(), ranks.rank());
  }
  bool active() const { return ranks_ != nullptr; }
  Ranks& ranks() const { return *ranks_; }
  const Partition& partition() const { return partition_; }
  /// The node that an element had there in the intact mesh.
  Index original_node(Index e, int i) const { return intact_[static_cast<std::size_t>(e) * width_ + i]; }

  /// Exchanges what the elements around shared nodes have there.
  /// @param give  (element, node of it) a value
  /// @param take  (element, node of it, value)
  template <class Give, class Take>
  void share_corners(Give give, Take take) {
    exchange(
        &Neighbour::send, &Neighbour::receive, [&](Neighbour::Corner c) { return give(c.element, c.node); },
        [&](Neighbour::Corner c, const auto& value) { take(c.element, c.node, value); });
  }
  /// Exchanges what the elements around shared nodes have.
  template <class Give, class Take>
  void share_elements(Give give, Take take) {
    exchange(&Neighbour::send_elements, &Neighbour::receive_elements, give, take);
  }
  /// The records of all ranks, in the order of the ranks.
  template <class Record>
  std::vector<Record> records_of_all(const std::vector<Record>& own) {
    Ranks::Bytes bytes(own.size() * sizeof(Record));
    if (!own.empty()) std::memcpy(bytes.data(), own.data(), bytes.size());
    std::vector<Record> all;
    for (const Ranks::Bytes& of_rank : ranks_->gather_everywhere(bytes)) {
      const std::size_t before = all.size();
      all.resize(before + of_rank.size() / sizeof(Record));
      if (!of_rank.empty()) std::memcpy(all.data() + before, of_rank.data(), of_rank.size());
    }
    return all;
  }

 private:
  template <class List, class Give, class Take>
  void exchange(List Neighbour::*send, List Neighbour::*receive, Give give, Take take) {
    using Value = std::decay_t<decltype(give((partition_.neighbours.front().*send).front()))>;
    out_.clear();
    pieces_.clear();
    std::size_t received = 0;
    for (const Neighbour& neighbour : partition_.neighbours) {
      const std::size_t begin = out_.size(), size = (neighbour.*receive).size() * sizeof(Value);
      out_.resize(begin + (neighbour.*send).size() * sizeof(Value));
      std::byte* to = out_.data() + begin;
      for (const auto& item : neighbour.*send) {
        const Value value = give(item);
        std::memcpy(to, &value, sizeof value);
        to += sizeof value;
      }
      pieces_.push_back({neighbour.rank, begin, out_.size() - begin, received, size});
      received += size;
    }
    in_.resize(received);
    ranks_->exchange(out_.data(), in_.data(), pieces_);
    const std::byte* from = in_.data();
    for (const Neighbour& neighbour : partition_.neighbours)
      for (const auto& item : neighbour.*receive) {
        Value value;
        std::memcpy(static_cast<void*>(&value), from, sizeof value);
        from += sizeof value;
        take(item, value);
      }
  }

  Ranks* ranks_ = nullptr;
  Partition partition_;
  std::vector<Index> intact_;  ///< Mesh::elements
  int width_ = 0;              ///< nodes of an element
  Ranks::Bytes out_, in_;
  std::vector<Ranks::Piece> pieces_;
};

}  // namespace cleave::inline CLEAVE_PRECISION
