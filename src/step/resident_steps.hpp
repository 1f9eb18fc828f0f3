/// Several steps of the gather assembly in one launch, of a body that is small enough: its blocks of elements all have
/// their place on the GPU, and keep elements and nodes from step to step.
#pragma once

#include <cstdint>

#include "body/pack_blocks.hpp"
#include "cleave/lockstep/resident.hpp"
#include "cleave/material/linear_elastic.hpp"
#include "step/block_step.hpp"
#include "step/interface_step.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Steps of a launch at most.
inline constexpr int most_resident_steps = 20;

/// A node between blocks, as a block lists it: one of the blocks that have it stores it and books its work.
struct BorderNode {
  Index code = 0;  ///< node; -1 - node: another block stores it

  CLEAVE_HD static constexpr BorderNode of(Index node, bool is_own) { return {is_own ? node : -1 - node}; }
  CLEAVE_HD constexpr bool is_own() const { return code >= 0; }
  CLEAVE_HD constexpr Index node() const { return is_own() ? code : -1 - code; }
};

/// Nodes and neighbours of blocks. A block numbers its nodes: interior ones as they lie in the body,
/// then corners at its border, then mid-sides there.
template <class Element>
struct ResidentTable {
  using LocalNodes = Table<std::uint16_t, Element::nodes, 32>;
  using Slots = Table<Slot, Element::nodes, 32>;
  LocalNodes local_node;            ///< [element][node] number in the block
  Slots slots;                      ///< [element][node]; of a border node those of a block follow each other
  const std::uint32_t* block_ends;  ///< [interface node] bit i: its slot i is the last of a block
  const Index* first_border;        ///< [blocks + 1] in `border`
  const BorderNode* border;         ///< block by block
  const Index* first_neighbour;     ///< [blocks + 1] in `neighbour`
  const Index* neighbour;           ///< blocks with border nodes in common
  std::uint32_t* steps_done;        ///< [block] in all launches
  Vec2* slot_force[2];              ///< [slot in memory] of even and odd steps, N
  double* border_work;              ///< [step of the launch][kind][interface node] NodeWorks, J
};

/// Sum of the partial forces of blocks, each of which is the sum of a run of slots.
/// @param ends  bit i: slot i of the range is the last of a block
template <int together>
CLEAVE_HD Vec2 sum_by_blocks(const Vec2* slot_force, SlotRange range, std::uint32_t ends) {
  Vec2 sum{}, of_block{};
  for (Index first = range.begin; first < range.end; first += together) {
    Vec2 slot[together];
    CLEAVE_UNROLL
    for (int k = 0; k < together; ++k) slot[k] = first + k < range.end ? slot_force[first + k] : Vec2{};
    CLEAVE_UNROLL
    for (int k = 0; k < together; ++k) {
      of_block += slot[k];
      const bool is_last = ends >> (first - range.begin + k) & 1u;
      sum += is_last ? of_block : Vec2{};
      of_block = is_last ? Vec2{} : of_block;
    }
  }
  return sum;
}

/// Lists the slots of ResidentTable of an intact body.
template <class Element>
struct ListSlotsByBlocks {
  static constexpr KernelTraits traits{.name = "slots by blocks"};
  ElementTable<Element> elements;
  const NodeAssembly* assembly;    ///< [node]
  const Index* interface_entries;  ///< see IncidenceTable
  BlockFinder find;
  Index first_interface;
  typename ResidentTable<Element>::Slots slots;
  std::uint32_t* block_ends;

  CLEAVE_HD Index size() const { return elements.bulk; }
  CLEAVE_HD void operator()(Index e) const {
    for (int k = 0; k < Element::nodes; ++k) {
      const ElementNode own = elements.entry(e, k);
      slots(e, k) = own.slot;
      if (own.slot.in_block()) continue;
      const NodeAssembly node = read_record(assembly[own.node]);
      const BlocksAtNode around{interface_entries + node.first_slot, find};
      const int position = own.slot.position() - node.first_slot;
      int place = 0;
      std::uint32_t ends = 0;
      for (int at = 0, next = 0; at < node.slots; ++at) {
        if (!around.is_first(at)) continue;
        for (int of_block = at; of_block < node.slots; ++of_block) {
          if (around.block(of_block) != around.block(at)) continue;
          if (of_block == position) place = next;
          ++next;
        }
        ends |= std::uint32_t{1} << (next - 1);
      }
      slots(e, k) = Slot::of_interface(node.first_slot + place);
      if (position == 0) block_ends[own.node - first_interface] = ends;
    }
  }
};

/// Steps without output, cohesive elements and outside forces; linear elastic.
/// Every node is stepped as BlockStep and InterfaceNodeStep do it, to the last bit. A block has copies of the nodes at
/// its border and steps them itself, as its neighbours do theirs: all read the same slots.
template <class Element>
struct ResidentSteps {
  static constexpr KernelTraits traits{.name = "resident steps", .resident_blocks = 4, .reads_early = true};
  static constexpr int workers = elements_per_block;
  static constexpr int most_nodes = 3 * elements_per_block;  ///< of a block, those at its border among them
  using Material = LinearElastic;
  struct Shared {
    Vec2 displacement[most_nodes], velocity[most_nodes];
    Vec2 dropped[compensated ? most_nodes : 1];
    NodeAssembly assembly[most_nodes];
    Real inverse_mass[most_nodes];         ///< 1/kg
    std::uint32_t block_ends[most_nodes];  ///< of border nodes
    BorderNode node[most_nodes];           ///< of the body; interior ones are the block's own
    Vec2 slot[elements_per_block * Element::nodes];
    BlockWork<workers, Output::none> work;

    CLEAVE_HD NodeMotion state() {
      return {most_nodes, displacement, velocity, nullptr, nullptr, compensated ? dropped : nullptr};
    }
    CLEAVE_HD void keep(Index local, BorderNode of_body, const NodeAssembly& of_node, const FetchedNode& fetched) {
      node[local] = of_body;
      assembly[local] = of_node;
      inverse_mass[local] = fetched.inverse_mass;
      displacement[local] = fetched.displacement;
      velocity[local] = fetched.velocity;
      if constexpr (compensated) dropped[local] = fetched.dropped;
    }
    CLEAVE_HD FetchedNode fetch(Index local) const {
      return {inverse_mass[local], assembly[local].flags, displacement[local], velocity[local],
              compensated ? dropped[local] : Vec2{}};
    }
  };
  BlockTable blocks_of;
  Index first_interface, interface_nodes;  ///< nodes between blocks: the first, and how many
  GeometryTable geometry;
  const std::uint8_t* flags;  ///< [element] ElementFlag
  FacetLoads<Element> loads;
  BlockMaterials<Material> materials;
  MaterialStates<Element, Material> states;
  NodeStep<Output::none, NodeForces::of_elements> step;  ///< its input: that of the first step
  LaneLedger ledger;
  ResidentTable<Element> table;
  int steps;                       ///< most_resident_steps at most
  const Index* insertion_pending;  ///< see BlockStep

  CLEAVE_HD Index blocks() const { return blocks_of.count; }
  CLEAVE_HD int turns() const { return steps; }
  CLEAVE_HD bool is_due() const { return *insertion_pending == 0; }
  CLEAVE_HD std::uint32_t* turns_done() const { return table.steps_done; }
  CLEAVE_HD BlockList neighbours(Index block) const {
    const Index first = table.first_neighbour[block];
    return {table.neighbour + first, table.first_neighbour[block + 1] - first};
  }

  static constexpr Index none = -1;
  /// Values of its element that a worker keeps.
  struct KeptElement {
    Index index = none;
    std::uint16_t local[Element::nodes]{};
    Slot slot[Element::nodes]{};
    ElementGeometry at{};
    Index load_row = none;
  };
  /// Numbers of its block's nodes that a worker keeps.
  struct Nodes {
    Index first;  ///< in the body
    std::uint16_t interior, all;
  };
  /// All that a worker keeps.
  struct Kept {
    KeptElement element;
    Nodes nodes;
    double work;  ///< a lane of the block's ledger, of the last workers
  };
  /// The lane of the ledger that a worker adds to, or none. Border nodes are at the other end.
  CLEAVE_HD static int lane_of(int i) {
    constexpr int first = workers - LaneLedger::fields;
    return i < first ? none : i - first;
  }

  template <class Worker>
  CLEAVE_HD auto early(Worker const& worker, Shared&) const {
    const BlockRange range = materials.range_of(worker.block);
    const Index first = range.begin_of(worker.block), end = range.end_of(worker.block);
    return ForEachIdx{worker}([&](Idx i) {
      KeptElement kept;
      const Index e = first + i;
      if (e >= end) return kept;
      kept.index = e;
      CLEAVE_UNROLL
      for (int k = 0; k < Element::nodes; ++k) {
        kept.slot[k] = table.slots(e, k);
        kept.local[k] = table.local_node(e, k);
      }
      kept.at = geometry.of(e);
      if (flags[e] & ElementFlag::loaded_facets) kept.load_row = loads.first_row[e];
      return kept;
    });
  }
  template <class Worker, class Early>
  CLEAVE_HD auto begin(Worker const& worker, Shared& shared, const Early& early) const {
    const Index first = blocks_of.first_node[worker.block], first_border = table.first_border[worker.block];
    const Index interior = blocks_of.first_node[worker.block + 1] - first;
    const Index all = interior + table.first_border[worker.block + 1] - first_border;
    return ForEachIdx{worker}([&](Idx i) {
      constexpr int most = most_nodes / workers;  // of a worker: all are read before the first is there
      BorderNode node[most];
      NodeAssembly assembly[most];
      FetchedNode fetched[most];
      CLEAVE_UNROLL
      for (int k = 0; k < most; ++k)
        if (const Index local = i + k * workers; local < all)
          node[k] =
              local < interior ? BorderNode::of(first + local, true) : table.border[first_border + local - interior];
      CLEAVE_UNROLL
      for (int k = 0; k < most; ++k)
        if (i + k * workers < all) {
          const Index n = node[k].node();
          assembly[k] = read_record(step.assembly[n]);
          fetched[k] = step.fetch(n, step.inverse_mass[n], assembly[k].flags);
        }
      CLEAVE_UNROLL
      for (int k = 0; k < most; ++k)
        if (const Index local = i + k * workers; local < all) {
          shared.keep(local, node[k], assembly[k], fetched[k]);
          if (local >= interior) shared.block_ends[local] = table.block_ends[node[k].node() - first_interface];
        }
      const int lane = lane_of(i);
      return Kept{early[i],
                  {first, static_cast<std::uint16_t>(interior), static_cast<std::uint16_t>(all)},
                  lane == none ? 0.0 : ledger.sums(worker.block, lane)};
    });
  }

  /// Forces of the elements.
  template <class Worker, class KeptOfAll>
  CLEAVE_HD void write(Worker const& worker, Shared& shared, KeptOfAll& kept, int turn) const {
    const Material& material = materials.material_of(worker.block);
    Vec2* const slot_force = table.slot_force[turn % 2];
    ForEachIdx{worker}([&](Idx i) {
      const KeptElement& element = kept[i].element;
      if (element.index == none) return;
      Vec2 u[Element::nodes], f[Element::nodes];
      CLEAVE_UNROLL
      for (int k = 0; k < Element::nodes; ++k) u[k] = shared.displacement[element.local[k]];
      element_force(material, element.at, u, states.of(element.index), step.dt, f);
      CLEAVE_UNROLL
      for (int k = 0; k < Element::nodes; ++k) element.slot[k].set(shared.slot, slot_force, f[k]);
      if (element.load_row == none) return;
      const StepInput input = step_of(turn).input;
      loads.template add<false>(
          element.load_row, [&](Index load) { return input.line_pressure(load); },
          [&](int k) { return shared.displacement[table.local_node(element.index, k)]; },
          [] { return ThicknessChange<Element>{}; },
          [&](int k, Vec2 force) { table.slots(element.index, k).add(shared.slot, slot_force, force); });
    });
  }
  /// The step of interior nodes.
  template <class Worker, class KeptOfAll>
  CLEAVE_HD void rest(Worker const& worker, Shared& shared, KeptOfAll& kept, int turn) const {
    const Index first_slot = first_block_slot<Element>(worker.block);
    const NodeStep<Output::none, NodeForces::of_elements> now = step_of(turn);
    ForEachIdx{worker}([&](Idx i) {
      const Nodes nodes = kept[i].nodes;
      NodeWork work;
      for (Index local = i; local < nodes.interior; local += workers) {
        const FetchedNode node = shared.fetch(local);
        const SlotRange range = shared.assembly[local].range();
        const Vec2 f = sum_of_slots<2>(shared.slot, SlotRange{range.begin - first_slot, range.end - first_slot});
        work += now.template advance<false>(nodes.first + local, node, f, shared.state(), local);
      }
      shared.work.set(i, work);
    });
  }
  /// The step of border nodes.
  template <class Worker, class KeptOfAll>
  CLEAVE_HD void read(Worker const& worker, Shared& shared, KeptOfAll& kept, int turn) const {
    const Vec2* const slot_force = table.slot_force[turn % 2];
    const NodeStep<Output::none, NodeForces::of_elements> now = step_of(turn);
    ForEachIdx{worker}([&](Idx i) {
      for (Index local = kept[i].nodes.interior + i; local < kept[i].nodes.all; local += workers) {
        const FetchedNode node = shared.fetch(local);
        const Vec2 f = sum_by_blocks<8>(slot_force, shared.assembly[local].range(), shared.block_ends[local]);
        const Index n = shared.node[local].node();
        const NodeWork work = now.template advance<false>(n, node, f, shared.state(), local);
        if (!shared.node[local].is_own()) continue;
        CLEAVE_UNROLL
        for (int kind = 0; kind < NodeWorks::count; ++kind)
          table.border_work[(turn * NodeWorks::count + kind) * static_cast<std::ptrdiff_t>(interface_nodes) + n -
                            first_interface] = work.step.value[kind];
      }
      if (const int lane = lane_of(i); lane != none) kept[i].work += shared.work.step_sum(lane);
    });
  }
  template <class Worker, class KeptOfAll>
  CLEAVE_HD void end(Worker const& worker, Shared& shared, KeptOfAll& kept) const {
    ForEachIdx{worker}([&](Idx i) {
      for (Index local = i; local < kept[i].nodes.all; local += workers) {
        if (!shared.node[local].is_own()) continue;
        const Index n = shared.node[local].node();
        step.nodes.displacement[n] = shared.displacement[local];
        step.nodes.velocity[n] = shared.velocity[local];
        if constexpr (compensated) step.nodes.dropped[n] = shared.dropped[local];
      }
      if (const int lane = lane_of(i); lane != none) ledger.sums(worker.block, lane) = kept[i].work;
    });
  }

 private:
  CLEAVE_HD NodeStep<Output::none, NodeForces::of_elements> step_of(int turn) const {
    NodeStep<Output::none, NodeForces::of_elements> now = step;
    now.input.step += turn;
    return now;
  }
};

/// Books the works of interface nodes that ResidentSteps has left, step after step, as InterfaceNodeStep does.
/// @tparam Also  an item kernel of one item, which books what else there is of the steps
template <class Also>
struct BookBorderWorks {
  static constexpr KernelTraits traits{.name = "works of borders"};
  static constexpr int workers = InterfaceNodes::width;
  struct Shared {
    double sum[most_resident_steps][LaneLedger::fields];
  };
  Index nodes;         ///< interface nodes
  const double* work;  ///< see ResidentTable
  LaneLedger ledger;   ///< rows of the interface nodes
  int steps;
  const Index* insertion_pending;  ///< see BlockStep; `also` may set it from 0 to 0
  Also also;

  CLEAVE_HD Index blocks() const { return 1 + (nodes + workers - 1) / workers; }

  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    if (worker.block == blocks() - 1) return only_master(worker, [&] { also(0); });
    if (*insertion_pending != 0) return;
    ForEachIdx each{worker};
    each([&](Idx i) {
      for (int at = i; at < steps * LaneLedger::fields; at += workers)
        shared.sum[at / LaneLedger::fields][at % LaneLedger::fields] =
            lane_sum(worker.block * workers, at / LaneLedger::fields, at % LaneLedger::fields);
    });
    worker.sync();
    each([&](Idx i) {
      if (i >= LaneLedger::fields) return;
      double sum = ledger.sums(worker.block, i);
      for (int turn = 0; turn < steps; ++turn) sum = sum + shared.sum[turn][i];
      ledger.sums(worker.block, i) = sum;
    });
  }

 private:
  /// Work of a step for a field of the ledger.
  CLEAVE_HD double lane_sum(Index first_node, int turn, int field) const {
    const int kind = field / LaneLedger::lanes, lane = field % LaneLedger::lanes;
    const double* const of_kind = work + (turn * NodeWorks::count + kind) * static_cast<std::ptrdiff_t>(nodes);
    double value[workers / LaneLedger::lanes];
    CLEAVE_UNROLL
    for (int k = 0; k < workers / LaneLedger::lanes; ++k) {
      const Index n = first_node + lane + k * LaneLedger::lanes;
      value[k] = n < nodes ? of_kind[n] : 0.0;
    }
    double sum = value[0];
    CLEAVE_UNROLL
    for (int k = 1; k < workers / LaneLedger::lanes; ++k) sum += value[k];
    return sum;
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
