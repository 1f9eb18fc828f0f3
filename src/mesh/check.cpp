#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>

#include "cleave/core/machine.hpp"
#include "cleave/core/parallel.hpp"
#include "cleave/mesh/topology.hpp"
#include "mesh/report.hpp"

namespace cleave {
namespace {

/// A triangle with twice its area below this fraction of the longest side squared counts as a line.
constexpr double flat = 1e-10;

/// Sides must be straight: a mid-side node may be off the middle by this fraction of the side, which allows for
/// coordinates in single precision or with few digits.
constexpr double off_middle = 1e-3;

enum NodeRole : std::uint8_t { no_role = 0, corner_role = 1, mid_side_role = 2, both_roles = 3 };

constexpr std::size_t ids_at_once = 16384;  ///< number of nodes or elements that a thread checks at once

/// Runs f(id, report) for each id below `count` and joins the reports in the order of the ids.
template <class F>
Report report_of(Index count, const F& f) {
  return parallel_report(static_cast<std::size_t>(count), [&](std::size_t begin, std::size_t end, Report& found) {
    for (auto id = static_cast<Index>(begin); id < static_cast<Index>(end); ++id) f(id, found);
  });
}

bool is_finite(Point p) { return std::isfinite(p.x) && std::isfinite(p.y); }

/// Comes first, because all other checks use ids as indices.
void check_ids(const Mesh& mesh, Report& report) {
  const int per_element = nodes_per_element(mesh.type);
  report.append(report_of(mesh.element_count(), [&](Index e, Report& found) {
    for (int slot = 0; slot < per_element; ++slot) {
      const Index node = mesh.node(e, slot);
      if (node >= 0 && node < mesh.node_count()) continue;
      found.add("element {}: node {} does not exist, there are {} nodes", element_label(mesh, e), node,
                mesh.node_count());
    }
  }));
}

bool repeats_a_node(const Mesh& mesh, Index e) {
  const auto begin = mesh.elements.begin() + static_cast<std::ptrdiff_t>(e) * nodes_per_element(mesh.type);
  const auto end = begin + nodes_per_element(mesh.type);
  for (auto i = begin; i != end; ++i) {
    if (std::find(i + 1, end, *i) != end) return true;
  }
  return false;
}

void check_shape(const Mesh& mesh, Index e, Report& report) {
  const std::array<Index, 3> id{mesh.node(e, 0), mesh.node(e, 1), mesh.node(e, 2)};
  const std::array<Point, 3> p{mesh.nodes[id[0]], mesh.nodes[id[1]], mesh.nodes[id[2]]};
  const double longest = std::max({distance(p[0], p[1]), distance(p[1], p[2]), distance(p[2], p[0])});
  const double twice = twice_area(mesh, e);
  const double tolerance = flat * longest * longest;
  if (std::abs(twice) <= tolerance) {
    report.add("element {} (nodes {}, {}, {}) has no area: its corners lie on one line", element_label(mesh, e),
               node_label(mesh, id[0]), node_label(mesh, id[1]), node_label(mesh, id[2]));
  } else if (twice < 0) {
    report.add("element {} (nodes {}, {}, {}) is clockwise: list its corners counter-clockwise (reverse its surface)",
               element_label(mesh, e), node_label(mesh, id[0]), node_label(mesh, id[1]), node_label(mesh, id[2]));
  }
}

void check_mid_sides(const Mesh& mesh, Index e, Report& report) {
  for (int k = 0; k < 3; ++k) {
    const Index start = mesh.node(e, facet_node_slot(mesh.type, k, 0));
    const Index mid = mesh.node(e, facet_node_slot(mesh.type, k, 1));
    const Index end = mesh.node(e, facet_node_slot(mesh.type, k, 2));
    const Point a = mesh.nodes[start];
    const Point b = mesh.nodes[end];
    const double side = distance(a, b);
    const double off = distance(mesh.nodes[mid], {(a.x + b.x) / 2, (a.y + b.y) / 2});
    if (off > off_middle * side) {
      report.add(
          "element {}: mid-side node {} is {:.2g} of the side, {:.3g} m, off the middle of nodes {} and {}: sides must "
          "be straight (mesh.straighten: true makes them so, or Mesh.SecondOrderLinear = 1 in Gmsh) and nodes in the "
          "order corners, (0,1), (1,2), (2,0)",
          element_label(mesh, e), node_label(mesh, mid), off / side, off, node_label(mesh, start),
          node_label(mesh, end));
    }
  }
}

void check_roles(const Mesh& mesh, Report& report) {
  std::vector<std::uint8_t> role(mesh.node_count(), no_role);
  parallel_for(threads_for(0), static_cast<std::size_t>(mesh.element_count()), ids_at_once,
               [&](std::size_t begin, std::size_t end) {
                 for (auto e = static_cast<Index>(begin); e < static_cast<Index>(end); ++e)
                   for (int slot = 0; slot < nodes_per_element(mesh.type); ++slot)
                     std::atomic_ref(role[mesh.node(e, slot)])
                         .fetch_or(slot < 3 ? corner_role : mid_side_role, std::memory_order_relaxed);
               });
  report.append(report_of(mesh.node_count(), [&](Index node, Report& found) {
    if (role[node] == no_role) found.add("node {} belongs to no element: remove it", node_label(mesh, node));
    if (role[node] == both_roles) {
      found.add("node {} is a corner of one element and a mid-side node of another: the elements do not fit together",
                node_label(mesh, node));
    }
  }));
}

}  // namespace

void check_mesh(const Mesh& mesh, const std::string& source) {
  const std::string headline = source + ": this mesh cannot be simulated";
  Report report;
  if (mesh.element_count() == 0) report.add("it has no elements");
  check_ids(mesh, report);
  report.throw_if_any(headline);

  report.append(report_of(mesh.node_count(), [&](Index node, Report& found) {
    const Point p = mesh.nodes[node];
    if (!is_finite(p)) {
      found.add("node {} at ({}, {}): coordinates must be finite numbers", node_label(mesh, node), p.x, p.y);
    }
  }));
  report.append(report_of(mesh.element_count(), [&](Index e, Report& found) {
    if (repeats_a_node(mesh, e)) {
      found.add("element {} has the same node twice", element_label(mesh, e));
      return;
    }
    check_shape(mesh, e, found);
    if (mesh.type == ElementType::t6) check_mid_sides(mesh, e, found);
  }));
  check_roles(mesh, report);
  report.throw_if_any(headline);
}

}  // namespace cleave
