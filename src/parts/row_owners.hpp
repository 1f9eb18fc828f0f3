/// Owners of rows: which rank has the true values of which rows, and how those come to rank 0.
#pragma once

#include <algorithm>
#include <array>
#include <stdexcept>
#include <vector>

#include "backend/host_rows.hpp"
#include "body/fields.hpp"
#include "cleave/solver/model.hpp"
#include "parts/halo.hpp"
#include "parts/rows_home.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Owners of the rows of a body. Of one rank: empty, and nothing comes from anywhere.
/// @tparam Body  GatherBody
template <class Backend, class Body>
class RowOwners {
  using Rows = OwnedRows<Backend>;

 public:
  /// @param held_groups  of the intact mesh
  void start(const std::vector<HeldGroup>& held_groups) {
    for (const HeldGroup& group : held_groups)
      held_nodes_.insert(held_nodes_.end(), group.nodes.begin(), group.nodes.end());
    std::sort(held_nodes_.begin(), held_nodes_.end());
    held_nodes_.erase(std::unique(held_nodes_.begin(), held_nodes_.end()), held_nodes_.end());
  }
  /// Lists all owners anew at their next use: after a checkpoint was loaded.
  void forget() { of_element_.clear(); }

  /// Owner of each cohesive element, also of those that insertion has added in the recording under way.
  const std::vector<int>& of_cohesive(Body& body) {
    update(body);
    return of_cohesive_;
  }

  /// Brings the rows that a row of history adds up to rank 0, and no more, as rows are frequent.
  void bring_sums(Body& body) {
    if (body.halo.is_alone()) return;
    update(body);
    body.fields.for_each([&](AnyField<Backend>& field) {
      if (const Rows* rows = summed_rows(field.use)) body.halo.home().add(field, *rows);
    });
    body.halo.home().send();
    new_cohesive_.clear();
  }
  /// Brings all that frames and checkpoints hold, but for what every rank has alike.
  void bring_state(Body& body) {
    if (body.halo.is_alone()) return;
    update(body);
    body.fields.for_each([&](AnyField<Backend>& field) {
      const FieldUse& use = field.use;
      if ((use.saved || use.shown) && use.rows_of != RowsOf::all_ranks) body.halo.home().add(field, rows(use.on));
    });
    body.halo.home().send();
    new_cohesive_.clear();
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
  const Rows* summed_rows(const FieldUse& use) const {
    switch (use.summed) {
      case Summed::all:
        return &rows(use.on);
      case Summed::new_rows:
        return &new_cohesive_;
      case Summed::held:
        return &held_;
      default:
        return nullptr;
    }
  }

  void update(Body& body) {
    const LiveCounts now = body.report.download(1).front().live;
    if (of_element_.empty()) list_first(body);
    own_new_copies(body, now.nodes);
    own_new_cohesive(body, now.cohesive);
  }
  /// Owners of what there is at the start.
  void list_first(Body& body) {
    const Partition& p = body.halo.partition();
    auto& gather = body.gather;
    const std::vector<Index>& first_node = gather.first_of_block;
    for (Rows* rows : {&element_, &node_, &copy_, &cohesive_, &new_cohesive_, &held_, &work_row_, &load_})
      rows->start(p.ranks);
    of_cohesive_.clear();
    of_element_.resize(body.elements.count);
    of_node_.resize(gather.first_copy);
    const auto own = [](std::vector<int>& of_row, Rows& rows, int rank, Index begin, Index end) {
      std::fill(of_row.begin() + begin, of_row.begin() + end, rank);
      rows.add(rank, begin, end - begin);
    };
    for (int r = 0; r < p.ranks; ++r) {
      own(of_element_, element_, r, p.first_element[r], p.first_element[r + 1]);
      own(of_node_, node_, r, first_node[p.first_block[r]], first_node[p.first_block[r + 1]]);
      own(of_node_, node_, r, p.first_interface_node[r], p.first_interface_node[r + 1]);
      work_row_.add(r, p.first_block[r], p.first_block[r + 1] - p.first_block[r]);
      for (Index n = p.first_interface_node[r]; n < p.first_interface_node[r + 1]; n += InterfaceNodes::width)
        work_row_.add(r, gather.blocks() + (n - gather.first_interface) / InterfaceNodes::width);
    }
    for (const Index n : held_nodes_) held_.add(of_node_[n], n);
    HostRows loaded(body.terms.loads.facets);
    for (Index row = 0; row < body.terms.loads.rows(); ++row)
      load_.add(of_element_[element_of(loaded[row].facet)], row);
  }
  /// Copies belong to the owner of their node, which needs them for the whole run.
  void own_new_copies(Body& body, Index nodes) {
    const auto known = static_cast<Index>(of_node_.size());
    if (nodes <= known) return;
    make_room(nodes - known);
    body.backend.launch(CornersOfCopies{.first = known,
                                        .count = nodes - known,
                                        .assembly = body.gather.assembly.data(),
                                        .interface_entries = body.gather.interface_entries.data(),
                                        .corner = new_rows_.data()});
    Index n = known;
    for (const Index corner : new_rows_.download(nodes - known)) {
      const Index original = body.halo.original_node(element_of_entry(corner), node_of_entry(corner));
      const int owner = of_node_[original];
      of_node_.push_back(owner);
      node_.add(owner, n);
      copy_.add(owner, n - body.gather.first_copy);
      if (std::binary_search(held_nodes_.begin(), held_nodes_.end(), original)) held_.add(owner, n);
      ++n;
    }
  }
  /// Cohesive elements belong to the owner of the element whose facet they are.
  void own_new_cohesive(Body& body, Index cohesive) {
    const auto known = static_cast<Index>(of_cohesive_.size());
    if (cohesive <= known) return;
    make_room(cohesive - known);
    body.backend.launch(FacetsOfCohesive<typename Body::Element>{known, cohesive - known,
                                                                 body.elements.cohesive_rows.data(), new_rows_.data()});
    Index c = known;
    for (const Index facet : new_rows_.download(cohesive - known)) {
      const int owner = of_element_[element_of(facet)];
      of_cohesive_.push_back(owner);
      cohesive_.add(owner, c);
      new_cohesive_.add(owner, c);
      ++c;
    }
  }
  void make_room(Index rows) {
    if (static_cast<Index>(new_rows_.size()) < rows) new_rows_.resize(std::size_t{2} * rows);
  }

  std::vector<int> of_element_, of_node_, of_cohesive_;
  Rows element_, node_, copy_, cohesive_, load_;
  Rows new_cohesive_;                                  ///< of which rank 0 does not have what is fixed at insertion
  Rows held_;                                          ///< nodes of groups that are held or driven
  Rows work_row_;                                      ///< of blocks, then of blocks of interface nodes
  std::vector<Index> held_nodes_;                      ///< of the intact mesh, by id
  typename Backend::template Buffer<Index> new_rows_;  ///< scratch
};

/// Gives back the memory of rows that only others need: of nodes inside their blocks, or of their elements. Rank 0, to
/// which the state of all comes, has theirs in the host's memory. Rows that neighbours send need memory, which the host
/// gives by itself and a device does not. Not between a check and its insertion, which needs what neighbours have sent.
template <class Body>
void keep_own_rows(Body& body, On on) {
  if (body.halo.is_alone()) return;
  const Partition& p = body.halo.partition();
  const ElementRange own = body.halo.own_elements();
  std::array<ElementRange, 2> others{{{0, own.begin}, {own.end, body.elements.count}}};
  if (on == On::node) {
    const std::vector<Index>& first = body.gather.first_of_block;
    others = {{{0, first[p.first_block[p.rank]]}, {first[p.first_block[p.rank + 1]], body.gather.first_interface}}};
  }
  body.fields.for_each([&](auto& field) {
    const FieldUse& use = field.use;
    if (use.on != on || use.rows_of != RowsOf::owner_only) return;
    if (use.exchanged && !Body::is_host_memory) return;
    std::vector<ValueRange> values;
    for (const ElementRange& rows : others) values.push_back({field.extent(rows.begin), field.whole_blocks(rows.end)});
    field.give_back(values, body.halo.leads() ? GivenBack::to_host : GivenBack::lost);
  });
}

/// Sets or clears the flag of the nodes that this rank does not need: those of the intact mesh and their copies.
template <class Body>
void mark_remote_nodes(Body& body, bool marked) {
  if (body.halo.is_alone()) return;
  HostRows assembly(body.gather.assembly);
  HostRows entries(body.gather.interface_entries);
  for (Index n = body.gather.first_interface; n < body.nodes.count; ++n) {
    NodeAssembly& node = assembly[n];
    const Index entry = entries[node.first_slot];
    const Index original = body.halo.original_node(element_of_entry(entry), node_of_entry(entry));
    node.flags = static_cast<std::uint16_t>(node.flags & ~remote_node);
    if (marked && body.halo.partition().absent[original]) node.flags |= remote_node;
  }
  assembly.write_back();
}

/// The first fault of any rank becomes that of all, and the sums of rank 0, which has all rows, those of all.
template <class Body>
void share_report(Body& body) {
  if (body.halo.is_alone()) return;
  HostRows report(body.report);
  FaultRecord& fault = report[0].fault;
  std::vector<FaultRecord> own;
  if (fault.code != 0) own.push_back(fault);
  const std::vector<FaultRecord> all = body.halo.records_of_all(own);
  if (!all.empty()) fault = all.front();
  body.halo.broadcast(report[0]);
  report.write_back();
}

}  // namespace cleave::inline CLEAVE_PRECISION
