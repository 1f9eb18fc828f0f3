/// Pressure in cracks (boundary: in_cracks): a pressure also acts on the faces of failed cohesive elements connected to
/// its facets.
///
/// Two failed cohesive elements are connected when they share an end node of their faces. A load reaches those that
/// share one with a facet of it, and all that are connected to them. Every fracture check finds them, before facets are
/// cut, and the result holds until the next.
#pragma once

#include <limits>

#include "body/live_counts.hpp"
#include "body/step_input.hpp"
#include "body/union_find.hpp"
#include "terms/cohesive/cohesive.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// The load of a cohesive element that no load reaches; all others are smaller.
inline constexpr Index no_load = std::numeric_limits<Index>::max();

/// A facet through which a load enters cracks.
struct CrackMouth {
  Index facet = 0;  ///< facet code
  Index load = 0;
};

/// Sets of end nodes that failed cohesive elements connect, and the loads that reach them.
template <class Element, class Law>
struct CrackReach {
  ElementTable<Element> elements;
  const CrackMouth* mouths;
  Index mouth_count;
  Index capacity;  ///< of cohesive elements
  const LiveCounts* live;
  CohesiveTable<Law> cohesive;
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
  CLEAVE_HD bool failed(Index c) const {
    for (int q = 0; q < FacetGauss::points; ++q)
      if (!Law::failed(read_record(cohesive.state(c, q)))) return false;
    return true;
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
template <class Element, class Law>
struct StartCrackReach {
  static constexpr KernelTraits traits{.name = "crack reach, start", .has_in_use = true};
  CrackReach<Element, Law> reach;

  CLEAVE_HD Index size() const { return reach.mouth_count + reach.capacity; }
  CLEAVE_HD Index in_use() const { return reach.mouth_count + reach.live->cohesive; }
  CLEAVE_HD void operator()(Index i) const {
    if (i < reach.mouth_count) {
      start(reach.ends_of(reach.mouths[i]));
    } else {
      for (int side = 0; side < 2; ++side) start(reach.ends_of(i - reach.mouth_count, side));
    }
  }
  CLEAVE_HD void start(const typename CrackReach<Element, Law>::Ends& ends) const {
    for (const Index n : ends.node) {  // others that end there do the same
      atomic_write(reach.parent[n], n);
      atomic_write(reach.first_load[n], no_load);
    }
  }
};

/// Failed cohesive elements connect their ends.
template <class Element, class Law>
struct ConnectCracks {
  static constexpr KernelTraits traits{.name = "crack reach, connections", .has_in_use = true};
  CrackReach<Element, Law> reach;

  CLEAVE_HD Index size() const { return reach.capacity; }
  CLEAVE_HD Index in_use() const { return reach.live->cohesive; }
  CLEAVE_HD void operator()(Index c) const {
    if (!reach.failed(c)) return;
    const auto a = reach.ends_of(c, 0), b = reach.ends_of(c, 1);
    join_sets(reach.parent, a.node[0], a.node[1]);
    join_sets(reach.parent, a.node[0], b.node[0]);
    join_sets(reach.parent, b.node[0], b.node[1]);
  }
};

/// Loads enter what is connected to their facets.
template <class Element, class Law>
struct EnterCracks {
  static constexpr KernelTraits traits{.name = "crack reach, mouths"};
  CrackReach<Element, Law> reach;

  CLEAVE_HD Index size() const { return reach.mouth_count; }
  CLEAVE_HD void operator()(Index i) const {
    const CrackMouth mouth = reach.mouths[i];
    for (const Index n : reach.ends_of(mouth).node) atomic_min(reach.first_load[root_of(reach.parent, n)], mouth.load);
  }
};

/// Stores the load that reaches each cohesive element. Beside an eroded element it bears none, but still connects.
template <class Element, class Law>
struct NoteCrackLoads {
  static constexpr KernelTraits traits{.name = "crack reach, loads", .has_in_use = true};
  CrackReach<Element, Law> reach;

  CLEAVE_HD Index size() const { return reach.capacity; }
  CLEAVE_HD Index in_use() const { return reach.live->cohesive; }
  CLEAVE_HD void operator()(Index c) const {
    const bool is_loaded = reach.failed(c) && !reach.is_eroded(c);
    reach.load[c] = is_loaded ? reach.first_load[root_of(reach.parent, reach.ends_of(c, 0).node[0])] : no_load;
  }
};

/// The pressure in cracks as Gauss points of the gather assembly book it, beside the traction of the law.
struct CrackPressure {
  const Index* load = nullptr;  ///< [cohesive], see CrackReach; null when no load enters cracks
  Real* push = nullptr;    ///< [cohesive][q] of the last step, N; without memory where faces turn (turning_cracks.hpp)
  double* work = nullptr;  ///< [cohesive][q], J

  /// Pressure times thickness in a cohesive element at this step, N/m.
  CLEAVE_HD Real line_pressure(Index c, const StepInput& input) const {
    const Index l = load[c];
    return l == no_load ? Real(0) : input.line_pressure(l);
  }
  /// Books the work of a step.
  /// @param i       FacetGauss::points * cohesive + q
  /// @param length  that the Gauss point stands for, m
  /// @param opened  change of the normal opening, m
  /// @return the force that pushes the faces apart from now on, N
  CLEAVE_HD Real advance(Index i, const StepInput& input, Real length, Real opened) const {
    const Real now = length * line_pressure(i / FacetGauss::points, input), before = push[i];
    if (now == 0 && before == 0) return 0;
    work[i] += Real(0.5) * (before + now) * opened;
    push[i] = now;
    return now;
  }
};

/// Push of a pressure on the faces a, b of a cohesive element that turn, at a Gauss point (turning_cracks.hpp).
struct FacePush {
  Vec2 force[2];         ///< times the shape function of a node the force on it, with the sign of internal forces, N
  Vec2 displacement[2];  ///< of the faces in that step, m
};

/// Adds the force of a pressure in cracks to the nodes of listed bulk elements, in the coloured and atomic assemblies;
/// each writes its own side of its cohesive facets. Elements of a launch share no node.
template <class Element, class Law, class List = ElementList>
struct PushCrackFaces {
  static constexpr KernelTraits traits{.name = "pressure in cracks", .has_in_use = true};
  ElementTable<Element> elements;
  List list;  ///< elements that touch cohesive elements
  CohesiveTable<Law> cohesive;
  const Index* load_of;  ///< [cohesive], see CrackReach
  Index load;
  StepInput input;
  Vec2* force;  ///< [node], N

  CLEAVE_HD Index size() const { return list.count; }
  CLEAVE_HD Index in_use() const { return list.in_use(); }
  CLEAVE_HD void operator()(Index entry) const {
    const Index e = list[entry];
    for (int k = 0; k < 3; ++k) {
      const Index code = elements.neighbour(e, k);
      if (is_cohesive(code) && load_of[cohesive_of(code)] == load)
        push(e, k, cohesive_of(code), cohesive_side_of(code));
    }
  }
  /// The normal points from side a to side b, and is the same all along the facet.
  CLEAVE_HD void push(Index e, int k, Index c, int side) const {
    const FacetFrame frame = cohesive.frame_of(c);
    const FacetFactors of = cohesive.factors[c];
    const Real on_side = (side == 0 ? -2 : 2) * frame.jacobian / of.energy * input.line_pressure(load) / of.opening;
    for (int i = 0; i < Element::facet_nodes; ++i)
      force[elements.facet_node(e, k, i)] += Element::facet_weight(i) * on_side * frame.normal();
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
