#include "cleave/mesh/topology.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>
#include <numbers>

#include "cleave/core/machine.hpp"
#include "cleave/core/parallel.hpp"
#include "mesh/report.hpp"

namespace cleave {
namespace {

/// A facet, seen from its corner with the smaller id.
struct HalfFacet {
  Index far_corner;  // the larger id
  Index code;
};

/// Links the facets `begin` .. `end`, which join the same two corners, or reports why they cannot be linked.
void link(Mesh& mesh, const HalfFacet* begin, const HalfFacet* end, Report& report) {
  if (end - begin == 1) return;
  const Index code = begin->code;
  const Index other = begin[1].code;
  const int last = nodes_per_facet(mesh.type) - 1;
  const Index start_label = node_label(mesh, mesh.facet_node(code, 0));
  const Index end_label = node_label(mesh, mesh.facet_node(code, last));
  const Index label = element_label(mesh, element_of(code));
  const Index other_label = element_label(mesh, element_of(other));
  if (end - begin > 2) {
    report.add(
        "the facet between nodes {} and {} belongs to {} elements, {}, {}, {}{}: at most two may share it (is an "
        "element listed twice, for instance a surface in two physical groups?)",
        start_label, end_label, end - begin, label, other_label, element_label(mesh, element_of(begin[2].code)),
        end - begin > 3 ? ", ..." : "");
  } else if (mesh.facet_node(code, 0) != mesh.facet_node(other, last)) {
    report.add("elements {} and {} lie on the same side of the facet between nodes {} and {}: they overlap", label,
               other_label, start_label, end_label);
  } else if (mesh.type == ElementType::t6 && mesh.facet_node(code, 1) != mesh.facet_node(other, 1)) {
    report.add("elements {} and {} share the corners {} and {} but not the mid-side node ({} and {}): merge the two",
               label, other_label, start_label, end_label, node_label(mesh, mesh.facet_node(code, 1)),
               node_label(mesh, mesh.facet_node(other, 1)));
  } else {
    mesh.neighbours[code] = other;
    mesh.neighbours[other] = code;
  }
}

/// Extends the extremes by one element.
void widen(MeshQuality& q, const Mesh& mesh, Index e) {
  const double twice = twice_area(mesh, e);
  for (int k = 0; k < 3; ++k) {
    const double angle = corner_angle(mesh, e, k), facet = facet_length(mesh, facet_code(e, k));
    q.smallest_angle = std::min(q.smallest_angle, angle);
    q.largest_angle = std::max(q.largest_angle, angle);
    q.shortest_facet = std::min(q.shortest_facet, facet);
    q.longest_facet = std::max(q.longest_facet, facet);
    q.smallest_altitude = std::min(q.smallest_altitude, twice / facet);
  }
}

}  // namespace

void connect(Mesh& mesh, const std::string& source) {
  const auto facets = 3 * static_cast<std::size_t>(mesh.element_count());
  const int last = nodes_per_facet(mesh.type) - 1;
  mesh.neighbours.assign(facets, boundary_facet);

  // The facets whose smaller corner is a node form a list, in the order in which threads meet them. Each list is short,
  // and is then sorted.
  constexpr Index none = -1;
  constexpr std::size_t grain = 65536;
  const auto nodes = static_cast<std::size_t>(mesh.node_count());
  const auto first_at = std::make_unique_for_overwrite<Index[]>(nodes),
             next = std::make_unique_for_overwrite<Index[]>(facets);
  parallel_for(threads_for(0), nodes, grain, [&](std::size_t begin, std::size_t end) {
    std::fill(first_at.get() + begin, first_at.get() + end, none);
  });
  parallel_for(threads_for(0), facets, grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto code = static_cast<Index>(i);
      const Index near_corner = std::min(mesh.facet_node(code, 0), mesh.facet_node(code, last));
      next[i] = std::atomic_ref(first_at[near_corner]).exchange(code, std::memory_order_relaxed);
    }
  });

  const Report report = parallel_report(nodes, [&](std::size_t begin, std::size_t end, Report& found) {
    std::vector<HalfFacet> halves;
    for (std::size_t node = begin; node < end; ++node) {
      halves.clear();
      for (Index code = first_at[node]; code != none; code = next[code])
        halves.push_back({std::max(mesh.facet_node(code, 0), mesh.facet_node(code, last)), code});
      std::sort(halves.begin(), halves.end(), [](HalfFacet a, HalfFacet b) {
        return a.far_corner != b.far_corner ? a.far_corner < b.far_corner : a.code < b.code;
      });
      for (const HalfFacet *from = halves.data(), *const stop = from + halves.size(); from != stop;) {
        const HalfFacet* const to =
            std::find_if(from, stop, [&](HalfFacet half) { return half.far_corner != from->far_corner; });
        link(mesh, from, to, found);
        from = to;
      }
    }
  });
  report.throw_if_any(source + ": the elements do not fit together");
}

Index facet_count(const Mesh& mesh) {
  const std::vector<Index>& all = mesh.neighbours;
  Index with_neighbour = 0;
  for (const std::ptrdiff_t part :
       parallel_results(threads_for(0), all.size(), 65536, [&](std::size_t begin, std::size_t end) {
         return std::count_if(all.begin() + static_cast<std::ptrdiff_t>(begin),
                              all.begin() + static_cast<std::ptrdiff_t>(end), is_intact);
       }))
    with_neighbour += static_cast<Index>(part);
  return static_cast<Index>(all.size()) - with_neighbour / 2;
}

MeshCounts count(const Mesh& mesh) {
  MeshCounts counts;
  counts.nodes = mesh.node_count();
  counts.elements = mesh.element_count();
  std::vector<Index> elements_at(mesh.node_count());
  for (Index e = 0; e < mesh.element_count(); ++e)
    for (int k = 0; k < 3; ++k) ++elements_at[mesh.node(e, k)];
  for (const Index elements : elements_at) {
    if (elements == 0) continue;  // a mid-side node
    ++counts.corner_nodes;
    if (static_cast<std::size_t>(elements) >= counts.corner_nodes_of.size())
      counts.corner_nodes_of.resize(elements + 1);
    ++counts.corner_nodes_of[elements];
  }
  counts.facets = facet_count(mesh);
  counts.interior_facets = 3 * counts.elements - counts.facets;
  counts.boundary_facets = counts.facets - counts.interior_facets;
  counts.euler = counts.corner_nodes - counts.facets + counts.elements;
  counts.components = static_cast<Index>(first_elements_of_parts(mesh).size());
  return counts;
}

std::vector<Index> first_elements_of_parts(const Mesh& mesh) {
  std::vector<Index> parts, front;
  std::vector<bool> reached(mesh.element_count());
  for (Index seed = 0; seed < mesh.element_count(); ++seed) {
    if (reached[seed]) continue;
    parts.push_back(seed);
    reached[seed] = true;
    front.push_back(seed);
    while (!front.empty()) {
      const Index e = front.back();
      front.pop_back();
      for (int k = 0; k < 3; ++k) {
        const Index code = mesh.neighbour(e, k);
        if (!is_intact(code) || reached[element_of(code)]) continue;
        reached[element_of(code)] = true;
        front.push_back(element_of(code));
      }
    }
  }
  return parts;
}

MeshQuality quality(const Mesh& mesh) {
  MeshQuality q;
  q.smallest_angle = 180;
  q.smallest_altitude = q.shortest_facet = std::numeric_limits<double>::infinity();
  for (Index e = 0; e < mesh.element_count(); ++e) q.area += twice_area(mesh, e) / 2;
  std::mutex mutex;
  const auto elements = static_cast<std::size_t>(mesh.element_count());
  parallel_for(threads_for(0), elements, 65536, [&](std::size_t begin, std::size_t end) {
    MeshQuality found;
    found.smallest_angle = 180;
    found.smallest_altitude = found.shortest_facet = std::numeric_limits<double>::infinity();
    for (auto e = static_cast<Index>(begin); e < static_cast<Index>(end); ++e) widen(found, mesh, e);
    const std::lock_guard lock(mutex);
    q.smallest_angle = std::min(q.smallest_angle, found.smallest_angle);
    q.largest_angle = std::max(q.largest_angle, found.largest_angle);
    q.shortest_facet = std::min(q.shortest_facet, found.shortest_facet);
    q.longest_facet = std::max(q.longest_facet, found.longest_facet);
    q.smallest_altitude = std::min(q.smallest_altitude, found.smallest_altitude);
  });
  return q;
}

Point centroid(const Mesh& mesh, Index element) {
  const Point a = mesh.nodes[mesh.node(element, 0)];
  const Point b = mesh.nodes[mesh.node(element, 1)];
  const Point c = mesh.nodes[mesh.node(element, 2)];
  return {(a.x + b.x + c.x) / 3, (a.y + b.y + c.y) / 3};
}

double corner_angle(const Mesh& mesh, Index element, int corner) {
  const Point p = mesh.nodes[mesh.node(element, corner)];
  const auto [a, b] = mesh.end_points(facet_code(element, corner));
  const double dot = (a.x - p.x) * (b.x - p.x) + (a.y - p.y) * (b.y - p.y);
  return std::atan2(twice_area(mesh, element), dot) * 180 / std::numbers::pi;
}

Point facet_middle(const Mesh& mesh, Index code) {
  const auto [a, b] = mesh.end_points(code);
  return {(a.x + b.x) / 2, (a.y + b.y) / 2};
}

double facet_length(const Mesh& mesh, Index code) {
  const auto [a, b] = mesh.end_points(code);
  return distance(a, b);
}

double twice_area(const Mesh& mesh, Index element) {
  const Point a = mesh.nodes[mesh.node(element, 0)];
  const Point b = mesh.nodes[mesh.node(element, 1)];
  const Point c = mesh.nodes[mesh.node(element, 2)];
  return (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
}

}  // namespace cleave
