/// Cohesive elements whose faces turn: openings and tractions in the frame of the present mid-surface.
///
/// With a = dx/dr along the mid-surface, x = X + (u_a + u_b) / 2, and its length |a|, the frame is t = a / |a| and the
/// normal n. The jump d of the displacements has the opening (d.n, d.t), and the law's energy per reference length
/// depends on u through both d and the frame. Its derivative is the nodal force
///     side a: -N_i T + N'_i C,   side b: N_i T + N'_i C,   C = -(T_n d.t - T_t d.n) n / (2 |a|),
/// per weight: a force and a couple that balances it, so that turns of the whole body do no work.
///
/// Failed faces are in contact only while they lie opposite each other. Once they have slid by the length of the facet,
/// or turned against each other by 90 degrees, they have parted for good.
#pragma once

#include "cleave/core/record.hpp"
#include "kernels/cohesive.hpp"
#include "kernels/friction.hpp"
#include "kernels/live_counts.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Normal offset of a Gauss point whose faces have parted, m: such faces never overlap.
inline constexpr Real parted_offset = Real(1e15);

/// How the faces lie at a Gauss point, m.
struct FaceMotion {
  Vec2 jump;   ///< of the displacements, from side a to side b
  Vec2 along;  ///< derivative by r of the sum of both displacements
};

/// Forces of cohesive elements whose faces turn, [cohesive][Gauss point]. Rows not in use are zero.
struct TurningForces {
  Vec2* force;       ///< traction times weight in global directions, N
  Vec2* couple;      ///< C times weight, N
  FaceMotion* last;  ///< in the last step
};

/// Openings, history and tractions of every Gauss point, with the work since the last step.
template <class Element, class Law>
struct TurningCohesiveStep {
  static constexpr KernelTraits traits{.name = "turning cohesive elements", .has_in_use = true};
  const CohesiveRow<Element>* rows;  ///< [cohesive]
  Index capacity;                    ///< of cohesive elements
  const LiveCounts* live;
  const Vec2* displacement;  ///< [node], m
  Law law;
  CohesiveTable<Law> cohesive;
  Friction friction;
  Real thickness;  ///< m
  TurningForces forces;
  double* work;                     ///< [cohesive][q], J
  const Index* insertion_pending;   ///< see BlockStep
  ElementRange own = all_elements;  ///< see CohesiveStep

  CLEAVE_HD Index size() const { return FacetGauss::points * capacity; }
  CLEAVE_HD Index in_use() const { return FacetGauss::points * live->cohesive; }
  CLEAVE_HD void operator()(Index i) const {
    if (*insertion_pending != 0) return;
    const Index c = i / FacetGauss::points;
    const CohesiveRow<Element> row = read_record(rows[c]);
    if (!row.touches(own)) return;
    const int q = static_cast<int>(i % FacetGauss::points);
    const FaceMotion now = motion_at(row, q), before = forces.last[i];
    const FacetFactors of = cohesive.factors[c];
    const Real scale = of.opening;
    const FacetFrame reference = cohesive.frame_of(c);
    const Real half_length = reference.jacobian / of.energy;  // of the reference facet
    const Vec2 along = half_length / scale * reference.tangent + Real(0.5) * now.along;
    const Real length = std::sqrt(dot(along, along));
    const FacetFrame frame{scale / length * along, reference.jacobian};  // as long as that of the table

    CohesiveMotion motion{
        cohesive.opening(c, q), {dot(now.jump, frame.normal()), dot(now.jump, frame.tangent)}, cohesive.point(c, q)};
    const Vec2 acted = cohesive.traction(c, q);
    typename Law::State state = read_record(cohesive.state(c, q));
    Real account = cohesive.account(c, q);
    const bool opposite = length > Real(0.7) * half_length && std::fabs(motion.to.y) < 2 * scale * half_length;
    if (law.failed(state) && !opposite && motion.point.offset.x != parted_offset) {
      account += law.respond(motion.from, motion.point, state).stored;  // what contact still held
      motion.point.offset.x = parted_offset;
      cohesive.offset(c, q).x = parted_offset;
    }
    const CohesivePointStep step = step_point(law, motion, acted, state, account);
    Vec2 traction = step.traction;
    Real rubbed = 0;  // work of friction in the step, J/m^2
    if (friction.active()) {
      FrictionPoint s = friction.spring[i];
      rubbed = s.advance(motion.to.y, Friction::stiffness(motion.point),
                         friction.limit(law, motion.to, motion.point, state));
      friction.spring[i] = s;
      traction.y += s.traction;
    }

    const Real weight = FacetGauss::weight(q) * reference.jacobian * thickness;
    const Vec2 force = weight * (traction.x * frame.normal() + traction.y * frame.tangent);
    const Real moment = traction.x * motion.to.y - traction.y * motion.to.x;
    const Vec2 couple = -weight * moment / (2 * length * scale) * frame.normal();
    const Real done = Real(0.5) * (dot(force + forces.force[i], now.jump - before.jump) +
                                   dot(couple + forces.couple[i], now.along - before.along));
    // What a turn within the step makes the work differ by from that of the openings goes to the account.
    account += done / weight - rubbed - Real(0.5) * dot(acted + step.traction, motion.to - motion.from);

    cohesive.account(c, q) = account;
    if (step.changed) write_record(cohesive.state(c, q), state);
    if (step.dissipated > 0) cohesive.dissipated(c, q) += step.dissipated;
    cohesive.opening(c, q) = motion.to;
    cohesive.traction(c, q) = step.traction;
    work[i] += done - weight * rubbed;
    if (friction.active()) friction.work[i] += weight * rubbed;
    forces.force[i] = force;
    forces.couple[i] = couple;
    forces.last[i] = now;
  }

  CLEAVE_HD FaceMotion motion_at(const CohesiveRow<Element>& row, int q) const {
    const Real r = FacetGauss::point(q);
    FaceMotion m{};
    for (int k = 0; k < Element::facet_nodes; ++k) {
      const Vec2 a = displacement[row.nodes[0][k]], b = displacement[row.nodes[1][k]];
      m.jump += Element::facet_shape(k, r) * (b - a);
      m.along += Element::facet_derivative(k, r) * (a + b);
    }
    return m;
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
