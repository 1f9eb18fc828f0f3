/// Owners of rows: which rank has the true values of which rows, what ids these have in the body, and how they come to
/// rank 0.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "backend/host_copy.hpp"
#include "backend/host_rows.hpp"
#include "body/fields.hpp"
#include "parts/halo.hpp"
#include "parts/rows_home.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Place of an insertion in the order of one rank: by checks; of each, mid-sides of all cut facets, then copies of
/// corners; by facets, and at a corner by sectors.
struct InsertionPlace {
  Step step = 0;
  Index at_corner = 0;  ///< 0 or 1
  Index facet = 0;      ///< code in the body
  Index end = 0;
  Index sector = 0;
  auto operator<=>(const InsertionPlace&) const = default;
};

/// Owners of the rows of a body and their ids. Of one rank: empty, and nothing comes from anywhere.
/// @tparam Body  GatherBody
template <class Backend, class Body>
class RowOwners {
  using Rows = OwnedRows<Backend>;

 public:
  /// Lists owners and ids anew at their next use, after a body was loaded.
  void forget() { is_listed_ = false; }

  /// Numbers of rows of the body. Called by all ranks.
  RowCounts rows_of_body(Body& body) {
    RowCounts rows = body.row_counts();
    if (body.halo.is_alone()) return rows;
    update(body);
    for (const On on : owned) rows[on] = of_body_[on];
    return rows;
  }
  /// Starts the copies of a state to the host's memory of rank 0. Called by all ranks, with the same arrays, after
  /// rows_of_body. Arrays that nobody owns come from rank 0 itself.
  void start(Body& body, HostCopy<Backend>& copy) {
    if (body.halo.is_alone()) return copy.start(body.backend);
    const IdsInBody ids = ids_in_body(body);
    const auto bring = [&](const auto& piece, std::byte* to) {
      AnyField<Backend>* const field = body.fields.find(piece.buffer);
      const bool comes_home = field != nullptr && is_owned(*field);
      if (comes_home &&
          field->extent(field->body_row_count(of_body_[field->use.on])) * field->value_bytes > piece.bytes)
        throw std::logic_error(field->name + ": a copy has too few rows");
      if (comes_home)
        body.halo.home().add(*field, rows(field->use.on), ids, to, of_body_[field->use.on]);
      else if (to != nullptr)
        body.backend.copy_to_host(to, piece.from, piece.bytes);
    };
    if (!body.halo.leads()) {
      for (const auto& piece : copy.pieces()) bring(piece, nullptr);
      return body.halo.home().send();
    }
    copy.start(body.backend, bring, [&] { body.halo.home().send(); });
  }
  /// The nodes that each rank owns, as far as they are listed, behind a first item. Of ranks that all have the body.
  /// @param is_listed  is_listed(n)
  template <class IsListed>
  std::vector<std::vector<Index>> nodes_of_ranks(Body& body, IsListed is_listed, Index first) {
    std::vector<std::vector<Index>> nodes(body.halo.rank_count(), {first});
    if (body.halo.is_alone()) return nodes;
    update(body);
    for (int r = 0; r < body.halo.rank_count(); ++r)
      rows(On::node).in_body[r].for_each([&](Index n) {
        if (is_listed(n)) nodes[r].push_back(n);
      });
    return nodes;
  }

 private:
  static constexpr std::array owned{On::node, On::copy, On::element, On::cohesive, On::work_row, On::load};
  /// Rows of a rank that follow each other, at the start.
  struct FirstRows {
    Index kind;  ///< On
    Index own, in_body, count;
    On on() const { return static_cast<On>(kind); }
  };

  static bool is_owned(const AnyField<Backend>& field) {
    const bool by_item = field.use.rows == 0 || field.use.on == On::element;
    return by_item && std::find(owned.begin(), owned.end(), field.use.on) != owned.end();
  }
  const Rows& rows(On on) const { return rows_[static_cast<int>(on)]; }
  Rows& rows(On on) { return rows_[static_cast<int>(on)]; }
  /// Whether this rank needs to know which rows the others own.
  static bool keeps_all(Body& body) { return body.halo.leads() || !body.halo.has_part(); }

  IdsInBody ids_in_body(Body& body) {
    return {body.halo.element_ids(), body.halo.node_ids(), body.gather.first_copy, copies_in_memory_.data(),
            cohesive_in_memory_.data()};
  }

  void update(Body& body) {
    const LiveCounts now = body.report.download(1).front().live;
    if (!is_listed_) list_first(body, now);
    is_listed_ = true;
    list_cohesive(body, now.cohesive);
    list_copies(body, now.nodes);
  }

  /// Owners of what there is at the start, or after a checkpoint was loaded.
  void list_first(Body& body, const LiveCounts& now) {
    for (Rows& kind : rows_) {
      kind.own.clear();
      kind.in_body.resize(body.halo.rank_count());
      for (auto& of_rank : kind.in_body) of_rank.clear();
    }
    cohesive_ids_.clear();
    copy_ids_.clear();
    const std::vector<FirstRows> own = first_rows(body);
    for (const FirstRows& run : own) rows(run.on()).own.add(run.own, run.count);
    const auto of_ranks = body.halo.records_by_rank(own);
    Index loads = 0;
    for (std::size_t r = 0; r < of_ranks.size(); ++r)
      for (const FirstRows& run : of_ranks[r]) {
        // Loaded facets are sorted, and ranks have elements that follow each other.
        const Index first = run.on() == On::load ? std::exchange(loads, loads + run.count) : run.in_body;
        if (keeps_all(body)) rows(run.on()).in_body[r].add(first, run.count);
      }
    const BodyCounts& intact = body.halo.body();
    of_body_ = {};
    of_body_[On::node] = intact.nodes;
    of_body_[On::element] = intact.elements;
    of_body_[On::work_row] = intact.blocks + intact.interface_blocks();
    of_body_[On::load] = loads;
    if (body.halo.has_part()) return;
    // All ranks have the whole body, with its ids.
    const auto cohesive = new_cohesive(body, 0, now.cohesive);
    own_cohesive(body, cohesive, consecutive(0, now.cohesive));
    const auto copies = new_copies(body, body.gather.first_copy, now.nodes, nullptr);
    own_copies(body, copies, consecutive(body.gather.first_copy, now.nodes));
  }
  /// Rows that this rank owns at the start.
  std::vector<FirstRows> first_rows(Body& body) {
    const auto& halo = body.halo;
    const Partition& p = halo.partition();
    const auto& gather = body.gather;
    const int r = halo.rank();
    std::vector<FirstRows> own;
    own.reserve(6);
    const auto add = [&](On on, Index first, Index end, const auto& in_body) {
      if (end > first) own.push_back({static_cast<Index>(on), first, in_body(first), end - first});
    };
    const auto node_in_body = [&](Index n) { return halo.host_node_ids().body_id(n); };
    const auto row_of = [&](Index n) { return gather.blocks() + gather.interface_nodes().blocks_before(n); };
    const Index first_interface = p.first_interface_node[r];
    add(On::element, p.first_element[r], p.first_element[r + 1],
        [&](Index e) { return halo.host_element_ids().body_id(e); });
    add(On::node, gather.first_of_block[p.first_block[r]], gather.first_of_block[p.first_block[r + 1]], node_in_body);
    add(On::node, first_interface, p.first_interface_node[r + 1], node_in_body);
    add(On::work_row, p.first_block[r], p.first_block[r + 1], [&](Index) { return halo.first_block_in_body(); });
    add(On::work_row, row_of(first_interface), row_of(p.first_interface_node[r + 1]),
        [&](Index) { return halo.body().blocks + halo.body().interface_blocks_before(node_in_body(first_interface)); });
    add(On::load, body.terms.loads.own_rows().begin, body.terms.loads.own_rows().end, [](Index row) { return row; });
    return own;
  }

  std::vector<NewCohesive> new_cohesive(Body& body, Index first, Index end) {
    std::vector<NewCohesive> none;
    if (end <= first) return none;
    make_room(new_cohesive_, end - first);
    body.backend.launch(ListNewCohesive<typename Body::Element>{first, end - first, body.elements.cohesive_rows.data(),
                                                                body.cohesive.insertion_step.data(),
                                                                new_cohesive_.data()});
    return new_cohesive_.download(end - first);
  }
  /// @param makers  CopyMaker; null: nobody knows any more
  std::vector<NewCopy> new_copies(Body& body, Index first, Index end, const Index* makers) {
    std::vector<NewCopy> none;
    if (end <= first) return none;
    make_room(new_copies_, end - first);
    body.backend.launch(ListNewCopies<typename Body::Element>{.first = first,
                                                              .count = end - first,
                                                              .first_copy = body.gather.first_copy,
                                                              .makers = makers,
                                                              .assembly = body.gather.assembly.data(),
                                                              .interface_entries = body.gather.interface_entries.data(),
                                                              .rows = body.elements.cohesive_rows.data(),
                                                              .insertion_step = body.cohesive.insertion_step.data(),
                                                              .listed = new_copies_.data()});
    return new_copies_.download(end - first);
  }

  /// A cohesive element belongs to the owner of the element whose facet it is.
  static bool owns(Body& body, const NewCohesive& c) { return body.halo.own_elements().has(element_of(c.facet)); }
  /// Copies belong to the owner of their node, which needs them for the whole run.
  static bool owns(Body& body, const NewCopy& copy) {
    return body.owns_node(body.halo.original_node(element_of_entry(copy.corner), node_of_entry(copy.corner)));
  }
  static InsertionPlace place_of(Body& body, const NewCohesive& c) {
    const Index e = body.halo.host_element_ids().body_id(element_of(c.facet));
    return {c.step, 0, facet_code(e, facet_of(c.facet)), 0, 0};
  }
  /// @param before  that of the copy with the id before; null: there is none
  static InsertionPlace place_of(Body& body, const NewCopy& copy, const InsertionPlace* before) {
    InsertionPlace place = place_of(body, copy.cut);
    place.at_corner = copy.place == CopyMaker::at_mid_side ? 0 : 1;
    place.end = copy.place;
    if (before == nullptr) return place;
    place.sector = before->sector;
    place.sector = place == *before ? before->sector + 1 : 0;
    return place;
  }

  /// Cohesive elements that ranks have inserted since the last time get ids.
  void list_cohesive(Body& body, Index end) {
    const auto listed = new_cohesive(body, static_cast<Index>(cohesive_ids_.size()), end);
    std::vector<InsertionPlace> places;
    for (const NewCohesive& c : listed) places.push_back(place_of(body, c));
    own_cohesive(body, listed, ids_of(body, listed, places, of_body_[On::cohesive]));
  }
  /// So do copies of nodes.
  void list_copies(Body& body, Index end) {
    const Index first = body.gather.first_copy + static_cast<Index>(copy_ids_.size());
    const auto listed = new_copies(body, first, end, body.gather.makers.data());
    std::vector<InsertionPlace> places;
    for (const NewCopy& copy : listed) {
      const InsertionPlace place = place_of(body, copy, places.empty() ? nullptr : &places.back());
      places.push_back(place);
    }
    own_copies(body, listed, ids_of(body, listed, places, of_body_[On::node]));
  }
  /// Ids of what ranks have inserted, in the order of one rank; -1: this rank alone has it, in a corner of its part
  /// that it does not need.
  /// @param before  number of those that ids have before
  template <class New>
  static std::vector<Index> ids_of(Body& body, const std::vector<New>& listed,
                                   const std::vector<InsertionPlace>& places, Index before) {
    std::vector<InsertionPlace> own;
    for (std::size_t i = 0; i < listed.size(); ++i)
      if (owns(body, listed[i])) own.push_back(places[i]);
    std::vector<InsertionPlace> all = body.halo.records_of_all(own);
    std::sort(all.begin(), all.end());
    std::vector<Index> ids;
    for (const InsertionPlace& place : places) {
      const auto found = std::lower_bound(all.begin(), all.end(), place);
      ids.push_back(found != all.end() && *found == place ? before + static_cast<Index>(found - all.begin()) : -1);
    }
    return ids;
  }
  static std::vector<Index> consecutive(Index first, Index end) {
    std::vector<Index> ids(end - first);
    std::iota(ids.begin(), ids.end(), first);
    return ids;
  }

  /// Takes over the ids of the cohesive elements that follow those so far.
  void own_cohesive(Body& body, const std::vector<NewCohesive>& listed, const std::vector<Index>& ids) {
    const auto first = static_cast<Index>(cohesive_ids_.size());
    add_owned(
        body, listed, ids, [&](Index own) { rows(On::cohesive).own.add(first + own); },
        [&](int rank, Index id) { rows(On::cohesive).in_body[rank].add(id); }, of_body_[On::cohesive]);
    keep_ids(cohesive_ids_, ids, cohesive_in_memory_);
  }
  /// The same of copies of nodes.
  void own_copies(Body& body, const std::vector<NewCopy>& listed, const std::vector<Index>& ids) {
    const auto first = static_cast<Index>(copy_ids_.size());
    const Index intact = body.halo.body().nodes;
    add_owned(
        body, listed, ids,
        [&](Index own) {
          rows(On::copy).own.add(first + own);
          rows(On::node).own.add(body.gather.first_copy + first + own);
        },
        [&](int rank, Index id) {
          rows(On::copy).in_body[rank].add(id - intact);
          rows(On::node).in_body[rank].add(id);
        },
        of_body_[On::node]);
    of_body_[On::copy] = of_body_[On::node] - intact;
    keep_ids(copy_ids_, ids, copies_in_memory_);
  }
  /// Calls own(i) for each of this rank, and in_body(rank, id) for each of any rank; counts all.
  template <class New, class Own, class InBody>
  static void add_owned(Body& body, const std::vector<New>& listed, const std::vector<Index>& ids, const Own& own,
                        const InBody& in_body, Index& count) {
    std::vector<Index> owned_ids;
    for (std::size_t i = 0; i < listed.size(); ++i) {
      if (!owns(body, listed[i])) continue;
      own(static_cast<Index>(i));
      owned_ids.push_back(ids[i]);
    }
    const auto of_ranks = body.halo.records_by_rank(owned_ids);
    for (std::size_t r = 0; r < of_ranks.size(); ++r) {
      count += static_cast<Index>(of_ranks[r].size());
      if (keeps_all(body))
        for (const Index id : of_ranks[r]) in_body(static_cast<int>(r), id);
    }
  }
  template <class Buffer>
  static void keep_ids(std::vector<Index>& all, const std::vector<Index>& ids, Buffer& in_memory) {
    if (ids.empty()) return;
    all.insert(all.end(), ids.begin(), ids.end());
    make_room(in_memory, static_cast<Index>(all.size()));
    in_memory.upload(all);
  }
  template <class Buffer>
  static void make_room(Buffer& buffer, Index rows) {  // growing ends recordings
    if (static_cast<Index>(buffer.size()) < rows) buffer.resize(rows + rows / 2 + 64);
  }

  template <class T>
  using Buffer = typename Backend::template Buffer<T>;
  bool is_listed_ = false;            ///< what there was at the start
  std::array<Rows, on_count> rows_;   ///< [On]
  RowCounts of_body_;                 ///< rows of the body
  std::vector<Index> cohesive_ids_;   ///< [cohesive element] id in the body
  std::vector<Index> copy_ids_;       ///< [copy of a node] likewise
  Buffer<Index> cohesive_in_memory_;  ///< the same in solver memory
  Buffer<Index> copies_in_memory_;    ///< likewise
  Buffer<NewCohesive> new_cohesive_;  ///< scratch
  Buffer<NewCopy> new_copies_;        ///< likewise
};

/// Gives back the memory of rows that only others need: of nodes inside their blocks, or of their elements. Rows that
/// neighbours send need memory, which the host gives by itself and a device does not. Not between a check and its
/// insertion, which needs what neighbours have sent.
template <class Body>
void keep_own_rows(Body& body, On on) {
  if (body.halo.is_alone()) return;
  const ElementRange own = body.halo.own_elements();
  std::array<ElementRange, 2> others{{{0, own.begin}, {own.end, body.elements.count}}};
  if (on == On::node) others = {{{0, body.own_interior.begin}, {body.own_interior.end, body.gather.first_interface}}};
  body.fields.for_each([&](auto& field) {
    const FieldUse& use = field.use;
    if (use.on != on || use.rows_of != RowsOf::owner_only) return;
    if (use.exchanged && !Body::is_host_memory) return;
    std::vector<ValueRange> values;
    for (const ElementRange& rows : others) values.push_back({field.extent(rows.begin), field.whole_blocks(rows.end)});
    field.give_back(values);
  });
}

/// Flags the nodes that this rank does not need, and those that another rank adds up: nodes of the intact mesh, whose
/// copies inherit the flags, and copies.
template <class Body>
void mark_remote_nodes(Body& body) {
  if (body.halo.is_alone()) return;
  HostRows assembly(body.gather.assembly);
  HostRows entries(body.gather.interface_entries);
  for (Index n = 0; n < body.nodes.count; ++n) {
    NodeAssembly& node = assembly[n];
    Index original = n;
    if (n >= body.gather.first_copy) {
      const Index entry = entries[node.first_slot];
      original = body.halo.original_node(element_of_entry(entry), node_of_entry(entry));
    }
    if (body.halo.partition().absent[original]) node.flags |= remote_node;
    if (!body.owns_node(original)) node.flags |= ghost_node;
  }
  assembly.write_back();
}

}  // namespace cleave::inline CLEAVE_PRECISION
