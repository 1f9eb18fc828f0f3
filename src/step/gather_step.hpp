/// The launches of a step of the gather assembly, in their order, and what probes and output see of it.
#pragma once

#include <type_traits>

#include "parts/exchanged_rows.hpp"
#include "step/block_step.hpp"
#include "step/body_output.hpp"
#include "step/gather_body.hpp"
#include "step/interface_step.hpp"
#include "step/sample_contact.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// @param number  of the step in its recording: whose row of the inputs it is, counted from the present one
template <Output output, NodeForces forces, class Body>
NodeStep<output, forces> node_step(Body& body, int number, bool start) {
  auto& gather = body.gather;
  NodeStep<output, forces> made{};
  if constexpr (output == Output::state)
    static_cast<StateOutput&>(made) = {body.nodes.acceleration.data(), body.nodes.internal_force.data(),
                                       gather.half_velocity.data(), gather.mean_increment.data(), start};
  if constexpr (output != Output::none) made.held = body.held_groups.held();
  if constexpr (forces != NodeForces::of_elements) made.of_terms = body.terms.nodal_forces.data();
  if constexpr (forces == NodeForces::any) made.outside = body.outside.forces();
  made.nodes = body.nodes.motion();
  made.nodes.count = gather.capacity();  // how many are in use, launches read from memory
  made.assembly = gather.assembly.data();
  made.inverse_mass = gather.inverse_mass.data();
  made.input = body.inputs.at(body.live(), number);
  made.dt = Real(body.dt);
  return made;
}

/// Forces of the elements that a rank computes, and the step of the nodes inside their blocks.
template <Output output, NodeForces forces, class Body>
void launch_blocks(Body& body, int number, bool start) {
  using Element = typename Body::Element;
  auto& gather = body.gather;
  const ExchangedPartials<Element> partials{gather.packed(), gather.finder(), gather.partial_force.data()};
  body.halo.launch_blocks(
      body.backend, body.materials, partials,
      [&]<class Material>(const BlockMaterials<Material>& materials, MaterialStates<Element, Material> states) {
        // Only the law that is fastest is compiled for less than any forces, too.
        constexpr NodeForces of_law = std::is_same_v<Material, LinearElastic> ? forces : NodeForces::any;
        const auto launch = [&]<bool crowded>() {
          body.backend.launch(BlockStep<Element, Material, output, of_law, crowded>{
              .elements = body.elements.table(),
              .packed = gather.packed(),
              .geometry = body.geometry(),
              .position = body.nodes.position.data(),
              .flags = body.elements.flags.data(),
              .sides = body.terms.cohesive.sides(),
              .loads = body.terms.loads.view(body),
              .materials = materials,
              .states = states,
              .step = node_step<output, of_law>(body, number, start),
              .partial_force = gather.partial_force.data(),
              .ledger = gather.block_ledger(),
              .report = gather.block_report(),
              .insertion_pending = body.insertion_pending(),
              .fault = &body.report.data()->fault});
        };
        // The key of a recording says whether there are cohesive elements (GatherSolver::launch_segment).
        constexpr bool on_host = decltype(gather.partial_force)::is_host_memory;
        if constexpr (!on_host && output == Output::none && of_law == NodeForces::of_elements)
          if (!body.has_broken()) return launch.template operator()<true>();
        launch.template operator()<false>();
      });
}

template <Output output, NodeForces forces, class Body>
void launch_interface_nodes(Body& body, int number, bool start) {
  auto& gather = body.gather;
  body.backend.launch(InterfaceNodeStep<output, forces>{.nodes_of = body.halo.needed(gather.interface_nodes()),
                                                        .live = body.live(),
                                                        .partial_force = gather.partial_force.data(),
                                                        .step = node_step<output, forces>(body, number, start),
                                                        .ledger = gather.interface_ledger(),
                                                        .report = gather.interface_report(),
                                                        .copies = gather.copy_ledger(),
                                                        .insertion_pending = body.insertion_pending()});
}

/// Forces of the elements and the step of all nodes: velocities and, unless the state is wanted, displacements.
template <Output output, class Body>
void launch_elements_and_nodes(Body& body, int number, bool start) {
  const auto launch = [&]<NodeForces forces>() {
    launch_blocks<output, forces>(body, number, start);
    launch_interface_nodes<output, forces>(body, number, start);
  };
  // Steps with output are few: one version of them will do.
  if constexpr (output == Output::none) {
    if (body.node_forces() == NodeForces::of_elements) return launch.template operator()<NodeForces::of_elements>();
    if (body.node_forces() == NodeForces::of_terms) return launch.template operator()<NodeForces::of_terms>();
  }
  launch.template operator()<NodeForces::any>();
}

/// @param dt  from the step that the states of the materials belong to, s
template <class Body>
void launch_probes(Body& body, int number, double dt) {
  using Element = typename Body::Element;
  body.materials.for_each_law([&]<class Material>(const MaterialsOfLaw<Material>& of, ByMaterial<Material> materials,
                                                  MaterialStates<Element, Material> states) {
    body.backend.launch(SampleProbes<Element, Material>{
        .elements = body.elements.table(),
        .probes = body.probes.probes(),
        .position = body.nodes.position.data(),
        .displacement = body.nodes.displacement.data(),
        .velocity = body.nodes.velocity.data(),
        .law = of.law,
        .materials = materials,
        .states = states,
        .dt = Real(dt),
        .ring = body.probes.ring(body.live(), DeviceGate::closed_if(body.insertion_pending()), number)});
  });
}

/// Velocities and contact at probes, once the nodes of a step have been stepped.
template <class Body>
void launch_samples_of_nodes(Body& body, int number, Output output, bool start) {
  using Element = typename Body::Element;
  const ProbeRing ring = body.probes.ring(body.live(), DeviceGate::closed_if(body.insertion_pending()), number);
  const Vec2* half_velocity = output == Output::state ? body.gather.half_velocity.data() : body.nodes.velocity.data();
  if (start)
    launch_probes(body, number, 0);  // v(0) is there, and the states are of step 0
  else
    body.backend.launch(CentreProbeVelocity<Element>{body.elements.table(), body.probes.probes(), half_velocity, ring});
  if (body.terms.contact.active())
    body.backend.launch(
        SampleContact<Element>{body.elements.table(), body.probes.probes(), body.terms.contact.traction(body), ring});
}

/// A step without output: forces of the terms, then of elements and the step of nodes; and, if they are wanted, what
/// probes see in it. Nodes hold u(n) before it, and v(n-1/2) before and v(n+1/2) after it, from which v(n) follows with
/// the same bits whatever the step's output is.
template <class Body>
void launch_step(Body& body, int number, bool sample) {
  if (sample) launch_probes(body, number, body.dt);
  body.terms.launch_forces(body, {.number = number, .start = false, .reads_early = true});
  launch_elements_and_nodes<Output::none>(body, number, false);
  if (sample) launch_samples_of_nodes(body, number, Output::none, false);
}

/// Adds up energies and works into the report: those of cohesive elements are in its sums. The step with output has
/// left what its blocks report. Each rank adds up its own blocks, nodes, elements and facets.
template <class Body>
void launch_sums(Body& body) {
  auto& gather = body.gather;
  const InterfaceNodes nodes = gather.interface_nodes();
  const ElementRange interface = body.halo.own_interface(nodes);
  SumTables sums;
  sums.add(gather.block_report(), body.halo.own_block_range());
  sums.add(gather.interface_report(),
           ElementRange{nodes.blocks_before(interface.begin), nodes.blocks_before(interface.end)});
  sums.add(gather.copy_ledger().report, ElementRange{0, gather.capacity() - gather.first_copy},
           body.counted_from(gather.first_copy));
  for (auto* term : body.terms.all()) term->add_sums(body, sums);
  if (!body.halo.is_alone())
    body.backend.launch(CountOwned<typename Body::Element>{
        .capacity = std::max(gather.capacity() - gather.first_copy, body.cohesive.capacity()),
        .copies = body.counted_from(gather.first_copy),
        .rows = body.elements.cohesive_rows.data(),
        .own = body.halo.own_elements(),
        .live = body.live(),
        .sums = body.sums.data()});
  launch_totals(body, sums);
}

/// The step whose quantities are output, the sums and the fragments.
/// @param pack  launches that must come before the elements
template <Output output, class Body, class Pack>
void launch_step_with_sums(Body& body, bool sample, bool start, const Pack& pack) {
  if (sample && !start) launch_probes(body, 0, body.dt);
  body.backend.side_by_side(
      [&] {
        body.terms.launch_forces(body, {.number = 0, .start = start, .reads_early = false});
        body.terms.cohesive.launch_sums(body);
      },
      pack);
  body.backend.side_by_side(
      [&] {
        launch_elements_and_nodes<output>(body, 0, start);
        if (sample) launch_samples_of_nodes(body, 0, output, start);
        body.held_groups.launch_sums(body.backend, body.elements.table(), StoredHeldNodes{body.held_groups.held()},
                                     body.group_sums());
        launch_sums(body);
      },
      // Several ranks record no branches: this comes second, as the sums say whether fragments have changed.
      [&] { launch_fragments(body); });
}
template <class Body, class Pack>
void launch_output(Body& body, Output output, bool sample, const Pack& pack) {
  if (output == Output::history)
    launch_step_with_sums<Output::history>(body, sample, false, pack);
  else
    launch_step_with_sums<Output::state>(body, sample, false, pack);
}

}  // namespace cleave::inline CLEAVE_PRECISION
