/// The kernels that find the cracks which loads reach.
#pragma once

#include "body/union_find.hpp"
#include "cleave/lockstep/device_gate.hpp"
#include "cleave/lockstep/kernel.hpp"
#include "terms/cracks/crack_pressure.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Notes which cohesive elements of this rank have failed.
template <class Element, class Law>
struct FindFailed {
  static constexpr KernelTraits traits{.name = "failed cohesive elements", .has_in_use = true};
  Index capacity;  ///< of cohesive elements
  const LiveCounts* live;
  const CohesiveRow<Element>* rows;  ///< [cohesive]
  ElementRange own;                  ///< bulk elements of this rank
  CohesiveTable<Law> cohesive;
  std::uint8_t* failed;  ///< [cohesive] 1: at all Gauss points

  CLEAVE_HD Index size() const { return capacity; }
  CLEAVE_HD Index in_use() const { return live->cohesive; }
  CLEAVE_HD void operator()(Index c) const {
    if (!own.has(element_of(rows[c].facets[0]))) return;
    bool all = true;
    for (int q = 0; q < FacetGauss::points; ++q) all = all && Law::failed(read_record(cohesive.state(c, q)));
    failed[c] = all;
  }
};

/// Sets of end nodes that failed cohesive elements connect, and the loads that reach them.
template <class Element>
struct CrackReach {
  ElementTable<Element> elements;
  const CrackMouth* mouths;
  Index mouth_count;
  Index capacity;  ///< of cohesive elements
  const LiveCounts* live;
  const std::uint8_t* failed;           ///< [cohesive] 1: at all Gauss points
  Index* parent;                        ///< [node] see root_of; of end nodes only
  Index* first_load;                    ///< [node that is the root of a set] the first load in the list that reaches it
  Index* load;                          ///< [cohesive] the result
  const std::uint8_t* flags = nullptr;  ///< [element] ElementFlag; null: none is eroded

  struct Ends {
    Index node[2];
  };
  CLEAVE_HD Ends ends_of(const CrackMouth& mouth) const {
    const Index e = element_of(mouth.facet);
    const int k = facet_of(mouth.facet);
    return {{elements.facet_node(e, k, 0), elements.facet_node(e, k, Element::facet_nodes - 1)}};
  }
  CLEAVE_HD Ends ends_of(Index c, int side) const {
    return {{elements.cohesive_node(c, side, 0), elements.cohesive_node(c, side, Element::facet_nodes - 1)}};
  }
  /// Whether an element at one of its faces has eroded.
  CLEAVE_HD bool is_eroded(Index c) const {
    if (flags == nullptr) return false;
    const auto gone = [&](int side) {
      return flags[element_of(elements.cohesive_facet(c, side))] & ElementFlag::eroded;
    };
    return gone(0) || gone(1);
  }
};

/// Every end node starts as a set of its own that no load reaches.
template <class Element>
struct StartCrackReach {
  static constexpr KernelTraits traits{.name = "crack reach, start", .has_in_use = true};
  CrackReach<Element> reach;

  CLEAVE_HD Index size() const { return reach.mouth_count + reach.capacity; }
  CLEAVE_HD Index in_use() const { return reach.mouth_count + reach.live->cohesive; }
  CLEAVE_HD void operator()(Index i) const {
    if (i < reach.mouth_count) {
      start(reach.ends_of(reach.mouths[i]));
    } else {
      for (int side = 0; side < 2; ++side) start(reach.ends_of(i - reach.mouth_count, side));
    }
  }
  CLEAVE_HD void start(const typename CrackReach<Element>::Ends& ends) const {
    for (const Index n : ends.node) {  // others that end there do the same
      atomic_write(reach.parent[n], n);
      atomic_write(reach.first_load[n], no_load);
    }
  }
};

/// Failed cohesive elements connect their ends.
template <class Element>
struct ConnectCracks {
  static constexpr KernelTraits traits{.name = "crack reach, connections", .has_in_use = true};
  CrackReach<Element> reach;

  CLEAVE_HD Index size() const { return reach.capacity; }
  CLEAVE_HD Index in_use() const { return reach.live->cohesive; }
  CLEAVE_HD void operator()(Index c) const {
    if (reach.failed[c] == 0) return;
    const auto a = reach.ends_of(c, 0), b = reach.ends_of(c, 1);
    join_sets(reach.parent, a.node[0], a.node[1]);
    join_sets(reach.parent, a.node[0], b.node[0]);
    join_sets(reach.parent, b.node[0], b.node[1]);
  }
};

/// Loads enter what is connected to their facets.
template <class Element>
struct EnterCracks {
  static constexpr KernelTraits traits{.name = "crack reach, mouths"};
  CrackReach<Element> reach;

  CLEAVE_HD Index size() const { return reach.mouth_count; }
  CLEAVE_HD void operator()(Index i) const {
    const CrackMouth mouth = reach.mouths[i];
    for (const Index n : reach.ends_of(mouth).node) atomic_min(reach.first_load[root_of(reach.parent, n)], mouth.load);
  }
};

/// Stores the load that reaches each cohesive element. Beside an eroded element it bears none, but still connects.
template <class Element>
struct NoteCrackLoads {
  static constexpr KernelTraits traits{.name = "crack reach, loads", .has_in_use = true};
  CrackReach<Element> reach;
  DeviceGate gate = DeviceGate::always();  ///< closed: the check does not count

  CLEAVE_HD Index size() const { return reach.capacity; }
  CLEAVE_HD Index in_use() const { return reach.live->cohesive; }
  CLEAVE_HD void operator()(Index c) const {
    if (!gate.is_open()) return;
    const bool is_loaded = reach.failed[c] != 0 && !reach.is_eroded(c);
    reach.load[c] = is_loaded ? reach.first_load[root_of(reach.parent, reach.ends_of(c, 0).node[0])] : no_load;
  }
};

/// Finds the cracks that loads reach, before facets are cut: it holds until the next check. Cracks lead through the
/// parts of all ranks, so all know which cohesive elements have failed.
/// @tparam Body  GatherBody or ColouredBody
template <class Body, class State>
void launch_crack_reach(Body& body, State& cracks) {
  using Element = typename Body::Element;
  if (!cracks.active() || body.cohesive.count == 0) return;
  body.cohesive.with_law([&]<class Law>(const Law&, const CohesiveTable<Law>& table) {
    body.backend.launch(FindFailed<Element, Law>{.capacity = body.cohesive.capacity(),
                                                 .live = body.live(),
                                                 .rows = body.elements.cohesive_rows.data(),
                                                 .own = body.halo.own_elements(),
                                                 .cohesive = table,
                                                 .failed = body.cohesive.failed.data()});
  });
  body.halo.unite(body.cohesive.failed);
  const CrackReach<Element> reach{.elements = body.elements.table(),
                                  .mouths = cracks.mouths.data(),
                                  .mouth_count = static_cast<Index>(cracks.mouths.size()),
                                  .capacity = body.cohesive.capacity(),
                                  .live = body.live(),
                                  .failed = body.cohesive.failed.data(),
                                  .parent = cracks.parent.data(),
                                  .first_load = cracks.first_load.data(),
                                  .load = cracks.load.data(),
                                  .flags = body.eroded_flags()};
  body.backend.launch(StartCrackReach<Element>{reach});
  body.backend.launch(ConnectCracks<Element>{reach});
  body.backend.launch(EnterCracks<Element>{reach});
  body.backend.launch(
      NoteCrackLoads<Element>{reach, DeviceGate::closed_if(&body.report.data()->counters.check_skipped)});
}

}  // namespace cleave::inline CLEAVE_PRECISION
