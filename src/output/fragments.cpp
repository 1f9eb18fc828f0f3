#include "cleave/output/fragments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace cleave {
namespace {

Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
Point operator*(double s, Point a) { return {s * a.x, s * a.y}; }
double dot(Point a, Point b) { return a.x * b.x + a.y * b.y; }
double cross(Point a, Point b) { return a.x * b.y - a.y * b.x; }

double reference_area(const Snapshot& s, std::size_t element) {
  const Index* node = &s.elements[element * nodes_per_element(s.type)];
  const Point a = s.position[node[0]];
  return cross(s.position[node[1]] - a, s.position[node[2]] - a) / 2;
}

/// The fragments of each node: nearly always one; nodes at crack tips may have more. The fragment of eroded elements
/// counts only for nodes without other elements.
class NodeFragments {
 public:
  /// @param eroded  index of the fragment of eroded elements; -1: none
  NodeFragments(const Snapshot& s, const std::vector<Index>& fragment_of_element, Index eroded)
      : first_(s.position.size(), -1), count_(s.position.size(), 0) {
    const std::size_t stride = nodes_per_element(s.type);
    for (std::size_t i = 0; i < s.elements.size(); ++i) {
      const Index node = s.elements[i];
      const Index fragment = fragment_of_element[i / stride];
      if (fragment == eroded) continue;
      if (first_[node] < 0) first_[node] = fragment;
      if (first_[node] != fragment) others_.emplace_back(node, fragment);
    }
    for (const Index node : s.elements)
      if (first_[node] < 0) first_[node] = eroded;
    std::sort(others_.begin(), others_.end());
    others_.erase(std::unique(others_.begin(), others_.end()), others_.end());
    for (std::size_t node = 0; node < first_.size(); ++node) count_[node] = first_[node] < 0 ? 0 : 1;
    for (const auto& [node, fragment] : others_) ++count_[node];
  }

  /// Calls visit(node, fragment, share) for every pair, with the share of the node's mass that the fragment gets.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (std::size_t node = 0; node < first_.size(); ++node) {
      if (first_[node] >= 0) visit(static_cast<Index>(node), first_[node], 1.0 / count_[node]);
    }
    for (const auto& [node, fragment] : others_) visit(node, fragment, 1.0 / count_[node]);
  }

 private:
  std::vector<Index> first_;                     // [node] -1: no element has it
  std::vector<int> count_;                       // [node] number of fragments
  std::vector<std::pair<Index, Index>> others_;  // (node, fragment) for fragments beyond the first
};

/// @param place  [element] index of its fragment in `fragments`
void count_contacts(const Snapshot& s, const std::vector<Index>& place, std::vector<Fragment>& fragments) {
  std::vector<std::pair<Index, Index>> pairs;  // a fragment, and another one or, below 0, an obstacle
  for (const Snapshot::Touch& touch : s.touches) {
    const Index fragment = place[touch.element], other = touch.other < 0 ? touch.other : place[touch.other];
    if (fragment == other) continue;
    pairs.emplace_back(fragment, other);
    if (other >= 0) pairs.emplace_back(other, fragment);
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  for (const auto& [fragment, other] : pairs) ++fragments[fragment].contacts;
}

}  // namespace

std::vector<Index> fragment_ids(const Snapshot& s, const std::vector<Index>& original_elements) {
  std::vector<Index> smallest = original_elements;  // [label] smallest original id of its elements
  for (std::size_t e = 0; e < s.fragment.size(); ++e) {
    if (s.fragment[e] < 0) continue;
    Index& id = smallest[s.fragment[e]];
    id = std::min(id, original_elements[e]);
  }
  std::vector<Index> ids(s.fragment.size());
  for (std::size_t e = 0; e < ids.size(); ++e) ids[e] = s.fragment[e] < 0 ? Fragment::eroded : smallest[s.fragment[e]];
  return ids;
}

std::vector<Fragment> find_fragments(const Snapshot& s, const std::vector<Index>& ids) {
  std::vector<Index> sorted = ids;
  sorted.erase(std::unique(sorted.begin(), sorted.end()),
               sorted.end());  // neighbouring elements often have the same fragment
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  std::vector<Fragment> fragments(sorted.size());
  for (std::size_t f = 0; f < sorted.size(); ++f) fragments[f].id = sorted[f];

  std::vector<Index> place(ids.size());  // [element] index of its fragment in `fragments`
  for (std::size_t e = 0; e < ids.size(); ++e) {
    place[e] = static_cast<Index>(std::lower_bound(sorted.begin(), sorted.end(), ids[e]) - sorted.begin());
    fragments[place[e]].elements += 1;
    fragments[place[e]].area += reference_area(s, e);
  }

  const NodeFragments nodes(s, place, !sorted.empty() && sorted.front() == Fragment::eroded ? 0 : -1);
  nodes.for_each([&](Index node, Index f, double share) {
    const double mass = share * s.mass[node];
    fragments[f].mass += mass;
    fragments[f].centre = fragments[f].centre + mass * (s.position[node] + s.displacement[node]);
    fragments[f].velocity = fragments[f].velocity + mass * s.velocity[node];
    fragments[f].kinetic_energy += mass / 2 * dot(s.velocity[node], s.velocity[node]);
  });
  for (Fragment& f : fragments) {
    if (f.mass == 0) continue;
    f.centre = 1 / f.mass * f.centre;
    f.velocity = 1 / f.mass * f.velocity;
  }

  std::vector<double> inertia(fragments.size(), 0), momentum(fragments.size(), 0);
  nodes.for_each([&](Index node, Index f, double share) {
    const double mass = share * s.mass[node];
    const Point arm = s.position[node] + s.displacement[node] - fragments[f].centre;
    inertia[f] += mass * dot(arm, arm);
    momentum[f] += mass * cross(arm, s.velocity[node] - fragments[f].velocity);
  });
  for (std::size_t f = 0; f < fragments.size(); ++f)
    if (inertia[f] > 0) fragments[f].angular_velocity = momentum[f] / inertia[f];
  count_contacts(s, place, fragments);
  return fragments;
}

std::string fragments_header() {
  return "step,time,fragment,elements,area,mass,centre_x,centre_y,velocity_x,velocity_y,angular_velocity,"
         "kinetic_energy,contacts";
}

std::string fragments_row(Step step, double time, const Fragment& f) {
  return fmt::format("{},{:.17g},{},{},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{}", step, time,
                     f.id, f.elements, f.area, f.mass, f.centre.x, f.centre.y, f.velocity.x, f.velocity.y,
                     f.angular_velocity, f.kinetic_energy, f.contacts);
}

}  // namespace cleave
