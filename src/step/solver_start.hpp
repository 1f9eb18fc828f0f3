/// SolverBase: a model's body goes to solver memory.
#pragma once

#include <algorithm>
#include <utility>

#include "body/element_mass.hpp"
#include "cleave/core/machine.hpp"
#include "cleave/core/parallel.hpp"
#include "step/solver_base.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Origin of positions in solver memory, m: the middle of the body in single precision, which would round
/// them by 1e-7 of their distance from the origin; the origin in double.
inline Point centre_of_positions(const Mesh& mesh) {
  if (sizeof(Real) == sizeof(double) || mesh.nodes.empty()) return {};
  const auto [left, right] =
      std::minmax_element(mesh.nodes.begin(), mesh.nodes.end(), [](Point a, Point b) { return a.x < b.x; });
  const auto [bottom, top] =
      std::minmax_element(mesh.nodes.begin(), mesh.nodes.end(), [](Point a, Point b) { return a.y < b.y; });
  return {(left->x + right->x) / 2, (bottom->y + top->y) / 2};
}

template <class Backend, class Element>
template <class... Args>
SolverBase<Backend, Element>::SolverBase(const Model& model, Args&&... backend)
    : backend_(std::forward<Args>(backend)...),
      dt_(model.step),
      centre_(centre_of_positions(model.mesh)),
      thickness_(static_cast<Real>(model.thickness)),
      finite_(model.kinematics == Kinematics::finite),
      carefree_strain_(carefree_strain(model.step / model.critical_step)),
      midstep_velocity_(model.assembly == Assembly::gather),
      stiffness_safety_(stiffness_safety(model)),
      cohesive_case_(model.cohesive),
      motions_(model.motions),
      loads_(model.loads),
      body_acceleration_(model.body_acceleration),
      body_curve_(model.body_curve),
      drag_(model.drag),
      cohesive_(model) {
  backend_.time_stages(model.time_stages);
  if (cohesive_case_) {
    const InsertionCase& insertion = cohesive_case_->insertion;
    criterion_.strength_n = static_cast<Real>(cohesive_case_->parameters.normal.strength);
    criterion_.strength_t = static_cast<Real>(cohesive_case_->parameters.tangential.strength);
    criterion_.criterion = insertion.criterion;
    criterion_.aggregate = insertion.aggregate;
    friction_.coefficient = cohesive_case_->friction;
    if (insertion.box) {
      const auto& box = *insertion.box;
      criterion_.limited = true;
      criterion_.box_min = {Real(box[0] - centre_.x), Real(box[1] - centre_.y)};
      criterion_.box_max = {Real(box[2] - centre_.x), Real(box[3] - centre_.y)};
    }
  }
  Backend::memory.restart_peak();
  upload_materials(model);
  upload_strengths(model);
  held_groups_.upload(model);
  probes_.upload(model);
}

template <class Backend, class Element>
void SolverBase<Backend, Element>::upload_materials(const Model& model) {
  std::vector<Real> areal_densities, contact_moduli;
  for (const MaterialCase& m : model.materials) {
    areal_densities.push_back(static_cast<Real>(m.parameters.density) * static_cast<Real>(thickness_));
    contact_moduli.push_back(cohesive_case_ ? Real(cohesive_case_->contact_penalty * m.parameters.young_modulus)
                                            : Real(0));
  }
  materials_.upload(fields_, model);
  areal_densities_.upload(areal_densities);
  contact_moduli_.upload(contact_moduli);
}

inline std::vector<Real> rounded(const std::vector<double>& values) {
  std::vector<Real> all;
  all.reserve(values.size());
  for (const double value : values) all.push_back(static_cast<Real>(value));
  return all;
}

template <class Backend, class Element>
void SolverBase<Backend, Element>::upload_strengths(const Model& model) {
  element_scale_ = std::make_shared<std::vector<double>>(model.element_strength_scale);
  if (!model.energy_scale.empty()) energy_scale_.upload(rounded(model.energy_scale));
  const bool by_rate = cohesive_case_ && cohesive_case_->rate.exponent > 0;
  if (model.strength_scale.empty() && !by_rate) return;
  const std::vector<Real> scales =
      model.strength_scale.empty() ? std::vector<Real>(model.mesh.neighbours.size(), 1) : rounded(model.strength_scale);
  strength_scale_.upload(scales);
  criterion_.scale = strength_scale_.data();
  criterion_.least_scale = *std::min_element(scales.begin(), scales.end());
}

/// Declares the arrays that both solvers have.
template <class Backend, class Element>
void SolverBase<Backend, Element>::declare_body(const Model& model, bool stores_stress) {
  const bool published = model.assembly != Assembly::gather, erodes = materials_.may_erode();
  const bool ranks_facets = cohesive_case_ && cohesive_case_->insertion.selection == Selection::local_maximum;
  const bool by_rate = cohesive_case_ && cohesive_case_->rate.exponent > 0;
  nodes_.declare(fields_, published, by_rate);
  outside_.declare(fields_, model);
  fracture_.declare(fields_, ranks_facets);
  elements_.declare(fields_, stores_stress, erodes);
  cohesive_.declare(fields_, finite_);
  fragments_.declare(fields_);
  cracks_.list_mouths(model.loads);
  cracks_.declare(fields_);
  friction_.declare(fields_);
  viscosity_.start(fields_, model);
  if (erodes) erosion_.declare(fields_);
}

template <class Backend, class Element>
void SolverBase<Backend, Element>::upload_nodes(const Model& model) {
  const auto to_vec2 = [](const std::vector<Point>& points, Point from = {}) {
    auto out = parallel_vector<Vec2>(threads_for(0), points.size());
    parallel_for(threads_for(0), points.size(), 65536, [&](std::size_t begin, std::size_t end) {
      for (std::size_t n = begin; n < end; ++n)
        out[n] = {static_cast<Real>(points[n].x - from.x), static_cast<Real>(points[n].y - from.y)};
    });
    return out;
  };
  nodes_.count = model.mesh.node_count();
  fields_.reserve(backend_, On::node, nodes_.count);
  nodes_.position.upload(to_vec2(model.mesh.nodes, centre_));
  nodes_.displacement.upload(to_vec2(model.displacement));
  nodes_.velocity.upload(to_vec2(model.velocity));
  std::vector<Sym2> damping;
  for (const PlaneTensor& rate : model.damping)
    damping.push_back({static_cast<Real>(rate.xx), static_cast<Real>(rate.yy), static_cast<Real>(rate.xy)});
  if (outside_.absorbs) outside_.damping.upload(damping);
  nodes_.motion_x.upload({model.motion_x.begin(), model.motion_x.end()});
  nodes_.motion_y.upload({model.motion_y.begin(), model.motion_y.end()});
  for (auto* field : {&nodes_.acceleration, &nodes_.internal_force}) fill(*field, nodes_.count, Vec2{});
  if constexpr (compensated) fill(nodes_.dropped, nodes_.count, Vec2{});
}

template <class Backend, class Element>
template <class NumberSlots>
void SolverBase<Backend, Element>::upload_elements(const Model& model, NumberSlots number_slots) {
  const Mesh& mesh = model.mesh;
  const Index count = elements_.count = mesh.element_count();
  using Rows = ElementTable<Element>;
  auto nodes = parallel_vector<ElementNode>(threads_for(0), Rows::Nodes::extent(count));
  auto neighbours = parallel_vector<Index>(threads_for(0), Rows::Neighbours::extent(count));
  const Rows table{.nodes = {nodes.data()}, .neighbours = {neighbours.data()}, .bulk = count};
  parallel_for(threads_for(0), static_cast<std::size_t>(count), 16384, [&](std::size_t begin, std::size_t end) {
    for (auto e = static_cast<Index>(begin); e < static_cast<Index>(end); ++e) {
      for (int i = 0; i < Element::nodes; ++i) table.node(e, i) = mesh.node(e, i);
      for (int k = 0; k < 3; ++k) table.neighbour(e, k) = mesh.neighbour(e, k);
    }
  });
  number_slots(table);
  fields_.reserve(backend_, On::element, count);
  elements_.nodes.upload(nodes);
  elements_.neighbours.upload(neighbours);
  materials_.start();
  fragments_.start(backend_, mesh);
  scratch_.elements.resize(count);
  deformation_.resize(LargestDeformation<Element>::blocks_of(count));
  backend_.launch(ElementMass<Element>{
      elements_.table(), nodes_.position.data(), {areal_densities_.data(), materials_.of_element()}});
}

/// Puts what the outside does from step `first` on where the launches read it; the run is at step `now`.
template <class Backend, class Element>
void SolverBase<Backend, Element>::provide_inputs(Step first, Step now) {
  std::vector<Real> values;
  for (Step s = first; s < first + inputs_ahead; ++s) {
    const MotionState motion = motion_at(motions_, s, dt_);
    const std::size_t entries = motions_.size() + 1;
    values.insert(values.end(), motion.velocity, motion.velocity + entries);
    values.insert(values.end(), motion.acceleration, motion.acceleration + entries);
    for (std::size_t l = 0; l < loads_.size(); ++l) values.push_back(line_pressure(l, s));
    const Vec2 push = body_force(s);
    values.insert(values.end(), {push.x, push.y, drag_rate(s)});
  }
  inputs_.upload(values);
  end_input_ = first + inputs_ahead;
  backend_.launch(Fill<Index>{&live()->row, 1, static_cast<Index>(now - first)});
  backend_.launch(Fill<Step>{&live()->first_input, 1, first});
}

}  // namespace cleave::inline CLEAVE_PRECISION
