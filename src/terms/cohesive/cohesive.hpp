/// Cohesive elements: their table and their start.
#pragma once

#include "body/by_material.hpp"
#include "cleave/core/table.hpp"
#include "cleave/lockstep/kernel.hpp"
#include "cleave/material/cohesive_point.hpp"
#include "cleave/material/energy_account.hpp"
#include "fracture/fracture_filter.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// By what the law of a facet differs from that of the case: T(delta) = s g T0(s delta), which has g times its energy
/// and s g times its strength.
struct FacetFactors {
  Real opening;  ///< s
  Real energy;   ///< g
};

/// A Gauss point as a step finds it, then as the step leaves it.
template <class Law>
struct CohesiveStepPoint {
  CohesiveMotion motion;
  Vec2 acted;  ///< traction before the step, Pa
  typename Law::State state;
  Real account;  ///< see step_point, J/m^2

  CLEAVE_HD_INLINE CohesivePointStep step(const Law& law) { return step_point(law, motion, acted, state, account); }
  /// The same after begin_step, where it is known how the law has moved.
  /// @param now      its state after the step
  /// @param changed  whether that differs
  /// @param work     see settle_account, J/m^2
  CLEAVE_HD_INLINE CohesivePointStep settle(const Law& law, const typename Law::State& now, bool changed, Real work) {
    const CohesivePointStep step = settle_account(law, motion, acted, state, now, changed, work, account);
    state = now;
    return step;
  }
};

/// Data of cohesive elements, by row = cohesive id. q is the Gauss point. Rows not in use have opening and dissipation
/// 0.
///
/// Openings here are s times, tractions 1 / (s g) times and energies 1 / g times those of the faces, see FacetFactors:
/// so the law is the same everywhere, and stiffnesses are 1 / (s^2 g) times what they are on the faces. The tangent of
/// the frame is s times a unit vector and its length g times the facet's, which makes such openings of displacements,
/// and forces and energies of such tractions.
template <class Law>
struct CohesiveTable {
  static constexpr int points = FacetGauss::points;
  Table<Real, FacetFrame::numbers> frame;    ///< s * tangent x, y; g * |dX/dr| in m. Fixed at insertion
  Table<Vec2, 1> stiffness;                  ///< cap kc, contact kp, Pa/m. Fixed at insertion
  Table<Vec2, points> offset;                ///< [q] see CohesivePoint, m: initial traction over stiffness. Fixed
  Table<Vec2, points> opening;               ///< [q]: normal, tangential, m
  Table<Vec2, points> traction;              ///< [q]: normal, tangential, that acts, Pa
  Table<typename Law::State, points> state;  ///< [q]
  Table<Real, points> account;               ///< [q] see step_point, J/m^2
  Table<double, points> dissipated;          ///< [q] by the law so far, J/m^2
  Step* insertion_step;
  FacetFactors* factors;  ///< Fixed at insertion

  CLEAVE_HD FacetFrame frame_of(Index c) const { return {{frame(c, 0), frame(c, 1)}, frame(c, 2)}; }
  CLEAVE_HD CohesivePoint point(Index c, int q) const {
    const Vec2 k = stiffness(c, 0);
    return {k.x, k.y, offset(c, q)};
  }

  /// @param i          points * c + q
  /// @param of_facet   stiffness of the element
  /// @param to         the opening at the end of the step
  CLEAVE_HD_INLINE CohesiveStepPoint<Law> load(Index i, Vec2 of_facet, Vec2 to) const {
    CohesiveStepPoint<Law> at;
    at.motion.from.x = opening.data[i].x;
    at.motion.from.y = opening.data[i].y;
    at.motion.to = to;
    at.motion.point.stiffness_cap = of_facet.x;
    at.motion.point.contact_stiffness = of_facet.y;
    at.motion.point.offset.x = offset.data[i].x;
    at.motion.point.offset.y = offset.data[i].y;
    at.acted.x = traction.data[i].x;
    at.acted.y = traction.data[i].y;
    at.state = read_record(state.data[i]);
    at.account = account.data[i];
    return at;
  }
  CLEAVE_HD_INLINE void store(Index i, const CohesiveStepPoint<Law>& at, const CohesivePointStep& step) const {
    account.data[i] = at.account;
    if (step.changed) write_record(state.data[i], at.state);
    if (step.dissipated > 0) dissipated.data[i] += step.dissipated;
    opening.data[i].x = at.motion.to.x;
    opening.data[i].y = at.motion.to.y;
    traction.data[i].x = step.traction.x;
    traction.data[i].y = step.traction.y;
  }
};

/// Fills the rows of new cohesive elements from the stresses before any node is duplicated: a thread per Gauss point.
template <class Element, class Law>
struct StartCohesive {
  static constexpr KernelTraits traits{.name = "cohesive start", .resident_blocks = 6, .lines = 2};
  static constexpr int team_size = 4;
  struct Scratch {
    Vec2 traction[FacetTraction<Element, Law>::samples];
  };
  ElementTable<Element> elements;  ///< with the facet codes of the new elements
  Index first_cohesive;
  Index count;
  const Vec2* position;  ///< [node], m
  FacetTraction<Element, Law> traction;
  Law law;
  CohesiveTable<Law> cohesive;
  Real thickness;                    ///< m
  Real cap_factor;                   ///< 2 s / dt^2, 1/s^2
  ByMaterial<Real> contact_modulus;  ///< contact penalty * E, Pa; between two materials the softer one counts
  Step step;
  const Real* strength_scale = nullptr;  ///< [facet code] s g of a facet that has not changed its length; null: 1
  const Real* energy_scale = nullptr;    ///< [facet code] g; null: 1 everywhere
  const Vec2* displacement = nullptr;    ///< see FacetJudge
  ElementRange own = all_elements;       ///< of this rank: it does not know how the facets of others lie now

  CLEAVE_HD Index size() const { return count; }
  CLEAVE_HD_INLINE void operator()(Index i, Team team, Scratch& scratch) const {
    const Index c = first_cohesive + i;
    const Index code = elements.cohesive_facet(c, 0), other = elements.cohesive_facet(c, 1);
    const Index e = element_of(code);
    const int k = facet_of(code);
    const Vec2 start = elements.at_start(e, k, position), end = elements.at_end(e, k, position);
    const bool known = own.has(e) || own.has(element_of(other));
    const FacetFrame frame = facet_frame(start, end);
    const FacetFrame now = current_frame(elements, e, k, start, end, known ? displacement : nullptr);
    for (int s = team.first; s < FacetTraction<Element, Law>::samples; s += team.size)
      scratch.traction[s] = traction.at(elements, e, k, other, now, s);
    team.sync();

    const Real length = 2 * frame.jacobian;
    const Real cap = cap_factor * lightest(e, k, other, length);
    const Real softer = smaller(contact_modulus.of(e), contact_modulus.of(element_of(other)));
    const Real contact = smaller(cap, softer / length);
    const Real given = strength_scale == nullptr ? Real(1) : strength_scale[code];
    const Real energy = energy_scale == nullptr ? Real(1) : energy_scale[code];
    // True traction acts on the present length, the cohesive element on the reference length.
    const Real strength = given * (now.jacobian / frame.jacobian);
    const Real scale = strength / energy, stiffer = scale * strength;  // s and s^2 g
    if (team.first == 0) {
      cohesive.frame(c, 0) = scale * frame.tangent.x;
      cohesive.frame(c, 1) = scale * frame.tangent.y;
      cohesive.frame(c, 2) = energy * frame.jacobian;
      cohesive.stiffness(c, 0) = {cap / stiffer, contact / stiffer};
      cohesive.insertion_step[c] = step;
      cohesive.factors[c] = {scale, energy};
    }
    for (int q = team.first; q < FacetGauss::points; q += team.size)
      begin(c, q, cap / stiffer, contact / stiffer, Real(1) / given * traction.at_gauss(scratch.traction, q));
  }

  template <int n>
  CLEAVE_HD void fetch_lines(Index i) const {
    const Index c = first_cohesive + i;
    const Index code = elements.cohesive_facet(c, 0), other = elements.cohesive_facet(c, 1);
    const Index e = element_of(code);
    if constexpr (n == 0) {
      fetch_line(elements.mass(e));
      fetch_line(elements.mass(element_of(other)));
      for (int part = 0; part < Element::facet_nodes; ++part) fetch_line(elements.facet_node(e, facet_of(code), part));
    } else {
      for (int part = 0; part < Element::facet_nodes; ++part)
        fetch_line(position[elements.facet_node(e, facet_of(code), part)]);
      traction.fetch_lines(elements, e, facet_of(code), other);
    }
  }

  /// @param initial  traction that the facet broke at over the factor of its strength, both of the present length, Pa
  CLEAVE_HD void begin(Index c, int q, Real cap, Real contact, Vec2 initial) const {
    const CohesivePoint point{cap, contact, law.offset(initial, cap)};
    const typename Law::State state = law.start(initial, point);
    const CohesiveResponse now = law.respond({0, 0}, point, state);
    cohesive.offset(c, q) = point.offset;
    cohesive.traction(c, q) = now.traction;
    write_record(cohesive.state(c, q), state);
    cohesive.account(c, q) = -now.stored;  // what the law has stored, no work has paid for
  }

  /// The lightest facet node decides the stiffness that the time step allows: its mass over its share of the facet,
  /// kg/m^2.
  CLEAVE_HD Real lightest(Index e, int k, Index other, Real length) const {
    constexpr int nodes = Element::facet_nodes;
    const Real mass_a = elements.mass(e), mass_b = elements.mass(element_of(other));
    Real lightest = -1;
    for (int i = 0; i < nodes; ++i) {
      const Real share = Element::facet_weight(i) * length * thickness;
      const Real a = mass_a * Element::mass_fraction(Element::facet_slot(k, i));
      const Real b = mass_b * Element::mass_fraction(Element::facet_slot(facet_of(other), nodes - 1 - i));
      const Real m = smaller(a, b) / share;
      lightest = i == 0 ? m : smaller(lightest, m);
    }
    return lightest;
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
