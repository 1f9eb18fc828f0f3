#include "app/case_warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include "app/case_text.hpp"
#include "app/estimates.hpp"
#include "cleave/core/machine.hpp"
#include "cleave/core/parallel.hpp"
#include "cleave/material/linear_elastic.hpp"
#include "cleave/mesh/contact_depth.hpp"
#include "cleave/mesh/topology.hpp"
#include "model/contact.hpp"
#include "model/critical_step.hpp"
#include "model/groups.hpp"
#include "model/strength.hpp"

namespace cleave {
namespace {

/// No solid is both so soft and so heavy; values in GPa or MPa instead of Pa look like this.
void warn_of_units(const Case& c, Warnings& warnings) {
  constexpr double soft = 1e6, heavy = 100;
  for (const MaterialEntry& entry : c.material) {
    const ElasticParameters& m = entry.properties.parameters;
    if (m.young_modulus >= soft || m.density <= heavy) continue;
    warnings.add("units", fmt::format("young_modulus {:g} Pa with density {:g} kg/m^3{}: all keys are in SI units",
                                      m.young_modulus, m.density, entry.on.empty() ? "" : " on " + entry.on));
  }
}

/// No solid has waves so fast; lengths in mm with stresses in MPa and densities in t/mm^3 look like this.
void warn_of_fast_waves(const Model& model, Warnings& warnings) {
  constexpr double too_fast = 2e4;  // m/s; diamond has 1.8e4
  const double speed = fastest_wave(model);
  if (speed > too_fast)
    warnings.add("units",
                 fmt::format("waves travel at {:.3g} m/s, faster than in any solid: young_modulus is in Pa and "
                             "density in kg/m^3 (steel: 210.0e9 and 7850)",
                             speed));
}

/// Most mesh files are in millimetres or metres; bodies of several metres are rare enough to ask.
void warn_of_millimetres(const Case& c, const Mesh& mesh, Warnings& warnings) {
  constexpr double large = 5;  // m
  const Box body = box_around(mesh.nodes);
  if (c.mesh.shape != MeshShape::file || c.mesh.scale_given || std::max(body.width(), body.height()) < large) return;
  warnings.add("mesh.scale", fmt::format("the body is {:.3g} x {:.3g} m: if its file is in mm, add scale: 1.0e-3 to "
                                         "mesh; scale: 1 says that it is in m",
                                         body.width(), body.height()));
}

/// Strengths in MPa or GPa; returns whether there are any. Solids break at strains of about 1e-6 (snow) to 1e-1
/// (fibres), rubber at more.
bool warn_of_strengths(const Case& c, const Model& model, Warnings& warnings) {
  constexpr double small = 1e-8;
  double stiffest = 0;
  for (const MaterialCase& material : model.materials) stiffest = std::max(stiffest, material.parameters.young_modulus);
  const CohesiveParameters& law = c.cohesive->parameters;
  double weakest = std::min(law.normal.strength, law.tangential.strength);
  for (const CohesiveEntry& entry : c.cohesive->others) weakest = std::min(weakest, entry.strength);
  if (weakest >= small * stiffest) return false;
  warnings.add("strength", fmt::format("{:.3g} Pa is {:.2g} of young_modulus, and no solid breaks at so small a "
                                       "strain: strengths are in Pa, so that 3 MPa are 3.0e6",
                                       weakest, weakest / stiffest));
  return true;
}

/// The opening at which a facet carries nothing any more is over the elastic elongation of the body at its strength
/// about twice the zone over the body: a body that a hundredth of its zone is does not break, it is drawn apart.
void warn_of_long_zone(const WorstZone& at, const Model& model, Warnings& warnings) {
  constexpr double many = 100;
  const Box body = box_around(model.mesh.nodes);
  const double times = at.zone / std::max(body.width(), body.height());
  const CohesiveMode& law = model.cohesive->parameters.normal;
  if (times > many)
    warnings.add("cohesive zone",
                 fmt::format("it is {:.2g} m long, {:.2g} times the body: facets pull until they are open by about "
                             "{:.2g} m; check strength (Pa), energy (J/m^2) and young_modulus (Pa)",
                             at.zone, times, 2 * law.energy / law.strength));
}

/// In some runs no wave gets anywhere; others last longer than anybody waits. Both come of other units.
void warn_of_end(const Case& c, const Model& model, Warnings& warnings) {
  constexpr double few = 0.05, many = 1e5;  // times across the body
  const Step steps = step_count(c.time, model.step);
  const Box body = box_around(model.mesh.nodes);
  const double end = static_cast<double>(steps) * model.step, way = fastest_wave(model) * end;
  const double small = std::min(body.width(), body.height()), large = std::max(body.width(), body.height());
  if (steps > 0 && way < few * small)
    warnings.add("end", fmt::format("waves travel {:.2g} m until the end at {:.3g} s, {:.2g} % of the body of {:.3g} x "
                                    "{:.3g} m: lengths are in m, times in s",
                                    way, end, 100 * way / small, body.width(), body.height()));
  if (way > many * large)
    warnings.add(
        "end", fmt::format("waves cross the body {:.2g} times until the end at {:.3g} s, in {:.2g} steps: times are in "
                           "s, so that 60 microseconds are 60.0e-6",
                           way / large, end, static_cast<double>(steps)));
}

/// Without a load the body stays as it is.
void warn_of_rest(const Model& model, Warnings& warnings) {
  const auto moves = [](const Point& p) { return p.x != 0 || p.y != 0; };
  const auto drives = [](const PrescribedMotion& m) { return m.velocity != 0; };
  const auto presses = [](const PressureLoad& load) { return load.pressure != 0; };
  const bool loaded =
      model.has_body_force() || std::any_of(model.loads.begin(), model.loads.end(), presses) ||
      std::any_of(model.motions.begin(), model.motions.end(), drives) ||
      std::any_of(model.displacement.begin(), model.displacement.end(), moves) ||
      std::any_of(model.velocity.begin(), model.velocity.end(), moves) ||
      std::any_of(model.obstacles.begin(), model.obstacles.end(), [&](const Obstacle& o) { return moves(o.velocity); });
  if (!loaded)
    warnings.add("load",
                 "nothing loads the body, which stays at rest: give a pressure or a velocity in `boundary`, a "
                 "`body_force`, or a strain or velocity in `initial`");
}

/// Without contact, parts are mostly meant to be one body.
void warn_of_parts(const Model& model, Warnings& warnings) {
  const Mesh& mesh = model.mesh;
  const std::vector<Index> parts = first_elements_of_parts(mesh);
  if (parts.size() == 1 || model.sides_touch) return;
  warnings.add("parts",
               fmt::format("the mesh has {} parts that no facet joins, of {} and {}{}: they neither hold nor "
                           "stop each other; join them in the mesh if they are one body, or add `contact: {{}}`",
                           parts.size(), place_of(mesh, parts[0]), place_of(mesh, parts[1]),
                           parts.size() > 2 ? ", for two" : ""));
}

/// A few small or flat elements that make the run longer than all others would.
void warn_of_sliver(const Model& model, Warnings& warnings) {
  constexpr double few_times = 5;
  const UsualSteps usual = usual_steps(model);
  if (usual.low < few_times * model.critical_step) return;
  warnings.add("sliver",
               fmt::format("{} makes the step {:.2g} times smaller than the median element would, and all but "
                           "1 % of the elements would allow one {:.2g} times larger: mesh that place again",
                           place_of(model.mesh, limiting_element(model)), usual.median / model.critical_step,
                           usual.low / model.critical_step));
}

/// The body differs slightly from that in the file.
void warn_of_straightening(const Mesh& mesh, Warnings& warnings) {
  const Straightening& s = mesh.straightened;
  if (s.nodes == 0) return;
  warnings.add(
      "curved sides",
      fmt::format(
          "{} mid-side nodes were moved to the middle of their sides, by up to {:.3g} m, which changes the area "
          "by {:.3g} m^2 ({:.2g} % of it)",
          s.nodes, s.farthest, s.area_change, 100 * s.area_change / quality(mesh).area));
}

/// The velocity that `boundary` prescribes at the start for a direction of a node, m/s; empty: free.
std::optional<double> prescribed(const Model& model, const std::vector<int>& motion, Index node) {
  if (motion[node] == 0) return {};
  const PrescribedMotion& m = model.motions[motion[node] - 1];
  return m.velocity * m.curve.value(0);
}

/// Warns if `boundary` cancels an initial velocity completely. If it holds only some of the nodes, as for a body that
/// hits a wall, no warning is given.
void warn_of_held_velocity(const std::string& of, const std::vector<Index>& nodes, const Model& model,
                           Warnings& warnings) {
  for (const bool along_x : {true, false}) {
    const std::vector<int>& motion = along_x ? model.motion_x : model.motion_y;
    const auto starts = [&](Index n) { return along_x ? model.velocity[n].x : model.velocity[n].y; };
    const auto moves = [&](Index n) { return starts(n) != 0; };
    const auto loses = [&](Index n) { return moves(n) && motion[n] != 0 && prescribed(model, motion, n) != starts(n); };
    const auto moving = std::count_if(nodes.begin(), nodes.end(), moves);
    if (moving == 0 || std::count_if(nodes.begin(), nodes.end(), loses) < moving) continue;
    warnings.add(fmt::format("initial velocity of {} along {}", of, along_x ? "x" : "y"),
                 "it has no effect: `boundary` holds or drives all these nodes in this direction");
  }
}

void warn_of_held_velocities(const Case& c, const Model& model, Warnings& warnings) {
  if (model.motions.empty()) return;
  for (const InitialGroup& entry : c.initial_groups)
    if (const Group* group = model.mesh.find_group(entry.on))
      warn_of_held_velocity(fmt::format("`{}`", entry.on), nodes_of(model.mesh, *group), model, warnings);
  if (!c.initial_groups.empty()) return;
  std::vector<Index> all(model.mesh.nodes.size());
  std::iota(all.begin(), all.end(), 0);
  warn_of_held_velocity("all nodes", all, model, warnings);
}

/// T3 in plane strain with nearly incompressible material have more conditions on their area than their nodes can
/// satisfy. In crossed quads one of the four conditions follows from the others.
void warn_of_locking(const Model& model, Warnings& warnings) {
  constexpr double much = 20, few = 0.1;
  if (model.mesh.type != ElementType::t3) return;
  std::vector<std::uint8_t> in_crossed_quad;
  for (std::size_t m = 0; m < model.materials.size(); ++m) {
    const LinearElastic elastic = LinearElastic::make(model.materials[m].parameters);
    const double ratio = elastic.d12 / elastic.d33;
    if (!(ratio > much)) continue;
    if (in_crossed_quad.empty()) in_crossed_quad = elements_of_crossed_quads(model.mesh);
    const auto begin = in_crossed_quad.begin() + model.material_ranges[m],
               end = in_crossed_quad.begin() + model.material_ranges[m + 1];
    const double share = static_cast<double>(std::count(begin, end, 0)) / static_cast<double>(end - begin);
    if (share > few)
      warnings.add(
          "locking",
          fmt::format("{:.0f} % of the T3 with poisson_ratio {:g} do not lie in quads cut by both diagonals: with "
                      "lambda/mu = {:.3g}, above {:g}, they are much too stiff in plane strain; take T6",
                      100 * share, model.materials[m].parameters.poisson_ratio, ratio, much));
  }
}

/// An overlap at the start pushes nothing: it is an allowance.
void warn_of_overlap(const Model& model, Warnings& warnings) {
  const Overlap overlap = deepest_overlap(model);
  if (overlap.depth > 0)
    warnings.add("overlap",
                 fmt::format("at the start the body is inside the obstacle \"{}\" by {:.3g} m, at ({:g}, {:g}): this "
                             "depth makes no force and shrinks as they part",
                             overlap.obstacle, overlap.depth, overlap.place.x, overlap.place.y));
  if (!model.sides_touch) return;
  const ElementOverlap own = deepest_element_overlap(model.mesh);
  if (own.depth > 0)
    warnings.add(
        "parts",
        fmt::format("at the start parts of the body lie in each other by {:.3g} m, at ({:g}, {:g}): this depth "
                    "makes no force and shrinks as they part",
                    own.depth, own.place.x, own.place.y));
}

}  // namespace

WorstZone worst_zone(const Model& model) {
  const CohesiveParameters& first = model.cohesive->parameters;
  std::vector<double> of_material, of_entry{1};  // m; relative to the first entry
  for (const MaterialCase& material : model.materials)
    of_material.push_back(std::min(cohesive_zone_length(material.parameters, first.normal),
                                   cohesive_zone_length(material.parameters, first.tangential)));
  for (const CohesiveEntry& entry : model.cohesive->others) {
    const double strength = entry.strength / first.normal.strength;
    of_entry.push_back(entry.energy / first.normal.energy / (strength * strength));
  }
  const Mesh& mesh = model.mesh;
  const auto look = [&](std::size_t begin, std::size_t end) {
    WorstZone worst;
    for (auto code = static_cast<Index>(begin); code < static_cast<Index>(end); ++code) {
      const Index e = element_of(code);
      const int k = facet_of(code);
      const Index other = mesh.neighbour(e, k);
      if (!may_break(model, e, k) || element_of(other) < e) continue;
      const Index entry = model.cohesive_entry.empty() ? 0 : model.cohesive_entry[code];
      const double zone = of_entry[entry] * std::min(of_material[model.element_material[e]],
                                                     of_material[model.element_material[element_of(other)]]);
      const double length = facet_length(mesh, code);
      if (zone / length < worst.facets()) worst = {zone, length};
    }
    return worst;
  };
  WorstZone worst;
  for (const WorstZone& found : parallel_results(threads_for(0), mesh.neighbours.size(), 65536, look))
    if (found.facets() < worst.facets()) worst = found;
  return worst;
}

void warn_of_case(const Case& c, const Model& model, Warnings& warnings) {
  warn_of_units(c, warnings);
  warn_of_fast_waves(model, warnings);
  warn_of_end(c, model, warnings);
  warn_of_rest(model, warnings);
  warn_of_parts(model, warnings);
  warn_of_millimetres(c, model.mesh, warnings);
  warn_of_sliver(model, warnings);
  warn_of_straightening(model.mesh, warnings);
  warn_of_held_velocities(c, model, warnings);
  warn_of_overridden(c, model.mesh, warnings);
  warn_of_overlap(model, warnings);
  warn_of_locking(model, warnings);
  if (!c.cohesive) return;
  // Above this, facets that share corners and touch are unstable (docs/theory.md, 5.3).
  constexpr double most_safety = 0.6;
  if (const auto safety = c.cohesive->stiffness_safety; safety && *safety > most_safety)
    warnings.add("stiffness_safety", fmt::format("{:g} is above {:g}: where many facets touch, contact may make energy "
                                                 "(cohesive_account becomes more and more negative)",
                                                 *safety, most_safety));
  const WorstZone at = worst_zone(model);
  const double facets = at.facets();
  if (!warn_of_strengths(c, model, warnings) && std::isfinite(at.zone)) warn_of_long_zone(at, model, warnings);
  if (facets >= enough_zone) return;
  warnings.add(
      "cohesive zone",
      fmt::format("it is {:.2g} facets long where the mesh is coarsest for it, about {:g} or more are needed: onset "
                  "and number of cracks depend on the mesh (see `cleave check`)",
                  facets, enough_zone));
}

}  // namespace cleave
