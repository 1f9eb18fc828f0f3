#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "mesh/changes.hpp"
#include "mesh/groups.hpp"
#include "mesh/ids.hpp"
#include "mesh/report.hpp"

namespace cleave {
namespace {

double distance_to_side(Point x, Point a, Point b) {
  const double dx = b.x - a.x, dy = b.y - a.y;
  const double part = std::clamp(((x.x - a.x) * dx + (x.y - a.y) * dy) / (dx * dx + dy * dy), 0.0, 1.0);
  return distance(x, {a.x + part * dx, a.y + part * dy});
}

/// The smaller code of a facet.
Index one_code(const Mesh& mesh, Index code) {
  return is_intact(mesh.neighbours[code]) ? std::min(code, mesh.neighbours[code]) : code;
}

/// A mesh of corners during bisection, with the origin of its triangles and sides.
class Bisection {
 public:
  Bisection(const Mesh& mesh, Index most) : most_(most) {
    mesh_.type = ElementType::t3;
    constexpr Index none = -1;
    std::vector<Index> position(mesh.nodes.size(), none);
    for (Index e = 0; e < mesh.element_count(); ++e) {
      for (int k = 0; k < 3; ++k) {
        Index& at = position[mesh.node(e, k)];
        if (at == none) {
          at = mesh_.node_count();
          mesh_.nodes.push_back(mesh.nodes[mesh.node(e, k)]);
        }
        mesh_.elements.push_back(at);
        side_of_.push_back(one_code(mesh, facet_code(e, k)));
      }
      triangle_of_.push_back(e);
    }
    mesh_.neighbours = mesh.neighbours;
    corner_of_ = std::move(position);
  }

  /// Bisects until every triangle is small enough.
  template <class IsSmall>
  void cut_until(const IsSmall& is_small) {
    for (Index e = 0; e < mesh_.element_count(); ++e)
      while (!is_small(mesh_, e)) cut(e);  // later pieces have their own turn
  }

  Mesh take() { return std::move(mesh_); }
  /// [element] The triangle of the original mesh that contains it.
  const std::vector<Index>& triangle_of() const { return triangle_of_; }
  /// [facet code] Smaller code of the original facet that contains it; inside_triangle if it is new.
  const std::vector<Index>& side_of() const { return side_of_; }
  static constexpr Index inside_triangle = -1;
  /// The present id of a corner of the original mesh.
  Index corner(Index node) const { return corner_of_[node]; }
  /// The node in the middle of an original facet, or -1 if the facet is not divided.
  Index middle(Index side) const {
    const auto found = middle_of_.find(side);
    return found == middle_of_.end() ? -1 : found->second;
  }

 private:
  Index node(Index e, int k) const { return mesh_.node(e, k % 3); }

  /// Sorts sides by length, ties by their nodes, so that neighbours agree.
  auto rank(Index e, int k) const {
    const auto [a, b] = std::minmax({node(e, k + 1), node(e, k + 2)});
    return std::tuple(distance(mesh_.nodes[a], mesh_.nodes[b]), a, b);
  }
  int longest(Index e) const {
    int longest = 0;
    for (int k = 1; k < 3; ++k)
      if (rank(e, k) > rank(e, longest)) longest = k;
    return longest;
  }

  /// Halves a triangle after all triangles in its way.
  void cut(Index target) {
    for (;;) {
      Index e = target;
      int k = longest(e);
      for (;;) {  // sides along this way become longer, so it ends
        const Index across = mesh_.neighbour(e, k);
        if (!is_intact(across)) break;
        const int other = longest(element_of(across));
        if (other == facet_of(across)) break;
        e = element_of(across);
        k = other;
      }
      const Index across = mesh_.neighbour(e, k);
      const bool done = e == target || (is_intact(across) && element_of(across) == target);
      split(facet_code(e, k));
      if (done) return;
    }
  }

  void split(Index code) {
    const Index across = mesh_.neighbours[code];
    const Index elements = mesh_.element_count();
    if (elements > most_ - 2)
      throw InputError(fmt::format("more than {} triangles are needed: let sides be longer, or grow faster", most_));
    const Point a = mesh_.nodes[node(element_of(code), facet_of(code) + 1)];
    const Point b = mesh_.nodes[node(element_of(code), facet_of(code) + 2)];
    const Index middle = mesh_.node_count();
    mesh_.nodes.push_back({(a.x + b.x) / 2, (a.y + b.y) / 2});
    if (side_of_[code] != inside_triangle) middle_of_.try_emplace(side_of_[code], middle);
    const auto [near, far] = halve(code, middle);
    if (!is_intact(across)) return;
    const auto [other_near, other_far] = halve(across, middle);
    join(near, other_far);
    join(far, other_near);
  }

  /// Halves the triangle of a facet with a given new node; the halves have no neighbours across the facet yet.
  /// @return codes of the halves of the facet, the one at its start first
  std::pair<Index, Index> halve(Index code, Index middle) {
    const Index e = element_of(code), piece = mesh_.element_count();
    const int k = facet_of(code), next = (k + 1) % 3, last = (k + 2) % 3;
    const Index top = node(e, k), end = node(e, last);
    const Index beyond = mesh_.neighbour(e, next);  // across the side from the end to the top
    const Index side = side_of_[facet_code(e, k)], leg = side_of_[facet_code(e, next)];
    mesh_.elements.insert(mesh_.elements.end(), {top, middle, end});
    mesh_.neighbours.insert(mesh_.neighbours.end(), {boundary_facet, beyond, facet_code(e, next)});
    side_of_.insert(side_of_.end(), {side, leg, inside_triangle});
    triangle_of_.push_back(triangle_of_[e]);
    if (is_intact(beyond)) mesh_.neighbours[beyond] = facet_code(piece, 1);
    mesh_.elements[facet_code(e, last)] = middle;
    mesh_.neighbours[facet_code(e, k)] = boundary_facet;
    mesh_.neighbours[facet_code(e, next)] = facet_code(piece, 2);
    side_of_[facet_code(e, next)] = inside_triangle;
    return {facet_code(e, k), facet_code(piece, 0)};
  }

  void join(Index a, Index b) {
    mesh_.neighbours[a] = b;
    mesh_.neighbours[b] = a;
  }

  Index most_;
  Mesh mesh_;
  std::vector<Index> triangle_of_, side_of_, corner_of_;
  std::map<Index, Index> middle_of_;
};

/// Longest allowed side of a triangle.
double allowed(const Mesh& mesh, Index e, const std::vector<GradingPoint>& points) {
  const std::array<Point, 3> p{mesh.nodes[mesh.node(e, 0)], mesh.nodes[mesh.node(e, 1)], mesh.nodes[mesh.node(e, 2)]};
  double least = std::numeric_limits<double>::infinity();
  for (const GradingPoint& point : points) {
    bool inside = true;
    double away = std::numeric_limits<double>::infinity();
    for (int k = 0; k < 3; ++k) {
      const Point a = p[k], b = p[(k + 1) % 3];
      inside = inside && (b.x - a.x) * (point.at.y - a.y) - (b.y - a.y) * (point.at.x - a.x) >= 0;
      away = std::min(away, distance_to_side(point.at, a, b));
    }
    least = std::min(least, point.size + point.growth * (inside ? 0 : away));
  }
  return least;
}

double longest_side(const Mesh& mesh, Index e) {
  double longest = 0;
  for (int k = 0; k < 3; ++k)
    longest = std::max(longest, distance(mesh.nodes[mesh.node(e, k)], mesh.nodes[mesh.node(e, (k + 1) % 3)]));
  return longest;
}

/// The parts of the wanted items, given the origin of each part.
std::vector<Index> descendants(const std::vector<Index>& origin, std::vector<Index> wanted) {
  std::sort(wanted.begin(), wanted.end());
  std::vector<Index> found;
  for (std::size_t i = 0; i < origin.size(); ++i)
    if (std::binary_search(wanted.begin(), wanted.end(), origin[i])) found.push_back(static_cast<Index>(i));
  return found;
}

/// The node of a fine mesh at a single node of a group, which was a corner or a mid-side node.
Index node_by_itself(const Mesh& before, const Mesh& fine, const Bisection& cuts, Index node) {
  if (cuts.corner(node) >= 0) return cuts.corner(node);
  const auto at = std::find(before.elements.begin(), before.elements.end(), node) - before.elements.begin();
  const Index e = static_cast<Index>(at / 6);
  int k = 0;
  while (facet_node_slot(ElementType::t6, k, 1) != at % 6) ++k;
  const Index side = one_code(before, facet_code(e, k));
  if (cuts.middle(side) >= 0) return cuts.middle(side);
  const auto code = std::find(cuts.side_of().begin(), cuts.side_of().end(), side) - cuts.side_of().begin();
  return fine.node(static_cast<Index>(code / 3), facet_node_slot(ElementType::t6, static_cast<int>(code % 3), 1));
}

}  // namespace

Mesh graded(const Mesh& mesh, const std::vector<GradingPoint>& points, Index most) {
  if (points.empty()) return mesh;
  Bisection cuts(mesh, most);
  cuts.cut_until([&](const Mesh& m, Index e) { return longest_side(m, e) <= allowed(m, e, points); });

  Mesh fine = cuts.take();
  if (mesh.type == ElementType::t6) add_mid_sides(fine);
  number_as_they_lie(fine);
  fine.straightened = mesh.straightened;
  fine.turned = mesh.turned;
  for (const Group& group : mesh.groups) {
    std::vector<Index> nodes;
    for (const Index node : nodes_by_themselves(mesh, group)) nodes.push_back(node_by_itself(mesh, fine, cuts, node));
    fine.groups.push_back(make_group(fine, group.name, descendants(cuts.side_of(), group.facets), std::move(nodes),
                                     descendants(cuts.triangle_of(), group.elements),
                                     descendants(cuts.side_of(), group.inside)));
  }
  return fine;
}

}  // namespace cleave
