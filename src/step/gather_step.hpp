/// GatherSolver: the launches of a step, in their order, and what probes and output see of it.
#pragma once

#include <type_traits>

#include "step/block_step.hpp"
#include "step/gather_solver.hpp"
#include "step/interface_step.hpp"
#include "terms/cohesive/cohesive_step.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Forces of a step of a recording, or at the start; then velocities and, unless the state is wanted, displacements.
template <class Backend, class Element>
template <Output output>
void GatherSolver<Backend, Element>::launch_step(int step, bool start) {
  outside_.active() ? launch_step_with<output, true>(step, start) : launch_step_with<output, false>(step, start);
}

/// @tparam has_nodal_forces  there are any on nodes beside those of elements
template <class Backend, class Element>
template <Output output, bool has_nodal_forces>
void GatherSolver<Backend, Element>::launch_step_with(int step, bool start) {
  if (cohesive_.count > 0) {
    launch_cohesive<output == Output::none>(step);
    launch_pushes(step);
    launch_friction();
  }
  launch_viscosity(start);
  launch_blocks<output, has_nodal_forces>(step, start);
  launch_interface_nodes<output, has_nodal_forces>(step, start);
}

/// Tractions of cohesive elements.
template <class Backend, class Element>
template <bool reads_early>
void GatherSolver<Backend, Element>::launch_cohesive(int step) {
  if (gather_.corotational)
    launch_cohesive_of<false>(CorotationalFaces{.friction = friction_.view(),
                                                .thickness = thickness_,
                                                .force = gather_.cohesive_force.data(),
                                                .couple = gather_.cohesive_couple.data(),
                                                .last = gather_.last_face_motion.data(),
                                                .work = gather_.cohesive_work.data()});
  else
    launch_cohesive_of<reads_early>(FixedFaces{.cracks = cracks_.view(),
                                               .input = this->input(step),
                                               .thickness = thickness_,
                                               .force = gather_.cohesive_force.data(),
                                               .work = gather_.cohesive_work.data()});
}

template <class Backend, class Element>
template <bool reads_early, class Faces>
void GatherSolver<Backend, Element>::launch_cohesive_of(const Faces& faces) {
  cohesive_.with_law([&]<class Law>(const Law& law, const CohesiveTable<Law>& table) {
    backend_.launch(CohesiveStep<Element, Law, Faces, reads_early>{.rows = elements_.cohesive_rows.data(),
                                                                   .capacity = cohesive_.capacity(),
                                                                   .live = live(),
                                                                   .displacement = nodes_.displacement.data(),
                                                                   .law = law,
                                                                   .cohesive = table,
                                                                   .faces = faces,
                                                                   .insertion_pending = insertion_pending(),
                                                                   .own = this->own_elements()});
  });
}

/// Pressure between faces that turn; others take theirs from CohesiveStep.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::launch_pushes(int step) {
  if (!cracks_.active() || !gather_.corotational) return;
  if (gather_.thickness_changes) launch_face_thickness();
  cohesive_.with_law([&]<class Law>(const Law&, const CohesiveTable<Law>& table) {
    backend_.launch(PushTurningFaces<Element, Law>{.rows = elements_.cohesive_rows.data(),
                                                   .capacity = cohesive_.capacity(),
                                                   .live = live(),
                                                   .displacement = nodes_.displacement.data(),
                                                   .cohesive = table,
                                                   .cracks = cracks_.view(),
                                                   .input = this->input(step),
                                                   .faces = cracks_.faces.data(),
                                                   .insertion_pending = insertion_pending(),
                                                   .own = this->own_elements(),
                                                   .thickness_change = cracks_.thickness_change.data()});
  });
}

/// Present thickness at the faces that a pressure in cracks pushes.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::launch_face_thickness() {
  materials_.for_each_law([&]<class Material>(const MaterialsOfLaw<Material>& of, ByMaterial<Material>,
                                              MaterialStates<Element, Material> states) {
    if constexpr (Material::finite) this->launch_face_thickness_of(of, states);
  });
}

template <class Backend, class Element>
template <class Material>
void GatherSolver<Backend, Element>::launch_face_thickness_of(const MaterialsOfLaw<Material>& of,
                                                              MaterialStates<Element, Material> states) {
  for (const auto& member : of.members)
    backend_.launch(FaceThickness<Element, Material>{.elements = elements_.table(),
                                                     .begin = member.begin,
                                                     .end = member.end,
                                                     .material = member.material,
                                                     .states = states,
                                                     .geometry = gather_.geometry_table(thickness_),
                                                     .dt = Real(dt_),
                                                     .displacement = nodes_.displacement.data(),
                                                     .capacity = cohesive_.capacity(),
                                                     .live = live(),
                                                     .load = cracks_.load.data(),
                                                     .change = cracks_.thickness_change.data(),
                                                     .insertion_pending = insertion_pending()});
}

/// Friction of failed faces; those that turn rub in CohesiveStep.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::launch_friction() {
  if (!friction_.active() || gather_.corotational) return;
  cohesive_.with_law([&]<class Law>(const Law& law, const CohesiveTable<Law>& table) {
    backend_.launch(FrictionStep<Law>{.capacity = cohesive_.capacity(),
                                      .live = live(),
                                      .law = law,
                                      .cohesive = table,
                                      .friction = friction_.view(),
                                      .thickness = thickness_,
                                      .gauss_force = gather_.cohesive_force.data(),
                                      .insertion_pending = insertion_pending()});
  });
}

/// Forces of artificial viscosity, which the nodes' step takes from there, and their works.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::launch_viscosity(bool start) {
  if (!viscosity_.active()) return;
  backend_.launch(ViscousPush<Element>{.elements = elements_.table(),
                                       .position = nodes_.position.data(),
                                       .displacement = this->moved_facets(),
                                       .velocity = nodes_.velocity.data(),
                                       .viscosity = {viscosity_.of_material.data(), materials_.of_element()},
                                       .flags = elements_.flags.data(),
                                       .thickness = thickness_,
                                       .push = {viscosity_.push.data()}});
  if (shared_.active()) share_viscous_push();
  const OutsideForces outside = outside_.forces();
  backend_.launch(ViscousForce<Element>{.incidence = gather_.incidence(),
                                        .assembly = gather_.assembly.data(),
                                        .capacity = gather_.capacity(),
                                        .present = &live()->nodes,
                                        .push = {viscosity_.push.data()},
                                        .velocity = nodes_.velocity.data(),
                                        .dt = Real(start ? 0 : dt_),
                                        .insertion_pending = insertion_pending(),
                                        .force = outside.viscous,
                                        .works = outside.works});
}

/// Forces of the elements that a rank computes, and the step of the nodes inside their blocks.
template <class Backend, class Element>
template <Output output, bool has_nodal_forces>
void GatherSolver<Backend, Element>::launch_blocks(int step, bool start) {
  const auto launch = [&]<class Material>(const BlockMaterials<Material>& materials,
                                          MaterialStates<Element, Material> states) {
    // Only the law that is fastest is compiled without outside forces, too.
    constexpr bool any_forces = has_nodal_forces || !std::is_same_v<Material, LinearElastic>;
    backend_.launch(BlockStep<Element, Material, output, any_forces>{
        .elements = elements_.table(),
        .blocks_of = gather_.block_table(),
        .geometry = gather_.geometry_table(thickness_),
        .flags = elements_.flags.data(),
        .cohesive = gather_.template cohesive_forces<Material::finite>(cracks_.faces.data()),
        .loads = gather_.facet_loads(),
        .materials = materials,
        .states = states,
        .step = this->template node_step<output, any_forces>(step, start),
        .slot_force = gather_.slot_force.data(),
        .ledger = gather_.block_ledger(),
        .report = gather_.block_report(),
        .insertion_pending = insertion_pending(),
        .fault = &report_.data()->fault});
  };
  if (shared_.active())
    launch_and_share(launch);
  else
    materials_.for_each_launch(gather_.ranges, launch);
}

template <class Backend, class Element>
template <Output output, bool has_nodal_forces>
void GatherSolver<Backend, Element>::launch_interface_nodes(int step, bool start) {
  backend_.launch(InterfaceNodeStep<output, has_nodal_forces>{.nodes_of = needed_interface_nodes(),
                                                              .live = live(),
                                                              .slot_force = gather_.slot_force.data(),
                                                              .step = node_step<output, has_nodal_forces>(step, start),
                                                              .ledger = gather_.interface_ledger(),
                                                              .report = gather_.interface_report(),
                                                              .copies = gather_.copy_ledger(),
                                                              .insertion_pending = insertion_pending()});
}

/// @param step  of the recording: whose row of the inputs it is, counted from the present one
template <class Backend, class Element>
template <Output output, bool has_nodal_forces>
NodeStep<output, has_nodal_forces> GatherSolver<Backend, Element>::node_step(int step, bool start) {
  NodeStep<output, has_nodal_forces> made{};
  if constexpr (output == Output::state)
    static_cast<StateOutput&>(made) = {nodes_.acceleration.data(), nodes_.internal_force.data(),
                                       gather_.half_velocity.data(), gather_.mean_increment.data(), start};
  if constexpr (output != Output::none) made.held = gather_.held.data();
  if constexpr (has_nodal_forces) made.outside = outside_.forces();
  made.nodes = nodes_.motion();
  made.nodes.count = gather_.capacity();  // how many are in use, launches read from memory
  made.assembly = gather_.assembly.data();
  made.input = this->input(step);
  made.dt = Real(dt_);
  return made;
}

/// The step whose quantities are output, and the sums.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::launch_output(Output output, bool sample, bool start) {
  if (output == Output::history)
    launch_sampled_step<Output::history>(0, sample);
  else
    launch_sampled_step<Output::state>(0, sample, start);
  launch_sums();
  if (leads())
    held_groups_.launch_sums(backend_, elements_.table(), StoredHeldNodes{gather_.held.data()}, report_.data()->groups);
}

/// A step and, if they are wanted, what probes see in it. Nodes hold u(n) before it, and v(n-1/2) before and v(n+1/2)
/// after it, from which v(n) follows with the same bits whatever the step's output is.
template <class Backend, class Element>
template <Output output>
void GatherSolver<Backend, Element>::launch_sampled_step(int step, bool sample, bool start) {
  if (sample && !start) launch_probes(step, dt_);
  launch_step<output>(step, start);
  if (!sample) return;
  if (start) return launch_probes(step, 0);  // v(0) is there, and the states are of step 0
  const Vec2* half_velocity = output == Output::state ? gather_.half_velocity.data() : nodes_.velocity.data();
  backend_.launch(CentreProbeVelocity<Element>{elements_.table(), probes_.probes(), half_velocity,
                                               probes_.ring(live(), DeviceGate::closed_if(insertion_pending()), step)});
}

/// @param dt  from the step that the states of the materials belong to, s
template <class Backend, class Element>
void GatherSolver<Backend, Element>::launch_probes(int step, double dt) {
  materials_.for_each_law([&]<class Material>(const MaterialsOfLaw<Material>& of, ByMaterial<Material> materials,
                                              MaterialStates<Element, Material> states) {
    backend_.launch(SampleProbes<Element, Material>{
        .elements = elements_.table(),
        .probes = probes_.probes(),
        .position = nodes_.position.data(),
        .displacement = nodes_.displacement.data(),
        .velocity = nodes_.velocity.data(),
        .law = of.law,
        .materials = materials,
        .states = states,
        .dt = Real(dt),
        .ring = probes_.ring(live(), DeviceGate::closed_if(insertion_pending()), step)});
  });
}

/// The rows of the steps whose launches are behind those so far.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::fetch_probes() {
  if (shared_.active() && probes_.any()) bring_samples_home();
  probes_.fetch(begin_ == Begin::forces ? step_ - 1 : step_, dt_);
}

}  // namespace cleave::inline CLEAVE_PRECISION
