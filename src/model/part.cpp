#include "cleave/partition/part.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "cleave/solver/model.hpp"

namespace cleave {
namespace {

/// Own ids of the facets that a part has.
std::vector<Index> own_facets(const std::vector<Index>& facets, const PartIds& elements) {
  std::vector<Index> own;
  for (const Index code : facets)
    if (const Index e = elements.own_id(element_of(code)); e >= 0) own.push_back(facet_code(e, facet_of(code)));
  return own;
}

void keep_nodes(HeldGroup& group, const PartIds& nodes) {
  HeldGroup own;
  for (std::size_t i = 0; i < group.nodes.size(); ++i)
    if (const Index n = nodes.own_id(group.nodes[i]); n >= 0) {
      own.nodes.push_back(n);
      own.directions.push_back(group.directions[i]);
    }
  group.nodes = std::move(own.nodes);
  group.directions = std::move(own.directions);
}

void keep_rows_of_nodes(Model& model, const PartRows& nodes) {
  nodes.keep(model.displacement);
  nodes.keep(model.velocity);
  nodes.keep(model.motion_x);
  nodes.keep(model.motion_y);
  nodes.keep(model.damping);
  nodes.keep(model.support);
  nodes.keep(model.forced);
}

void keep_rows_of_elements(Model& model, const PartRows& elements) {
  elements.keep(model.element_material);
  elements.keep(model.element_strength_scale);
  elements.keep(model.touching);
  elements.keep(model.cohesive_entry, facets_per_element);
  elements.keep(model.strength_scale, facets_per_element);
  elements.keep(model.energy_scale, facets_per_element);
}

}  // namespace

bool needs_whole_body(const Model& model) {
  return model.touches() || !model.processes.empty() ||
         std::any_of(model.loads.begin(), model.loads.end(), [](const PressureLoad& load) { return load.in_cracks; });
}

void keep_part(Model& model, int rank, int ranks) {
  const auto part = std::make_shared<const Part>(
      make_part(model.mesh, cut_blocks(model.material_ranges), interface_nodes_per_block, ranks, rank));
  model.part = part;
  keep_part(model.mesh, *part);
  model.colouring = {};
  for (Index& end : model.material_ranges) end = part->elements.before(end);
  keep_rows_of_nodes(model, part->nodes);
  keep_rows_of_elements(model, part->elements);
  const PartIds nodes = part->nodes.ids(), elements = part->elements.ids();
  for (PressureLoad& load : model.loads) load.facets = own_facets(load.facets, elements);
  for (HeldGroup& group : model.held_groups) keep_nodes(group, nodes);
  for (ProbePoint& probe : model.probes) {
    const Index own = elements.own_id(probe.element);
    probe.elsewhere = own < 0;
    probe.element = std::max(own, Index{0});
  }
}

}  // namespace cleave
