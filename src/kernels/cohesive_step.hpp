/// Cohesive elements in the gather assembly: openings, tractions and their work in one launch; bulk elements fetch the
/// forces of their own sides.
#pragma once

#include "cleave/core/atomic.hpp"
#include "cleave/core/record.hpp"
#include "cleave/lockstep/lanes.hpp"
#include "kernels/cohesive.hpp"
#include "kernels/crack_pressure.hpp"
#include "kernels/gather_table.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// What only faces that turn have, see turning_cohesive.hpp and turning_cracks.hpp.
struct WithCouples {
  const Vec2* gauss_couple;    ///< [cohesive][q], N
  const FacePush* gauss_push;  ///< [cohesive][q]; null: no pressure enters cracks
};
struct WithoutCouples {};

/// Forces of cohesive elements as their bulk elements see them.
template <class Element, bool corotational = false>
struct CohesiveForces : std::conditional_t<corotational, WithCouples, WithoutCouples> {
  const Vec2* gauss_force;  ///< [cohesive][q] traction * Gauss weight * |dX/dr| * thickness, less the push of a
                            ///< pressure in the crack, global directions, N

  /// Asks for the forces behind a cohesive side.
  CLEAVE_HD void fetch_lines(Index code) const {
    const Vec2* const first = gauss_force + FacetGauss::points * cohesive_of(code);
    fetch_line(first[0]);
    fetch_line(first[FacetGauss::points - 1]);
  }
  /// Adds those of element e's cohesive facets to its nodal forces: side a gets -N T, side b +N T.
  CLEAVE_HD void add(const ElementTable<Element>& elements, Index e, Vec2 (&f)[Element::nodes]) const {
    constexpr int nodes = Element::facet_nodes;
    const Index behind[3] = {elements.neighbour(e, 0), elements.neighbour(e, 1), elements.neighbour(e, 2)};
    CLEAVE_UNROLL
    for (int k = 0; k < 3; ++k) {
      const Index code = behind[k];
      if (!is_cohesive(code)) continue;
      const Index c = cohesive_of(code);
      const bool side_a = cohesive_side_of(code) == 0;
      for (int i = 0; i < nodes; ++i) {
        Vec2 sum{};
        for (int q = 0; q < FacetGauss::points; ++q)
          sum += Element::facet_shape(i, FacetGauss::point(q)) * gauss_force[FacetGauss::points * c + q];
        Vec2 of_a = Real(-1) * sum, of_b = sum;
        if constexpr (corotational)
          for (int q = 0; q < FacetGauss::points; ++q) {
            const Vec2 couple =
                Element::facet_derivative(i, FacetGauss::point(q)) * this->gauss_couple[FacetGauss::points * c + q];
            of_a += couple;
            of_b += couple;
          }
        if constexpr (corotational)
          for (int q = 0; q < FacetGauss::points && this->gauss_push != nullptr; ++q) {
            const Real share = Element::facet_shape(i, FacetGauss::point(q));
            of_a += share * this->gauss_push[FacetGauss::points * c + q].force[0];
            of_b += share * this->gauss_push[FacetGauss::points * c + q].force[1];
          }
        // Two lines with places that the compiler knows, so that f stays in registers.
        if (side_a)
          f[Element::facet_slot(k, i)] += of_a;
        else
          f[Element::facet_slot(k, nodes - 1 - i)] += of_b;
      }
    }
  }
};

/// The law's work in a step at those Gauss points of a block whose history moves. Most points rest, and a moving one is
/// followed in pieces: so all workers share the pieces of those that move.
template <class Law, int Workers>
struct SharedPieces {
  static constexpr int pieces = pieces_of_step, at_once = 32;
  int count;  ///< of moving points, as many as workers at most
  CohesiveMotion motion[Workers];
  typename Law::State was[Workers], now[Workers];
  Real work[Workers][pieces];
  PieceEnd end[at_once][1 + pieces];

  /// Adds a point; returns where its results will be.
  CLEAVE_HD int add(const CohesiveMotion& step, const typename Law::State& state) {
    const int at = atomic_add(count, 1);
    motion[at] = step;
    was[at] = state;
    return at;
  }
  /// Follows all points that were added.
  template <class Worker>
  CLEAVE_HD void follow(const Law& law, Worker const& worker) {
    ForEachIdx each{worker};
    for (int first = 0; first < count; first += at_once) {
      const int points = count - first < at_once ? count - first : at_once;
      each([&](Idx i) {
        for (int item = i; item < points * (1 + pieces); item += Workers)
          find_end(law, first, item / (1 + pieces), item % (1 + pieces));
      });
      worker.sync();
      each([&](Idx i) {
        for (int item = i; item < points * pieces; item += Workers) {
          const int p = item / pieces, piece = 1 + item % pieces;
          work[first + p][piece - 1] = work_of_piece(motion[first + p], piece, end[p][piece - 1], end[p][piece]);
        }
      });
      worker.sync();
    }
  }
  CLEAVE_HD Real total_work(int p) const {
    Real sum = 0;
    for (const Real of_piece : work[p]) sum += of_piece;
    return sum;
  }

 private:
  /// The end of a piece; with piece 0, where the step begins. What is piece 0 to the others is where the step as a
  /// whole leaves the law: so all workers do the same.
  CLEAVE_HD void find_end(const Law& law, int first, int p, int piece) {
    const CohesiveMotion& step = motion[first + p];
    typename Law::State state = was[first + p];
    const CohesiveResponse start = law.respond(step.from, step.point, state);
    bool unsettled = false;
    if constexpr (Law::peaks_at_ends) {
      if (piece > 1) unsettled = law.note(step.at(piece - 1), step.point, state);
    } else {
      for (int i = 1; i < piece; ++i) unsettled = law.note(step.at(i), step.point, state) || unsettled;
    }
    const PieceEnd last = end_of_piece(law, step, piece == 0 ? pieces : piece, state, unsettled);
    end[p][piece] = piece == 0 ? PieceEnd{start, false, false} : last;
    if (piece == 0) now[first + p] = state;
  }
};

/// Openings, history and tractions of every Gauss point, with the work since the last step: three threads an element.
/// @tparam reads_early  see BlockStep: a step without output
template <class Element, class Law, bool reads_early>
struct CohesiveStep {
  static constexpr KernelTraits traits{.name = "cohesive elements", .has_lanes = true, .reads_early = reads_early};
  static constexpr int workers = 128;
  using Shared = SharedPieces<Law, workers>;
  const CohesiveRow<Element>* rows;  ///< [cohesive]
  Index capacity;                    ///< of cohesive elements
  const LiveCounts* live;
  const Vec2* displacement;  ///< [node], m
  Law law;
  CohesiveTable<Law> cohesive;
  CrackPressure cracks;
  StepInput input;
  Real thickness;                   ///< m
  Vec2* gauss_force;                ///< [cohesive][q], see CohesiveForces
  double* work;                     ///< [cohesive][q], J
  const Index* insertion_pending;   ///< see BlockStep
  ElementRange own = all_elements;  ///< cohesive elements that touch none of these are left to other ranks

  /// Gauss points of a block. Where there are few in all, it has fewer than workers: all the more follow the pieces of
  /// those that move.
  CLEAVE_HD int points() const { return capacity < 6144 ? workers / 4 : workers; }
  CLEAVE_HD Index blocks() const { return (FacetGauss::points * capacity + points() - 1) / points(); }

  /// What only insertion changes of an element.
  struct Kept {
    Index in_use = 0;  ///< cohesive elements
    CohesiveRow<Element> row{};
    FacetFrame frame{};
  };
  CLEAVE_HD Kept keep(Index c) const {
    if (c >= capacity) return {};
    return {live->cohesive, read_record(rows[c]), cohesive.frame_of(c)};
  }
  CLEAVE_HD Kept keep_at(Index i) const { return keep(element_at(i)); }
  /// See BlockStep.
  template <class Worker>
  CLEAVE_HD auto early(Worker const& worker) const requires(traits.reads_early) {
    return ForEachIdx{worker}([&](Idx i) { return i < points() ? keep_at(worker.block * points() + i) : Kept{}; });
  }
  template <class Worker, class Early>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared, const Early& early) const {
    run(worker, shared, [&](Idx i) -> const Kept& { return early[i]; });
  }
  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    run(worker, shared, [&](Idx i) { return i < points() ? keep_at(worker.block * points() + i) : Kept{}; });
  }

  /// A Gauss point before a step, and where it moves.
  struct Point {
    CohesiveMotion motion;
    Vec2 acted;  ///< traction, Pa
    typename Law::State state;
    Real account;  ///< J/m^2
    double work;   ///< J
  };
  /// How far apart the faces are at the nodes, m.
  struct Jumps {
    Vec2 at_node[Element::facet_nodes];
  };
  CLEAVE_HD Jumps jumps_of(const CohesiveRow<Element>& row) const {
    Jumps jumps;
    for (int k = 0; k < Element::facet_nodes; ++k)
      jumps.at_node[k] = displacement[row.nodes[1][k]] - displacement[row.nodes[0][k]];
    return jumps;
  }
  CLEAVE_HD_INLINE static Vec2 opening_at(int q, const FacetFrame& frame, const Jumps& jumps) {
    Vec2 jump{};
    for (int k = 0; k < Element::facet_nodes; ++k)
      jump += Element::facet_shape(k, FacetGauss::point(q)) * jumps.at_node[k];
    return {dot(jump, frame.normal()), dot(jump, frame.tangent)};
  }
  CLEAVE_HD_INLINE Point point_at(Index c, int q, const FacetFrame& frame, const Jumps& jumps) const {
    Point at = point_at(c, q, Vec2{});
    at.motion.to = opening_at(q, frame, jumps);
    begin_step(law, at.motion, at.state);
    return at;
  }
  CLEAVE_HD_INLINE Point point_at(Index c, int q, Vec2 to) const {
    return {{cohesive.opening(c, q), to, cohesive.point(c, q)},
            cohesive.traction(c, q),
            read_record(cohesive.state(c, q)),
            cohesive.account(c, q),
            work[FacetGauss::points * c + q]};
  }
  /// Work of a step at a Gauss point, J; the weight is in m^2.
  CLEAVE_HD_INLINE static Real work_of(Real weight, Vec2 traction, Vec2 acted, Vec2 moved) {
    return weight * dot(Real(0.5) * (traction + acted), moved);
  }
  /// Force of a Gauss point in global directions, N.
  CLEAVE_HD_INLINE static Vec2 force_of(Real weight, Vec2 traction, const FacetFrame& frame) {
    return weight * (traction.x * frame.normal() + traction.y * frame.tangent);
  }
  /// Writes what a step has made of a Gauss point.
  /// @param state, account  after the step
  CLEAVE_HD_INLINE void store(Index c, int q, const FacetFrame& frame, const Point& at, const CohesivePointStep& step,
                              const typename Law::State& state, Real account) const {
    const Index i = FacetGauss::points * c + q;
    const Vec2 moved = at.motion.to - at.motion.from;
    const Real length = FacetGauss::weight(q) * frame.jacobian, weight = length * thickness;
    cohesive.account(c, q) = account;
    if (step.changed) write_record(cohesive.state(c, q), state);
    if (step.dissipated > 0) cohesive.dissipated(c, q) += step.dissipated;
    work[i] = at.work + work_of(weight, step.traction, at.acted, moved);
    cohesive.opening(c, q) = at.motion.to;
    cohesive.traction(c, q) = step.traction;
    Vec2 force = force_of(weight, step.traction, frame);
    if (cracks.load != nullptr) {  // it knows nothing of the facet's factors
      const FacetFactors of = cohesive.factors[c];
      force += -cracks.advance(c, q, input, length / of.energy, moved.x / of.opening) / of.opening * frame.normal();
    }
    gauss_force[i] = force;
  }

  /// @param kept_of  (worker) what is kept of its Gauss point
  template <class Worker, class KeptOf>
  CLEAVE_HD void run(Worker const& worker, Shared& shared, const KeptOf& kept_of) const {
    const Index first = worker.block * points();
    ForEachIdx each{worker};
    if constexpr (Worker::slots != 1) {
      if (*insertion_pending != 0) return;
      // Those elements whose first point is one of the block's.
      const Index last = first_element(first + points()), in_use = live->cohesive, end = last < in_use ? last : in_use;
      // Cracks lead through the elements of all ranks, which others tell of: those of no concern here stay as they are.
      if (cracks.load != nullptr) {
        for (Index c = first_element(first); c < end; ++c)
          if (rows[c].touches(own)) step_element(c);
      } else {
        for (Index c = first_element(first); c < end; c += Lanes::elements) {
          const int count = end - c < Lanes::elements ? static_cast<int>(end - c) : Lanes::elements;
          fetch_displacements(c + count, in_use);
          if (!all_elsewhere(c, count)) step_lanes(c, count);
        }
      }
    } else {
      const auto in_use = each([&](Idx i) {
        return i < points() && first + i < FacetGauss::points * kept_of(i).in_use && kept_of(i).row.touches(own);
      });
      const auto before = each([&](Idx i) {
        if (!in_use[i]) return Point{};
        const Kept& kept = kept_of(i);
        return point_at(element_at(first + i), gauss_point_at(first + i), kept.frame, jumps_of(kept.row));
      });
      if (*insertion_pending != 0) return;  // asked for after what takes as long to come
      only_master(worker, [&] { shared.count = 0; });
      worker.sync();
      const auto moving = each([&](Idx i) {
        const Point& at = before[i];
        typename Law::State state = at.state;
        return in_use[i] && law.note(at.motion.to, at.motion.point, state) ? shared.add(at.motion, at.state) : -1;
      });
      worker.sync();
      shared.follow(law, worker);
      each([&](Idx i) {
        if (!in_use[i]) return;
        const Point& at = before[i];
        const bool changed = moving[i] >= 0;
        const typename Law::State state = changed ? shared.now[moving[i]] : at.state;
        const Real law_work = changed ? shared.total_work(moving[i]) : Real(0);
        Real account = at.account;
        const CohesivePointStep step =
            settle_account(law, at.motion, at.acted, at.state, state, changed, law_work, account);
        store(element_at(first + i), gauss_point_at(first + i), kept_of(i).frame, at, step, state, account);
      });
    }
  }

 private:
  /// Gauss points of some elements in a row, in the order in which they lie in memory.
  struct Lanes {
    static constexpr int elements = 16, most = FacetGauss::points * elements;
    Vec2 to[most];         ///< where they move
    Vec2 tangent[most];    ///< of their facets
    Vec2 stiffness[most];  ///< cap and contact
    Real weight[most];     ///< m^2
    Real moves[most];      ///< 1: their history does
  };
  /// A Gauss point whose history moves, before and after.
  struct Moved {
    int lane;
    Point at;
    CohesivePointStep step;
    Real account;
  };
  /// Asks for what the next elements need, which lies here and there.
  CLEAVE_HD_INLINE void fetch_displacements(Index first, Index in_use) const {
    const Index end = first + Lanes::elements < in_use ? first + Lanes::elements : in_use;
    for (Index c = first; c < end; ++c)
      for (const auto& side : rows[c].nodes)
        for (const Index node : side) fetch_line(displacement[node]);
  }
  CLEAVE_HD bool all_elsewhere(Index first, int count) const {
    for (int k = 0; k < count; ++k)
      if (rows[first + k].touches(own)) return false;
    return true;
  }
  /// Most points rest, or the history of most does: these go side by side, the others by themselves.
  CLEAVE_HD_INLINE void step_lanes(Index first, int count) const {
    Lanes lanes;
    Moved moved[Lanes::most];
    for (int k = 0; k < count; ++k) find_openings(first + k, FacetGauss::points * k, lanes);
    const int points = FacetGauss::points * count, moving = follow_moving(first, points, lanes, moved);
    rest(FacetGauss::points * first, points, lanes);
    for (int m = 0; m < moving; ++m) {
      const Index c = first + moved[m].lane / FacetGauss::points;
      const Point& at = moved[m].at;
      store(c, moved[m].lane % FacetGauss::points, cohesive.frame_of(c), at, moved[m].step, at.state, moved[m].account);
    }
  }
  CLEAVE_HD_INLINE void find_openings(Index c, int lane, Lanes& lanes) const {
    const FacetFrame frame = cohesive.frame_of(c);
    const Jumps jumps = jumps_of(rows[c]);
    CLEAVE_UNROLL
    for (int q = 0; q < FacetGauss::points; ++q) {
      lanes.to[lane + q] = opening_at(q, frame, jumps);
      lanes.tangent[lane + q] = frame.tangent;
      lanes.stiffness[lane + q] = cohesive.stiffness(c, 0);
      lanes.weight[lane + q] = FacetGauss::weight(q) * frame.jacobian * thickness;
    }
  }
  /// Follows those whose history moves. Returns how many they are.
  CLEAVE_HD_INLINE int follow_moving(Index first, int points, Lanes& lanes, Moved (&moved)[Lanes::most]) const {
    const Index base = FacetGauss::points * first;
    for_lanes(points, [&, law = law, states = cohesive.state.data, offset = cohesive.offset.data,
                       opening = cohesive.opening.data](int lane) CLEAVE_LANE {
      typename Law::State state = states[base + lane];
      const CohesiveMotion motion{
          {opening[base + lane].x, opening[base + lane].y},
          {lanes.to[lane].x, lanes.to[lane].y},
          {lanes.stiffness[lane].x, lanes.stiffness[lane].y, {offset[base + lane].x, offset[base + lane].y}}};
      begin_step(law, motion, state);
      lanes.moves[lane] = law.note(motion.to, motion.point, state) ? 1 : 0;
    });
    int count = 0;
    for (int lane = 0; lane < points; ++lane) {
      if (lanes.moves[lane] == 0) continue;
      const Index c = first + lane / FacetGauss::points;
      Moved& m = moved[count++];
      m.lane = lane;
      m.at = point_at(c, lane % FacetGauss::points, lanes.to[lane]);
      m.account = m.at.account;
      m.step = step_point(law, m.at.motion, m.at.acted, m.at.state, m.account);
    }
    return count;
  }
  /// Steps all as if their history rested.
  CLEAVE_HD_INLINE void rest(Index base, int points, const Lanes& lanes) const {
    for_lanes(points, [&, law = law, table = cohesive, work = work, force = gauss_force](int lane) CLEAVE_LANE {
      const Index i = base + lane;
      typename Law::State state = table.state.data[i];
      const CohesiveMotion motion{
          {table.opening.data[i].x, table.opening.data[i].y},
          {lanes.to[lane].x, lanes.to[lane].y},
          {lanes.stiffness[lane].x, lanes.stiffness[lane].y, {table.offset.data[i].x, table.offset.data[i].y}}};
      begin_step(law, motion, state);
      const Vec2 acted{table.traction.data[i].x, table.traction.data[i].y};
      Real account = table.account.data[i];
      const Vec2 traction = settle_account(law, motion, acted, state, state, false, Real(0), account).traction;
      const Vec2 moved = motion.to - motion.from;
      FacetFrame frame{};  // member by member, as nvcc misreads nested braces here
      frame.tangent.x = lanes.tangent[lane].x;
      frame.tangent.y = lanes.tangent[lane].y;
      const Vec2 f = force_of(lanes.weight[lane], traction, frame);
      table.account.data[i] = account;
      work[i] += work_of(lanes.weight[lane], traction, acted, moved);
      table.opening.data[i].x = motion.to.x;
      table.opening.data[i].y = motion.to.y;
      table.traction.data[i].x = traction.x;
      table.traction.data[i].y = traction.y;
      force[i].x = f.x;
      force[i].y = f.y;
    });
  }
  CLEAVE_HD static Index element_at(Index i) { return i / FacetGauss::points; }
  CLEAVE_HD static int gauss_point_at(Index i) { return static_cast<int>(i % FacetGauss::points); }
  /// The first element that has its first point at i or behind.
  CLEAVE_HD static Index first_element(Index i) { return (i + FacetGauss::points - 1) / FacetGauss::points; }
  CLEAVE_HD void step_element(Index c) const {
    const Kept kept = keep(c);
    const Jumps jumps = jumps_of(kept.row);
    CLEAVE_UNROLL
    for (int q = 0; q < FacetGauss::points; ++q) {
      Point at = point_at(c, q, kept.frame, jumps);
      const CohesivePointStep step = step_point(law, at.motion, at.acted, at.state, at.account);
      store(c, q, kept.frame, at, step, at.state, at.account);
    }
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
