#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cleave/case/case_report.hpp"
#include "cleave/core/quantities.hpp"
#include "cleave/mesh/blocks.hpp"
#include "cleave/mesh/generators.hpp"
#include "cleave/mesh/numbering.hpp"
#include "cleave/mesh/topology.hpp"
#include "cleave/solver/model.hpp"
#include "mesh/ids.hpp"
#include "model/contact.hpp"
#include "model/critical_step.hpp"
#include "model/forces.hpp"
#include "model/groups.hpp"
#include "model/initial_state.hpp"
#include "model/magnitudes.hpp"
#include "model/materials.hpp"
#include "model/probes.hpp"
#include "model/processes.hpp"
#include "model/strength.hpp"
#include "model/supports.hpp"

namespace cleave {
namespace {

/// Numbers elements in compact blocks and the nodes of each block together, for the gather assembly. Reports nodes with
/// too many elements.
void number_by_block(Model& model, const Case& c, CaseReport& report) {
  Mesh& mesh = model.mesh;
  std::vector<int> at_node(mesh.node_count(), 0);
  for (const Index n : mesh.elements) ++at_node[n];
  const auto most = std::max_element(at_node.begin(), at_node.end());
  if (*most > most_elements_at_node) {
    const Point at = mesh.nodes[most - at_node.begin()];
    report.add(
        c.line_of_mesh, "mesh",
        fmt::format("the node at ({:g}, {:g}) belongs to {} elements, more than the {} that `run.assembly: gather` "
                    "takes; mesh that place with fewer, or choose `coloured`",
                    at.x, at.y, *most, most_elements_at_node));
    report.throw_if_any();
  }
  const std::vector<BlockRange> ranges = cut_blocks(model.material_ranges);
  auto elements = all_ids(static_cast<std::size_t>(mesh.element_count()));
  const bool as_given = c.mesh.numbering == Numbering::as_given;
  if (!as_given)
    elements = compact_block_order(mesh, ranges,
                                   c.mesh.numbering == Numbering::halves ? BlockOrder::halves : BlockOrder::present);
  const std::vector<Index> nodes = block_node_order(mesh, ranges, elements);
  renumber(mesh, nodes, as_given ? elements : place_in_blocks(mesh, ranges, elements, nodes));
}

Curve curve_of(const Case& c, const BoundaryCase& condition) {
  return condition.curve.empty() ? Curve{} : c.curves.at(condition.curve);
}

/// Index of a motion in the model plus 1; a new motion is appended. All fixed directions share one motion.
int motion_index(Model& model, double velocity, const Curve& curve) {
  const auto same = [&](const PrescribedMotion& m) {
    return m.velocity == velocity &&
           (velocity == 0 || (m.curve.kind() == curve.kind() && m.curve.decay_time() == curve.decay_time() &&
                              m.curve.points() == curve.points()));
  };
  const auto found = std::find_if(model.motions.begin(), model.motions.end(), same);
  if (found != model.motions.end()) return static_cast<int>(found - model.motions.begin()) + 1;
  model.motions.push_back({velocity, velocity == 0 ? Curve{} : curve});
  return static_cast<int>(model.motions.size());
}

void prescribe(Model& model, const BoundaryCase& condition, const Curve& curve, const Group& group) {
  const bool moves = condition.kind == BoundaryCase::Kind::velocity;
  if (condition.x) {
    const int motion = motion_index(model, moves ? condition.velocity[0] : 0, curve);
    for (const Index n : group.nodes) model.motion_x[n] = motion;
  }
  if (condition.y) {
    const int motion = motion_index(model, moves ? condition.velocity[1] : 0, curve);
    for (const Index n : group.nodes) model.motion_y[n] = motion;
  }
}

/// The group among those with columns in history.csv; null if there is no room for another.
HeldGroup* held_group(Model& model, const Group& group) {
  const auto found = std::find_if(model.held_groups.begin(), model.held_groups.end(),
                                  [&](const HeldGroup& g) { return g.name == group.name; });
  if (found != model.held_groups.end()) return &*found;
  if (model.held_groups.size() == most_held_groups) return nullptr;
  model.held_groups.push_back({group.name, group.nodes, std::vector<std::uint8_t>(group.nodes.size(), 0)});
  return &model.held_groups.back();
}

/// Makes this group the only one that prescribes these directions of its nodes.
void hold(Model& model, const BoundaryCase& condition, const Group& group) {
  const auto taken = static_cast<std::uint8_t>((condition.x ? HeldGroup::x : 0) | (condition.y ? HeldGroup::y : 0));
  for (HeldGroup& other : model.held_groups)
    for (std::size_t i = 0; i < other.nodes.size(); ++i)
      if (std::binary_search(group.nodes.begin(), group.nodes.end(), other.nodes[i]))
        other.directions[i] &= static_cast<std::uint8_t>(~taken);
  if (HeldGroup* own = held_group(model, group))
    for (std::uint8_t& directions : own->directions) directions |= taken;
}

void require_boundary_facets(const Mesh& mesh, const BoundaryCase& condition, const Group& group,
                             const std::string& key, CaseReport& report) {
  const bool loads = condition.kind != BoundaryCase::Kind::absorb;
  const std::string load = condition.kind == BoundaryCase::Kind::traction ? "traction" : "pressure";
  if (group.facets.empty())
    report.add(condition.line, key,
               group.inside.empty()
                   ? fmt::format("group \"{}\" holds nodes only, and {} acts on sides, per length: name a group of "
                                 "sides, such as one of mesh.groups",
                                 condition.on, loads ? "a " + load : "absorb")
                   : fmt::format("group \"{}\" has no facets on the boundary {}: mesh.cracks opens those inside the "
                                 "body",
                                 condition.on, loads ? "to press on" : "that could absorb"));
  for (const Index code : group.facets) {
    if (mesh.neighbours[code] == boundary_facet) continue;
    report.add(condition.line, key,
               fmt::format("{} needs boundary facets, but group \"{}\" holds an interior one, of element {}",
                           loads ? load : "absorb", condition.on, mesh.original_elements[element_of(code)]));
    break;
  }
}

void apply_boundary(Model& model, const Case& c, CaseReport& report) {
  constexpr std::size_t most_motions = 63;  // number of motions of MotionState
  std::vector<Index> absorbing;
  model.motion_x.assign(model.mesh.nodes.size(), 0);
  model.motion_y.assign(model.mesh.nodes.size(), 0);
  for (std::size_t i = 0; i < c.boundary.size(); ++i) {
    const BoundaryCase& condition = c.boundary[i];
    const std::string key = fmt::format("boundary.{}", i);
    const Group* group = find_group(model.mesh, GroupParts::nodes, condition.on, report, condition.line, key + ".on");
    if (group == nullptr) continue;
    const Curve curve = curve_of(c, condition);
    if (condition.kind == BoundaryCase::Kind::fix || condition.kind == BoundaryCase::Kind::velocity) {
      prescribe(model, condition, curve, *group);
      hold(model, condition, *group);
      continue;
    }
    require_boundary_facets(model.mesh, condition, *group, key + ".on", report);
    if (condition.kind == BoundaryCase::Kind::absorb) {
      absorbing.insert(absorbing.end(), group->facets.begin(), group->facets.end());
      continue;
    }
    if (condition.kind == BoundaryCase::Kind::traction) {
      const auto& [x, y] = condition.traction;
      const double size = std::hypot(x, y);
      if (size > 0) model.loads.push_back({size, curve, group->facets, false, false, Point{x / size, y / size}});
      continue;
    }
    model.loads.push_back({condition.pressure, curve, group->facets, condition.in_cracks, condition.follows, {}});
  }
  if (report.empty()) model.damping = damping_rates(model, absorbing);
  model.drag = c.damping;
  model.body_acceleration = c.body_force.acceleration;
  if (!c.body_force.curve.empty()) model.body_curve = c.curves.at(c.body_force.curve);
  if (model.motions.size() > most_motions)
    report.add(
        0, "boundary",
        fmt::format("{} different prescribed motions, at most {} are possible", model.motions.size(), most_motions));
}

void choose_step(Model& model, const Case& c, CaseReport& report) {
  check_damping_times(c, report);
  check_magnitudes(model, c, report);
  if (!report.empty()) return;
  model.critical_step = critical_step(model);
  if (!(model.critical_step > 0 && std::isfinite(model.critical_step))) {
    report.add(c.line_of_material, "material",
               fmt::format("with these numbers and this mesh the critical step is {:g} s; check the units of material, "
                           "mesh and supports",
                           model.critical_step));
    return;
  }
  // omega^2 dt^2 <= 4 (s + (dt / dt_crit)^2) with the cohesive stiffness capped at s, which also needs room.
  constexpr double largest_fraction = 0.95;
  double fraction = 1;
  if (c.cohesive) fraction = std::min(largest_fraction, std::sqrt(1 - c.cohesive->stiffness_safety.value_or(0)));
  model.stable_step = fraction * model.critical_step;
  const ProcessLimit processes = largest_step_of_processes(model);
  model.step = c.time.step.value_or(std::min({c.time.safety * model.critical_step, model.stable_step, processes.step}));
  if (!(model.step <= processes.step && processes.step > 0))
    report.add(c.line_of_time_step, "time.step",
               fmt::format("{:.4g} s is above the largest step of the process `{}`, {:.4g} s; take a smaller one or "
                           "`auto`",
                           model.step, processes.process, processes.step));
  if (model.step > model.stable_step)
    report.add(
        c.line_of_time_step, "time.step",
        fmt::format("{:.4g} s is above the largest stable step, {:.4g} s (critical step of the mesh {:.4g} s{}); "
                    "take a smaller one or `auto`",
                    model.step, model.stable_step, model.critical_step,
                    c.cohesive ? ", less what cohesive elements need" : ""));
  check_step(model, c, report);
}

/// Number of steps of length dt until an end time; not rounded to a whole number.
double steps_to_end(double end, double dt) {
  // A number of steps that misses the end by rounding only must not be rounded up.
  return end / dt * (1 - 1e-12);
}

void check_step_count(const Model& model, const Case& c, CaseReport& report) {
  if (!c.time.end || !report.empty()) return;  // without a step yet
  if (steps_to_end(*c.time.end, model.step) <= static_cast<double>(most_steps)) return;
  report.add(c.line_of_time_end, "time.end",
             fmt::format("{:g} s in steps of {:.4g} s (time.step) are {:.3g} steps, more than the {} that can be "
                         "counted; choose an earlier end or a longer step",
                         *c.time.end, model.step, *c.time.end / model.step, most_steps));
}

}  // namespace

void check_number_of_elements(const Case& c, ElementType type, Index elements) {
  const Index most = most_elements_of_body(type);
  if (elements <= most) return;
  CaseReport report(c);
  report.add(c.line_of_mesh, "mesh",
             fmt::format("{} triangles with {} nodes are more than the {} of which all nodes and cracks can be "
                         "numbered; choose a coarser mesh",
                         elements, nodes_per_element(type), most));
  report.throw_if_any();
}

Model make_model(const Case& c) {
  CaseReport report(c);
  Model model;
  model.mesh = make_mesh(c);
  check_number_of_elements(c, model.mesh.type, model.mesh.element_count());
  model.kinematics = c.kinematics;
  if (!assign_materials(model, c, report)) {
    apply_boundary(model, c, report);  // to report further errors
    report.throw_if_any();
  }
  if (c.run.assembly == Assembly::gather) number_by_block(model, c, report);
  model.thickness = c.mesh.thickness;
  model.cohesive = c.cohesive;
  if (c.cohesive) set_strengths(model, cohesive_entries(*c.cohesive, model.mesh, report));
  model.precision = c.run.precision;
  model.assembly = c.run.assembly;
  apply_boundary(model, c, report);
  apply_support(model, c, report);
  apply_forces(model, c, report);
  apply_processes(model, c, report);
  apply_initial(model, c, report);
  apply_contact(model, c, report);
  if (!c.output.probes.empty() || !c.output.lines.empty()) {
    const ElementFinder finder(model.mesh);
    place_probes(model, c, finder, report);
    place_lines(model, c, finder, report);
  }
  choose_step(model, c, report);
  check_step_count(model, c, report);
  report.throw_if_any();
  if (c.run.assembly != Assembly::gather) model.colouring = colour_elements(model.mesh, c.mesh.colouring);
  return model;
}

double stiffness_safety(const Model& model) {
  if (!model.cohesive) return 0;
  const double f = model.step / model.critical_step;
  return model.cohesive->stiffness_safety.value_or(std::min(model.cohesive->largest_safety(), 0.8 * (1 - f * f)));
}

double contact_safety(const Model& model) {
  const double f = model.step / model.critical_step;
  return std::min(0.3, 0.8 * (1 - f * f));
}

Step step_count(const TimeCase& time, double dt) {
  if (!time.end) return time.steps;
  return static_cast<Step>(std::ceil(steps_to_end(*time.end, dt)));
}

}  // namespace cleave
