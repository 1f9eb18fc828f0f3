/// Kernels of the study of colourings: what the published pipeline does in other ways.
#pragma once

#include "cleave/core/atomic.hpp"
#include "cleave/lockstep/kernel.hpp"
#include "cleave/material/linear_elastic.hpp"
#include "fracture/fracture_filter.hpp"
#include "published/coloured_stress.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// The elements around each node, as NodeLists has them.
struct Around {
  const Index* first;     ///< [node + 1]
  const Index* incident;  ///< nodes an element * e + i for node i of element e
};

/// Nodes add up the masses of their elements.
template <class Element>
struct GatherMass {
  static constexpr KernelTraits traits{.name = "nodal mass, gathered"};
  Index count;
  Around around;
  const Real* element_mass;  ///< [element], kg
  Real* mass;                ///< [node], kg

  CLEAVE_HD Index size() const { return count; }
  CLEAVE_HD void operator()(Index n) const {
    Real sum = 0;
    for (Index at = around.first[n]; at < around.first[n + 1]; ++at) {
      const Index entry = around.incident[at];
      sum += Element::mass_fraction(entry % Element::nodes) * element_mass[entry / Element::nodes];
    }
    mass[n] = sum;
  }
};

/// The whole fracture check of an element in one thread: stresses of all elements around its nodes, their means, and
/// its facets. Nothing is stored in between, so that each stress is computed again for every element that needs it.
template <class Element>
struct FusedCheck {
  static constexpr KernelTraits traits{.name = "fused check"};
  ElementTable<Element> elements;
  Around around;
  const Vec2* position;      ///< [node], m
  const Vec2* displacement;  ///< [node], m
  LinearElastic material;
  FractureCriterion criterion;
  std::uint8_t* fractured;  ///< [element] bit k: facet k breaks

  CLEAVE_HD Index size() const { return elements.bulk; }
  CLEAVE_HD void operator()(Index e) const {
    Sym2 stress[Element::nodes];
    bool may_break[Element::nodes];
    for (int i = 0; i < Element::nodes; ++i) {
      stress[i] = stress_at(elements.node(e, i));
      may_break[i] = criterion.may_break(stress[i]);
    }
    int bits = 0;
    for (int k = 0; k < 3; ++k)
      if (breaks(e, k, stress, may_break)) bits |= 1 << k;
    fractured[e] = static_cast<std::uint8_t>(bits);
  }

  /// Mean of the stresses that the elements around a node extrapolate to it, Pa.
  CLEAVE_HD Sym2 stress_at(Index node) const {
    Sym2 sum{};
    const Index begin = around.first[node], end = around.first[node + 1];
    for (Index at = begin; at < end; ++at) {
      const Index entry = around.incident[at];
      const Sym2 s = extrapolated(entry / Element::nodes, entry % Element::nodes);
      sum = {sum.xx + s.xx, sum.yy + s.yy, sum.xy + s.xy};
    }
    const Real count = Real(end - begin);
    return {sum.xx / count, sum.yy / count, sum.xy / count};
  }
  CLEAVE_HD Sym2 extrapolated(Index e, int i) const {
    Vec2 x[Element::nodes], u[Element::nodes];
    elements.gather(e, position, x);
    elements.gather(e, displacement, u);
    Sym2 s{};
    for (int q = 0; q < Element::gauss_points; ++q) {
      const auto d = displacement_gradient(Element::gradients(x, q), u);
      LinearElastic::State none{};
      const Sym2 at = material.update(d, none, 0).stress.symmetric();
      const Real w = Element::extrapolation(i, q);
      s = {s.xx + w * at.xx, s.yy + w * at.yy, s.xy + w * at.xy};
    }
    return s;
  }
  CLEAVE_HD bool breaks(Index e, int k, const Sym2 (&stress)[Element::nodes],
                        const bool (&may_break)[Element::nodes]) const {
    const Index other = elements.neighbour(e, k);
    if (!is_intact(other) || element_of(other) < e) return false;
    const FacetFrame frame = facet_frame(elements.at_start(e, k, position), elements.at_end(e, k, position));
    bool any = false;
    Vec2 t[Element::facet_nodes];
    for (int i = 0; i < Element::facet_nodes; ++i) {
      const int slot = Element::facet_slot(k, i);
      any = any || may_break[slot];
      t[i] = traction_on(stress[slot], frame);
    }
    return any && NodalTraction<Element>::mean_ratio(criterion, t) >= 1;
  }
};

/// An item kernel for the items that are flagged; the threads of the others idle.
template <class Kernel>
struct OfFlagged {
  static constexpr KernelTraits traits{.name = "flagged items"};
  Kernel kernel;
  const std::uint8_t* flags;

  CLEAVE_HD Index size() const { return kernel.size(); }
  CLEAVE_HD void operator()(Index i) const {
    if (flags[i] != 0) kernel(i);
  }
};
template <class Kernel>
OfFlagged(Kernel, const std::uint8_t*) -> OfFlagged<Kernel>;

/// An item kernel for listed items, whose number is known in solver memory, or on the host too.
template <class Kernel>
struct OfList {
  static constexpr KernelTraits traits{.name = "listed items", .has_in_use = true};
  Kernel kernel;
  const Index* list;
  const Index* count;
  Index most;  ///< that there can be

  CLEAVE_HD Index size() const { return most; }
  CLEAVE_HD Index in_use() const { return *count; }
  CLEAVE_HD void operator()(Index i) const { kernel(list[i]); }
};
template <class Kernel>
OfList(Kernel, const Index*, const Index*, Index) -> OfList<Kernel>;

/// Numbers for what items ask for, each item's taken by itself from a counter in memory: as BlockCounter, without
/// blocks.
template <class Value, class T>
struct GlobalCounter {
  static constexpr KernelTraits traits{.name = "global counter"};
  Index count;
  Value value;  ///< value(i): how many numbers item i asks for
  T* out;       ///< [item] the first of its numbers
  T* counter;   ///< numbers that are taken

  CLEAVE_HD Index size() const { return count; }
  CLEAVE_HD void operator()(Index i) const { out[i] = atomic_add(*counter, value(i)); }
};

/// What items ask for in the study of counters: none, one, two, none, ... as facets do that break.
struct NumbersAsked {
  Index items;
  CLEAVE_HD Index operator()(Index i) const { return i < items ? i % 3 : 0; }
};

/// Which items a compaction keeps.
struct IsFlagged {
  const std::uint8_t* flags;
  CLEAVE_HD bool operator()(Index i) const { return flags[i] != 0; }
};

}  // namespace cleave::inline CLEAVE_PRECISION
