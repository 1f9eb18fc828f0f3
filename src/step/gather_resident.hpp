/// GatherSolver: steps of an intact body in one launch.
#pragma once

#include <type_traits>

#include "step/gather_solver.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Prepares steps in one launch, if the device holds all blocks of elements at once and the body is one for it.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::list_resident_blocks(const Mesh& mesh) {
  if (shared_.active() || outside_.active()) return;
  int launches = 0;
  bool elastic = true;
  materials_.for_each_launch(gather_.ranges,
                             [&]<class Material>(const BlockMaterials<Material>&, MaterialStates<Element, Material>) {
                               ++launches;
                               elastic = elastic && std::is_same_v<Material, typename ResidentSteps<Element>::Material>;
                             });
  if (elastic && launches == 1 && backend_.template holds<ResidentSteps<Element>>(gather_.blocks()))
    resident_.list(mesh, gather_.ranges, gather_.interface_slots);
}

/// Whether steps without output can be one launch: those of an intact body can, where that has been prepared.
template <class Backend, class Element>
bool GatherSolver<Backend, Element>::may_be_resident(int steps) const {
  return resident_.active() && cohesive_.count == 0 && steps > 1;
}

template <class Backend, class Element>
void GatherSolver<Backend, Element>::launch_resident_steps(int first, int steps, const BookSteps& book) {
  materials_.for_each_launch(gather_.ranges, [&]<class Material>(const BlockMaterials<Material>& materials,
                                                                 MaterialStates<Element, Material> states) {
    if constexpr (std::is_same_v<Material, typename ResidentSteps<Element>::Material>)
      this->launch_resident_steps_of(materials, states, first, steps);
  });
  backend_.launch(BookBorderWorks<BookSteps>{.nodes = gather_.first_copy - gather_.first_interface,
                                             .work = resident_.table(gather_.slot_force.data()).border_work,
                                             .ledger = gather_.interface_ledger(),
                                             .steps = steps,
                                             .insertion_pending = insertion_pending(),
                                             .also = book});
}

template <class Backend, class Element>
void GatherSolver<Backend, Element>::launch_resident_steps_of(const BlockMaterials<LinearElastic>& materials,
                                                              MaterialStates<Element, LinearElastic> states, int first,
                                                              int steps) {
  backend_.launch(ResidentSteps<Element>{.elements = elements_.table(),
                                         .blocks_of = gather_.block_table(),
                                         .first_interface = gather_.first_interface,
                                         .interface_nodes = gather_.first_copy - gather_.first_interface,
                                         .geometry = gather_.geometry_table(thickness_),
                                         .flags = elements_.flags.data(),
                                         .loads = gather_.facet_loads(),
                                         .materials = materials,
                                         .states = states,
                                         .step = node_step<Output::none, false>(first, false),
                                         .ledger = gather_.block_ledger(),
                                         .table = resident_.table(gather_.slot_force.data()),
                                         .steps = steps,
                                         .insertion_pending = insertion_pending()});
}

}  // namespace cleave::inline CLEAVE_PRECISION
