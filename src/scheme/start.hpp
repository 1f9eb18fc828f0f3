/// Pipeline: from a model to the state at t = 0.
#pragma once

#include <algorithm>
#include <utility>

#include "kernels/mass.hpp"
#include "scheme/pipeline.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Element, class Law>
template <class... Args>
Pipeline<Backend, Element, Law>::Pipeline(const Model& model, const Law& law, Args&&... backend)
    : backend_(std::forward<Args>(backend)...),
      law_(law),
      material_(LinearElastic::make(model.material)),
      assembly_(model.assembly),
      dt_(model.step),
      thickness_(model.thickness),
      young_modulus_(model.material.young_modulus),
      cohesive_case_(model.cohesive),
      motions_(model.motions) {
  backend_.time_stages(model.time_stages);
  if (cohesive_case_) {
    cohesive_.keeps_accounts = cohesive_case_->energy == EnergyRule::consistent;
    const InsertionCase& insertion = cohesive_case_->insertion;
    criterion_.strength_n = cohesive_case_->normal.strength;
    criterion_.strength_t = cohesive_case_->tangential.strength;
    criterion_.aggregate = insertion.aggregate;
    if (insertion.box) {
      const auto& box = *insertion.box;
      criterion_.limited = true;
      criterion_.box_min = {Real(box[0]), Real(box[1])};
      criterion_.box_max = {Real(box[2]), Real(box[3])};
    }
  }
  Backend::memory.restart_peak();
  upload(model);
  start();
}

template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::upload(const Model& model) {
  const Mesh& mesh = model.mesh;
  const auto to_vec2 = [](const std::vector<Point>& points) {
    std::vector<Vec2> out;
    out.reserve(points.size());
    for (const Point& p : points) out.push_back({static_cast<Real>(p.x), static_cast<Real>(p.y)});
    return out;
  };
  nodes_.count = mesh.node_count();
  nodes_.keeps_mass = !gathers();
  nodes_.reserve(backend_, nodes_.count);
  nodes_.mass.resize(nodes_.count);
  nodes_.position.upload(to_vec2(mesh.nodes));
  nodes_.displacement.upload(to_vec2(model.displacement));
  nodes_.velocity.upload(to_vec2(model.velocity));
  nodes_.motion_x.upload({model.motion_x.begin(), model.motion_x.end()});
  nodes_.motion_y.upload({model.motion_y.begin(), model.motion_y.end()});

  const Index count = elements_.count = mesh.element_count();
  using Rows = ElementTable<Element>;
  std::vector<ElementNode> nodes(Rows::Nodes::extent(count));
  std::vector<Index> neighbours(Rows::Neighbours::extent(count));
  const Rows table{{nodes.data()}, {neighbours.data()}, nullptr, nullptr, count};
  for (Index e = 0; e < count; ++e) {
    for (int i = 0; i < Element::nodes; ++i) table.node(e, i) = mesh.node(e, i);
    for (int k = 0; k < 3; ++k) table.neighbour(e, k) = mesh.neighbour(e, k);
  }
  if (gathers()) gather_.list_slots(mesh, table);
  elements_.nodes.upload(nodes);
  elements_.neighbours.upload(neighbours);
  elements_.mass.resize(count);
  // The gather assembly stores no stiffness, and Gauss-point stresses only for a law that looks at them.
  if (!gathers()) elements_.stiffness.resize(StiffnessTable<Element>::extent(count));
  if (!gathers() || !judged_by_nodes)
    elements_.stress.resize(static_cast<std::size_t>(count) * 3 * Element::gauss_points);
  elements_.fractured.resize(count);
  elements_.touches_cohesive.upload(std::vector<std::uint8_t>(count, 0));
  elements_.fragment.resize(count);
  elements_.colour.upload(model.colouring.colour);
  elements_.colour_order.upload(model.colouring.order);
  elements_.offsets = model.colouring.offsets;
  elements_.cohesive_owners.resize(count);
  elements_.stored_owner_offsets.resize(model.colouring.count + 1);
  elements_.owner_offsets.assign(model.colouring.count + 1, 0);
  scratch_.elements.resize(count);
  strain_sums_.resize((count + StrainEnergy<Element>::workers - 1) / StrainEnergy<Element>::workers);
  upload_live_counts();

  loads_.resize(model.loads.size());
  for (std::size_t i = 0; i < loads_.size(); ++i) {
    loads_[i].pressure = model.loads[i].pressure;
    loads_[i].curve = model.loads[i].curve;
    loads_[i].facets.upload(group_disjoint_facets(mesh, model.loads[i].facets, loads_[i].offsets));
    loads_[i].stored_offsets.upload(loads_[i].offsets);
  }
  if (gathers()) {
    gather_.loads = static_cast<int>(loads_.size());
    gather_.reserve_nodes(backend_, nodes_.count);
    std::vector<LoadFacets> loads;
    for (Load& load : loads_)
      loads.push_back({load.facets.data(), load.stored_offsets.data(), static_cast<int>(load.offsets.size()) - 1});
    load_facets_.upload(loads);
    if (cohesive_case_) {
      constexpr Index most = InsertHere<Element, Law>::most_facets;
      make_scratch(most);
      scratch_.found.resize(most);
    }
  }
}

template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::start() {
  backend_.launch(ElementMass<Element>{elements_.table(), nodes_.position.data(), material_.density * thickness_});
  sum_nodal_mass();
  for (auto* buffer : {&nodes_.acceleration, &nodes_.internal_force, &nodes_.cohesive_force, &nodes_.external_force})
    fill(*buffer, nodes_.count, Vec2{});
  if constexpr (compensated) fill(nodes_.dropped, nodes_.count, Vec2{});
  if (gathers()) {
    backend_.launch(
        StoreGradients<Element>{elements_.table(), nodes_.position.data(), thickness_, {gather_.gradients.data()}});
    backend_.launch(ListIncidence<Element>{elements_.table(), gather_.incidence()});
    gather_loads();
    backend_.launch(SetNodeConstants{nodes_.count, nodes_.mass.data(), nodes_.motion_x.data(), nodes_.motion_y.data(),
                                     gather_.loads, gather_.load_force.data(), gather_.capacity(),
                                     gather_.constants.data()});
    provide_inputs(0, 0);
    upload_live_counts();
    launch_look(Look::state, true);
  } else {
    backend_.launch(Stiffness<Element>{
        elements_.table(), nodes_.position.data(), material_, thickness_, {elements_.stiffness.data()}});
    add_internal_forces();
    add_external_forces();
    backend_.launch(VelocityUpdate{nodes_.table(), nodes_.ledger(), Real(0)});
    apply_conditions(0);
    launch_sums();
  }
  launch_fragments();
  read_report();
  history();
}

}  // namespace cleave::inline CLEAVE_PRECISION
