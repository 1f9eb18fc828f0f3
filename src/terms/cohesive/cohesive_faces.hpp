/// How the faces of a cohesive element lie at a Gauss point, and what its traction does to them: of small strains,
/// whose frames are fixed, and of finite kinematics, whose frames turn with the faces.
///
/// Corotational: with a = dx/dr along the mid-surface, x = X + (u_a + u_b) / 2, and its length |a|, the frame is
/// t = a / |a| and the normal n. The jump d of the displacements has the opening (d.n, d.t), and the law's energy per
/// reference length depends on u through both d and the frame. Its derivative is the nodal force
///     side a: -N_i T + N'_i C,   side b: N_i T + N'_i C,   C = -(T_n d.t - T_t d.n) n / (2 |a|),
/// per weight: a force and a couple that balances it, so that turns of the whole body do no work.
///
/// Failed faces are in contact only while they lie opposite each other. Once they have slid by the length of the facet,
/// or turned against each other by 90 degrees, they have parted for good.
#pragma once

#include "body/side_table.hpp"
#include "terms/cohesive/cohesive.hpp"
#include "terms/cohesive/face_forces.hpp"
#include "terms/cohesive/face_motion.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Displacements of nodes that lie opposite each other on sides a and b, m.
template <class Element>
struct FaceNodes {
  Vec2 jump[Element::facet_nodes];  ///< b less a
  Vec2 sum[Element::facet_nodes];
};

template <class Element>
CLEAVE_HD_INLINE FaceNodes<Element> face_nodes(const CohesiveRow<Element>& row, const Vec2* displacement) {
  FaceNodes<Element> nodes;
  CLEAVE_UNROLL
  for (int k = 0; k < Element::facet_nodes; ++k) {
    const Vec2 a = displacement[row.nodes[0][k]], b = displacement[row.nodes[1][k]];
    nodes.jump[k] = b - a;
    nodes.sum[k] = a + b;
  }
  return nodes;
}

/// Faces of small strains.
struct FixedFaces {
  static constexpr bool has_lanes = true;      ///< see CohesiveLanes
  static constexpr bool shares_pieces = true;  ///< see SharedPieces
  static constexpr bool slides_last = true;    ///< when the step is in the table
  FaceForces forces;
  StepInput input;
  Real thickness;  ///< m
  double* work;    ///< [cohesive][q], J

  /// Force of a Gauss point on the faces: its traction times weight in global directions, N.
  using PointForce = Vec2;
  /// Forces on the nodes k of both sides.
  template <class Element>
  CLEAVE_HD_INLINE static NodePair at_nodes(int k, const PointForce* of) {
    Vec2 sum{};
    CLEAVE_UNROLL
    for (int q = 0; q < FacetGauss::points; ++q) sum += Element::facet_shape(k, FacetGauss::point(q)) * of[q];
    return {Real(-1) * sum, sum};
  }

  struct Place {
    Vec2 opening;      ///< m
    FacetFrame frame;  ///< of the table
    Real length;       ///< that the Gauss point stands for, times FacetFactors::energy, m
    double work;       ///< until now, J
  };
  template <class Element, class Law>
  CLEAVE_HD_INLINE Place place(const CohesiveTable<Law>& /*table*/, Index c, int q, const FacetFrame& frame,
                               const FaceNodes<Element>& nodes) const {
    Vec2 jump{};
    for (int k = 0; k < Element::facet_nodes; ++k)
      jump += Element::facet_shape(k, FacetGauss::point(q)) * nodes.jump[k];
    return {{dot(jump, frame.normal()), dot(jump, frame.tangent)},
            frame,
            FacetGauss::weight(q) * frame.jacobian,
            work[FacetGauss::points * c + q]};
  }
  /// No place of the faces changes the law.
  template <class Law>
  CLEAVE_HD_INLINE void begin(const Law&, const CohesiveTable<Law>&, Index, const Place&,
                              CohesiveStepPoint<Law>&) const {}
  /// Books the work of the step. Returns the force that acts from then on.
  template <class Law>
  CLEAVE_HD_INLINE PointForce store(const Law&, const CohesiveTable<Law>& table, Index i, const Place& place,
                                    CohesiveStepPoint<Law>& point, const CohesivePointStep& step) const {
    const Vec2 moved = point.motion.to - point.motion.from;
    const Real weight = place.length * thickness;
    work[i] = place.work + weight * dot(Real(0.5) * (step.traction + point.acted), moved);
    const Vec2 t = step.traction, normal = place.frame.normal();
    Vec2 on_faces = weight * (t.x * normal + t.y * place.frame.tangent);
    if (forces.cracks.load != nullptr) {  // acts on the faces themselves, see CohesiveTable
      const FacetFactors of = table.factors[i / FacetGauss::points];
      on_faces +=
          -forces.cracks.advance(i, input, place.length / of.energy, moved.x / of.opening) / of.opening * normal;
    }
    return on_faces;
  }
  /// Leads faces that rub along each other to the end of a step, which the table has. Returns the force that acts from
  /// then on.
  /// @param i       FacetGauss::points * cohesive + q
  /// @param weight  of the Gauss point, m^2
  template <class Law>
  CLEAVE_HD_INLINE PointForce slide(const Law& law, const CohesiveTable<Law>& table, Index i,
                                    const CohesiveMotion& motion, Real weight, Vec2 tangent) const {
    const auto state = read_record(table.state(i / FacetGauss::points, static_cast<int>(i % FacetGauss::points)));
    Vec2 traction{};
    forces.slide(law, i, motion, state, weight, traction);
    return weight * traction.y * tangent;
  }
};

/// Normal offset of a Gauss point whose faces have parted, m: such faces never overlap.
inline constexpr Real parted_offset = Real(1e15);
/// Normal offset of a Gauss point whose faces the contact of sides presses instead (terms/contact/hand_over.hpp), m.
inline constexpr Real handed_over_offset = Real(5e14);

/// Faces that turn.
struct CorotationalFaces {
  static constexpr bool has_lanes = false;
  static constexpr bool shares_pieces = false;  // costs 400,000 elements on an H100 3 to 25 %
  static constexpr bool slides_last = false;    // its work is part of that of the faces
  FaceForces forces;                            ///< pressure in cracks is another launch's (turning_cracks.hpp)
  Real thickness;                               ///< m
  Vec2* force;       ///< [cohesive][q] see PointForce, in the last step; rows not in use are zero
  Vec2* couple;      ///< likewise
  FaceMotion* last;  ///< [cohesive][q] in the last step; likewise
  double* work;      ///< [cohesive][q], J

  struct PointForce {
    Vec2 on_faces;  ///< traction times weight in global directions, N
    Vec2 couple;    ///< C times weight, N
  };
  /// Forces on the nodes k of both sides.
  template <class Element>
  CLEAVE_HD_INLINE static NodePair at_nodes(int k, const PointForce* of) {
    Vec2 sum{};
    CLEAVE_UNROLL
    for (int q = 0; q < FacetGauss::points; ++q) sum += Element::facet_shape(k, FacetGauss::point(q)) * of[q].on_faces;
    NodePair forces{Real(-1) * sum, sum};
    CLEAVE_UNROLL
    for (int q = 0; q < FacetGauss::points; ++q) {
      const Vec2 couple = Element::facet_derivative(k, FacetGauss::point(q)) * of[q].couple;
      forces.a += couple;
      forces.b += couple;
    }
    return forces;
  }

  struct Place {
    Vec2 opening;  ///< m
    FaceMotion now, before;
    FacetFrame frame;  ///< as long as that of the table
    FacetFactors factors;
    Real half_length;  ///< of the reference facet, m
    Real length;       ///< |a|, m
    Real weight;       ///< m^2
  };
  template <class Element, class Law>
  CLEAVE_HD_INLINE Place place(const CohesiveTable<Law>& table, Index c, int q, const FacetFrame& reference,
                               const FaceNodes<Element>& nodes) const {
    Place at;
    at.now = motion_at(nodes, FacetGauss::point(q));
    at.before = last[FacetGauss::points * c + q];
    at.factors = table.factors[c];
    at.half_length = reference.jacobian / at.factors.energy;
    at.weight = FacetGauss::weight(q) * reference.jacobian * thickness;
    const Vec2 along = at.half_length / at.factors.opening * reference.tangent + Real(0.5) * at.now.along;
    at.length = std::sqrt(dot(along, along));
    at.frame = {at.factors.opening / at.length * along, reference.jacobian};
    at.opening = {dot(at.now.jump, at.frame.normal()), dot(at.now.jump, at.frame.tangent)};
    return at;
  }
  /// Faces that have parted lose their contact.
  template <class Law>
  CLEAVE_HD_INLINE void begin(const Law& law, const CohesiveTable<Law>& table, Index i, const Place& place,
                              CohesiveStepPoint<Law>& point) const {
    const CohesiveMotion& motion = point.motion;
    const bool opposite = place.length > Real(0.7) * place.half_length &&
                          std::fabs(motion.to.y) < 2 * place.factors.opening * place.half_length;
    if (!law.failed(point.state) || opposite || motion.point.offset.x == parted_offset) return;
    point.account += law.respond(motion.from, motion.point, point.state).stored;  // what contact still held
    point.motion.point.offset.x = table.offset.data[i].x = parted_offset;
  }
  /// Books the work of the step. Returns the force and the couple that act from then on.
  template <class Law>
  CLEAVE_HD_INLINE PointForce store(const Law& law, const CohesiveTable<Law>& /*table*/, Index i, const Place& place,
                                    CohesiveStepPoint<Law>& point, const CohesivePointStep& step) const {
    const CohesiveMotion& motion = point.motion;
    Vec2 traction = step.traction;
    const Real rubbed = forces.slide(law, i, motion, point.state, place.weight, traction);  // J/m^2
    const Vec2 on_faces = place.weight * (traction.x * place.frame.normal() + traction.y * place.frame.tangent);
    const Real moment = traction.x * motion.to.y - traction.y * motion.to.x;
    const Vec2 turning = -place.weight * moment / (2 * place.length * place.factors.opening) * place.frame.normal();
    const Real done = Real(0.5) * (dot(on_faces + force[i], place.now.jump - place.before.jump) +
                                   dot(turning + couple[i], place.now.along - place.before.along));
    // A turn within the step makes the work differ from that of the openings: the difference goes to the account.
    point.account +=
        done / place.weight - rubbed - Real(0.5) * dot(point.acted + step.traction, motion.to - motion.from);
    work[i] += done - place.weight * rubbed;
    force[i] = on_faces;
    couple[i] = turning;
    last[i] = place.now;
    return {on_faces, turning};
  }

 private:
  template <class Element>
  CLEAVE_HD_INLINE static FaceMotion motion_at(const FaceNodes<Element>& nodes, Real r) {
    FaceMotion m{};
    for (int k = 0; k < Element::facet_nodes; ++k) {
      m.jump += Element::facet_shape(k, r) * nodes.jump[k];
      m.along += Element::facet_derivative(k, r) * nodes.sum[k];
    }
    return m;
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
