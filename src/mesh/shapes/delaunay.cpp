#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "cleave/mesh/connectivity.hpp"
#include "cleave/mesh/generators.hpp"
#include "cleave/mesh/topology.hpp"
#include "mesh/changes.hpp"
#include "mesh/groups.hpp"
#include "mesh/ids.hpp"
#include "mesh/random.hpp"

namespace cleave {
namespace {

Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
double cross(Point a, Point b) { return a.x * b.y - a.y * b.x; }
double square(Point a) { return a.x * a.x + a.y * a.y; }

Point corner(const Mesh& mesh, Index code, int i) {
  return mesh.nodes[mesh.node(element_of(code), (facet_of(code) + i) % 3)];
}

/// Whether the corner across the facet lies inside the circumcircle of its element by more than rounding; the four
/// corners then form a convex quad.
bool breaks_delaunay(const Mesh& mesh, Index code) {
  const Index other = mesh.neighbours[code];
  if (!is_intact(other)) return false;
  const Point s = corner(mesh, other, 0);
  const Point a = corner(mesh, code, 0) - s, b = corner(mesh, code, 1) - s, c = corner(mesh, code, 2) - s;
  const double inside = square(a) * cross(b, c) + square(b) * cross(c, a) + square(c) * cross(a, b);
  const double size = square(a) + square(b) + square(c);
  return inside > 1e-12 * size * size;
}

/// Replaces the facet (q, r) of elements (p, q, r) and (s, r, q) by (p, s): elements (p, q, s) and (s, r, p).
void flip(Mesh& mesh, Index code) {
  const Index other = mesh.neighbours[code];
  const Index e1 = element_of(code), e2 = element_of(other);
  const int k1 = facet_of(code), k2 = facet_of(other);
  const Index p = mesh.node(e1, k1), q = mesh.node(e1, (k1 + 1) % 3), r = mesh.node(e1, (k1 + 2) % 3);
  const Index s = mesh.node(e2, k2);
  const Index pq = mesh.neighbour(e1, (k1 + 2) % 3), rp = mesh.neighbour(e1, (k1 + 1) % 3);
  const Index sr = mesh.neighbour(e2, (k2 + 2) % 3), qs = mesh.neighbour(e2, (k2 + 1) % 3);
  const auto set = [&](Index e, const std::array<Index, 3>& nodes, const std::array<Index, 3>& across) {
    for (int k = 0; k < 3; ++k) {
      mesh.elements[3 * static_cast<std::size_t>(e) + k] = nodes[k];
      mesh.neighbours[3 * static_cast<std::size_t>(e) + k] = across[k];
      if (is_intact(across[k])) mesh.neighbours[across[k]] = facet_code(e, k);
    }
  };
  set(e1, {p, q, s}, {qs, facet_code(e2, 1), pq});
  set(e2, {s, r, p}, {rp, facet_code(e1, 1), sr});
}

/// Flips facets until the triangulation is Delaunay (C. L. Lawson, 1977); the boundary does not change.
void flip_all(Mesh& mesh) {
  std::vector<Index> suspects;
  for (Index code = 0; code < static_cast<Index>(mesh.neighbours.size()); ++code) suspects.push_back(code);
  while (!suspects.empty()) {
    const Index code = suspects.back();
    suspects.pop_back();
    if (!breaks_delaunay(mesh, code)) continue;
    const Index e1 = element_of(code), e2 = element_of(mesh.neighbours[code]);
    flip(mesh, code);
    for (int k = 0; k < 3; ++k) suspects.insert(suspects.end(), {facet_code(e1, k), facet_code(e2, k)});
  }
}

/// Proposes a new position for every interior node, and accepts it if no triangle at the node becomes flatter than a
/// fifth of the square of its edges (an equilateral one has 0.87).
template <class Place>
void move_nodes(Mesh& mesh, const std::vector<bool>& fixed, const Place& place) {
  const CornerIncidence incidence(mesh);
  for (Index n = 0; n < mesh.node_count(); ++n) {
    if (fixed[n]) continue;
    Point centre{};  // of the triangles at the node: moves nodes out of crowded places
    double area = 0, edges = 0;
    for (const Index e : incidence.at(n)) {
      const double weight = twice_area(mesh, e);
      area += weight;
      for (int k = 0; k < 3; ++k) {
        const Point other = mesh.nodes[mesh.node(e, k)];
        centre.x += weight / 3 * other.x;
        centre.y += weight / 3 * other.y;
        edges += square(other - mesh.nodes[n]);
      }
    }
    centre = {centre.x / area, centre.y / area};
    const double size2 = edges / (2 * static_cast<double>(incidence.at(n).size()));  // each neighbour counts twice
    const Point old = std::exchange(mesh.nodes[n], place(mesh.nodes[n], centre, std::sqrt(size2)));
    for (const Index e : incidence.at(n))
      if (!(twice_area(mesh, e) > 0.2 * size2)) {
        mesh.nodes[n] = old;
        break;
      }
  }
}

}  // namespace

Mesh delaunay(Mesh mesh, ElementType type, std::uint64_t seed) {
  std::vector<bool> fixed(mesh.nodes.size());
  for (Index code = 0; code < static_cast<Index>(mesh.neighbours.size()); ++code)
    if (!is_intact(mesh.neighbours[code]))
      for (const Index n : mesh.ends(code)) fixed[n] = true;

  // Nodes of the boundary facets by group; flips assign facets to other elements.
  std::vector<std::vector<std::array<Index, 2>>> sides;
  for (const Group& group : mesh.groups) {
    sides.emplace_back();
    for (const Index code : group.facets) sides.back().push_back(mesh.ends(code));
  }

  // Twelve random steps of up to a third of an edge remove all traces of the grid. Each is followed by half a step
  // towards the centre of the neighbours, which keeps the triangles well shaped.
  Random random(seed);
  for (int round = 0; round < 12; ++round) {
    move_nodes(mesh, fixed, [&](Point at, Point, double size) {
      return Point{at.x + size / 3 * random.symmetric(), at.y + size / 3 * random.symmetric()};
    });
    flip_all(mesh);
    move_nodes(mesh, fixed, [](Point at, Point centre, double) {
      return Point{(at.x + centre.x) / 2, (at.y + centre.y) / 2};
    });
    flip_all(mesh);
  }
  for (int round = 0; round < 4; ++round) {
    move_nodes(mesh, fixed, [](Point, Point centre, double) { return centre; });
    flip_all(mesh);
  }

  std::map<std::array<Index, 2>, Index> boundary;
  for (std::size_t code = 0; code < mesh.neighbours.size(); ++code)
    if (!is_intact(mesh.neighbours[code])) boundary[mesh.ends(static_cast<Index>(code))] = static_cast<Index>(code);
  mesh.structured_colours.clear();
  if (type == ElementType::t6) add_mid_sides(mesh);
  mesh.original_nodes = all_ids(mesh.nodes.size());
  for (std::size_t g = 0; g < sides.size(); ++g) {
    std::vector<Index> facets;
    for (const auto& side : sides[g]) facets.push_back(boundary.at(side));
    mesh.groups[g] = make_group(mesh, mesh.groups[g].name, std::move(facets));
  }
  return mesh;
}

}  // namespace cleave
