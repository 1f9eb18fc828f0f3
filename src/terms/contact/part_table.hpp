/// Parts of the surface in tables, as contact points read a part many times: its ends and neighbours, written when the
/// surface changes, and where it is, written in each step.
///
/// A side of T3 is one part, a side of T6 two: start to middle, middle to end. Part k of side s is number parts s + k.
#pragma once

#include <cstdint>

#include "body/by_material.hpp"
#include "cleave/core/atomic.hpp"
#include "cleave/lockstep/kernel.hpp"
#include "terms/contact/entry.hpp"
#include "terms/contact/surface.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Exposure of a side. Saved: a run that goes on exposes sides in the same step as one that was not stopped.
struct SideState {
  std::uint8_t exposed = 0;
};

/// Findings of a step: whether sides are to be exposed, and whether the host is to search.
struct SearchFlags {
  Index failed = 0;  ///< number of cohesive elements that have failed and whose sides have rows of candidates
  Index due = 0;     ///< 1: the host is to search, and exposes sides itself
};
/// Cohesive elements that have failed in a step.
struct FailedInStep {
  SearchFlags* flags;
  Index* elements;  ///< [row] in any order

  CLEAVE_HD void add(Index c) const { elements[atomic_add(flags->failed, Index(1))] = c; }
  /// None, if the host exposes sides.
  CLEAVE_HD Index count() const { return flags->due == 0 ? flags->failed : 0; }
};

/// Nodes and depth limit of a part.
struct alignas(16) PartNodes {
  Index node[2];
  Real limit;  ///< deepest that a point may sink, m: also for elements that share a node with the part's
};

/// Neighbours of a part, and its element.
struct alignas(16) PartEnds {
  Index beside[2];  ///< the part that follows in front of its start and behind its end; -1: the surface ends
  Index element;    ///< whose side it is
  Index flags;      ///< bits 0 and 1: whether the part beside has the node; 2 and 3: whether the corner there is sharp

  CLEAVE_HD Index joined(int end) const { return (flags >> end & 1) != 0 ? beside[end] : -1; }
  CLEAVE_HD bool is_sharp(int end) const { return (flags >> (2 + end) & 1) != 0; }
};

/// Stiffness that a part and its ends bear.
struct PartBearing {
  Real length;    ///< of the side at the start, m
  Real per_area;  ///< penalty times E over this length, Pa/m
  Real cap[2];    ///< see Surface::stiffness_cap
  Real mass[2];   ///< of the ends, kg
};

/// Whether contact points press a part or lie on it, so that forces act on its nodes.
enum class Forced : std::uint8_t {
  no,
  now,     ///< in this step; also after the surface has changed, so that forces are written once
  is_new,  ///< likewise: its side has been exposed in this step
  before   ///< in the step before
};

/// Parts in memory.
struct PartTable {
  PartNodes* nodes;      ///< [part]
  PartEnds* ends;        ///< [part]
  PartBearing* bearing;  ///< [part]
  PartSpan* spans;       ///< [part] at present
  Forced* forced;        ///< [part]
};

/// The surface of a body with the numbers of its case.
template <class Element>
struct ContactSurface {
  Surface<Element> surface;
  ByMaterial<Real> modulus;  ///< penalty times E, Pa
  Real cap_factor;           ///< see Surface::stiffness_cap
  Real thickness;            ///< m
};

/// Writes the ends and the bearing of all parts, when cohesive elements have been added or the host has exposed sides.
/// Parts that are not exposed lie nowhere.
///
/// Whether a corner is sharp follows from the body at the start: it does not become sharp while a point is there. The
/// faces of a crack coincide then, and its tip is not sharp.
template <class Element>
struct ListParts {
  static constexpr KernelTraits traits{.name = "parts of sides", .most_blocks = 4096, .has_in_use = true};
  static constexpr int parts = Surface<Element>::parts_of_side;
  ContactSurface<Element> of;
  Index capacity;          ///< of sides
  const Index* linked;     ///< see LinkSides; null: written in any case
  const SideState* state;  ///< [side]
  const Real* limits;      ///< [element] see PartNodes
  PartTable table;

  CLEAVE_HD Index size() const { return parts * capacity; }
  CLEAVE_HD Index in_use() const {
    return linked == nullptr || *linked != of.surface.live->cohesive ? parts * of.surface.sides() : 0;
  }
  CLEAVE_HD void operator()(Index part) const {
    write(part);
    const bool here = is_exposed(part / parts);
    table.forced[part] = here ? Forced::now : Forced::no;
    if (!here) write_record(table.spans[part], PartSpan{{NAN, NAN}, {NAN, NAN}});
  }
  CLEAVE_HD void write(Index part) const {
    const Surface<Element>& surface = of.surface;
    const Index side = part / parts;
    const int inside = static_cast<int>(part % parts);
    PartNodes nodes;
    PartEnds ends;
    PartBearing bearing;
    ends.element = element_of(surface.facet(side));
    nodes.limit = limits[ends.element];
    ends.flags = 0;
    bearing.length = surface.length(side);
    bearing.per_area = of.modulus.of(ends.element) / bearing.length;
    for (int end = 0; end < 2; ++end) {
      const Index node = nodes.node[end] = surface.node(side, inside + end);
      ends.beside[end] = beside(part, end);
      if (is_joined(inside, end, node)) ends.flags |= 1 << end;
      if (!is_inside(inside, end) && is_sharp(part, ends.beside[end], end)) ends.flags |= 4 << end;
      bearing.cap[end] = surface.stiffness_cap(node, of.cap_factor, of.thickness);
      bearing.mass[end] = surface.mass(node);
    }
    write_record(table.nodes[part], nodes);
    write_record(table.ends[part], ends);
    write_record(table.bearing[part], bearing);
  }

  /// The part that follows at an end, or -1. Goes on across cohesive elements that still hold: a corner of a body that
  /// is cracked is a corner of its surface.
  CLEAVE_HD Index beside(Index part, int end) const {
    constexpr int most_crossed = 8;
    const int inside = static_cast<int>(part % parts);
    if (is_inside(inside, end)) return part + (end == 1 ? 1 : -1);
    const Index node = of.surface.node(part / parts, inside + end);
    const Index first = of.surface.boundary_sides;
    Index side = side_at(node, end);
    for (int i = 0; i < most_crossed && side >= first && !is_exposed(side); ++i) {
      const Index opposite = first + ((side - first) ^ 1);
      const Index next = side_at(of.surface.node(opposite, end == 1 ? of.surface.last : 0), end);
      if (next == side) return -1;  // the tip of a crack
      side = next;
    }
    if (!is_exposed(side)) return -1;
    return end == 1 ? parts * side : parts * side + parts - 1;
  }

 private:
  /// Whether the part beside is of the same side.
  CLEAVE_HD static constexpr bool is_inside(int inside, int end) { return end == 1 ? inside + 1 < parts : inside > 0; }
  CLEAVE_HD bool is_exposed(Index side) const { return side >= 0 && state[side].exposed != 0; }
  /// The side that begins (end 1) or ends (end 0) in a node; -1: none.
  CLEAVE_HD Index side_at(Index node, int end) const {
    return end == 1 ? of.surface.at_node[node].begins : of.surface.at_node[node].ends;
  }
  CLEAVE_HD bool is_joined(int inside, int end, Index node) const {
    return is_inside(inside, end) || is_exposed(side_at(node, end));
  }
  CLEAVE_HD bool is_sharp(Index part, Index beside, int end) const {
    if (beside < 0) return false;
    const PartLine here = at_start(part), there = at_start(beside);
    return turns_convex(here, there, end) && -dot(here.tangent, there.tangent) > sharp_cosine;
  }
  CLEAVE_HD PartLine at_start(Index part) const {
    const Index side = part / parts;
    const int inside = static_cast<int>(part % parts);
    return line_between(of.surface.position[of.surface.node(side, inside)],
                        of.surface.position[of.surface.node(side, inside + 1)]);
  }
};

/// Writes the parts of sides that have been exposed in a step, and the parts beside them, which are the only ones that
/// see a difference.
template <class Element>
struct ListNewParts {
  static constexpr KernelTraits traits{.name = "parts of new sides", .most_blocks = 528, .has_in_use = true};
  static constexpr int parts = Surface<Element>::parts_of_side;
  ListParts<Element> list;
  FailedInStep failed;

  CLEAVE_HD Index size() const { return list.capacity; }
  CLEAVE_HD Index in_use() const { return 2 * failed.count(); }
  CLEAVE_HD void operator()(Index i) const {
    const Index first = parts * (list.of.surface.boundary_sides + 2 * failed.elements[i / 2] + i % 2);
    for (int inside = 0; inside < parts; ++inside) list.write(first + inside);
    for (int end = 0; end < 2; ++end) {
      const Index beside = list.beside(first + end * (parts - 1), end);
      if (beside >= 0 && !is_new(beside) && !(end == 0 && parts == 1 && is_between_new(beside))) list.write(beside);
    }
  }

 private:
  CLEAVE_HD bool is_new(Index part) const { return list.table.forced[part] == Forced::is_new; }
  /// Whether the side in front of a part is new, too: that one writes the part.
  CLEAVE_HD bool is_between_new(Index part) const {
    const Index before = list.beside(part, 0);
    return before >= 0 && is_new(before);
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
