/// Steps of an intact body of the gather assembly in one launch.
#pragma once

#include <type_traits>

#include "step/gather_step.hpp"
#include "step/resident_state.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Prepares steps in one launch, if the device holds all blocks of elements at once and the body is one for it.
template <class Body, class State>
void list_resident_blocks(Body& body, State& resident, const Mesh& mesh) {
  using Steps = ResidentSteps<typename Body::Element>;
  if (body.halo.rank_count() > 1 || body.node_forces() != NodeForces::of_elements || body.terms.processes.active())
    return;
  int launches = 0;
  bool elastic = true;
  body.materials.for_each_launch(body.gather.ranges, [&]<class Material>(const BlockMaterials<Material>&, const auto&) {
    ++launches;
    elastic = elastic && std::is_same_v<Material, typename Steps::Material>;
  });
  if (elastic && launches == 1 && body.backend.template holds<Steps>(body.gather.blocks()))
    resident.list(mesh, body.gather.ranges, body.gather.interface_slots);
}

/// @param first  in the recording
template <class Body, class State>
void launch_resident_steps(Body& body, State& resident, int first, int steps, const BookSteps& book) {
  using Element = typename Body::Element;
  using Steps = ResidentSteps<Element>;
  auto& gather = body.gather;
  body.materials.for_each_launch(gather.ranges, [&]<class Material>(const BlockMaterials<Material>& materials,
                                                                    MaterialStates<Element, Material> states) {
    if constexpr (std::is_same_v<Material, typename Steps::Material>)
      body.backend.launch(Steps{.blocks_of = gather.block_table(),
                                .first_interface = gather.first_interface,
                                .interface_nodes = gather.first_copy - gather.first_interface,
                                .geometry = body.geometry(),
                                .flags = body.elements.flags.data(),
                                .loads = body.terms.loads.view(body),
                                .materials = materials,
                                .states = states,
                                .step = node_step<Output::none, NodeForces::of_elements>(body, first, false),
                                .ledger = gather.block_ledger(),
                                .table = resident.table(),
                                .steps = steps,
                                .insertion_pending = body.insertion_pending()});
  });
  body.backend.launch(BookBorderWorks<BookSteps>{.nodes = gather.first_copy - gather.first_interface,
                                                 .work = resident.table().border_work,
                                                 .ledger = gather.interface_ledger(),
                                                 .steps = steps,
                                                 .insertion_pending = body.insertion_pending(),
                                                 .also = book});
}

}  // namespace cleave::inline CLEAVE_PRECISION
