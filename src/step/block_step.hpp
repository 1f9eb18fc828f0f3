/// The first half of the gather step: forces of elements, and the step of the nodes inside blocks.
#pragma once

#include "body/by_material.hpp"
#include "body/material_states.hpp"
#include "body/packed_blocks.hpp"
#include "body/side_table.hpp"
#include "cleave/core/fault.hpp"
#include "cleave/lockstep/kernel.hpp"
#include "step/block_constants.hpp"
#include "step/block_lanes.hpp"
#include "step/block_prefetch.hpp"
#include "step/block_rows.hpp"
#include "step/block_work.hpp"
#include "terms/bulk/element_force.hpp"
#include "terms/loads/facet_loads.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Forces of a block of elements, and the step of its interior nodes. Does nothing when `insertion_pending` is set: the
/// host comes first, to insert or to search for contact.
/// @tparam crowded  a multiprocessor holds more blocks, which have fewer registers: faster while no element has a
///                  cohesive side
template <class Element, class Material, Output output, NodeForces node_forces, bool crowded>
struct BlockStep {
  /// Elements of a worker: a T3 needs so few registers that blocks of half as many workers have more in flight.
  static constexpr int of_worker = Element::nodes == 3 ? 2 : 1, workers = elements_per_block / of_worker;
  /// Resident blocks that leave each law the registers it needs (BENCHMARKS.md).
  static constexpr int for_law = !std::is_empty_v<typename Material::State> ? 3 * of_worker
                                 : Material::finite                         ? 4 * of_worker
                                 : !crowded                                 ? 6 * of_worker
                                                                            : 6 * of_worker + 2;
  /// About as many interior nodes as a block of a usual mesh has, and as there is room for.
  static constexpr int most_staged = Element::nodes == 3 ? 64 : crowded ? 224 : 256;
  static constexpr KernelTraits traits{.name = "element blocks",
                                       .resident_blocks = output == Output::none ? for_law : 0,
                                       .has_lanes = true,
                                       .reads_early = output == Output::none};
  /// Forces of elements alone look at prescribed motions only, of which blocks know.
  static constexpr bool needs_all_flags = node_forces != NodeForces::of_elements;
  using Rows = BlockRows<Element, workers, needs_all_flags, most_staged>;
  struct Shared : Rows {
    BlockWork<elements_per_block, output> work;
  };
  /// Shared memory of a multiprocessor of an H100 or H200, and how much of it a block takes beside its own, bytes.
  static constexpr int shared_memory = 228 << 10, shared_memory_beside = 1 << 10;
  static_assert(output != Output::none || (sizeof(Shared) + shared_memory_beside) * for_law <= shared_memory);
  ElementTable<Element> elements;
  PackedBlocks<Element> packed;
  GeometryTable geometry;     ///< of a CPU, of blocks that lack positions, and of loaded facets
  const Vec2* position;       ///< [node] m
  const std::uint8_t* flags;  ///< [element] ElementFlag
  SideTable<Element> sides;
  FacetLoads<Element> loads;
  BlockMaterials<Material> materials;
  using States = MaterialStates<Element, Material>;
  States states;
  NodeStep<output, node_forces> step;
  Vec2* partial_force;  ///< [place] sum of the block's forces on a border row, N
  LaneLedger ledger;
  BlockReport report;
  const Index* insertion_pending;
  FaultRecord* fault;  ///< elements that have turned inside out, for output

  static constexpr Index none = -1;  ///< no element or node of a worker, no loads of an element
  CLEAVE_HD Index blocks() const { return materials.blocks(); }

  /// Line pressure on a facet, N/m. The element of the facet may have gone.
  CLEAVE_HD Real load_on(bool eroded, Index load) const { return eroded ? Real(0) : step.input.line_pressure(load); }

  CLEAVE_HD BlockInMemory<Element, BlockStep> in_memory(Index block) const {
    const BlockRange range = materials.range_of(block);
    return {this, range.begin_of(block), range.end_element, read_record(packed.headers[block])};
  }
  /// Steps without output are the first of a recording: nothing that runs until then inserts.
  template <class Worker>
  CLEAVE_HD auto early(Worker const& worker, Shared& shared) const requires(traits.reads_early) {
    const Index block = materials.block(worker.block);
    const auto memory = in_memory(block);
    return ForEachIdx{worker}([&](Idx i) {
      KeptConstants<Element, of_worker> kept;
      for (int p = 0; p < of_worker; ++p) {
        kept.index[p] = memory.index(i, p);
        kept.element[p] = memory.element(i, p).keep();
      }
      kept.header = memory.header();
      kept.border = memory.first_border(i);
      shared.fetch_constants(worker, *this, block, kept.header, i);
      return kept;
    });
  }
  template <class Worker, class Early>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared, const Early& early) const {
    run(worker, shared, BlockReadEarly<Early>{early, Idx{worker.index(0), 0}});
  }
  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    if constexpr (Worker::slots == 1) {
      static_assert(!traits.reads_early);  // run_block reads early, then
      run(worker, shared, in_memory(materials.block(worker.block)));
    } else {
      BlockLanes<BlockStep, Element, Material, output>{*this, shared}.run(worker);
    }
  }

  /// The first border row of a worker. Of a T6 the last workers have the fewest interior nodes.
  CLEAVE_HD_INLINE static int first_border_of(int i) { return Element::nodes == 3 ? i : workers - 1 - i; }
  /// Whether facets wait to be cut, or another launch computes the block. Both are read at once.
  CLEAVE_HD_INLINE bool is_skipped(Index block) const {
    const Index pending = *insertion_pending;
    const bool skip = materials.skips(block);
    return pending != 0 || skip;
  }

  /// On a GPU: fetches the block's nodes, then elements, then rows.
  template <class Worker, class Constants>
  CLEAVE_HD void run(Worker const& worker, Shared& shared, const Constants& constants) const {
    ForEachIdx each{worker};
    const Index block = materials.block(worker.block);
    const BlockHeader& header = constants.header();
    const BlockPrefetch<BlockStep, Element> prefetch{*this};
    const auto fetched = each([&](Idx i) {
      if constexpr (!traits.reads_early) shared.fetch_constants(worker, *this, block, header, i);
      shared.fetch_motion(worker, *this, header, constants.first_border(i), i);
      return Fetched{is_skipped(block), prefetch.header(worker.block, i)};
    });
    worker.sync_fetched(shared.gate);
    if (fetched[Idx{worker.index(0), 0}].skipped) return;
    each([&](Idx i) { prefetch.run(worker, fetched[i].later); });
    const auto computed = each([&](Idx i) {
      Forces of_elements;
      CLEAVE_UNROLL
      for (int p = 0; p < of_worker; ++p)
        if (const Index e = constants.index(i, p); e != none)
          of_elements.stored[p] = compute(shared, block, e, header, constants.element(i, p), of_elements.f[p]);
      return of_elements;
    });
    worker.sync();  // slots lie where displacements and positions were
    each([&](Idx i) {
      CLEAVE_UNROLL
      for (int p = 0; p < of_worker; ++p)
        if (const Index e = constants.index(i, p); e != none)
          write_slots(shared.slots(), block, e, constants.element(i, p), computed[i].f[p]);
    });
    worker.sync();
    const auto work_before = shared.work.work_before(ledger, block, worker);
    each([&](Idx i) {
      NodeWork work[of_worker];
      for (int first = i; first < header.interior; first += elements_per_block) {
        CLEAVE_UNROLL
        for (int p = 0; p < of_worker; ++p)
          if (const int row = first + p * workers; row < header.interior)
            work[p] += step(header.first_node + row, shared.node(step, header, row), shared.sum_of_slots(header, row));
      }
      for (int j = first_border_of(i); j < header.border(); j += workers) {
        const Index place =
            j < workers ? constants.first_border(i).place : packed.border[header.first_border + j].place;
        partial_force[place] = shared.sum_of_slots(header, header.interior + j);
      }
      CLEAVE_UNROLL
      for (int p = 0; p < of_worker; ++p) {
        shared.work.set(i + p * workers, work[p]);
        if constexpr (output != Output::none)
          if (const Index e = constants.index(i, p); e != none)
            shared.work.set_material(i + p * workers, computed[i].stored[p], states, e);
      }
    });
    shared.work.add_to(ledger, work_before, report, block, worker);
  }
  /// A worker reads whether its block is skipped, and the header of a later block (BlockPrefetch).
  struct Fetched {
    bool skipped;
    BlockHeader later;
  };
  /// Forces of a worker's elements on their nodes, N, and energies that they store, J, the latter only with output.
  struct Forces {
    Vec2 f[of_worker][Element::nodes];
    Real stored[of_worker];
  };
  /// Computes the forces of an element but for those of loads. Returns the energy that it stores, J.
  template <class Constants>
  CLEAVE_HD_INLINE Real compute(Shared& shared, Index block, Index e, const BlockHeader& header,
                                const Constants& element, Vec2 (&f)[Element::nodes]) const {
    const auto nodes = element.nodes();
    const ElementGeometry at = element_geometry(shared.gradients(header, nodes, geometry, e), geometry.depth);
    Vec2 u[Element::nodes];
    for (int k = 0; k < Element::nodes; ++k) u[k] = shared.displacement(nodes.row(k));
    const MaterialEnergy energy = element_force(materials.material_of(block), at, u, states.of(e), step.dt, f);
    states.add_dissipated(e, energy.dissipated);
    if (element.has(ElementFlag::cohesive_sides)) sides.add(elements, e, f);
    if constexpr (output != Output::none)
      if (!element.has(ElementFlag::eroded) && is_inside_out(at, u, Element::gauss_points))
        fault->report(FaultCode::inverted_element, e, FaultRecord::unknown_step);
    return energy.stored;
  }
  /// Writes the forces of an element and of its loads into its slots.
  template <class Constants>
  CLEAVE_HD_INLINE void write_slots(Vec2* slot, Index block, Index e, const Constants& element,
                                    const Vec2 (&f)[Element::nodes]) const {
    const auto nodes = element.nodes();
    for (int k = 0; k < Element::nodes; ++k) slot[nodes.slot(k)] = f[k];
    if (!element.has(ElementFlag::loaded_facets)) return;
    const auto displacement = [&](int k) { return step.nodes.displacement[elements.node(e, k)]; };
    loads.template add<Material::finite>(
        loads.first_row[e], [&](Index load) { return load_on(element.has(ElementFlag::eroded), load); }, displacement,
        [&] {
          return thickness_change<Element>(materials.material_of(block), geometry.gradients_of(e), displacement,
                                           states.of(e), Real(0));
        },
        [&](int k, Vec2 force) { slot[packed.nodes_of(e).slot(k)] += force; });
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
