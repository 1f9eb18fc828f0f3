/// A rank's part of the work, and what it tells the other ranks.
#pragma once

#include <cstddef>
#include <cstring>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "body/element_table.hpp"
#include "body/interface_nodes.hpp"
#include "cleave/partition/exchange_sizes.hpp"
#include "cleave/partition/partition.hpp"
#include "cleave/partition/ranks.hpp"
#include "fracture/found_facets.hpp"
#include "parts/listed_blocks.hpp"
#include "parts/rows_home.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Which rank has the true values of what.
template <class Backend>
struct RowOwners {
  std::vector<int> of_element, of_node, of_cohesive;
  OwnedRows<Backend> element, node, copy, cohesive;
  OwnedRows<Backend> new_cohesive;  ///< of which rank 0 does not have what is fixed at insertion
  OwnedRows<Backend> held;          ///< nodes of groups that are held or driven
  OwnedRows<Backend> work_row;      ///< of blocks, then of blocks of interface nodes
  OwnedRows<Backend> load;          ///< of FacetLoads

  const OwnedRows<Backend>& rows(On on) const {
    switch (on) {
      case On::node:
        return node;
      case On::copy:
        return copy;
      case On::element:
        return element;
      case On::cohesive:
        return cohesive;
      case On::work_row:
        return work_row;
      case On::load:
        return load;
      default:
        throw std::logic_error("slots in memory have no owner");
    }
  }
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
    border_.start(std::move(partition_.border_blocks), ranges.back().end_block());
    interface_.upload(partition_.interface_blocks);
    interface_count_ = static_cast<Index>(partition_.interface_blocks.size());
    corners_.start(backend, std::move(corners));
    elements_.start(backend, std::move(elements));
    start_found();
    start_near();
    home_.emplace(backend);
  }
  bool active() const { return backend_ != nullptr; }
  Ranks& ranks() const { return backend_->ranks(); }
  const Partition& partition() const { return partition_; }
  const ListedBlocks<Backend>& border_blocks() const { return border_; }
  /// The blocks of these nodes that this rank needs.
  InterfaceNodes needed(InterfaceNodes nodes) {
    nodes.listed = interface_.data();
    nodes.listed_count = interface_count_;
    return nodes;
  }
  /// The node that an element had there in the intact mesh.
  Index original_node(Index e, int i) const { return intact_[static_cast<std::size_t>(e) * width_ + i]; }

  /// Exchanges what the elements around shared nodes have there.
  /// @param rows    with Value, `Value give(Neighbour::Corner)` and `void take(Neighbour::Corner, Value)`
  /// @param gate  closed: nothing is exchanged; the same on all ranks
  template <class Rows>
  void share_corners(const Rows& rows, DeviceGate gate = DeviceGate::always()) {
    share(corners_, rows, gate);
  }
  /// The same in two parts: in between this rank computes what others do not wait for.
  template <class Rows>
  void begin_sharing_corners(const Rows& rows) {
    corners_.begin(*backend_, rows);
  }
  template <class Rows>
  void finish_sharing_corners(const Rows& rows) {
    corners_.finish(*backend_, rows);
  }
  /// Exchanges what the elements around shared nodes have, by their ids: likewise.
  template <class Rows>
  void share_elements(const Rows& rows, DeviceGate gate = DeviceGate::always()) {
    share(elements_, rows, gate);
  }
  /// For what rank 0 adds up or writes.
  RowsHome<Backend>& home() { return *home_; }
  /// Facets that each rank has found, which all ranks get.
  FoundByRank* found() { return found_.data(); }  ///< [rank]
  /// @param gate  see share_corners
  void share_found(DeviceGate gate) {
    share(found_everywhere_, FoundWords{reinterpret_cast<FoundWords::Value*>(found_.data())}, gate);
  }

  void share_near(const SharedNear& near) { share(near_everywhere_, near); }

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
  template <class Exchange, class Rows>
  void share(Exchange& exchange, const Rows& rows, DeviceGate gate = DeviceGate::always()) {
    exchange.begin(*backend_, rows, gate);
    exchange.finish(*backend_, rows, gate);
  }
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
  void start_near() {
    std::vector<ExchangeList<Index>> lists;
    for (int r = 0; r < ranks().count(); ++r)
      if (r != ranks().rank()) lists.push_back({r, {0}, {0}});
    near_everywhere_.start(*backend_, std::move(lists));
  }

  static constexpr std::size_t corner_bytes = exchange::stress_reals * sizeof(Real),
                               element_bytes = exchange::motion_reals * sizeof(Real);  ///< at most
  static_assert(sizeof(FoundByRank) == exchange::found_bytes);
  Backend* backend_ = nullptr;  ///< null: one rank
  Partition partition_;
  ListedBlocks<Backend> border_;
  typename Backend::template Buffer<Index> interface_;  ///< Partition::interface_blocks
  Index interface_count_ = 0;
  typename Backend::template Exchange<Neighbour::Corner, corner_bytes> corners_;
  typename Backend::template Exchange<Index, element_bytes> elements_;
  typename Backend::template Exchange<Index, sizeof(FoundWords::Value)> found_everywhere_;
  typename Backend::template Exchange<Index, sizeof(SharedNear::Value)> near_everywhere_;
  typename Backend::template Buffer<FoundByRank> found_;
  std::optional<RowsHome<Backend>> home_;
  std::vector<Index> intact_;  ///< Mesh::elements
  int width_ = 0;              ///< nodes of an element
};

}  // namespace cleave::inline CLEAVE_PRECISION
