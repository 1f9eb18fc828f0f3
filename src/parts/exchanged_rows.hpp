/// Rows that ranks exchange of elements near the borders of their parts, see Halo.
#pragma once

#include "body/packed_blocks.hpp"
#include "cleave/core/atomic.hpp"
#include "cleave/partition/partition.hpp"
#include "fracture/fracture_filter.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Partial forces of nodes that several ranks need. Elements of one block at one node have one of them.
template <class Element>
struct ExchangedPartials {
  using Value = Vec2;
  PackedBlocks<Element> blocks;
  BlockFinder find;
  Vec2* partial;  ///< [place], N

  CLEAVE_HD Vec2 give(Neighbour::Corner c) const { return partial[place(c)]; }
  CLEAVE_HD void take(Neighbour::Corner c, Vec2 value) const { partial[place(c)] = value; }
  CLEAVE_HD Index place(Neighbour::Corner c) const {
    return blocks.place_of(find.block_of(c.element), c.element, c.node);
  }
};

/// Slots of nodes that several ranks need. They lie in memory.
template <class Element, class T>
struct ExchangedSlots {
  using Value = T;
  ElementTable<Element> elements;
  T* slots;  ///< [slot in memory]

  CLEAVE_HD T give(Neighbour::Corner c) const { return slots[elements.slot(c.element, c.node).position()]; }
  CLEAVE_HD void take(Neighbour::Corner c, const T& value) const {
    slots[elements.slot(c.element, c.node).position()] = value;
  }
};
template <class Element, class T>
ExchangedSlots(ElementTable<Element>, T*) -> ExchangedSlots<Element, T>;

/// A node that several ranks need has the highest rank of a facet among the facets of all of them.
template <class Element>
struct ExchangedFacetRanks {
  using Value = LoadRank;
  ElementTable<Element> elements;
  LoadRank* most_loaded;  ///< [node]

  CLEAVE_HD LoadRank give(Neighbour::Corner c) const { return most_loaded[elements.node(c.element, c.node)]; }
  CLEAVE_HD void take(Neighbour::Corner c, LoadRank rank) const {
    atomic_max(most_loaded[elements.node(c.element, c.node)], rank);
  }
};

/// Rows of a table by element.
template <class T, int fields>
struct ExchangedElementRows {
  struct Value {
    T field[fields];
  };
  Table<T, fields> table;

  CLEAVE_HD Value give(Index e) const {
    Value row;
    for (int f = 0; f < fields; ++f) row.field[f] = table(e, f);
    return row;
  }
  CLEAVE_HD void take(Index e, const Value& row) const {
    for (int f = 0; f < fields; ++f) table(e, f) = row.field[f];
  }
};

/// How the corners of elements move.
template <class Element>
struct ExchangedCornerMotion {
  struct Value {
    Vec2 displacement[Element::corners], velocity[Element::corners];
  };
  ElementTable<Element> elements;
  Vec2* displacement;  ///< [node], m
  Vec2* velocity;      ///< [node], m/s

  CLEAVE_HD Value give(Index e) const {
    Value motion;
    for (int k = 0; k < Element::corners; ++k) {
      motion.displacement[k] = displacement[elements.node(e, k)];
      motion.velocity[k] = velocity[elements.node(e, k)];
    }
    return motion;
  }
  /// Nodes that this rank steps, too, have these values already.
  CLEAVE_HD void take(Index e, const Value& motion) const {
    for (int k = 0; k < Element::corners; ++k) {
      displacement[elements.node(e, k)] = motion.displacement[k];
      velocity[elements.node(e, k)] = motion.velocity[k];
    }
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
