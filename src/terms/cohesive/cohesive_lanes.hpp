/// Gauss points of cohesive elements side by side: how one CPU thread steps them.
#pragma once

#include "cleave/lockstep/lanes.hpp"
#include "terms/cohesive/cohesive_faces.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// The points of up to 16 elements in a row, in the order in which they lie in memory. Nearly all of them rest, or
/// their history does: these are stepped side by side, the others by themselves.
/// @tparam Step  a CohesiveStep of FixedFaces
template <class Step>
struct CohesiveLanes {
  static constexpr int elements = 16, points = FacetGauss::points, most = points * elements;
  using Point = typename Step::Point;
  const Step& of;
  const FixedFaces& faces;  ///< with forces between them
  Index first;              ///< element
  int count;                ///< of elements
  Vec2 opening[most];       ///< at the end of the step, m
  Vec2 tangent[most];       ///< of the frames
  Vec2 stiffness[most];     ///< cap and contact, Pa/m
  Real length[most];        ///< see FixedFaces
  Real moves[most];         ///< 1: the history does
  Vec2 force[most];         ///< FixedFaces::PointForce

  /// The elements from `begin` on, at most up to `end`.
  /// @param step  a variable of the caller, which no store to solver memory can change, without FaceForces
  CLEAVE_HD_INLINE CohesiveLanes(const Step& step, const FixedFaces& with_forces, Index begin, Index end)
      : of(step),
        faces(with_forces),
        first(begin),
        count(end - begin < elements ? static_cast<int>(end - begin) : elements) {}

  CLEAVE_HD_INLINE void step() {
    fetch_displacements(first + count);
    if (!touches_own()) return;
    for (int k = 0; k < count; ++k) find_openings(k);
    Moved moved[most];
    const int moving = step_moving(moved);
    step_resting();
    for (int m = 0; m < moving; ++m)
      force[moved[m].lane] = of.store(points * first + moved[m].lane, moved[m].at, moved[m].step);
    if (faces.forces.act_along()) slide();
    for (int k = 0; k < count; ++k)
      of.leave(first + k, {force[points * k], force[points * k + 1], force[points * k + 2]});
  }

 private:
  /// A point whose history moves, after its step.
  struct Moved {
    int lane;
    Point at;
    CohesivePointStep step;
  };
  /// Prefetches the displacements of the next elements, which are scattered in memory.
  CLEAVE_HD_INLINE void fetch_displacements(Index next) const {
    const Index in_use = of.live->cohesive, end = next + elements < in_use ? next + elements : in_use;
    for (Index c = next; c < end; ++c)
      for (const auto& side : of.rows[c].nodes)
        for (const Index node : side) fetch_line(of.displacement[node]);
  }
  CLEAVE_HD_INLINE bool touches_own() const {
    for (int k = 0; k < count; ++k)
      if (of.rows[first + k].touches(of.own)) return true;
    return false;
  }
  CLEAVE_HD_INLINE void find_openings(int k) {
    const Index c = first + k;
    const FacetFrame frame = of.cohesive.frame_of(c);
    const auto nodes = of.nodes_of(of.rows[c]);
    CLEAVE_UNROLL
    for (int q = 0; q < points; ++q) {
      const auto place = of.faces.place(of.cohesive, c, q, frame, nodes);
      opening[points * k + q] = place.opening;
      tangent[points * k + q] = frame.tangent;
      stiffness[points * k + q] = of.cohesive.stiffness(c, 0);
      length[points * k + q] = place.length;
    }
  }
  /// Pairs are copied number by number, as loops over lanes become no vector instructions otherwise.
  CLEAVE_HD_INLINE Point load(int lane) const {
    const Index i = points * first + lane;
    Point at;
    at.place.opening.x = opening[lane].x;
    at.place.opening.y = opening[lane].y;
    at.place.frame.tangent.x = tangent[lane].x;
    at.place.frame.tangent.y = tangent[lane].y;
    at.place.length = length[lane];
    at.place.work = of.faces.work[i];
    at.point = of.cohesive.load(i, {stiffness[lane].x, stiffness[lane].y}, at.place.opening);
    return at;
  }
  /// Steps the points whose history moves, without storing them. Returns how many there are.
  CLEAVE_HD_INLINE int step_moving(Moved (&moved)[most]) {
    for_lanes(points * count, [&](int lane) CLEAVE_LANE {
      auto point = load(lane).point;
      begin_step(of.law, point.motion, point.state);
      moves[lane] = of.law.note(point.motion.to, point.motion.point, point.state) ? 1 : 0;
    });
    int moving = 0;
    for (int lane = 0; lane < points * count; ++lane) {
      if (moves[lane] == 0) continue;
      Moved& m = moved[moving++];
      m.lane = lane;
      m.at = load(lane);
      m.step = m.at.point.step(of.law);
    }
    return moving;
  }
  /// After the step of all points: nearly none of them rub.
  CLEAVE_HD_INLINE void slide() {
    for (int lane = 0; lane < points * count; ++lane) {
      const Index c = first + lane / points;
      const int q = lane % points;
      const CohesiveMotion motion{opening[lane], opening[lane], of.cohesive.point(c, q)};
      force[lane] += faces.slide(of.law, of.cohesive, points * first + lane, motion, length[lane] * faces.thickness,
                                 tangent[lane]);
    }
  }
  /// Steps all points as if their history rested.
  CLEAVE_HD_INLINE void step_resting() {
    for_lanes(points * count, [&](int lane) CLEAVE_LANE {
      Point at = load(lane);
      begin_step(of.law, at.point.motion, at.point.state);
      const Vec2 resting = of.store(points * first + lane, at, at.point.settle(of.law, at.point.state, false, Real(0)));
      force[lane].x = resting.x;
      force[lane].y = resting.y;
    });
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
