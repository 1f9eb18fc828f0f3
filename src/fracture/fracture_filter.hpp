/// The facets that break: first a cheap test of nodes, then of the facets of nodes that pass.
#pragma once

#include <cstring>
#include <type_traits>

#include "body/gather_table.hpp"
#include "cleave/core/atomic.hpp"
#include "cleave/lockstep/kernel.hpp"
#include "cleave/material/cohesive_parameters.hpp"
#include "cleave/material/cohesive_point.hpp"
#include "cleave/partition/part.hpp"
#include "fracture/fracture_criterion.hpp"
#include "fracture/nodal_stress_table.hpp"
#include "fracture/strength_rate.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Normal (x) and tangential (y) traction of a stress on a facet, Pa.
CLEAVE_HD inline Vec2 traction_on(Sym2 stress, const FacetFrame& frame) {
  const Vec2 n = frame.normal();
  const Vec2 t{stress.xx * n.x + stress.xy * n.y, stress.xy * n.x + stress.yy * n.y};
  return {dot(t, n), dot(t, frame.tangent)};
}

/// Mean stresses of nodes: a node has one for each material among its elements.
template <class Element>
struct NodalMeans {
  NodalStressTable sum;                    ///< [node]; in the coloured assembly see `rows`
  const Index* material = nullptr;         ///< [element]; null: there is one
  NodalStressRows rows{};                  ///< of the coloured assembly
  const NodeAssembly* assembly = nullptr;  ///< [node] of the gather assembly, with several materials, ...
  const Sym2* slot_mean = nullptr;  ///< [slot in memory] ... and of mixed nodes the mean of an element's material

  CLEAVE_HD bool differ(Index a, Index b) const { return material != nullptr && material[a] != material[b]; }
  /// At node i of an element over those elements of the node that have its material, Pa.
  CLEAVE_HD Sym2 at(const ElementTable<Element>& elements, Index e, int i) const {
    const Index node = elements.node(e, i);
    if (assembly != nullptr && assembly[node].flags & mixed_node) return slot_mean[elements.slot(e, i).position()];
    return mean_stress(sum, rows.row(node, e));
  }
};

/// Tractions of a facet from the mean stresses of its nodes, at those nodes. Between two materials that is the mean of
/// the tractions of both sides.
template <class Element>
struct NodalTraction {
  static constexpr int samples = Element::facet_nodes;
  NodalMeans<Element> means;

  CLEAVE_HD void sample(const ElementTable<Element>& elements, Index e, int k, Index other, const FacetFrame& frame,
                        Vec2 (&t)[samples]) const {
    for (int i = 0; i < samples; ++i) t[i] = at(elements, e, k, other, frame, i);
  }
  /// @param other  code of the facet on the other side
  CLEAVE_HD Vec2 at(const ElementTable<Element>& elements, Index e, int k, Index other, const FacetFrame& frame,
                    int i) const {
    const Vec2 a = traction_on(means.at(elements, e, Element::facet_slot(k, i)), frame);
    if (!means.differ(e, element_of(other))) return a;
    const int there = Element::facet_slot(facet_of(other), samples - 1 - i);
    const Vec2 b = traction_on(means.at(elements, element_of(other), there), frame);
    return Real(0.5) * (a + b);
  }
  CLEAVE_HD static constexpr bool is_far(Index /*e*/, Index /*other*/) { return false; }
  CLEAVE_HD void fetch_lines(const ElementTable<Element>& elements, Index e, int k, Index /*other*/) const {
    for (int i = 0; i < samples; ++i) fetch_line(means.sum(means.rows.first(elements.facet_node(e, k, i)), 0));
  }
  /// The ratio of the mean traction.
  CLEAVE_HD static Real mean_ratio(const FractureCriterion& criterion, const Vec2 (&t)[samples]) {
    Vec2 mean{};
    for (int i = 0; i < samples; ++i) mean += Element::facet_weight(i) * t[i];
    return criterion.ratio(mean.x, mean.y);
  }
  CLEAVE_HD static Vec2 at_gauss(const Vec2 (&t)[samples], int q) {
    Vec2 value{};
    for (int i = 0; i < samples; ++i) value += Element::facet_shape(i, FacetGauss::point(q)) * t[i];
    return value;
  }
};

/// Tractions of a facet from the mean of the stresses of its two elements, at its Gauss points.
template <class Element>
struct ElementTraction {
  static constexpr int samples = FacetGauss::points;
  Table<const Real, Element::stresses * Element::gauss_points> stress;  ///< [element][point xx, yy, xy], Pa
  /// [element] 0: no stress at its corners may come near one that breaks a facet; null: any may
  const std::uint8_t* near_strength = nullptr;

  /// Whether no stress between two elements may break a facet: their means are as far from that as the stresses.
  CLEAVE_HD bool is_far(Index e, Index other) const {
    return near_strength != nullptr && near_strength[e] == 0 && near_strength[other] == 0;
  }
  /// @param other  code of the facet on the other side
  CLEAVE_HD void sample(const ElementTable<Element>& /*elements*/, Index e, int k, Index other, const FacetFrame& frame,
                        Vec2 (&t)[samples]) const {
    const Sym2 ends[2] = {mean_at(e, k, 0, other), mean_at(e, k, 1, other)};
    for (int q = 0; q < samples; ++q) t[q] = between(ends, frame, q);
  }
  CLEAVE_HD Vec2 at(const ElementTable<Element>& /*elements*/, Index e, int k, Index other, const FacetFrame& frame,
                    int q) const {
    const Sym2 ends[2] = {mean_at(e, k, 0, other), mean_at(e, k, 1, other)};
    return between(ends, frame, q);
  }
  /// @param ends  stresses at the start and the end of the facet, Pa
  CLEAVE_HD static Vec2 between(const Sym2 (&ends)[2], const FacetFrame& frame, int q) {
    const Real r = FacetGauss::point(q), start = (1 - r) / 2, end = (1 + r) / 2;
    return traction_on({start * ends[0].xx + end * ends[1].xx, start * ends[0].yy + end * ends[1].yy,
                        start * ends[0].xy + end * ends[1].xy},
                       frame);
  }
  CLEAVE_HD void fetch_lines(const ElementTable<Element>& /*elements*/, Index e, int /*k*/, Index other) const {
    fetch_line(stress(e, 0));
    fetch_line(stress(element_of(other), 0));
  }
  /// The mean of the ratios.
  CLEAVE_HD static Real mean_ratio(const FractureCriterion& criterion, const Vec2 (&t)[samples]) {
    Real sum = 0;
    for (const Vec2& at : t) sum += criterion.ratio(at.x, at.y);
    return sum / samples;
  }
  CLEAVE_HD static Vec2 at_gauss(const Vec2 (&t)[samples], int q) { return t[q]; }

  /// Mean stress of both elements at the start (0) or end (1) of facet k of e, Pa.
  CLEAVE_HD Sym2 mean_at(Index e, int k, int end, Index other) const {
    const Sym2 a = at_corner(e, (k + 1 + end) % Element::corners);
    const Sym2 b = at_corner(element_of(other), (facet_of(other) + 2 - end) % Element::corners);
    return {Real(0.5) * (a.xx + b.xx), Real(0.5) * (a.yy + b.yy), Real(0.5) * (a.xy + b.xy)};
  }
  /// Stress of an element extrapolated to a corner, Pa.
  CLEAVE_HD Sym2 at_corner(Index e, int corner) const {
    Sym2 s{};
    for (int q = 0; q < Element::gauss_points; ++q) {
      const Real w = Element::extrapolation(corner, q);
      s.xx += w * stress(e, Element::stresses * q);
      s.yy += w * stress(e, Element::stresses * q + 1);
      s.xy += w * stress(e, Element::stresses * q + 2);
    }
    return s;
  }
};

/// The tractions that a cohesive law asks for.
template <class Element, class Law>
using FacetTraction =
    std::conditional_t<Law::insertion_stress == FacetStress::nodes, NodalTraction<Element>, ElementTraction<Element>>;

/// Frame of a facet between its corners, which have moved.
/// @param start, end    of the facet in the reference shape, m
/// @param displacement  [node], m; null: small kinematics, it counts as not moved
template <class Element>
CLEAVE_HD FacetFrame current_frame(const ElementTable<Element>& elements, Index e, int k, Vec2 start, Vec2 end,
                                   const Vec2* displacement) {
  if (displacement == nullptr) return facet_frame(start, end);
  return facet_frame(start + elements.at_start(e, k, displacement), end + elements.at_end(e, k, displacement));
}

/// Flags nodes whose stress could break some facet.
struct NodeFilter {
  static constexpr KernelTraits traits{.name = "node filter", .has_in_use = true};
  Index capacity;               ///< of nodes
  const Index* present;         ///< how many there are
  NodalStressTable stress_sum;  ///< [node][row of it]
  FractureCriterion criterion;
  std::uint8_t* flagged;  ///< [node]
  Index* flagged_nodes;   ///< number of them in all
  DeviceGate gate{};
  Index rows_of_node = 1;  ///< see NodalStressRows

  CLEAVE_HD Index size() const { return capacity; }
  CLEAVE_HD Index in_use() const { return gate.is_open() ? *present : 0; }
  CLEAVE_HD void operator()(Index node) const {
    bool flag = false;
    for (Index row = rows_of_node * node; row < rows_of_node * (node + 1); ++row)
      flag = flag || (stress_sum(row, stress_count) > 0 && criterion.may_break(mean_stress(stress_sum, row)));
    flagged[node] = flag;
    if (flag) atomic_add(*flagged_nodes, Index{1});
  }
};

/// Judges the facets that an element owns (its id is the smaller one) and that still join two elements.
template <class Element, class Traction = NodalTraction<Element>>
struct FacetJudge {
  ElementTable<Element> elements;
  ElementRange range;    ///< elements whose facets are judged
  const Vec2* position;  ///< [node], m
  Traction traction;
  const std::uint8_t* flagged;  ///< [node] which may break a facet; null: any may
  const Index* flagged_nodes;   ///< number of them in all: none, and nothing is read or written
  FractureCriterion criterion;
  const Vec2* displacement = nullptr;  ///< [node], m: of finite kinematics, where facets are judged as they lie now
  DeviceGate gate{};                   ///< closed while facets of an earlier check are still to be cut
  StrengthRate rate{};
  const std::uint8_t* flags = nullptr;  ///< [element] ElementFlag; null: none is eroded
  PartIds ids{};                        ///< of elements: among equal loads ids in the body decide

  CLEAVE_HD Index code_in_body(Index e, int k) const { return facet_code(ids.body_id(e), k); }
  CLEAVE_HD bool is_eroded(Index e) const { return flags != nullptr && flags[e] & ElementFlag::eroded; }
  CLEAVE_HD bool is_skipped() const { return (flagged != nullptr && *flagged_nodes == 0) || !gate.is_open(); }
  /// Bit k: facet k of the element breaks, if nothing else prevents it. Calls `on_broken(k, load)` for each.
  template <class OnBroken>
  CLEAVE_HD int broken_facets(Index e, const OnBroken& on_broken) const {
    bool any = flagged == nullptr;
    if (!any)
      for (int i = 0; i < Element::nodes; ++i) any |= flagged[elements.node(e, i)] != 0;
    int bits = 0;
    if (any) {
      const Index behind[Element::facets] = {elements.neighbour(e, 0), elements.neighbour(e, 1),
                                             elements.neighbour(e, 2)};
      CLEAVE_UNROLL
      for (int k = 0; k < Element::facets; ++k) {
        const Real at = load(e, k, behind[k]);
        if (!(at >= 1)) continue;
        bits |= 1 << k;
        on_broken(k, at);
      }
    }
    return bits;
  }

  /// Ratio of the traction of a facet to its strength, 0 if it cannot break.
  /// @param other  neighbour entry of facet k
  CLEAVE_HD Real load(Index e, int k, Index other) const {
    if (!is_intact(other) || element_of(other) < e) return 0;
    if (is_eroded(e) || is_eroded(element_of(other))) return 0;  // a free side already
    bool any = flagged == nullptr;
    for (int i = 0; i < Element::facet_nodes && !any; ++i) any = flagged[elements.facet_node(e, k, i)];
    if (!any || traction.is_far(e, element_of(other))) return 0;

    const Vec2 start = elements.at_start(e, k, position), end = elements.at_end(e, k, position);
    if (!criterion.allows(Real(0.5) * (start + end))) return 0;

    Vec2 t[Traction::samples];
    const FacetFrame frame = current_frame(elements, e, k, start, end, displacement);
    traction.sample(elements, e, k, other, frame, t);
    Real ratio = 0;
    if (criterion.aggregate == Aggregate::mean)
      ratio = Traction::mean_ratio(criterion, t);
    else
      for (const Vec2& at : t) ratio = larger(ratio, criterion.ratio(at.x, at.y));
    if (criterion.scale != nullptr) ratio = ratio / criterion.scale[facet_code(e, k)];
    if (rate.active() && ratio >= 1) ratio = ratio / rate.factor(elements, e, other, frame, position, displacement);
    return ratio;
  }
  /// Factor of the strength of a facet by its rate.
  CLEAVE_HD Real rate_factor(Index e, int k) const {
    const Vec2 start = elements.at_start(e, k, position), end = elements.at_end(e, k, position);
    return rate.factor(elements, e, elements.neighbour(e, k), current_frame(elements, e, k, start, end, displacement),
                       position, displacement);
  }
};

/// A load as atomic_max compares it: positive numbers lie in the order of their bits.
using LoadBits = unsigned long long;
CLEAVE_HD inline LoadBits load_bits(Real load) {
  const double exact = load;
  LoadBits bits = 0;
  std::memcpy(&bits, &exact, sizeof bits);
  return bits;
}

/// Facets that break, as a check leaves them.
struct FracturedFacets {
  std::uint8_t* bits;      ///< [element] bit k: facet k breaks
  Index* facets;           ///< number of them in all
  Index* elements;         ///< number of elements with any
  Index* found = nullptr;  ///< [room] the first ones of these elements, in any order
  Index room = 0;
  LoadBits* largest_load = nullptr;  ///< of all facets that have broken so far

  /// @param load  the largest of those of the element's facets that break
  CLEAVE_HD void put(Index e, int broken, Real load) const {
    bits[e] = static_cast<std::uint8_t>(broken);
    if (broken == 0) return;
    atomic_add(*facets, static_cast<Index>((broken & 1) + (broken >> 1 & 1) + (broken >> 2)));
    const Index at = atomic_add(*elements, Index{1});
    if (at < room) found[at] = e;
    if (largest_load != nullptr) atomic_max(*largest_load, load_bits(load));
  }
};

/// All facets that are above their strength break.
template <class Element, class Traction = NodalTraction<Element>>
struct FacetFilter {
  static constexpr KernelTraits traits{.name = "facet filter", .most_blocks = 4096, .has_in_use = true};
  FacetJudge<Element, Traction> judge;
  FracturedFacets fractured;

  CLEAVE_HD Index size() const { return judge.range.size(); }
  CLEAVE_HD Index in_use() const { return judge.is_skipped() ? 0 : size(); }
  CLEAVE_HD void operator()(Index i) const {
    const Index e = judge.range.begin + i;
    Real largest = 0;
    const int broken = judge.broken_facets(e, [&](int, Real load) { largest = larger(largest, load); });
    fractured.put(e, broken, largest);
  }
};

/// After a check: facets that break keep the strength that the rate gives them.
template <class Element, class Traction = NodalTraction<Element>>
struct RaiseStrengths {
  static constexpr KernelTraits traits{.name = "strengths by rate", .most_blocks = 4096, .has_in_use = true};
  FacetJudge<Element, Traction> judge;
  const std::uint8_t* broken;  ///< [element] bit k: facet k breaks
  Real* scale;                 ///< [facet code] that of the criterion

  CLEAVE_HD Index size() const { return judge.range.size(); }
  CLEAVE_HD Index in_use() const { return judge.is_skipped() ? 0 : size(); }
  CLEAVE_HD void operator()(Index i) const {
    const Index e = judge.range.begin + i;
    if (broken[e] == 0) return;
    for (int k = 0; k < Element::facets; ++k)
      if (broken[e] >> k & 1) scale[facet_code(e, k)] *= judge.rate_factor(e, k);
  }
};

/// Orders facets by their load, and those with the same load by their code, of which the smaller one counts more. Loads
/// are compared in single precision, whatever that of the solver is; positive numbers lie in the order of their bits.
using LoadRank = unsigned long long;
CLEAVE_HD inline LoadRank load_rank(Real load, Index facet) {
  const float rounded = static_cast<float>(load);
  std::uint32_t bits = 0;
  std::memcpy(&bits, &rounded, sizeof bits);
  return static_cast<LoadRank>(bits) << 32 | (0xFFFFFFFFu - static_cast<std::uint32_t>(facet));
}

/// Only the most loaded of the facets that share a corner breaks. First part: the highest rank at every corner.
template <class Element, class Traction = NodalTraction<Element>>
struct RankFacets {
  static constexpr KernelTraits traits{.name = "facet ranks", .most_blocks = 4096, .has_in_use = true};
  FacetJudge<Element, Traction> judge;
  std::uint8_t* broken;   ///< [element] bit k: facet k is above its strength
  LoadRank* most_loaded;  ///< [node] zero before

  CLEAVE_HD Index size() const { return judge.range.size(); }
  CLEAVE_HD Index in_use() const { return judge.is_skipped() ? 0 : size(); }
  CLEAVE_HD void operator()(Index i) const {
    const Index e = judge.range.begin + i;
    broken[e] = static_cast<std::uint8_t>(judge.broken_facets(e, [&](int k, Real load) {
      const LoadRank rank = load_rank(load, judge.code_in_body(e, k));
      atomic_max(most_loaded[judge.elements.facet_node(e, k, 0)], rank);
      atomic_max(most_loaded[judge.elements.facet_node(e, k, Element::facet_nodes - 1)], rank);
    }));
  }
};

/// Second part: facets that have it at both their corners break.
template <class Element, class Traction = NodalTraction<Element>>
struct MostLoadedFacets {
  static constexpr KernelTraits traits{.name = "most loaded facets", .most_blocks = 4096, .has_in_use = true};
  FacetJudge<Element, Traction> judge;
  FracturedFacets fractured;  ///< its bits are those of RankFacets before
  const LoadRank* most_loaded;

  CLEAVE_HD Index size() const { return judge.range.size(); }
  CLEAVE_HD Index in_use() const { return judge.is_skipped() ? 0 : size(); }
  CLEAVE_HD void operator()(Index i) const {
    const Index e = judge.range.begin + i;
    int bits = 0;
    Real largest = 0;
    for (int k = 0; k < Element::facets; ++k) {
      if (!(fractured.bits[e] >> k & 1)) continue;
      const Real load = judge.load(e, k, judge.elements.neighbour(e, k));
      const LoadRank rank = load_rank(load, judge.code_in_body(e, k));
      if (judge.elements.at_start(e, k, most_loaded) != rank || judge.elements.at_end(e, k, most_loaded) != rank)
        continue;
      bits |= 1 << k;
      largest = larger(largest, load);
    }
    fractured.put(e, bits, largest);
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
