#include "model/contact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "cleave/mesh/altitude.hpp"
#include "cleave/mesh/element.hpp"
#include "cleave/mesh/topology.hpp"
#include "model/groups.hpp"
#include "model/probes.hpp"

namespace cleave {
namespace {

/// Appends the motion of a driven obstacle along one direction. Returns its place, counted from 1.
int append_motion(Model& model, double velocity, const Curve& curve) {
  model.motions.push_back({velocity, curve});
  return static_cast<int>(model.motions.size());
}

Obstacle obstacle_of(Model& model, const Case& c, const ObstacleCase& given) {
  Obstacle o;
  o.name = given.name;
  o.place = {given.place[0], given.place[1]};
  o.friction = given.friction;
  if (given.shape == ObstacleCase::Shape::plane) {
    const double length = std::hypot(given.normal[0], given.normal[1]);
    o.normal = {given.normal[0] / length, given.normal[1] / length};
  } else {
    o.radius = given.radius;
  }
  if (given.mass) {
    o.mass = *given.mass;
    if (o.radius > 0) o.inertia = given.inertia.value_or(o.mass * o.radius * o.radius / 2);
    o.velocity = {given.velocity[0], given.velocity[1]};
  } else {
    const Curve curve = given.curve.empty() ? Curve{} : c.curves.at(given.curve);
    for (int i = 0; i < 2; ++i)
      if (given.velocity[i] != 0) o.motion[i] = append_motion(model, given.velocity[i], curve);
  }
  return o;
}

/// Depth of a place inside an obstacle, m; negative outside.
double depth_in(const Obstacle& o, Point p) {
  const double x = p.x - o.place.x, y = p.y - o.place.y;
  return o.radius > 0 ? o.radius - std::hypot(x, y) : -(x * o.normal.x + y * o.normal.y);
}

void choose_elements(Model& model, const Case& c, CaseReport& report) {
  if (!c.contact || c.contact->on.empty()) return;
  model.touching.assign(model.mesh.element_count(), 0);
  for (const std::string& name : c.contact->on)
    if (const Group* group =
            find_group(model.mesh, GroupParts::triangles, name, report, c.contact->line_of_on, "contact.on"))
      for (const Index e : group->elements) model.touching[e] = 1;
}

/// Sides follow each other around each part of the body: two parts must not have one node in common alone.
void refuse_pinched_nodes(const Mesh& mesh, const Case& c, CaseReport& report) {
  std::vector<std::uint8_t> starts(mesh.nodes.size(), 0);
  for (Index code = 0; code < static_cast<Index>(mesh.neighbours.size()); ++code) {
    if (mesh.neighbours[code] != boundary_facet) continue;
    const Index n = mesh.node(element_of(code), T3::facet_slot(facet_of(code), 0));
    if (starts[n]++ == 0) continue;
    return report.add(c.line_of_mesh, "mesh",
                      fmt::format("two parts of the body meet in the node at ({:g}, {:g}) alone: contact needs a node "
                                  "for each of them",
                                  mesh.nodes[n].x, mesh.nodes[n].y));
  }
}

void refuse_other_features(const Case& c, CaseReport& report) {
  for (const MaterialEntry& entry : c.material)
    if (entry.properties.erosion.any())
      return report.add(c.line_of_material, "material",
                        "`erosion` does not go with `contact` and `obstacles` yet: leave one of them out");
}

/// A disc in the middle of triangles has no point of the surface in it.
std::vector<std::uint8_t> discs_in_body(const Model& model) {
  std::vector<std::uint8_t> inside(model.obstacles.size(), 0);
  const auto is_disc = [](const Obstacle& o) { return o.radius > 0; };
  if (std::none_of(model.obstacles.begin(), model.obstacles.end(), is_disc)) return inside;
  const ElementFinder finder(model.mesh);
  for (std::size_t i = 0; i < inside.size(); ++i) {
    const auto element = finder.element_at(model.obstacles[i].place);
    inside[i] = is_disc(model.obstacles[i]) && element && (model.touching.empty() || model.touching[*element] != 0);
  }
  return inside;
}

void refuse_overlaps(const Model& model, const Case& c, CaseReport& report) {
  const Overlap overlap = deepest_overlap(model);
  const std::vector<std::uint8_t> inside = discs_in_body(model);
  for (std::size_t i = 0; i < c.obstacles.size(); ++i) {
    const ObstacleCase& given = c.obstacles[i];
    const std::string key = fmt::format("obstacles.{}", i);
    if (overlap.depth > overlap.limit && overlap.obstacle == given.name)
      report.add(given.line, key,
                 fmt::format("at the start the body is inside it: at ({:g}, {:g}) by {:.3g} m, and {:.3g} m, a quarter "
                             "of the altitude of the triangle there, are possible; move it",
                             overlap.place.x, overlap.place.y, overlap.depth, overlap.limit));
    else if (inside[i])
      report.add(given.line, key,
                 fmt::format("at the start its centre ({:g}, {:g}) is inside the body; move it", given.place[0],
                             given.place[1]));
  }
}

}  // namespace

void apply_contact(Model& model, const Case& c, CaseReport& report) {
  if (!c.contact && c.obstacles.empty()) return;
  model.sides_touch = c.contact.has_value();
  if (c.contact) model.contact = *c.contact;
  refuse_other_features(c, report);
  refuse_pinched_nodes(model.mesh, c, report);
  choose_elements(model, c, report);
  for (std::size_t i = 0; i < c.obstacles.size(); ++i) {
    const ObstacleCase& given = c.obstacles[i];
    model.obstacles.push_back(obstacle_of(model, c, given));
    for (const HeldGroup& group : model.held_groups)
      if (group.name == given.name)
        report.add(given.line, fmt::format("obstacles.{}.name", i),
                   fmt::format("group \"{}\" has columns of this name: take another one", given.name));
  }
  constexpr std::size_t most_motions = 63;  // number of motions of MotionState
  if (model.motions.size() > most_motions)
    report.add(0, "obstacles",
               fmt::format("{} different prescribed motions of groups and obstacles, at most {} are possible",
                           model.motions.size(), most_motions));
  refuse_overlaps(model, c, report);
}

Overlap deepest_overlap(const Model& model) {
  Overlap worst;
  const Mesh& mesh = model.mesh;
  for (Index code = 0; code < static_cast<Index>(mesh.neighbours.size()); ++code) {
    const Index e = element_of(code);
    if (model.obstacles.empty() || mesh.neighbours[code] != boundary_facet ||
        (!model.touching.empty() && model.touching[e] == 0))
      continue;
    const double limit =
        largest_contact_depth *
        least_altitude(mesh.nodes[mesh.node(e, 0)], mesh.nodes[mesh.node(e, 1)], mesh.nodes[mesh.node(e, 2)]);
    Point at[2];
    for (int i = 0; i < 2; ++i) {
      const Index n = mesh.node(e, T3::facet_slot(facet_of(code), i));
      at[i] = {mesh.nodes[n].x + model.displacement[n].x, mesh.nodes[n].y + model.displacement[n].y};
    }
    for (const Point p : {at[0], Point{(at[0].x + at[1].x) / 2, (at[0].y + at[1].y) / 2}})
      for (const Obstacle& o : model.obstacles) {
        const double depth = depth_in(o, p);
        if (depth > 0 && depth * worst.limit >= worst.depth * limit) worst = {depth, limit, p, o.name};
      }
  }
  return worst;
}

}  // namespace cleave
