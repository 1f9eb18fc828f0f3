/// Exchange between the ranks of a run. One rank has an empty halo: its part is the whole body, and nothing is
/// exchanged.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "backend/fill.hpp"
#include "backend/host_rows.hpp"
#include "body/element_table.hpp"
#include "body/interface_nodes.hpp"
#include "cleave/core/fixed_sum.hpp"
#include "cleave/partition/part.hpp"
#include "cleave/partition/ranks.hpp"
#include "cleave/solver/model.hpp"
#include "fracture/found_facets.hpp"
#include "parts/exchanged_rows.hpp"
#include "parts/listed_blocks.hpp"
#include "parts/rows_home.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// The blocks that a rank computes, and the exchange with the other ranks. All have the whole body where the model has
/// no part; values that other ranks compute are out of date there, or have no memory.
template <class Backend>
class Halo {
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

 public:
  /// @param ranges  of blocks, one for each material
  /// @param first_interface  the first node between blocks
  void start(const Model& model, const std::vector<BlockRange>& ranges, Index first_interface, int interface_width,
             Backend& backend) {
    const Mesh& mesh = model.mesh;
    own_blocks_ = ranges;
    own_elements_ = {0, mesh.element_count()};
    if (backend.ranks().is_alone()) return;
    backend_ = &backend;
    intact_ = mesh.elements;
    width_ = nodes_per_element(mesh.type);
    if (model.part) {
      partition_ = model.part->partition;
      element_runs_ = model.part->elements.runs();
      node_runs_ = model.part->nodes.runs();
      element_ids_.upload(element_runs_);
      node_ids_.upload(node_runs_);
      material_ranges_ = model.part->material_ranges;
      first_block_in_body_ = model.part->first_block;
      body_ = model.part->body;
    } else {
      partition_ = make_partition(mesh, ranges, interface_width, rank_count(), rank());
      first_block_in_body_ = partition_.first_block[rank()];
      body_ = {mesh.element_count(), mesh.node_count(), ranges.back().end_block(), first_interface, interface_width};
    }
    own_blocks_ = partition_.own;
    own_elements_ = {partition_.first_element[rank()], partition_.first_element[rank() + 1]};
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

  bool is_alone() const { return backend_ == nullptr; }
  int rank_count() const { return is_alone() ? 1 : backend_->ranks().count(); }
  int rank() const { return is_alone() ? 0 : backend_->ranks().rank(); }
  /// Whether this rank writes: the only one, or rank 0.
  bool leads() const { return rank() == 0; }
  const Partition& partition() const { return partition_; }
  /// Elements of the body, of which this rank has `own_count`.
  Index body_elements(Index own_count) const { return is_alone() ? own_count : body_.elements; }
  /// Whether this rank has a part; it has the whole body otherwise. The same on all ranks.
  bool has_part() const { return !element_runs_.empty(); }
  /// Numbers of the rows of the body, of several ranks.
  const BodyCounts& body() const { return body_; }
  /// Model::material_ranges of the body, if this rank has a part; otherwise empty.
  const std::vector<Index>& material_ranges() const { return material_ranges_; }
  /// Number in the body of the first block that this rank computes, of several ranks.
  Index first_block_in_body() const { return first_block_in_body_; }
  /// Ids of elements, in solver memory.
  PartIds element_ids() const { return {element_ids_.data(), static_cast<Index>(element_ids_.size())}; }
  /// Ids of nodes of the intact mesh, likewise.
  PartIds node_ids() const { return {node_ids_.data(), static_cast<Index>(node_ids_.size())}; }
  /// The same in the host's memory.
  PartIds host_element_ids() const { return {element_runs_.data(), static_cast<Index>(element_runs_.size())}; }
  PartIds host_node_ids() const { return {node_runs_.data(), static_cast<Index>(node_runs_.size())}; }
  /// Elements of this rank.
  ElementRange own_elements() const { return own_elements_; }
  /// Blocks of elements that this rank computes, one range for each material.
  const std::vector<BlockRange>& own_blocks() const { return own_blocks_; }
  /// The same blocks as one range.
  ElementRange own_block_range() const {
    if (is_alone()) return {0, own_blocks_.back().end_block()};
    return {partition_.first_block[rank()], partition_.first_block[rank() + 1]};
  }
  /// The interface nodes that this rank adds up: whole blocks, but for the last one.
  ElementRange own_interface(const InterfaceNodes& nodes) const {
    if (is_alone()) return {nodes.first, nodes.first_copy};
    return {partition_.first_interface_node[rank()], partition_.first_interface_node[rank() + 1]};
  }
  /// The blocks of these nodes that this rank needs.
  InterfaceNodes needed(InterfaceNodes nodes) {
    if (is_alone()) return nodes;
    nodes.listed = interface_.data();
    nodes.listed_count = interface_count_;
    return nodes;
  }
  /// The node that an element had there in the intact mesh. Of several ranks only.
  Index original_node(Index e, int i) const { return intact_[static_cast<std::size_t>(e) * width_ + i]; }

  /// Launches the blocks of this rank, and exchanges what their elements have written for nodes of several ranks. Those
  /// at the border of the part come first: what other ranks wait for is on its way while this rank computes the others.
  /// @param launch  called with a few materials and their states
  template <class Materials, class Rows, class Launch>
  void launch_blocks(Backend& backend, Materials& materials, const Rows& written, const Launch& launch) {
    if (is_alone()) return materials.for_each_launch(own_blocks_, launch);
    const auto launch_border = [&](auto of, auto states) {
      if (border_.restrict_to_listed(of)) launch(of, states);
    };
    const auto launch_others = [&](auto of, auto states) {
      border_.restrict_to_others(of);
      launch(of, states);
    };
    backend.first_beside(
        [&] {
          materials.for_each_launch(own_blocks_, launch_border);
          corners_.begin(backend, written);
        },
        [&] { materials.for_each_launch(own_blocks_, launch_others); });
    corners_.finish(backend, written);
  }
  /// Exchanges what the elements around shared nodes have there.
  /// @param rows    with Value, `Value give(Neighbour::Corner)` and `void take(Neighbour::Corner, Value)`
  /// @param gate  closed: nothing need be exchanged; the same on all ranks
  template <class Rows>
  void exchange_corners(const Rows& rows, DeviceGate gate = DeviceGate::always()) {
    exchange(corners_, rows, gate);
  }
  /// Exchanges what the elements around shared nodes have, by their ids: likewise.
  template <class Rows>
  void exchange_elements(const Rows& rows, DeviceGate gate = DeviceGate::always()) {
    exchange(elements_, rows, gate);
  }
  /// A stress near the strength on one rank becomes one on all.
  void exchange_near(const SharedNear& near) { exchange(near_everywhere_, near); }

  /// Joins the facets that the ranks have found to break: each rank cuts those that it has. Where they are more than
  /// most_facets_of_one_block, join_many_found has to follow.
  /// @param has_room  whether this rank may cut as many in a recording, see OneBlockInsertion; otherwise none does
  /// @param gate  closed: no stress is near the strength on any rank, and there is nothing to exchange
  template <class Element, class HasRoom>
  void join_found(const CheckResult& check, const ElementTable<Element>& table, const HasRoom& has_room,
                  DeviceGate gate) {
    if (is_alone()) return;
    backend_->launch(NoteFound<HasRoom>{check, element_ids(), has_room, found_.data() + rank()});
    exchange(found_everywhere_, FoundWords{reinterpret_cast<FoundWords::Value*>(found_.data())}, gate);
    backend_->launch(JoinFound<Element>{{check, element_ids(), table}, found_.data(), rank_count(), gate});
  }
  /// The same through the host, however many they are.
  /// @param elements  with such facets, of all ranks
  template <class Element>
  void join_many_found(const CheckResult& check, const ElementTable<Element>& table, Index elements) {
    if (is_alone()) return;
    if (static_cast<Index>(many_.size()) < elements) many_.resize(elements + elements / 2);  // growing ends recordings
    if (counted_.size() == 0) counted_.resize(1);
    backend_->launch(Fill<Index>{counted_.data(), 1, 0});
    backend_->launch(
        ListFound{check, element_ids(), own_elements_, found_.data() + rank(), counted_.data(), many_.data()});
    const std::vector<FoundFacets> all =
        records_of_all(many_.download(std::min(counted_.download(1).front(), elements)));
    if (static_cast<Index>(all.size()) != elements)
      throw std::logic_error("ranks list " + std::to_string(all.size()) +
                             " elements with facets that break, and have counted " + std::to_string(elements));
    many_.upload(all);
    launch_fill(*backend_, check.bits, table.bulk, std::uint8_t{0});
    backend_->launch(Fill<Index>{check.here.facets, 1, 0});
    backend_->launch(TakeFound<Element>{{check, element_ids(), table}, many_.data(), elements});
  }

  /// [rank] The records of each.
  template <class Record>
  std::vector<std::vector<Record>> records_by_rank(const std::vector<Record>& own) const {
    if (is_alone()) return {own};
    Ranks::Bytes bytes(own.size() * sizeof(Record));
    if (!own.empty()) std::memcpy(bytes.data(), own.data(), bytes.size());
    std::vector<std::vector<Record>> all;
    for (const Ranks::Bytes& of_rank : backend_->ranks().gather_everywhere(bytes)) {
      all.emplace_back(of_rank.size() / sizeof(Record));
      if (!of_rank.empty()) std::memcpy(all.back().data(), of_rank.data(), of_rank.size());
    }
    return all;
  }
  /// The records of all ranks, in the order of the ranks.
  template <class Record>
  std::vector<Record> records_of_all(const std::vector<Record>& own) const {
    std::vector<Record> all;
    for (const std::vector<Record>& of_rank : records_by_rank(own))
      all.insert(all.end(), of_rank.begin(), of_rank.end());
    return all;
  }
  /// Replaces each sum by that of all ranks. Of several ranks only.
  void sum(std::vector<FixedSum>& sums) const {
    backend_->ranks().sum(sums.front().word, sums.size() * FixedSum::words);
  }
  /// Sets in rows of bytes, on all ranks, the bits that any rank has set there.
  template <class Bytes>
  void unite(Bytes& bytes) const {
    if (is_alone()) return;
    HostRows rows(bytes);
    backend_->ranks().unite(reinterpret_cast<std::uint8_t*>(rows.data()), bytes.size() * sizeof(*rows.data()));
    rows.write_back();
  }
  /// Sends rows of arrays to rank 0. Of several ranks only.
  RowsHome<Backend>& home() { return *home_; }

  /// Replays launches, then others which ranks do through the host, so that a recording cannot hold them.
  template <class First, class Last>
  void replay(Backend& backend, typename Backend::Recording& recording, const First& first, const Last& through_host) {
    backend.replay(recording, [&] {
      first();
      if (is_alone()) through_host();
    });
    if (!is_alone()) through_host();
  }
  /// Replays launches that ranks do through the host.
  template <class Launches>
  void replay(Backend& backend, typename Backend::Recording& recording, const Launches& through_host) {
    if (is_alone())
      backend.replay(recording, through_host);
    else
      through_host();
  }

 private:
  template <class Exchange, class Rows>
  void exchange(Exchange& lists, const Rows& rows, DeviceGate gate = DeviceGate::always()) {
    if (is_alone()) return;
    lists.begin(*backend_, rows, gate);
    lists.finish(*backend_, rows, gate);
  }
  void start_found() {
    constexpr auto words = static_cast<Index>(sizeof(FoundByRank) / sizeof(FoundWords::Value));
    const auto words_of = [](int rank) {
      std::vector<Index> items(words);
      std::iota(items.begin(), items.end(), rank * words);
      return items;
    };
    found_.upload(std::vector<FoundByRank>(rank_count()));
    std::vector<ExchangeList<Index>> lists;
    for (int r = 0; r < rank_count(); ++r)
      if (r != rank()) lists.push_back({r, words_of(rank()), words_of(r)});
    found_everywhere_.start(*backend_, std::move(lists));
  }
  void start_near() {
    std::vector<ExchangeList<Index>> lists;
    for (int r = 0; r < rank_count(); ++r)
      if (r != rank()) lists.push_back({r, {0}, {0}});
    near_everywhere_.start(*backend_, std::move(lists));
  }

  static constexpr std::size_t corner_bytes = sizeof(Sym2),
                               element_bytes = sizeof(ExchangedCornerMotion<T6>::Value);  ///< at most
  Backend* backend_ = nullptr;                                                            ///< null: one rank
  Partition partition_;
  ElementRange own_elements_{0, 0};
  std::vector<BlockRange> own_blocks_;
  ListedBlocks<Backend> border_;
  Buffer<Index> interface_;  ///< Partition::interface_blocks
  Index interface_count_ = 0;
  typename Backend::template Exchange<Neighbour::Corner, corner_bytes> corners_;
  typename Backend::template Exchange<Index, element_bytes> elements_;
  typename Backend::template Exchange<Index, sizeof(FoundWords::Value)> found_everywhere_;
  typename Backend::template Exchange<Index, sizeof(SharedNear::Value)> near_everywhere_;
  Buffer<FoundByRank> found_;  ///< [rank]
  Buffer<FoundFacets> many_;   ///< see join_many_found
  Buffer<Index> counted_;      ///< likewise
  std::optional<RowsHome<Backend>> home_;
  std::vector<PartRun> element_runs_;  ///< of the elements of a part; of the whole body none
  std::vector<PartRun> node_runs_;     ///< of its nodes of the intact mesh, likewise
  Buffer<PartRun> element_ids_;        ///< the same in solver memory
  Buffer<PartRun> node_ids_;           ///< likewise
  BodyCounts body_;
  Index first_block_in_body_ = 0;
  std::vector<Index> material_ranges_;
  std::vector<Index> intact_;  ///< Mesh::elements
  int width_ = 0;              ///< nodes of an element
};

}  // namespace cleave::inline CLEAVE_PRECISION
