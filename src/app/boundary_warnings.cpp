#include <fmt/format.h>

#include <array>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "app/case_warnings.hpp"
#include "cleave/mesh/topology.hpp"

namespace cleave {
namespace {

using Kind = BoundaryCase::Kind;

bool holds(const BoundaryCase& b) { return b.kind == Kind::fix || b.kind == Kind::velocity; }
bool prescribes(const BoundaryCase& b, int axis) { return holds(b) && (axis == 0 ? b.x : b.y); }

bool same_motion(const BoundaryCase& a, const BoundaryCase& b, int axis) {
  const auto speed = [&](const BoundaryCase& c) { return c.kind == Kind::fix ? 0 : c.velocity[axis]; };
  return speed(a) == speed(b) && (speed(a) == 0 || a.curve == b.curve);
}

/// Index of the entry that prescribes each node in each direction: the last one; -1: none.
struct Holders {
  std::array<std::vector<int>, 2> of;  ///< [axis][node]

  Holders(const Case& c, const Mesh& mesh) {
    for (std::vector<int>& nodes : of) nodes.assign(mesh.nodes.size(), -1);
    for (int i = 0; i < static_cast<int>(c.boundary.size()); ++i)
      for (int axis = 0; axis < 2; ++axis)
        if (const Group* group = mesh.find_group(c.boundary[i].on); group && prescribes(c.boundary[i], axis))
          for (const Index n : group->nodes) of[axis][n] = i;
  }
};

/// The entries that prescribe all nodes of entry i in a direction in another way; empty: entry i acts there.
std::set<int> overriding(const Case& c, const Group& group, int i, int axis, const Holders& holders) {
  std::set<int> others;
  bool differs = false;
  for (const Index n : group.nodes) {
    const int last = holders.of[axis][n];
    if (last == i) return {};
    others.insert(last);
    differs = differs || !same_motion(c.boundary[i], c.boundary[last], axis);
  }
  return differs ? others : std::set<int>{};
}

/// Whether an entry that acts on sides has a force on a side with this outward normal along the axis.
bool pushes(const BoundaryCase& b, Point normal, int axis) {
  constexpr double least = 1e-6;  // of the force
  if (b.kind == Kind::absorb) return true;
  if (b.kind == Kind::traction) return b.traction[axis] != 0;
  return std::abs(axis == 0 ? normal.x : normal.y) > least * std::hypot(normal.x, normal.y);
}

/// The entries that prescribe all nodes on which a load acts in all its directions; empty: the load acts.
std::set<int> holding(const BoundaryCase& load, const Mesh& mesh, const Group& group, const Holders& holders) {
  std::set<int> others;
  for (const Index code : group.facets) {
    const auto [a, b] = mesh.end_points(code);
    for (int axis = 0; axis < 2; ++axis) {
      if (!pushes(load, {b.y - a.y, a.x - b.x}, axis)) continue;
      for (int n = 0; n < nodes_per_facet(mesh.type); ++n) {
        const int holder = holders.of[axis][mesh.facet_node(code, n)];
        if (holder < 0) return {};
        others.insert(holder);
      }
    }
  }
  return others;
}

/// "plate.yaml:9: boundary.2", as errors name it.
std::string entry_of(const Case& c, int i) {
  const int line = c.boundary[i].line;
  return fmt::format("{}{}: boundary.{}", c.file.string(), line > 0 ? fmt::format(":{}", line) : "", i);
}

std::string entries_of(const Case& c, const std::set<int>& entries) {
  std::string text;
  for (const int i : entries) text += (text.empty() ? "" : " and ") + entry_of(c, i);
  return text;
}

}  // namespace

void warn_of_overridden(const Case& c, const Mesh& mesh, Warnings& warnings) {
  const Holders holders(c, mesh);
  for (int i = 0; i < static_cast<int>(c.boundary.size()); ++i) {
    const BoundaryCase& entry = c.boundary[i];
    const Group* group = mesh.find_group(entry.on);
    if (group == nullptr || (entry.kind == Kind::pressure && entry.in_cracks)) continue;
    if (!holds(entry)) {
      if (const std::set<int> others = holding(entry, mesh, *group, holders); !others.empty())
        warnings.add(entry_of(c, i),
                     "it has no effect: all nodes on which it acts are held or driven in its direction "
                     "by " +
                         entries_of(c, others));
      continue;
    }
    std::array<std::set<int>, 2> others;
    for (int axis = 0; axis < 2; ++axis)
      if (prescribes(entry, axis)) others[axis] = overriding(c, *group, i, axis, holders);
    if (others[0].empty() && others[1].empty()) continue;
    const char* way = others[1].empty() ? "x" : others[0].empty() ? "y" : "x and y";
    others[0].merge(others[1]);
    warnings.add(entry_of(c, i), fmt::format("it has no effect along {}: of several entries for a node the last one "
                                             "counts, here {}",
                                             way, entries_of(c, others[0])));
  }
}

}  // namespace cleave
