/// Nodal stresses and the node filter in the gather assembly.
#pragma once

#include <limits>

#include "body/by_material.hpp"
#include "body/gather_table.hpp"
#include "body/incidence.hpp"
#include "body/material_states.hpp"
#include "cleave/core/fault.hpp"
#include "cleave/core/table.hpp"
#include "cleave/lockstep/kernel.hpp"
#include "fracture/fracture_criterion.hpp"
#include "fracture/nodal_stress_table.hpp"
#include "terms/bulk/element_force.hpp"
#include "terms/bulk/element_lanes.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// The materials of the elements that have slots in memory.
struct SlotMaterials {
  const Index* entries;     ///< [slot in memory] incidence entry
  const Index* of_element;  ///< [element]

  CLEAVE_HD Index of(Index slot) const { return of_element[element_of_entry(entries[slot])]; }
  /// Whether one of the slots before it, from `first` on, has the same.
  CLEAVE_HD bool is_known(Index slot, Index first) const {
    for (Index s = first; s < slot; ++s)
      if (of(s) == of(slot)) return true;
    return false;
  }
};

/// Adds up a node's slots, stores the sum and tests the node.
struct NodeStress {
  const NodeAssembly* assembly;  ///< [node]
  NodalStressTable stress_sum;   ///< [node]
  FractureCriterion criterion;
  std::uint8_t* flagged;  ///< [node]
  Index* flagged_nodes;   ///< number of them in all
  bool erodes = false;    ///< elements may have eroded: their slots have no_stress, and do not count

  /// Stress of an element that has eroded: not a number, which no stress is.
  CLEAVE_HD static Sym2 no_stress() { return {std::numeric_limits<Real>::quiet_NaN(), 0, 0}; }

  /// @param slot   from number `first` on
  CLEAVE_HD void operator()(Index n, const Sym2* slot, Index first = 0) const {
    add_up(n, slot, first);
    note(n, criterion.may_break(mean_stress(stress_sum, n)));
  }
  /// The same for the nodes [begin, end), by one CPU thread.
  CLEAVE_HD_INLINE void operator()(Index begin, Index end, const Sym2* slot, Index first) const {
    for (Index n = begin; n < end; ++n) add_up(n, slot, first);
    // Copies: for the compiler, a store of a byte might change any member.
    for_lanes(end - begin, [begin, sum = stress_sum, test = criterion, flag = flagged](int lane) CLEAVE_LANE {
      flag[begin + lane] = test.may_break(mean_stress(sum, begin + lane)) ? 1 : 0;
    });
    Index flags = 0;
    for (Index n = begin; n < end; ++n) flags += flagged[n];
    if (flags > 0) atomic_add(*flagged_nodes, flags);
  }
  /// The same for a node whose slots lie in memory, with a mean for each material. It passes if any of them does.
  /// @param slot  [slot in memory], Pa; each becomes the mean of its material at the node
  CLEAVE_HD_SELDOM void by_material(Index n, Sym2* slot, const SlotMaterials& material) const {
    add_up(n, slot, 0);
    const SlotRange r = assembly[n].range();
    bool flag = false;
    for (Index s = r.begin; s < r.end; ++s) {
      if (material.is_known(s, r.begin)) continue;
      Sym2 sum{};
      Index count = 0;
      for (Index i = s; i < r.end; ++i) {
        if (material.of(i) != material.of(s) || is_gone(slot[i])) continue;
        sum.xx += slot[i].xx;
        sum.yy += slot[i].yy;
        sum.xy += slot[i].xy;
        ++count;
      }
      const Real elements = static_cast<Real>(count > 0 ? count : 1);
      const Sym2 mean{sum.xx / elements, sum.yy / elements, sum.xy / elements};
      flag = flag || criterion.may_break(mean);
      for (Index i = s; i < r.end; ++i)
        if (material.of(i) == material.of(s) && !is_gone(slot[i])) slot[i] = mean;
    }
    note(n, flag);
  }

 private:
  CLEAVE_HD_INLINE bool is_gone(const Sym2& stress) const { return erodes && stress.xx != stress.xx; }
  CLEAVE_HD_INLINE void note(Index n, bool flag) const {
    flagged[n] = flag;
    if (flag) atomic_add(*flagged_nodes, Index{1});
  }
  CLEAVE_HD_INLINE void add_up(Index n, const Sym2* slot, Index first) const {
    const SlotRange r = assembly[n].range();
    Sym2 sum{};
    Index count = r.end - r.begin;
    for (Index s = r.begin; s < r.end; ++s) {
      if (is_gone(slot[s - first])) {
        --count;
        continue;
      }
      sum.xx += slot[s - first].xx;
      sum.yy += slot[s - first].yy;
      sum.xy += slot[s - first].xy;
    }
    stress_sum(n, 0) = sum.xx;
    stress_sum(n, 1) = sum.yy;
    stress_sum(n, 2) = sum.xy;
    stress_sum(n, stress_count) = static_cast<Real>(count > 0 ? count : 1);
  }
};

/// Stresses of an element at its Gauss points.
template <class Element, class Material>
struct ElementStress {
  ElementTable<Element> elements;
  const Vec2* position;      ///< [node], m
  const Vec2* displacement;  ///< [node], m
  MaterialStates<Element, Material> states;
  Real dt;                    ///< from the step that the states belong to, s
  const std::uint8_t* flags;  ///< [element] ElementFlag
  FaultRecord* fault;

  /// @param own  record of the element
  /// @param at   result, Pa
  CLEAVE_HD_INLINE void operator()(const Material& material, Index e, const ElementNode (&own)[Element::nodes],
                                   Sym2 (&at)[Element::gauss_points]) const {
    Vec2 u[Element::nodes];
    for (int k = 0; k < Element::nodes; ++k) u[k] = displacement[own[k].node];
    // From positions, which neighbours share: fewer bytes than the stored geometry.
    const Vec2 x0 = position[own[0].node];
    const AreaGradients here = area_gradients(position[own[1].node] - x0, position[own[2].node] - x0);
    CLEAVE_UNROLL
    for (int q = 0; q < Element::gauss_points; ++q) {
      const auto [d1, d2] = corner_differences(u, q);
      const Gradient d = here.gradient(d1, d2);
      check_orientation(e, d.jacobian());
      typename Material::State state = states.at(e, q);  // a copy: nothing has happened yet
      at[q] = true_stress<Material>(material.update(d, state, dt), d);
    }
  }
  /// Calls f(element, its records, stresses at its Gauss points) for the elements of a block, each by one thread.
  template <class Worker, class F>
  CLEAVE_HD_INLINE void for_each_element(Worker const& worker, const BlockMaterials<Material>& materials, Index block,
                                         F f) const {
    const Material material = materials.material_of(block);
    const BlockRange range = materials.range_of(block);
    const Index first = range.begin_of(block), end = range.end_of(block);
    ForEachIdx{worker}([&](Idx i) {
      const Index e = first + i;
      if (e >= end) return;
      ElementNode own[Element::nodes];
      for (int k = 0; k < Element::nodes; ++k) own[k] = read_record(elements.entry(e, k));
      Sym2 at[Element::gauss_points];
      (*this)(material, e, own, at);
      f(e, own, at);
    });
  }
  CLEAVE_HD_INLINE bool is_eroded(Index e) const { return flags[e] & ElementFlag::eroded; }
  /// Reports an element that has turned inside out. One that has eroded may.
  CLEAVE_HD_INLINE void check_orientation(Index e, Real jacobian) const {
    if (!(jacobian > 0) && !is_eroded(e)) fault->report(FaultCode::inverted_element, e, FaultRecord::unknown_step);
  }
};

/// Before the nodal stresses of a check: finds out whether they are needed.
template <class Element, class Material>
struct FindNearStrength {
  static constexpr KernelTraits traits{.name = "near strength"};
  static constexpr int workers = elements_per_block;
  struct Shared {};
  ElementStress<Element, Material> stress;
  BlockMaterials<Material> materials;
  NearStrength near;

  CLEAVE_HD Index blocks() const { return materials.blocks(); }

  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared&) const {
    if (near.is_found()) return;
    stress.for_each_element(
        worker, materials, materials.block(worker.block),
        [&](Index, const auto&, const Sym2(&at)[Element::gauss_points]) { near.template check<Element>(at); });
  }
};

/// Stresses of a block of elements, extrapolated to their nodes, and the test of its interior nodes.
template <class Element, class Material>
struct BlockStress {
  static constexpr KernelTraits traits{.name = "stress blocks", .has_lanes = true};
  static constexpr int workers = elements_per_block;
  struct Shared {
    Sym2 slot[elements_per_block * Element::nodes];
  };
  ElementStress<Element, Material> stress;
  BlockTable blocks_of;
  BlockMaterials<Material> materials;
  NodeStress node;
  Sym2* slot_stress;  ///< [slot in memory], Pa
  Table<Real, Element::stresses * Element::gauss_points>
      gauss_stress;             ///< [element][point xx, yy, xy], Pa; none: not stored
  std::uint8_t* near_strength;  ///< [element] see ElementTraction; with gauss_stress
  DeviceGate gate;
  Index launched;  ///< blocks of a launch, see most_launched

  /// A GPU starts so many blocks, which take several each: most checks find the gate closed, and then it is starting
  /// blocks that takes time.
  static constexpr Index most_launched = 4096;

  CLEAVE_HD Index blocks() const { return launched; }

  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    if (!gate.is_open()) return;
    for (Index i = worker.block; i < materials.blocks(); i += launched) {
      if constexpr (Worker::slots == 1)
        run(worker, materials.block(i), shared);
      else
        run_lanes(materials.block(i), shared);
    }
  }

 private:
  /// On a GPU: an element a worker, then nodes.
  template <class Worker>
  CLEAVE_HD void run(Worker const& worker, Index block, Shared& shared) const {
    const auto write = [&](Index e, const auto& own, const Sym2(&at)[Element::gauss_points]) {
      if (gauss_stress.data != nullptr) {
        CLEAVE_UNROLL
        for (int q = 0; q < Element::gauss_points; ++q) {
          gauss_stress(e, Element::stresses * q) = at[q].xx;
          gauss_stress(e, Element::stresses * q + 1) = at[q].yy;
          gauss_stress(e, Element::stresses * q + 2) = at[q].xy;
        }
        bool near = false;
        CLEAVE_UNROLL
        for (int k = 0; k < Element::corners; ++k) near |= node.criterion.may_be_near(extrapolated<Element>(at, k));
        near_strength[e] = near ? 1 : 0;
      }
      const bool gone = node.erodes && stress.is_eroded(e);
      CLEAVE_UNROLL
      for (int k = 0; k < Element::nodes; ++k)
        own[k].slot.set(shared.slot, slot_stress, gone ? NodeStress::no_stress() : extrapolated<Element>(at, k));
    };
    stress.for_each_element(worker, materials, block, write);
    worker.sync();
    const Index first_node = blocks_of.first_node[block], end_node = blocks_of.first_node[block + 1];
    const Index first_slot = first_block_slot<Element>(block);
    ForEachIdx{worker}([&](Idx i) {
      for (Index n = first_node + i; n < end_node; n += workers) node(n, shared.slot, first_slot);
    });
    worker.sync();  // the next block overwrites slots
  }

  /// The same by one CPU thread.
  CLEAVE_HD_INLINE void run_lanes(Index block, Shared& shared) const {
    const BlockRange range = materials.range_of(block);
    const Index end = range.end_of(block);
    for (Index e = range.begin_of(block); e < end; e += ElementLanes<Element>::count_from(e, end))
      stress_lanes(materials.material_of(block), e, end, shared);
    node(blocks_of.first_node[block], blocks_of.first_node[block + 1], shared.slot, first_block_slot<Element>(block));
  }
  /// The elements from `first` on that lie in lanes.
  CLEAVE_HD_INLINE void stress_lanes(const Material& material, Index first, Index end, Shared& shared) const {
    ElementLanes<Element> lanes(first, end);
    constexpr int most = ElementLanes<Element>::most, points = Element::gauss_points;
    Vec2 x[Element::corners][most];
    Sym2 point[points][most], nodal[Element::nodes][most];
    Real jacobian[points][most];
    lanes.fetch(stress.elements, stress.displacement, lanes.u);
    lanes.fetch(stress.elements, stress.position, x);
    for_lanes(lanes.count, [&](int lane) CLEAVE_LANE {
      Vec2 u[Element::nodes];
      lanes.copy(lane, u);
      const Vec2 x0{x[0][lane].x, x[0][lane].y}, x1{x[1][lane].x, x[1][lane].y}, x2{x[2][lane].x, x[2][lane].y};
      const AreaGradients here = area_gradients(x1 - x0, x2 - x0);
      Sym2 at[points];
      CLEAVE_UNROLL
      for (int q = 0; q < points; ++q) {
        const auto [d1, d2] = corner_differences(u, q);
        const Gradient d = here.gradient(d1, d2);
        jacobian[q][lane] = d.jacobian();
        typename Material::State state = stress.states.at(first + lane, q);
        const Sym2 s = true_stress<Material>(material.update(d, state, stress.dt), d);
        at[q].xx = point[q][lane].xx = s.xx;
        at[q].yy = point[q][lane].yy = s.yy;
        at[q].xy = point[q][lane].xy = s.xy;
      }
      CLEAVE_UNROLL
      for (int k = 0; k < Element::nodes; ++k) {
        const Sym2 s = extrapolated<Element>(at, k);
        nodal[k][lane].xx = s.xx;
        nodal[k][lane].yy = s.yy;
        nodal[k][lane].xy = s.xy;
      }
    });
    for (int lane = 0; node.erodes && lane < lanes.count; ++lane)
      if (stress.is_eroded(first + lane))
        for (int k = 0; k < Element::nodes; ++k) nodal[k][lane] = NodeStress::no_stress();
    lanes.scatter(stress.elements, SlotMemory<Sym2>{{slot_stress, shared.slot}}, nodal);
    for (int lane = 0; lane < lanes.count; ++lane)
      for (int q = 0; q < points; ++q) stress.check_orientation(first + lane, jacobian[q][lane]);
    if (gauss_stress.data == nullptr) return;
    for (int lane = 0; lane < lanes.count; ++lane)
      for (int q = 0; q < points; ++q) {
        gauss_stress(first + lane, Element::stresses * q) = point[q][lane].xx;
        gauss_stress(first + lane, Element::stresses * q + 1) = point[q][lane].yy;
        gauss_stress(first + lane, Element::stresses * q + 2) = point[q][lane].xy;
      }
    for_lanes(lanes.count, [&nodal, test = node.criterion, near_of = near_strength + first](int lane) CLEAVE_LANE {
      bool near = false;
      CLEAVE_UNROLL
      for (int k = 0; k < Element::corners; ++k) {
        const Sym2& s = nodal[k][lane];
        near |= test.may_be_near({s.xx, s.yy, s.xy});
      }
      near_of[lane] = near ? 1 : 0;
    });
  }
};

/// The same for the nodes that several blocks share and for all copies.
struct InterfaceNodeStress {
  static constexpr KernelTraits traits{.name = "interface node stress", .most_blocks = 4096, .has_in_use = true};
  Index first_node;
  Index capacity;  ///< of nodes
  const LiveCounts* live;
  NodeStress node;
  Sym2* slot_stress;  ///< [slot in memory], Pa; of mixed nodes it becomes the mean of the material at the node
  DeviceGate gate;
  SlotMaterials material;

  CLEAVE_HD Index size() const { return capacity - first_node; }
  CLEAVE_HD Index in_use() const { return gate.is_open() ? live->nodes - first_node : 0; }
  CLEAVE_HD void operator()(Index i) const {
    const Index n = first_node + i;
    const std::uint16_t flags = node.assembly[n].flags;
    if (flags & remote_node) return;
    if (flags & mixed_node)
      node.by_material(n, slot_stress, material);
    else
      node(n, slot_stress);
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
