/// Owners of rows: which rank has the true values of which rows, and how those come to rank 0.
#pragma once

#include <array>
#include <stdexcept>
#include <vector>

#include "backend/host_rows.hpp"
#include "body/fields.hpp"
#include "parts/halo.hpp"
#include "parts/rows_home.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Owners of the rows of a body. Of one rank: empty, and nothing comes from anywhere.
/// @tparam Body  GatherBody
template <class Backend, class Body>
class RowOwners {
  using Rows = OwnedRows<Backend>;

 public:
  /// Lists all owners anew at their next use: after a checkpoint was loaded.
  void forget() { known_nodes_ = 0; }

  /// Brings all that frames and checkpoints hold, but for what rank 0 has itself.
  void bring_state(Body& body) {
    if (body.halo.is_alone()) return;
    update(body);
    body.fields.for_each([&](AnyField<Backend>& field) {
      const FieldUse& use = field.use;
      if ((use.saved || use.shown) && use.rows_of != RowsOf::all_ranks) body.halo.home().add(field, rows(use.on));
    });
    body.halo.home().send();
  }
  /// Brings how nodes move, and which elements have eroded.
  void bring_motion(Body& body) {
    if (body.halo.is_alone()) return;
    update(body);
    body.halo.home().add(body.nodes.displacement, 1, node_);
    body.halo.home().add(body.nodes.velocity, 1, node_);
    if (body.erodes) body.halo.home().add(body.elements.flags, 1, element_);
    body.halo.home().send();
  }
  /// The nodes that each rank owns, as far as they are listed, behind a first item.
  /// @param is_listed  is_listed(n)
  template <class IsListed>
  std::vector<std::vector<Index>> nodes_of_ranks(Body& body, IsListed is_listed, Index first) {
    update(body);
    std::vector<std::vector<Index>> nodes;
    for (int r = 0; r < body.halo.rank_count(); ++r) {
      nodes.push_back({first});
      node_.for_each(r, [&](Index n) {
        if (is_listed(n)) nodes.back().push_back(n);
      });
    }
    return nodes;
  }

 private:
  const Rows& rows(On on) const {
    switch (on) {
      case On::node:
        return node_;
      case On::copy:
        return copy_;
      case On::element:
        return element_;
      case On::cohesive:
        return cohesive_;
      case On::work_row:
        return work_row_;
      case On::load:
        return load_;
      default:
        throw std::logic_error("slots in memory have no owner");
    }
  }
  void update(Body& body) {
    const LiveCounts now = body.report.download(1).front().live;
    if (known_nodes_ == 0) list_first(body);
    own_new_copies(body, now.nodes);
    own_new_cohesive(body, now.cohesive);
  }
  /// Owners of what there is at the start.
  void list_first(Body& body) {
    const Partition& p = body.halo.partition();
    auto& gather = body.gather;
    const std::vector<Index>& first_node = gather.first_of_block;
    for (Rows* rows : {&element_, &node_, &copy_, &cohesive_, &work_row_, &load_}) rows->start(p.ranks);
    known_nodes_ = gather.first_copy;
    known_cohesive_ = 0;
    for (int r = 0; r < p.ranks; ++r) {
      const auto add = [&](Rows& rows, Index begin, Index end) { rows.add(r, begin, end - begin); };
      add(element_, p.first_element[r], p.first_element[r + 1]);
      add(node_, first_node[p.first_block[r]], first_node[p.first_block[r + 1]]);
      add(node_, p.first_interface_node[r], p.first_interface_node[r + 1]);
      add(work_row_, p.first_block[r], p.first_block[r + 1]);
      const auto interface_row = [&](Index node) {
        return gather.blocks() + gather.interface_nodes().blocks_before(node);
      };
      add(work_row_, interface_row(p.first_interface_node[r]), interface_row(p.first_interface_node[r + 1]));
    }
    HostRows loaded(body.terms.loads.facets);
    for (Index row = 0; row < body.terms.loads.rows(); ++row)
      load_.add(p.rank_of_element(element_of(loaded[row].facet)), row);
  }
  /// Copies belong to the owner of their node, which needs them for the whole run.
  void own_new_copies(Body& body, Index nodes) {
    if (nodes <= known_nodes_) return;
    const Index count = nodes - known_nodes_;
    make_room(count);
    body.backend.launch(CornersOfCopies{.first = known_nodes_,
                                        .count = count,
                                        .assembly = body.gather.assembly.data(),
                                        .interface_entries = body.gather.interface_entries.data(),
                                        .corner = new_rows_.data()});
    const Partition& p = body.halo.partition();
    for (const Index corner : new_rows_.download(count)) {
      const Index original = body.halo.original_node(element_of_entry(corner), node_of_entry(corner));
      const int owner = original < body.gather.first_interface ? p.rank_of_element(element_of_entry(corner))
                                                               : p.rank_of_interface_node(original);
      copy_.add(owner, known_nodes_ - body.gather.first_copy);
      node_.add(owner, known_nodes_++);
    }
  }
  /// Cohesive elements belong to the owner of the element whose facet they are.
  void own_new_cohesive(Body& body, Index cohesive) {
    if (cohesive <= known_cohesive_) return;
    const Index count = cohesive - known_cohesive_;
    make_room(count);
    body.backend.launch(FacetsOfCohesive<typename Body::Element>{known_cohesive_, count,
                                                                 body.elements.cohesive_rows.data(), new_rows_.data()});
    for (const Index facet : new_rows_.download(count))
      cohesive_.add(body.halo.partition().rank_of_element(element_of(facet)), known_cohesive_++);
  }
  void make_room(Index rows) {
    if (static_cast<Index>(new_rows_.size()) < rows) new_rows_.resize(std::size_t{2} * rows);
  }

  Index known_nodes_ = 0, known_cohesive_ = 0;  ///< whose owners are listed; without nodes: of nothing
  Rows element_, node_, copy_, cohesive_, load_;
  Rows work_row_;                                      ///< of blocks, then of blocks of interface nodes
  typename Backend::template Buffer<Index> new_rows_;  ///< scratch
};

/// Gives back the memory of rows that only others need: of nodes inside their blocks, or of their elements. Rank 0, to
/// which the state of all comes, has theirs in the host's memory. Rows that neighbours send need memory, which the host
/// gives by itself and a device does not. Not between a check and its insertion, which needs what neighbours have sent.
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
    field.give_back(values, body.halo.leads() ? GivenBack::to_host : GivenBack::lost);
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
