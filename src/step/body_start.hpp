/// Body: a model's body goes to solver memory.
#pragma once

#include <utility>
#include <vector>

#include "body/element_mass.hpp"
#include "cleave/core/machine.hpp"
#include "cleave/core/parallel.hpp"
#include "cleave/partition/part.hpp"
#include "step/body.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Origin of positions in solver memory, m: the middle of the body in single precision, which would round
/// them by 1e-7 of their distance from the origin; the origin in double.
inline Point centre_of_positions(const Model& model) {
  if (sizeof(Real) == sizeof(double) || model.mesh.nodes.empty()) return {};
  return (model.part ? model.part->box : box_around(model.mesh.nodes)).centre();
}

template <class Backend, class Element>
template <class... Args>
Body<Backend, Element>::Body(const Model& model, Args&&... made_with)
    : backend(std::forward<Args>(made_with)...),
      dt(model.step),
      centre(centre_of_positions(model)),
      thickness(static_cast<Real>(model.thickness)),
      finite(model.kinematics == Kinematics::finite),
      obstacles(static_cast<int>(model.obstacles.size())),
      process_columns(static_cast<int>(cleave::process_columns(model).size())),
      stiffness_safety(cleave::stiffness_safety(model)),
      cohesive_case(model.cohesive),
      inputs(model),
      cohesive(model) {
  backend.time_stages(model.time_stages);
  Backend::memory.restart_peak();
  upload_materials(model);
  fracture.upload(model, centre);
  sums.upload(std::vector<FixedSum>(TakeTotals::before_groups + GroupSums::count * model.held_groups.size()));
  probes.upload(model);
}

template <class Backend, class Element>
void Body<Backend, Element>::upload_materials(const Model& model) {
  std::vector<Real> densities, moduli;
  for (const MaterialCase& m : model.materials) {
    densities.push_back(static_cast<Real>(m.parameters.density) * static_cast<Real>(thickness));
    moduli.push_back(cohesive_case ? Real(cohesive_case->contact_penalty * m.parameters.young_modulus) : Real(0));
  }
  materials.upload(fields, model);
  erodes = materials.may_erode();
  areal_densities.upload(densities);
  contact_moduli.upload(moduli);
}

template <class Backend, class Element>
void Body<Backend, Element>::declare(const Model& model, bool stores_stress) {
  const bool published = model.assembly != Assembly::gather;
  const bool ranks_facets = cohesive_case && cohesive_case->insertion.selection == Selection::local_maximum;
  const bool by_rate = cohesive_case && cohesive_case->rate.exponent > 0;
  nodes.declare(fields, published, by_rate || model.touches());
  outside.declare(fields, model);
  fracture.declare(fields, ranks_facets);
  elements.declare(fields, stores_stress, erodes);
  cohesive.declare(fields, finite);
  fragments.declare(fields);
}

template <class Backend, class Element>
void Body<Backend, Element>::upload_nodes(const Model& model) {
  const auto to_vec2 = [](const std::vector<Point>& points, Point from = {}) {
    auto out = parallel_vector<Vec2>(threads_for(0), points.size());
    parallel_for(threads_for(0), points.size(), 65536, [&](std::size_t begin, std::size_t end) {
      for (std::size_t n = begin; n < end; ++n)
        out[n] = {static_cast<Real>(points[n].x - from.x), static_cast<Real>(points[n].y - from.y)};
    });
    return out;
  };
  nodes.count = model.mesh.node_count();
  fields.reserve(backend, On::node, nodes.count);
  if constexpr (!Backend::holds_values) return;
  nodes.position.upload(to_vec2(model.mesh.nodes, centre));
  nodes.displacement.upload(to_vec2(model.displacement));
  nodes.velocity.upload(to_vec2(model.velocity));
  std::vector<Sym2> damping;
  for (const PlaneTensor& rate : model.damping)
    damping.push_back({static_cast<Real>(rate.xx), static_cast<Real>(rate.yy), static_cast<Real>(rate.xy)});
  if (outside.absorbs) outside.damping.upload(damping);
  nodes.motion_x.upload({model.motion_x.begin(), model.motion_x.end()});
  nodes.motion_y.upload({model.motion_y.begin(), model.motion_y.end()});
  for (auto* field : {&nodes.acceleration, &nodes.internal_force}) fill(*field, nodes.count, Vec2{});
  if constexpr (compensated) fill(nodes.dropped, nodes.count, Vec2{});
}

template <class Backend, class Element>
template <class NumberSlots>
void Body<Backend, Element>::upload_rows(const Mesh& mesh, NumberSlots number_slots) {
  const Index count = elements.count;
  using Rows = ElementTable<Element>;
  auto node_rows = parallel_vector<ElementNode>(threads_for(0), Rows::Nodes::extent(count));
  auto neighbour_rows = parallel_vector<Index>(threads_for(0), Rows::Neighbours::extent(count));
  const Rows table{.nodes = {node_rows.data()}, .neighbours = {neighbour_rows.data()}, .bulk = count};
  parallel_for(threads_for(0), static_cast<std::size_t>(count), 16384, [&](std::size_t begin, std::size_t end) {
    for (auto e = static_cast<Index>(begin); e < static_cast<Index>(end); ++e) {
      for (int i = 0; i < Element::nodes; ++i) table.node(e, i) = mesh.node(e, i);
      for (int k = 0; k < Element::facets; ++k) table.neighbour(e, k) = mesh.neighbour(e, k);
    }
  });
  number_slots(table);
  elements.nodes.upload(node_rows);
  elements.neighbours.upload(neighbour_rows);
}

template <class Backend, class Element>
template <class NumberSlots>
void Body<Backend, Element>::upload_elements(const Model& model, NumberSlots number_slots) {
  const Mesh& mesh = model.mesh;
  fields.reserve(backend, On::element, elements.count = mesh.element_count());
  if constexpr (Backend::holds_values) upload_rows(mesh, number_slots);
  materials.start();
  fragments.start(backend, mesh, halo.own_elements());
  fragments_of_ranks.start(halo, mesh);
  scratch.elements.resize(elements.count);
  deformation.resize(LargestDeformation<Element>::blocks_of(elements.count));
  backend.launch(
      ElementMass<Element>{elements.table(), nodes.position.data(), {areal_densities.data(), materials.of_element()}});
}

}  // namespace cleave::inline CLEAVE_PRECISION
