/// Kernels of the search for parts that a contact point may touch before the next search.
///
/// Boxes of parts, made larger by a reach and a skin, lie in cells as large as the largest box's half: a point finds
/// all boxes around it in three by three cells. Parts are sorted by cell, so each row of three cells is one range.
///
///     cells (row by row)      sorted keys   5 5 6 6 6 7 | 12 13 13 14 | ...
///      5  6  7                parts         2 8 0 3 9 4 |  1  5  7  6 | ...
///     12 13 14   <- a point in 13 reads 5-7, 12-14 and 19-21
///     19 20 21
///
/// A row of candidates serves until a node of the surface has moved by most of half the skin. Until then, a point looks
/// at those alone that are close (ListClose).
///
/// Besides what tracking.hpp and entry.hpp ask for, a `Surface` has
///     Index parts() const, points() const;       // sizes of its tables, or room in them
///     Index parts_in_use() const, points_in_use() const;
///     bool is_exposed(Index part) const;         // others touch nothing
///     bool has_point(Index point) const;         // a point of an exposed side
///     bool may_be_exposed(Index part) const, may_have_point(Index point) const;  // before the next search
///     PointPlace place(Index point) const;
///     void set_place(Index part, const PartSpan& span) const;  // keeps what span gives
///     void begin_step(Index part) const;  // what is_forced until now was so in the step before
///     // visit(point) for each contact point at the nodes of a part's ends, on whatever side
///     void for_each_point_at_ends(Index part, Visit visit) const;
#pragma once

#include <bit>
#include <cstdint>

#include "cleave/core/atomic.hpp"
#include "cleave/lockstep/device_gate.hpp"
#include "cleave/lockstep/kernel.hpp"
#include "terms/contact/entry.hpp"
#include "terms/contact/point_account.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Rows of a table of ids: row i is ids[first[i]] to ids[first[i + 1] - 1], rising.
struct IdRows {
  const Index* first = nullptr;
  const Index* ids = nullptr;

  CLEAVE_HD const Index* row(Index i) const { return ids + first[i]; }
  CLEAVE_HD Index size(Index i) const { return first[i + 1] - first[i]; }
};

/// A box with sides along the axes, m.
struct PartBox {
  Vec2 low, high;
  CLEAVE_HD bool has(Vec2 p) const { return p.x >= low.x && p.x <= high.x && p.y >= low.y && p.y <= high.y; }
  CLEAVE_HD Vec2 centre() const { return Real(0.5) * (low + high); }
  CLEAVE_HD Vec2 half() const { return Real(0.5) * (high - low); }
};

/// Box of the points that a part may meet. A point that touches the part is at most twice the limit away from it
/// (sunk_below), one that settles at most settling_range of its length. Half more is for parts that stretch.
template <class Surface>
CLEAVE_HD PartBox box_of(const Surface& surface, Index part, Real skin) {
  const Vec2 a = surface.position(surface.node(part, 0)), b = surface.position(surface.node(part, 1));
  const Real reach = Real(1.5) * larger(2 * surface.limit(part), settling_range * length_of(b - a)) + skin;
  return {{smaller(a.x, b.x) - reach, smaller(a.y, b.y) - reach}, {larger(a.x, b.x) + reach, larger(a.y, b.y) + reach}};
}

/// Range of the centres of boxes, and the largest half of a box; + is that of two sets of boxes.
struct BoxExtent {
  Real low[2] = {HUGE_VALF, HUGE_VALF}, high[2] = {-HUGE_VALF, -HUGE_VALF}, half[2] = {0, 0};

  CLEAVE_HD friend BoxExtent operator+(const BoxExtent& a, const BoxExtent& b) {
    BoxExtent both;
    for (int i = 0; i < 2; ++i) {
      both.low[i] = smaller(a.low[i], b.low[i]);
      both.high[i] = larger(a.high[i], b.high[i]);
      both.half[i] = larger(a.half[i], b.half[i]);
    }
    return both;
  }
};
template <class Surface>
struct ExtentOfPart {
  Surface surface;
  Real skin;
  CLEAVE_HD BoxExtent operator()(Index part) const {
    BoxExtent extent;
    if (!surface.may_be_exposed(part)) return extent;
    const PartBox box = box_of(surface, part, skin);
    const Vec2 centre = box.centre(), half = box.half();
    for (int i = 0; i < 2; ++i) {
      extent.low[i] = extent.high[i] = component(centre, i);
      extent.half[i] = component(half, i);
    }
    return extent;
  }
};

/// Key of a cell; those of a row of cells follow each other.
using CellKey = std::uint64_t;

/// Cells that cover the centres of all boxes, with two rows of empty ones around them. In double, as columns may be
/// many.
struct CellGrid {
  static constexpr double most_cells = 1 << 30;  ///< in a direction
  double low[2] = {0, 0}, cell[2] = {1, 1};
  CellKey number[2] = {5, 5};  ///< columns, rows

  static CellGrid of(const BoxExtent& extent) {
    CellGrid grid;
    for (int i = 0; i < 2; ++i) {
      const double width = static_cast<double>(extent.high[i]) - static_cast<double>(extent.low[i]);
      if (!(width >= 0)) return {};  // there are no boxes
      // A body that has flown apart gets larger cells rather than keys that are too long. A little more for rounding.
      grid.low[i] = extent.low[i];
      grid.cell[i] = (1 + 1e-5) * larger(static_cast<double>(extent.half[i]), width / most_cells);
      grid.number[i] = static_cast<CellKey>(width / grid.cell[i]) + 5;
    }
    return grid;
  }
  /// Column (0) or row (1) of a coordinate; clamped, so that a place that is not finite is in some cell, too.
  CLEAVE_HD CellKey index(Real x, int axis) const {
    const double place = std::floor((static_cast<double>(x) - low[axis]) / cell[axis]);
    const double last = static_cast<double>(number[axis] - 5);
    return static_cast<CellKey>(larger(-1.0, smaller(last + 1, place)) + 2);
  }
  CLEAVE_HD CellKey key(CellKey column, CellKey row) const { return row * number[0] + column; }
  CLEAVE_HD CellKey key_of(Vec2 p) const { return key(index(p.x, 0), index(p.y, 1)); }
  /// Key of parts that are never exposed: after all others.
  CLEAVE_HD CellKey none() const { return number[0] * number[1]; }
  /// Bits of a key that count.
  int key_bits() const { return static_cast<int>(std::bit_width(none())); }
};

/// Cell and box of each part.
template <class Surface>
struct CellsOfParts {
  static constexpr KernelTraits traits{.name = "contact cells"};
  Surface surface;
  CellGrid grid;
  Real skin;
  CellKey* keys;   ///< [part]
  Index* parts;    ///< [part] its number
  PartBox* boxes;  ///< [part]

  CLEAVE_HD Index size() const { return surface.parts(); }
  CLEAVE_HD void operator()(Index part) const {
    parts[part] = part;
    keys[part] = grid.none();
    if (!surface.may_be_exposed(part)) return;
    boxes[part] = box_of(surface, part, skin);
    keys[part] = grid.key_of(boxes[part].centre());
  }
};

/// First place in a rising list whose value is not below a key.
template <class Key>
CLEAVE_HD Index first_not_below(const Key* list, Index size, Key key) {
  Index begin = 0;
  for (Index left = size; left > 0;) {
    const Index half = left / 2;
    const bool below = list[begin + half] < key;
    begin = below ? begin + half + 1 : begin;
    left = below ? left - half - 1 : half;
  }
  return begin;
}

/// Parts by cell, and how a point finds those around it.
template <class Surface>
struct PartCells {
  Surface surface;
  CellGrid grid;
  const CellKey* keys;   ///< [parts] rising
  const Index* parts;    ///< [parts]
  const PartBox* boxes;  ///< [part]

  /// Visits the parts in whose boxes a contact point lies. Its own are among them: it may meet them when it has split.
  template <class Visit>
  CLEAVE_HD void around(Index of, Visit visit) const {
    const Vec2 point = surface.place(of).position(surface);
    const CellKey column = grid.index(point.x, 0), row = grid.index(point.y, 1);
    for (CellKey r = row - 1; r <= row + 1; ++r) {
      const CellKey last = grid.key(column + 1, r);
      for (Index i = first_not_below(keys, surface.parts(), grid.key(column - 1, r));
           i < surface.parts() && keys[i] <= last; ++i)
        if (boxes[parts[i]].has(point)) visit(parts[i]);
    }
  }
};

/// Number of candidates of each point.
template <class Surface>
struct CountCandidates {
  static constexpr KernelTraits traits{.name = "contact candidates"};
  PartCells<Surface> cells;
  Index* count;  ///< [point]

  CLEAVE_HD Index size() const { return cells.surface.points(); }
  CLEAVE_HD void operator()(Index point) const {
    Index found = 0;
    if (cells.surface.may_have_point(point)) cells.around(point, [&](Index) { ++found; });
    count[point] = found;
  }
};
struct CountOfPoint {
  const Index* count;
  Index points;
  CLEAVE_HD Index operator()(Index point) const { return point < points ? count[point] : 0; }
};

/// Rows of candidates, each sorted, and as pairs: a point for each entry.
template <class Surface>
struct ListCandidates {
  static constexpr KernelTraits traits{.name = "contact rows"};
  PartCells<Surface> cells;
  const Index* first;  ///< [point + 1]
  Index* parts;        ///< [entry]
  Index* pair_parts;   ///< [entry] the same
  Index* pair_points;  ///< [entry]

  CLEAVE_HD Index size() const { return cells.surface.points(); }
  CLEAVE_HD void operator()(Index point) const {
    if (!cells.surface.may_have_point(point)) return;
    const Index begin = first[point];
    Index end = begin;
    cells.around(point, [&](Index part) {
      Index place = end++;
      for (; place > begin && parts[place - 1] > part; --place) parts[place] = parts[place - 1];
      parts[place] = part;
    });
    for (Index i = begin; i < end; ++i) {
      pair_parts[i] = parts[i];
      pair_points[i] = point;
    }
  }
};

/// Rows of points of each part, from pairs sorted by part. Sorting leaves them in one of two places, and recordings
/// hold where rows lie.
struct ListPoints {
  static constexpr KernelTraits traits{.name = "contact rows of parts"};
  Index parts, pairs;
  const Index* pair_parts;   ///< [pair] rising
  const Index* pair_points;  ///< [pair]
  Index* first;              ///< [part + 1]
  Index* points;             ///< [pair]

  CLEAVE_HD Index size() const { return parts < pairs ? pairs : parts + 1; }
  CLEAVE_HD void operator()(Index i) const {
    if (i <= parts) first[i] = first_not_below(pair_parts, pairs, i);
    if (i < pairs) points[i] = pair_points[i];
  }
};

/// Parts that are close to a point: it may enter no other candidate before it or the part has moved (is_close). Rows of
/// candidates are long, because a search is expensive; close parts are listed much more often.
struct alignas(16) CloseParts {
  static constexpr int most = 8;     ///< the corner of a brick is close to six parts of the bricks around it
  static constexpr Index more = -2;  ///< in the first place: there are more, so all candidates count
  Index part[most];                  ///< -1: no more
};
/// Candidates of points, and which of each are close.
struct CloseCandidates {
  IdRows rows;
  CloseParts* close;  ///< [point]

  CLEAVE_HD NearParts of(Index point) const {
    const CloseParts ids = read_record(close[point]);
    if (ids.part[0] == CloseParts::more) return NearParts::all(rows.row(point), rows.size(point));
    Index count = 0;
    for (const Index part : ids.part) count += part >= 0;
    return NearParts::all(close[point].part, count);
  }
};
/// State of the lists of close parts.
struct CloseState {
  Index due = 0;     ///< 1: a part has moved too far for them
  Index parts = 0;   ///< of the surface in the last step: it grows when nodes split
  Index points = 0;  ///< that have rows of candidates
};

/// Places of the ends of parts, m.
struct NotedPlaces {
  Vec2* at;  ///< [part][end]

  template <class Surface>
  CLEAVE_HD void note(const Surface& surface, Index part) const {
    for (int end = 0; end < 2; ++end) at[2 * part + end] = surface.position(surface.node(part, end));
  }
};

/// Lists the parts that are close, where that is due, and notes where parts are. Asks for a search when an end of a
/// part, exposed or not yet, has left the place of the last one. Where nodes have split, other parts may be entered
/// than before: points there look at all their candidates until the next list.
template <class Surface>
struct ListClose {
  static constexpr KernelTraits traits{.name = "close parts", .most_blocks = 1056, .has_in_use = true};
  Surface surface;
  CloseCandidates candidates;
  NotedPlaces listed;    ///< at the last listing
  NotedPlaces searched;  ///< at the last search
  Real slack;            ///< see is_close
  Real skin;             ///< see PartCells
  CloseState* state;
  DeviceGate gate;
  Index* due;  ///< set to 1; null: right after a search

  CLEAVE_HD Index size() const { return larger(surface.points(), surface.parts()); }
  CLEAVE_HD Index in_use() const {
    return is_due() ? larger(surface.points_in_use(), surface.parts_in_use()) : surface.parts_in_use() - state->parts;
  }
  CLEAVE_HD void operator()(Index i) const {
    if (!gate.is_open()) return;
    if (!is_due()) return forget_at_ends(state->parts + i);
    if (i < surface.parts_in_use() && surface.may_be_exposed(i)) note(i);
    if (i < (due == nullptr ? surface.points() : state->points) && surface.may_have_point(i)) list(i);
    if (i == 0 && due == nullptr) *state = {.parts = surface.parts_in_use(), .points = surface.points()};
  }

 private:
  CLEAVE_HD bool is_due() const { return due == nullptr || state->due != 0; }
  /// Makes the points at a new part's ends look at all their candidates.
  CLEAVE_HD void forget_at_ends(Index part) const {
    surface.for_each_point_at_ends(part, [&](Index point) {
      if (point < state->points) atomic_write(candidates.close[point].part[0], CloseParts::more);
    });
  }
  CLEAVE_HD void note(Index part) const {
    listed.note(surface, part);
    if (due == nullptr) return searched.note(surface, part);
    for (int end = 0; end < 2; ++end)
      if (has_left(listed.at[2 * part + end], searched.at[2 * part + end])) atomic_write(*due, 1);
  }
  /// Until the next listing, an end moves on by half the slack along each axis. A place that is not finite asks for
  /// nothing.
  CLEAVE_HD bool has_left(Vec2 now, Vec2 noted) const {
    const Vec2 moved = now - noted;
    const Real most = Real(0.5) * skin - Real(0.75) * slack;
    return dot(moved, moved) > most * most;
  }
  CLEAVE_HD void list(Index point) const {
    const PointPlace place = surface.place(point);
    CloseParts close;
    for (Index& part : close.part) part = -1;
    int count = 0;
    for (Index i = 0; i < candidates.rows.size(point); ++i) {
      const Index part = candidates.rows.row(point)[i];
      if (!is_close(surface, part, place, Real(1.001) * slack)) continue;
      if (count == CloseParts::most) {
        close.part[0] = CloseParts::more;
        break;
      }
      close.part[count++] = part;
    }
    write_record(candidates.close[point], close);
  }
};

/// Keeps where parts are in this step. Asks for new lists of close parts when an end of a part will have moved by half
/// the slack along an axis since the last ones.
template <class Surface>
struct PlaceParts {
  static constexpr KernelTraits traits{.name = "contact places", .most_blocks = 4096, .has_in_use = true};
  Surface surface;
  DeviceGate gate;
  Real slack;
  NotedPlaces listed;  ///< see ListClose
  CloseState* state;   ///< null: the host searches, and no step begins

  CLEAVE_HD Index size() const { return surface.parts(); }
  CLEAVE_HD Index in_use() const { return surface.parts_in_use(); }
  CLEAVE_HD void operator()(Index part) const {
    if (!gate.is_open() || !surface.is_exposed(part)) return;
    const PartSpan span = span_between_nodes(surface, part);
    surface.set_place(part, span);
    if (state == nullptr) return;
    surface.begin_step(part);
    const Real left = larger(largest_component(span.start - listed.at[2 * part]),
                             largest_component(span.end - listed.at[2 * part + 1]));
    const Real moved = largest_motion_of(surface, part);
    if (left + moved > Real(0.5) * slack) atomic_write(state->due, 1);
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
