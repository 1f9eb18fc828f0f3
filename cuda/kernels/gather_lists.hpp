/// Keeps the slots of the gather assembly right when insertion splits nodes.
///
/// A node that lost elements keeps its first slot and closes the gaps; a copy gets slots of its own in memory, room for
/// the most elements that any node had. Within a node the slots are in the order of element ids.
#pragma once

#include "kernels/gather_node.hpp"
#include "kernels/gather_table.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// The nodes whose elements changed in an insertion pass. Scratch: `place` is -1 for all nodes between passes.
struct ChangedNodes {
  Index* place;      ///< [node] its position in the lists below, -1: unchanged
  Index* nodes;      ///< [place] the node
  Index* elements;   ///< [place] number of its elements
  Index* incident;   ///< [place][most_elements] 8 e + i: it is node i of element e
  Index* count;      ///< number of places taken
  int most_elements;

  CLEAVE_HD void add(Index node) const {
    if (atomic_compare_exchange(place[node], -1, -2) != -1) return;
    const Index at = atomic_add(*count, Index{1});
    nodes[at] = node;
    elements[at] = 0;
    place[node] = at;
  }
};

/// Notes the nodes that were split and their copies.
struct MarkChanged {
  static constexpr const char* name = "changed nodes";
  Index slots;
  Index first;          ///< number of nodes before the pass
  const Index* used;    ///< [copy slot]
  const Index* rank;    ///< [copy slot]
  const Index* origin;  ///< [copy slot]
  ChangedNodes changed;

  CLEAVE_HD Index size() const { return slots; }
  CLEAVE_HD void operator()(Index slot) const {
    if (!used[slot]) return;
    changed.add(origin[slot]);
    changed.add(first + rank[slot]);
  }
};

/// Lists the elements of changed nodes, in any order.
template <class Element>
struct ListIncident {
  static constexpr const char* name = "incident elements";
  ElementTable<Element> elements;
  ChangedNodes changed;

  CLEAVE_HD Index size() const { return elements.bulk; }
  CLEAVE_HD void operator()(Index e) const {
    for (int i = 0; i < Element::nodes; ++i) {
      const Index place = changed.place[elements.node(e, i)];
      if (place < 0) continue;
      const Index at = atomic_add(changed.elements[place], Index{1});
      changed.incident[place * changed.most_elements + at] = 8 * e + i;
    }
  }
};

/// Gives changed nodes their slots and masses.
template <class Element>
struct RelistNodes {
  static constexpr const char* name = "slots of changed nodes";
  ChangedNodes changed;
  Index count;           ///< places
  Index original_nodes;  ///< nodes of the intact mesh
  Index first_free;      ///< slots in memory of the intact mesh
  SlotTable<Element> slots;
  Index first_shared;        ///< nodes before it have slots in shared memory
  SlotRange* range;          ///< [node]
  const Real* element_mass;  ///< [element], kg
  Real* mass;                ///< [node], kg
  Real* inverse_mass;        ///< [node], 1/kg

  CLEAVE_HD Index size() const { return count; }
  CLEAVE_HD void operator()(Index place) const {
    const Index node = changed.nodes[place], number = changed.elements[place];
    Index* incident = changed.incident + place * changed.most_elements;
    for (Index i = 1; i < number; ++i) {
      const Index code = incident[i];
      Index j = i;
      for (; j > 0 && incident[j - 1] > code; --j) incident[j] = incident[j - 1];
      incident[j] = code;
    }
    const Index begin =
        node < original_nodes ? range[node].begin : first_free + (node - original_nodes) * changed.most_elements;
    range[node] = {begin, begin + number};
    Real m = 0;
    for (Index i = 0; i < number; ++i) {
      const Index e = incident[i] / 8;
      const int slot = static_cast<int>(incident[i] % 8);
      slots.slot(e, slot) = node < first_shared ? -1 - (begin + i) : begin + i;
      m += Element::mass_fraction(slot) * element_mass[e];
    }
    mass[node] = m;
    inverse_mass[node] = 1 / m;
    changed.place[node] = -1;
  }
};

/// 1/m and flags of all nodes.
struct NodeConstants {
  static constexpr const char* name = "node constants";
  Index count;
  const Real* mass;
  const std::uint8_t* motion_x;
  const std::uint8_t* motion_y;
  int loads;
  const Vec2* load_force;  ///< [load][load_stride], N
  Index load_stride;
  Real* inverse_mass;   ///< [node], 1/kg
  std::uint8_t* flags;  ///< [node] NodeFlag

  CLEAVE_HD Index size() const { return count; }
  CLEAVE_HD void operator()(Index n) const {
    inverse_mass[n] = 1 / mass[n];
    int flag = motion_x[n] != 0 || motion_y[n] != 0 ? constrained_node : 0;
    for (int l = 0; l < loads; ++l) {
      const Vec2 f = load_force[static_cast<std::size_t>(l) * load_stride + n];
      if (f.x != 0 || f.y != 0) flag |= loaded_node;
    }
    flags[n] = static_cast<std::uint8_t>(flag);
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
