/// Finds parts of a mesh that lie on each other without being joined. All of them show at the boundary: a part whose
/// facets are all joined, and whose elements go around each node once, covers no point twice.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "cleave/core/atomic.hpp"
#include "cleave/core/machine.hpp"
#include "cleave/core/parallel.hpp"
#include "cleave/mesh/altitude.hpp"
#include "cleave/mesh/contact_depth.hpp"
#include "cleave/mesh/topology.hpp"
#include "mesh/report.hpp"
#include "mesh/shapes/box_tree.hpp"

namespace cleave {
namespace {

/// Boundary facets with queries.
class Boundary {
 public:
  Boundary(const Mesh& mesh, const std::vector<std::string>& doubled)
      : mesh_(mesh),
        facets_(boundary_facets(mesh)),
        tree_(boxes()),
        shortest_(mesh.nodes.size(), std::numeric_limits<double>::infinity()),
        doubled_(mesh.nodes.size()) {
    for (const Index code : facets_) {
      for (int i = 0; i < nodes_per_facet(mesh_.type); ++i) {
        double& shortest = shortest_[mesh_.facet_node(code, i)];
        shortest = std::min(shortest, facet_length(mesh_, code));
      }
    }
    for (const std::string& name : doubled) {
      for (const Index n : mesh.find_group(name)->nodes) doubled_[n] = true;
    }
  }

  /// Finds pairs of nodes at one place, and nodes on facets of other elements, except declared ones.
  void find_unmerged(Report& nodes, Report& hanging) const {
    for (Index n = 0; n < mesh_.node_count(); ++n) {
      if (!std::isfinite(shortest_[n])) continue;  // not on the boundary
      std::vector<Index> here, on;
      const Point p = mesh_.nodes[n];
      tree_.for_each_met({p, p}, [&](std::size_t f) { look_at(n, facets_[f], here, on); });
      std::sort(here.begin(), here.end());
      here.erase(std::unique(here.begin(), here.end()), here.end());
      for (const Index other : here) {
        nodes.add("nodes {} and {} at ({:.9g}, {:.9g})", node_label(mesh_, n), node_label(mesh_, other), p.x, p.y);
      }
      std::sort(on.begin(), on.end());
      for (const Index code : on) {
        const auto [start, end] = mesh_.ends(code);
        hanging.add("node {} at ({:.9g}, {:.9g}) on the facet between nodes {} and {} of element {}",
                    node_label(mesh_, n), p.x, p.y, node_label(mesh_, start), node_label(mesh_, end),
                    element_label(mesh_, element_of(code)));
      }
    }
  }

  /// Two elements, one of which is crossed by a facet of the other.
  struct Crossing {
    Index one, other;
    Point middle;  ///< of the facet's part inside
    ElementOverlap deepest;

    std::pair<Index, Index> pair() const { return {one, other}; }
  };
  /// Pairs of elements that overlap, each once, ascending.
  std::vector<Crossing> crossings() const {
    const auto look = [&](std::size_t begin, std::size_t end) {
      std::vector<Crossing> found;
      for (auto e = static_cast<Index>(begin); e < static_cast<Index>(end); ++e) {
        tree_.for_each_met(box_of(e), [&](std::size_t f) {
          Point where;
          const Index other = element_of(facets_[f]);
          if (other != e && goes_through(facets_[f], e, where))
            found.push_back({std::min(e, other), std::max(e, other), where, deepest_in(facets_[f], e)});
        });
      }
      return found;
    };
    std::vector<Crossing> all;
    for (const auto& found :
         parallel_results(threads_for(0), static_cast<std::size_t>(mesh_.element_count()), 16384, look))
      all.insert(all.end(), found.begin(), found.end());
    std::sort(all.begin(), all.end(), [](const Crossing& a, const Crossing& b) {
      return std::tuple(a.pair(), -a.deepest.depth, a.middle.x, a.middle.y) <
             std::tuple(b.pair(), -b.deepest.depth, b.middle.x, b.middle.y);
    });
    const auto same = [](const Crossing& a, const Crossing& b) { return a.pair() == b.pair(); };
    all.erase(std::unique(all.begin(), all.end(), same), all.end());
    return all;
  }

 private:
  static std::vector<Index> boundary_facets(const Mesh& mesh) {
    std::vector<Index> facets;
    const auto look = [&](std::size_t begin, std::size_t end) {
      std::vector<Index> some;
      for (std::size_t code = begin; code < end; ++code)
        if (mesh.neighbours[code] == boundary_facet) some.push_back(static_cast<Index>(code));
      return some;
    };
    for (const std::vector<Index>& some : parallel_results(threads_for(0), mesh.neighbours.size(), 65536, look))
      facets.insert(facets.end(), some.begin(), some.end());
    return facets;
  }

  /// Bounding boxes of the facets, enlarged by the tolerance.
  std::vector<Box> boxes() const {
    std::vector<Box> boxes;
    boxes.reserve(facets_.size());
    for (const Index code : facets_) {
      const double more = fit_tolerance * facet_length(mesh_, code);
      boxes.push_back(box_around(mesh_.end_points(code)).grown(more));
    }
    return boxes;
  }
  Box box_of(Index e) const {
    const auto corner = [&](int i) { return mesh_.nodes[mesh_.node(e, i)]; };
    return box_around(std::array{corner(0), corner(1), corner(2)});
  }

  /// Adds nodes of a facet at the place of node n, with larger ids than n, or the facet if n lies on its interior.
  void look_at(Index n, Index code, std::vector<Index>& here, std::vector<Index>& on) const {
    const auto [start, end] = mesh_.ends(code);
    const Point p = mesh_.nodes[n], a = mesh_.nodes[start], b = mesh_.nodes[end];
    const double l = facet_length(mesh_, code);
    bool at_node = false;
    for (int i = 0; i < nodes_per_facet(mesh_.type); ++i) {
      const Index other = mesh_.facet_node(code, i);
      if (other == n) return;
      if (distance(p, mesh_.nodes[other]) > fit_tolerance * std::min(shortest_[n], shortest_[other])) continue;
      at_node = true;
      if (other > n && !doubled_[n] && !doubled_[other]) here.push_back(other);
    }
    if (at_node || (doubled_[start] && doubled_[end]) || doubled_[n]) return;
    const double along = ((p.x - a.x) * (b.x - a.x) + (p.y - a.y) * (b.y - a.y)) / (l * l);
    const double off = std::abs((b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x)) / l;
    const bool inside = along > fit_tolerance && along < 1 - fit_tolerance;
    if (inside && off <= fit_tolerance * l && mesh_.node(element_of(code), facet_of(code)) != n) on.push_back(code);
  }

  /// Whether a facet crosses an element by more than the tolerance; `where` is the middle of the part inside.
  bool goes_through(Index code, Index e, Point& where) const {
    const auto [from, to] = mesh_.end_points(code);
    const std::array<Point, 3> p{mesh_.nodes[mesh_.node(e, 0)], mesh_.nodes[mesh_.node(e, 1)],
                                 mesh_.nodes[mesh_.node(e, 2)]};
    const double longest = std::max({distance(p[0], p[1]), distance(p[1], p[2]), distance(p[2], p[0])});
    const double margin = fit_tolerance * longest;
    double begin = 0, stop = 1;  // part of the facet that lies inside
    for (int k = 0; k < 3; ++k) {
      const Point a = p[k], b = p[(k + 1) % 3];
      const double side = distance(a, b);
      const auto depth = [&](Point q) {
        return ((b.x - a.x) * (q.y - a.y) - (b.y - a.y) * (q.x - a.x)) / side - margin;
      };
      const double d0 = depth(from), d1 = depth(to);
      if (d0 <= 0 && d1 <= 0) return false;
      if (d0 <= 0) begin = std::max(begin, d0 / (d0 - d1));
      if (d1 <= 0) stop = std::min(stop, d0 / (d0 - d1));
    }
    if ((stop - begin) * facet_length(mesh_, code) <= margin) return false;
    const double middle = (begin + stop) / 2;
    where = {from.x + middle * (to.x - from.x), from.y + middle * (to.y - from.y)};
    return true;
  }

  /// The place of a facet that is deepest below all sides of an element.
  ElementOverlap deepest_in(Index code, Index e) const {
    const Point from = mesh_.end_points(code)[0], to = mesh_.end_points(code)[1];
    std::array<double, 3> first{}, last{};  // depths of both ends below the sides
    for (int k = 0; k < 3; ++k) {
      const Point a = mesh_.nodes[mesh_.node(e, k)], b = mesh_.nodes[mesh_.node(e, (k + 1) % 3)];
      const auto depth = [&](Point q) {
        return ((b.x - a.x) * (q.y - a.y) - (b.y - a.y) * (q.x - a.x)) / distance(a, b);
      };
      first[k] = depth(from);
      last[k] = depth(to);
    }
    ElementOverlap deepest;
    const auto try_place = [&](double along) {
      if (!(along >= 0 && along <= 1)) return;
      double depth = std::numeric_limits<double>::infinity();
      for (int k = 0; k < 3; ++k) depth = std::min(depth, first[k] + along * (last[k] - first[k]));
      if (depth > deepest.depth)
        deepest = {depth, {from.x + along * (to.x - from.x), from.y + along * (to.y - from.y)}};
    };
    try_place(0);
    try_place(1);
    for (int k = 0; k < 3; ++k) {
      const int j = (k + 1) % 3;
      try_place((first[j] - first[k]) / (last[k] - first[k] - last[j] + first[j]));
    }
    return deepest;
  }

  const Mesh& mesh_;
  std::vector<Index> facets_;     ///< facet codes
  BoxTree tree_;                  ///< of the facets
  std::vector<double> shortest_;  ///< [node] length of its shortest boundary facet, m; infinite for interior nodes
  std::vector<bool> doubled_;     ///< [node] may coincide with other nodes
};

/// Finds nodes whose elements go around them more than once. An element contains the direction of x at its corner if
/// the side that leaves the corner does not point up and the side that arrives does; only one of the elements at a node
/// may do so.
void find_turns(const Mesh& mesh, Report& overlaps) {
  std::vector<Index> found(mesh.nodes.size());
  parallel_for(threads_for(0), static_cast<std::size_t>(mesh.element_count()), 16384,
               [&](std::size_t begin, std::size_t end) {
                 for (auto e = static_cast<Index>(begin); e < static_cast<Index>(end); ++e)
                   for (int k = 0; k < 3; ++k) {
                     const Index n = mesh.node(e, k);
                     const double y = mesh.nodes[n].y;
                     if (mesh.nodes[mesh.node(e, (k + 1) % 3)].y <= y && mesh.nodes[mesh.node(e, (k + 2) % 3)].y > y)
                       atomic_add(found[n], Index{1});
                   }
               });
  overlaps.append(parallel_report(found.size(), [&](std::size_t begin, std::size_t end, Report& report) {
    for (std::size_t n = begin; n < end; ++n)
      if (found[n] > 1)
        report.add("the elements around node {} at ({:.9g}, {:.9g})", node_label(mesh, static_cast<Index>(n)),
                   mesh.nodes[n].x, mesh.nodes[n].y);
  }));
}

}  // namespace

std::vector<double> contact_depths(const Mesh& mesh) {
  std::vector<double> at_node(mesh.nodes.size(), std::numeric_limits<double>::infinity());
  for (Index e = 0; e < mesh.element_count(); ++e) {
    const double altitude =
        least_altitude(mesh.nodes[mesh.node(e, 0)], mesh.nodes[mesh.node(e, 1)], mesh.nodes[mesh.node(e, 2)]);
    for (int i = 0; i < 3; ++i) at_node[mesh.node(e, i)] = std::min(at_node[mesh.node(e, i)], altitude);
  }
  std::vector<double> depths;
  for (Index e = 0; e < mesh.element_count(); ++e)
    depths.push_back(largest_contact_depth *
                     std::min({at_node[mesh.node(e, 0)], at_node[mesh.node(e, 1)], at_node[mesh.node(e, 2)]}));
  return depths;
}

ElementOverlap deepest_element_overlap(const Mesh& mesh) {
  ElementOverlap deepest;
  for (const Boundary::Crossing& crossing : Boundary(mesh, {}).crossings())
    if (crossing.deepest.depth > deepest.depth) deepest = crossing.deepest;
  return deepest;
}

void check_fit(const Mesh& mesh, const std::vector<std::string>& doubled, const std::string& source,
               const std::vector<double>& depths) {
  Report nodes, hanging, overlaps;
  const Boundary boundary(mesh, doubled);
  boundary.find_unmerged(nodes, hanging);
  find_turns(mesh, overlaps);
  for (const auto& [a, b, where, deepest] : boundary.crossings())
    if (depths.empty() || deepest.depth > std::min(depths[a], depths[b]))
      overlaps.add("elements {} and {} at ({:.9g}, {:.9g})", element_label(mesh, a), element_label(mesh, b), where.x,
                   where.y);
  const std::string text =
      nodes.text("pairs of nodes at one place",
                 "merge them (in Gmsh: Coherence Mesh) or, where the body is meant to be "
                 "parted, name a group that holds one of each in mesh.doubled, which may be "
                 "[outside]") +
      hanging.text("nodes on a facet that is not theirs",
                   "mesh both sides with the same nodes or, where the body is meant to be parted, "
                   "name a group that holds them in mesh.doubled") +
      overlaps.text(depths.empty() ? "overlaps of elements" : "overlaps of elements that are too deep for `contact`",
                    "leave one of each out, or move it");
  if (text.empty()) return;
  throw InputError(fmt::format("{}: elements lie on each other without being joined (tolerance: {:g} of a facet){}",
                               source, fit_tolerance, text));
}

}  // namespace cleave
