/// The step of cohesive elements in the gather assembly: openings, tractions, their work and forces in one launch.
///
/// A Gauss point is loaded, stepped and stored by the same functions whoever drives them: a GPU's block, whose
/// workers share the pieces of the points that move (SharedPieces), the lanes of a CPU (CohesiveLanes), or one element
/// after the other.
#pragma once

#include "cleave/core/table.hpp"
#include "terms/cohesive/cohesive_faces.hpp"
#include "terms/cohesive/cohesive_lanes.hpp"
#include "terms/cohesive/shared_pieces.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Openings, history and tractions of every Gauss point, with the work since the last step, and the forces on the
/// sides: three threads an element.
/// @tparam Faces        FixedFaces or CorotationalFaces
/// @tparam reads_early  see BlockStep: a step without output
template <class Element, class Law, class Faces, bool reads_early>
struct CohesiveStep {
  static constexpr KernelTraits traits{
      .name = "cohesive elements", .has_lanes = Faces::has_lanes, .reads_early = reads_early};
  static constexpr int workers = 128;
  struct Shared {
    std::conditional_t<Faces::shares_pieces, SharedPieces<Law, workers>, NoShared> pieces;
    typename Faces::PointForce force[workers];
  };
  const CohesiveRow<Element>* rows;  ///< [cohesive]
  Index capacity;                    ///< of cohesive elements
  const LiveCounts* live;
  const Vec2* displacement;  ///< [node], m
  Law law;
  CohesiveTable<Law> cohesive;
  Faces faces;
  SideTable<Element> sides;
  const Index* insertion_pending;   ///< see BlockStep
  ElementRange own = all_elements;  ///< cohesive elements that touch none of these are left to other ranks

  /// Elements of a block. Where there are few in all, it has more workers than points: all the more follow the pieces
  /// of those that move.
  CLEAVE_HD int elements() const {
    return (Faces::shares_pieces && capacity < 6144 ? workers / 4 : workers) / FacetGauss::points;
  }
  CLEAVE_HD int points() const { return FacetGauss::points * elements(); }
  CLEAVE_HD Index blocks() const { return (capacity + elements() - 1) / elements(); }

  /// Constants of an element, which only insertion changes.
  struct Kept {
    Index in_use = 0;  ///< cohesive elements
    CohesiveRow<Element> row{};
    FacetFrame frame{};
  };
  CLEAVE_HD Kept keep(Index c) const {
    if (c >= capacity) return {};
    return {live->cohesive, read_record(rows[c]), cohesive.frame_of(c)};
  }
  /// See BlockStep.
  template <class Worker>
  CLEAVE_HD auto early(Worker const& worker, Shared&) const requires(traits.reads_early) {
    return ForEachIdx{worker}(
        [&](Idx i) { return i < points() ? keep(element_at(worker.block * points() + i)) : Kept{}; });
  }
  template <class Worker, class Early>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared, const Early& early) const {
    run(worker, shared, [&](Idx i) -> const Kept& { return early[i]; });
  }
  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    if constexpr (Worker::slots == 1)
      run(worker, shared, [&](Idx i) { return i < points() ? keep(element_at(worker.block * points() + i)) : Kept{}; });
    else
      run_elements(worker.block);
  }

  /// A Gauss point before its step, and how its faces lie.
  struct Point {
    typename Faces::Place place;
    CohesiveStepPoint<Law> point;
  };
  CLEAVE_HD_INLINE FaceNodes<Element> nodes_of(const CohesiveRow<Element>& row) const {
    return face_nodes(row, displacement);
  }
  CLEAVE_HD_INLINE Point load(Index c, int q, const FacetFrame& frame, const FaceNodes<Element>& nodes) const {
    const auto place = faces.place(cohesive, c, q, frame, nodes);
    return {place, cohesive.load(FacetGauss::points * c + q, cohesive.stiffness(c, 0), place.opening)};
  }
  CLEAVE_HD_INLINE typename Faces::PointForce store(Index i, Point& at, const CohesivePointStep& step) const {
    auto force = faces.store(law, cohesive, i, at.place, at.point, step);
    cohesive.store(i, at.point, step);
    if constexpr (Faces::slides_last)
      if (faces.forces.act_along())
        force +=
            faces.slide(law, cohesive, i, at.point.motion, at.place.length * faces.thickness, at.place.frame.tangent);
    return force;
  }
  /// Leaves the forces on the nodes of both sides.
  /// @param of  of the Gauss points
  CLEAVE_HD_INLINE void leave(Index c, const typename Faces::PointForce (&of)[FacetGauss::points]) const {
    CLEAVE_UNROLL
    for (int k = 0; k < Element::facet_nodes; ++k) sides.set(c, k, Faces::template at_nodes<Element>(k, of));
  }

 private:
  CLEAVE_HD static Index element_at(Index i) { return i / FacetGauss::points; }
  CLEAVE_HD static int gauss_point_at(Index i) { return static_cast<int>(i % FacetGauss::points); }

  /// On a GPU: a point a worker.
  /// @param kept_of  (worker) constants of the element of its Gauss point
  template <class Worker, class KeptOf>
  CLEAVE_HD void run(Worker const& worker, Shared& shared, const KeptOf& kept_of) const {
    const Index first = worker.block * points();
    ForEachIdx each{worker};
    const auto in_use = each([&](Idx i) {
      return i < points() && first + i < FacetGauss::points * kept_of(i).in_use && kept_of(i).row.touches(own);
    });
    auto loaded = each([&](Idx i) {
      if (!in_use[i]) return Point{};
      const Kept& kept = kept_of(i);
      return load(element_at(first + i), gauss_point_at(first + i), kept.frame, nodes_of(kept.row));
    });
    if (*insertion_pending != 0) return;  // read after values that take as long to come
    if constexpr (!Faces::shares_pieces) {
      each([&](Idx i) {
        if (in_use[i]) shared.force[i] = step_at(first + i, loaded[i]);
      });
    } else {
      follow_together(worker, shared, in_use, loaded);
    }
    worker.sync();
    each([&](Idx i) {
      const int k = gauss_point_at(i);
      if (in_use[i] && k < Element::facet_nodes)
        sides.set(element_at(first + i), k, Faces::template at_nodes<Element>(k, &shared.force[i - k]));
    });
  }
  /// Workers share the pieces of points whose history moves.
  template <class Worker, class InUse, class Loaded>
  CLEAVE_HD_INLINE void follow_together(Worker const& worker, Shared& shared, const InUse& in_use,
                                        Loaded& loaded) const {
    const Index first = worker.block * points();
    ForEachIdx each{worker};
    only_master(worker, [&] { shared.pieces.count = 0; });
    worker.sync();
    const auto moving = each([&](Idx i) {
      if (!in_use[i]) return -1;
      CohesiveStepPoint<Law>& point = loaded[i].point;
      faces.begin(law, cohesive, first + i, loaded[i].place, point);
      begin_step(law, point.motion, point.state);
      typename Law::State state = point.state;
      return law.note(point.motion.to, point.motion.point, state) ? shared.pieces.add(point.motion, point.state) : -1;
    });
    worker.sync();
    shared.pieces.follow(law, worker);
    each([&](Idx i) {
      if (!in_use[i]) return;
      Point& at = loaded[i];
      const bool moves = moving[i] >= 0;
      const typename Law::State now = moves ? shared.pieces.now[moving[i]] : at.point.state;
      const Real work = moves ? shared.pieces.total_work(moving[i]) : Real(0);
      shared.force[i] = store(first + i, at, at.point.settle(law, now, moves, work));
    });
  }

  /// On a CPU: the elements of the block. With pressure in cracks, other ranks send the states of elements that do not
  /// touch this one: those are not stepped here.
  CLEAVE_HD void run_elements(Index block) const {
    if (*insertion_pending != 0) return;
    const Index first = block * elements(), last = first + elements(), in_use = live->cohesive,
                end = last < in_use ? last : in_use;
    if constexpr (Faces::has_lanes)
      if (faces.forces.cracks.load == nullptr) {
        CohesiveStep local = *this;
        local.faces.forces = {};
        for (Index c = first; c < end; c += CohesiveLanes<CohesiveStep>::elements)
          CohesiveLanes<CohesiveStep>(local, faces, c, end).step();
        return;
      }
    for (Index c = first; c < end; ++c)
      if (rows[c].touches(own)) step_element(c);
  }
  CLEAVE_HD void step_element(Index c) const {
    const FacetFrame frame = cohesive.frame_of(c);
    const FaceNodes<Element> nodes = nodes_of(rows[c]);
    typename Faces::PointForce force[FacetGauss::points];
    CLEAVE_UNROLL
    for (int q = 0; q < FacetGauss::points; ++q) {
      Point at = load(c, q, frame, nodes);
      force[q] = step_at(FacetGauss::points * c + q, at);
    }
    leave(c, force);
  }
  CLEAVE_HD_INLINE typename Faces::PointForce step_at(Index i, Point& at) const {
    faces.begin(law, cohesive, i, at.place, at.point);
    return store(i, at, at.point.step(law));
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
