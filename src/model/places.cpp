#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <utility>

#include "cleave/case/case_report.hpp"
#include "cleave/mesh/topology.hpp"
#include "mesh/groups.hpp"
#include "model/groups.hpp"

namespace cleave {
namespace {

using Rule = PlaceCase::Rule;

bool contains(const std::array<double, 4>& box, Point p) {
  return p.x >= box[0] && p.y >= box[1] && p.x <= box[2] && p.y <= box[3];
}

std::string text_of_box(const std::array<double, 4>& box) {
  return fmt::format("the box from ({:g}, {:g}) to ({:g}, {:g})", box[0], box[1], box[2], box[3]);
}

/// Whether a boundary side from a to b, with the body on its left, belongs to the group.
bool holds(const PlaceCase& place, Point a, Point b) {
  if (place.rule == Rule::sides_in_box) return contains(place.box, a) && contains(place.box, b);
  if (place.rule == Rule::sides_on_circle) {
    const auto [x, y, radius] = place.circle;
    return std::abs(distance({x, y}, a) - radius) <= place.within &&
           std::abs(distance({x, y}, b) - radius) <= place.within;
  }
  const Point outward{b.y - a.y, a.x - b.x};
  const auto [x, y] = place.normal;
  const double angle = std::atan2(std::abs(x * outward.y - y * outward.x), x * outward.x + y * outward.y);
  return angle * 180 / std::numbers::pi <= place.within;
}

std::vector<Index> sides_of(const Mesh& mesh, const PlaceCase& place) {
  std::vector<Index> facets;
  for (Index e = 0; e < mesh.element_count(); ++e)
    for (int k = 0; k < 3; ++k)
      if (const auto [a, b] = mesh.end_points(facet_code(e, k));
          mesh.neighbour(e, k) == boundary_facet && holds(place, a, b))
        facets.push_back(facet_code(e, k));
  return facets;
}

std::vector<Index> nodes_of(const Mesh& mesh, const PlaceCase& place) {
  const Point point{place.near[0], place.near[1]};
  std::vector<Index> nodes;
  Index nearest = 0;
  for (Index n = 0; n < mesh.node_count(); ++n) {
    if (place.rule == Rule::nodes_in_box && contains(place.box, mesh.nodes[n])) nodes.push_back(n);
    if (distance(mesh.nodes[n], point) < distance(mesh.nodes[nearest], point)) nearest = n;
  }
  return place.rule == Rule::nodes_in_box ? nodes : std::vector{nearest};
}

/// Why a group is empty.
std::string text_of_empty(const PlaceCase& place) {
  switch (place.rule) {
    case Rule::sides_in_box:
      return "no boundary side has both ends in " + text_of_box(place.box);
    case Rule::sides_on_circle:
      return fmt::format(
          "no boundary side has both ends within {:g} m of the circle about ({:g}, {:g}) with radius {:g}",
          place.within, place.circle[0], place.circle[1], place.circle[2]);
    case Rule::sides_facing:
      return fmt::format("no boundary side has its outward normal within {:g} degrees of ({:g}, {:g})", place.within,
                         place.normal[0], place.normal[1]);
    default:
      return "no node lies in " + text_of_box(place.box);
  }
}

/// Reports a name that a group of the mesh has; returns whether it is free.
bool is_free(const Mesh& mesh, const std::string& name, int line, const std::string& key, CaseReport& report) {
  if (!mesh.find_group(name)) return true;
  report.add(line, key, "the mesh has a group of that name: choose another");
  return false;
}

void add_outside(Mesh& mesh) {
  if (mesh.find_group(outside_group)) return;
  std::vector<Index> facets;
  for (Index code = 0; code < 3 * mesh.element_count(); ++code)
    if (mesh.neighbours[code] == boundary_facet) facets.push_back(code);
  mesh.groups.push_back(make_group(mesh, outside_group, std::move(facets)));
}

}  // namespace

void add_places(Mesh& mesh, const Case& c) {
  add_outside(mesh);
  CaseReport report(c);
  const auto [low, high] = box_around(mesh.nodes);
  for (const PlaceCase& place : c.mesh.groups) {
    const std::string key = "mesh.groups." + place.name;
    if (!is_free(mesh, place.name, place.line, key, report)) continue;
    const bool nodes = place.rule == Rule::nodes_in_box || place.rule == Rule::nearest_node;
    Group group = nodes ? make_group(mesh, place.name, {}, nodes_of(mesh, place))
                        : make_group(mesh, place.name, sides_of(mesh, place));
    if (group.nodes.empty())
      report.add(place.line, key,
                 fmt::format("{}; the body reaches from ({:g}, {:g}) to ({:g}, {:g}) m", text_of_empty(place), low.x,
                             low.y, high.x, high.y));
    mesh.groups.push_back(std::move(group));
  }
  report.throw_if_any();
}

void add_regions(Mesh& mesh, const Case& c) {
  CaseReport report(c);
  for (const RegionCase& region : c.mesh.regions) {
    const std::string key = "mesh.regions." + region.name;
    if (!is_free(mesh, region.name, region.line, key, report)) continue;
    std::vector<Index> elements;
    for (Index e = 0; e < mesh.element_count(); ++e)
      if (contains(region.box, centroid(mesh, e))) elements.push_back(e);
    if (elements.empty())
      report.add(region.line, key,
                 fmt::format("no triangle has its centroid in {}: move it, or make it larger than an element",
                             text_of_box(region.box)));
    mesh.groups.push_back(make_group(mesh, region.name, {}, {}, std::move(elements)));
  }
  report.throw_if_any();
}

}  // namespace cleave
