#include "model/part_message.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "cleave/mesh/blocks.hpp"
#include "cleave/partition/part.hpp"
#include "model/message.hpp"

namespace cleave {

// Structured bindings name all members, so that one that is added does not compile before it is thought of here. Those
// of a mesh that a part has are in for_each_array.

template <Same<LawTable> T, class F>
void for_each_member(T& table, F& f) {
  auto& [rows, on_gpu] = table;
  f(rows);
}
template <Same<HardeningCase> T, class F>
void for_each_member(T& hardening, F& f) {
  auto& [linear, table] = hardening;
  f(linear, table);
}
template <Same<MaterialCase> T, class F>
void for_each_member(T& material, F& f) {
  auto& [law, parameters, values, hardening, viscosity, erosion, tables] = material;
  f(law, parameters, values, hardening, viscosity, erosion, tables);
}
template <Same<CohesiveParameters> T, class F>
void for_each_member(T& parameters, F& f) {
  auto& [normal, tangential, values, tables] = parameters;
  f(normal, tangential, values, tables);
}
template <Same<CohesiveFacets> T, class F>
void for_each_member(T& facets, F& f) {
  auto& [on, between, between_different, line] = facets;
  f(on, between[0], between[1], between_different, line);
}
template <Same<CohesiveEntry> T, class F>
void for_each_member(T& entry, F& f) {
  auto& [facets, strength, energy, distribution] = entry;
  f(facets, strength, energy, distribution);
}
template <Same<CohesiveCase> T, class F>
void for_each_member(T& c, F& f) {
  auto& [law, parameters, distribution, facets, others, rate, friction, insertion, stiffness_safety, penalty] = c;
  f(law, parameters, distribution, facets, others, rate, friction, insertion, stiffness_safety, penalty);
}
template <class F>
void for_each_member(const Curve& curve, F& f) {
  f(curve.kind(), curve.decay_time(), curve.points());
}
template <class F>
void for_each_member(Curve& curve, F& f) {
  Curve::Kind kind{};
  double time = 0;
  std::vector<std::pair<double, double>> points;
  f(kind, time, points);
  switch (kind) {
    case Curve::Kind::constant:
      curve = {};
      break;
    case Curve::Kind::exponential:
      curve = Curve::exponential(time);
      break;
    case Curve::Kind::linear_decay:
      curve = Curve::linear_decay(time);
      break;
    case Curve::Kind::half_sine:
      curve = Curve::half_sine(time);
      break;
    case Curve::Kind::table:
      curve = Curve::table(std::move(points));
      break;
  }
}
template <Same<PrescribedMotion> T, class F>
void for_each_member(T& motion, F& f) {
  auto& [velocity, curve] = motion;
  f(velocity, curve);
}
template <Same<PressureLoad> T, class F>
void for_each_member(T& load, F& f) {
  auto& [pressure, curve, facets, in_cracks, follows, direction] = load;
  f(pressure, curve, facets, in_cracks, follows, direction);
}
template <Same<HeldGroup> T, class F>
void for_each_member(T& group, F& f) {
  auto& [name, nodes, directions] = group;
  f(name, nodes, directions);
}
template <Same<ProbePoint> T, class F>
void for_each_member(T& probe, F& f) {
  auto& [name, every, element, facet, strength_scale, elsewhere, shape, gradient, gauss_weight] = probe;
  f(name, every, element, facet, strength_scale, elsewhere, shape, gradient, gauss_weight);
}
template <Same<ForceCase> T, class F>
void for_each_member(T& force, F& f) {
  auto& [law, on, values, tables, line, stiffness] = force;
  f(law, on, values, tables, line, stiffness);
}
template <Same<Neighbour> T, class F>
void for_each_member(T& neighbour, F& f) {
  auto& [rank, send, receive, send_elements, receive_elements] = neighbour;
  f(rank, send, receive, send_elements, receive_elements);
}
template <Same<Partition> T, class F>
void for_each_member(T& partition, F& f) {
  auto& [ranks, rank, first_element, first_block, first_interface_node, own, absent, border, interface, neighbours] =
      partition;
  f(ranks, rank, first_element, first_block, first_interface_node, own, absent, border, interface, neighbours);
}
template <class F>
void for_each_member(const PartRows& rows, F& f) {
  f(rows.runs());
}
template <class F>
void for_each_member(PartRows& rows, F& f) {
  std::vector<PartRun> runs;
  f(runs);
  for (const PartRun& run : runs) rows.add(run.in_body, run.count);
}
template <Same<Part> T, class F>
void for_each_member(T& part, F& f) {
  auto& [elements, nodes, first_of_block, partition, first_block, material_ranges, body, box] = part;
  f(elements, nodes, first_of_block, partition, first_block, material_ranges, body, box);
}
/// All but the arrays of for_each_array, and what a part does without: contact, obstacles, processes, lines, colours.
template <Same<Model> T, class F>
void for_each_member(T& model, F& f) {
  auto& [mesh, colouring, thickness, kinematics, materials, element_material, material_ranges, cohesive, cohesive_entry,
         strength_scale, energy_scale, element_strength_scale, step, critical_step, stable_step, displacement, velocity,
         motions, motion_x, motion_y, loads, body_acceleration, body_curve, drag, damping, support, forces, forced,
         processes, obstacles, sides_touch, contact, touching, held_groups, probes, lines, precision, assembly,
         time_stages, part] = model;
  f(mesh.type, thickness, kinematics, materials, material_ranges, cohesive, step, critical_step, stable_step, motions,
    loads, body_acceleration, body_curve, drag, forces, held_groups, probes, precision, assembly, time_stages);
}

namespace {

/// Calls f(array, rows, width) for the arrays by node and by element, of which a part has rows.
template <Same<Model> T, class F>
void for_each_array(T& model, const Part& part, const F& f) {
  const int nodes = nodes_per_element(model.mesh.type);
  f(model.mesh.nodes, part.nodes, 1);
  f(model.displacement, part.nodes, 1);
  f(model.velocity, part.nodes, 1);
  f(model.motion_x, part.nodes, 1);
  f(model.motion_y, part.nodes, 1);
  f(model.damping, part.nodes, 1);
  f(model.support, part.nodes, 1);
  f(model.forced, part.nodes, 1);
  f(model.mesh.elements, part.elements, nodes);
  f(model.mesh.neighbours, part.elements, facets_per_element);
  f(model.element_material, part.elements, 1);
  f(model.element_strength_scale, part.elements, 1);
  f(model.cohesive_entry, part.elements, facets_per_element);
  f(model.strength_scale, part.elements, facets_per_element);
  f(model.energy_scale, part.elements, facets_per_element);
}

/// Own ids of the facets that a part has.
std::vector<Index> own_facets(const std::vector<Index>& facets, const PartIds& elements) {
  std::vector<Index> own;
  for (const Index code : facets)
    if (const Index e = elements.own_id(element_of(code)); e >= 0) own.push_back(facet_code(e, facet_of(code)));
  return own;
}

void keep_nodes(HeldGroup& group, const PartIds& nodes) {
  HeldGroup own{group.name, {}, {}};
  for (std::size_t i = 0; i < group.nodes.size(); ++i)
    if (const Index n = nodes.own_id(group.nodes[i]); n >= 0) {
      own.nodes.push_back(n);
      own.directions.push_back(group.directions[i]);
    }
  group = std::move(own);
}

/// Gives a model of a part own ids.
void take_own_ids(Model& model, const Part& part) {
  to_own_ids(model.mesh, part);
  for (Index& end : model.material_ranges) end = part.elements.before(end);
  const PartIds nodes = part.nodes.ids(), elements = part.elements.ids();
  for (PressureLoad& load : model.loads) load.facets = own_facets(load.facets, elements);
  for (HeldGroup& group : model.held_groups) keep_nodes(group, nodes);
  for (ProbePoint& probe : model.probes) {
    const Index own = elements.own_id(probe.element);
    probe.elsewhere = own < 0;
    probe.element = std::max(own, Index{0});
  }
}

}  // namespace

bool needs_whole_body(const Case& c) {
  return c.contact || !c.obstacles.empty() || !c.processes.empty() ||
         std::any_of(c.boundary.begin(), c.boundary.end(), [](const BoundaryCase& b) { return b.in_cracks; });
}

std::vector<std::byte> message_to_rank(const Model& whole, int rank, int ranks) {
  const Part part = make_part(whole.mesh, cut_blocks(whole.material_ranges), interface_nodes_per_block, ranks, rank);
  MessageWriter write;
  write(part, whole);
  std::size_t bytes = 0;
  for_each_array(whole, part, [&](const auto& values, const PartRows& rows, std::size_t width) {
    if (!values.empty()) bytes += rows.count() * width * sizeof(values.front());
    bytes += sizeof(std::uint64_t);
  });
  write.expect(bytes);
  for_each_array(whole, part, [&](const auto& values, const PartRows& rows, std::size_t width) {
    write(static_cast<std::uint64_t>(values.empty() ? 0 : rows.count() * width));
    for (const PartRun& run : rows.runs())
      if (!values.empty()) write.raw(values.data() + run.in_body * width, run.count * width);
  });
  return write.take();
}

Model model_from(const std::vector<std::byte>& message) {
  MessageReader read(message);
  const auto part = std::make_shared<Part>();
  Model model;
  read(*part, model);
  for_each_array(model, *part, [&](auto& values, const PartRows&, std::size_t) { read(values); });
  if (!read.at_end()) throw std::logic_error("a message about a part of the body has an end that nobody reads");
  take_own_ids(model, *part);
  model.part = part;
  return model;
}

}  // namespace cleave
