#include "cleave/mesh/colouring.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "cleave/core/error.hpp"
#include "cleave/mesh/connectivity.hpp"
#include "mesh/ids.hpp"

namespace cleave {
namespace {

/// Element ids sorted by key, and the range of each key; keys are 0 .. count - 1.
struct Buckets {
  std::vector<Index> order;
  std::vector<Index> offsets;
};

/// Counting sort; elements of one key keep the order of `ids`.
Buckets bucket_sort(const std::vector<Index>& ids, const std::vector<int>& key, int count) {
  Buckets buckets{std::vector<Index>(ids.size()), std::vector<Index>(count + 1)};
  for (int k : key) ++buckets.offsets[k];
  std::inclusive_scan(buckets.offsets.begin(), buckets.offsets.end(), buckets.offsets.begin());
  for (auto id = ids.rbegin(); id != ids.rend(); ++id) buckets.order[--buckets.offsets[key[*id]]] = *id;
  return buckets;
}

int count_of(const std::vector<int>& colour) {
  return colour.empty() ? 0 : *std::max_element(colour.begin(), colour.end()) + 1;
}

Colouring grouped(std::vector<int> colour, ColouringMethod method) {
  Colouring c;
  c.method = method;
  c.count = count_of(colour);
  Buckets buckets = bucket_sort(all_ids(colour.size()), colour, c.count);
  c.order = std::move(buckets.order);
  c.offsets = std::move(buckets.offsets);
  c.colour = std::move(colour);
  return c;
}

std::vector<Index> elements_as_given(const Mesh& mesh) {
  return input_order(mesh.original_elements, mesh.element_count());
}

/// Elements by descending number of neighbours (elements that share a node), ties by original id.
std::vector<Index> by_degree(const Mesh& mesh) {
  std::vector<int> at_corner(mesh.node_count());
  for (Index e = 0; e < mesh.element_count(); ++e)
    for (int corner = 0; corner < 3; ++corner) ++at_corner[mesh.node(e, corner)];
  std::vector<int> degree(mesh.element_count());
  for (Index e = 0; e < mesh.element_count(); ++e)
    for (int k = 0; k < 3; ++k) {
      // An element behind a facet shares two corners, any other neighbour one.
      degree[e] += at_corner[mesh.node(e, k)] - 1 - is_intact(mesh.neighbour(e, k));
    }
  const int largest = degree.empty() ? 0 : *std::max_element(degree.begin(), degree.end());
  for (int& d : degree) d = largest - d;
  return bucket_sort(elements_as_given(mesh), degree, largest + 1).order;
}

/// Exchanges colours, see balance_colours.
class Balancer {
 public:
  Balancer(const Mesh& mesh, int count, std::vector<int>& colour)
      : mesh_(mesh),
        incidence_(mesh),
        colour_(colour),
        members_(count),
        stuck_(count, std::vector<char>(count, 0)),
        seen_(colour.size(), 0) {
    for (Index e = 0; e < static_cast<Index>(colour.size()); ++e) members_[colour[e]].push_back(e);
  }

  void run() {
    for (std::pair<int, int> pair = widest(); pair.first >= 0; pair = widest()) {
      const auto [large, small] = pair;
      if (!exchange(large, small)) {
        stuck_[large][small] = 1;
        continue;
      }
      for (std::size_t c = 0; c < members_.size(); ++c)
        for (const int changed : {large, small}) stuck_[changed][c] = stuck_[c][changed] = 0;
    }
  }

 private:
  Index excess(int large, int small) const {
    return static_cast<Index>(members_[large].size()) - static_cast<Index>(members_[small].size());
  }

  /// The two colours whose sizes differ most among those that may still be balanced; -1 if there are none.
  std::pair<int, int> widest() const {
    std::pair<int, int> best{-1, -1};
    Index most = 1;
    const int count = static_cast<int>(members_.size());
    for (int a = 0; a < count; ++a)
      for (int b = 0; b < count; ++b)
        if (!stuck_[a][b] && excess(a, b) > most) {
          best = {a, b};
          most = excess(a, b);
        }
    return best;
  }

  /// Exchanges the colours of a chain. Returns whether one could be exchanged.
  bool exchange(int large, int small) {
    ++round_;
    Index left = excess(large, small);
    for (const Index e : members_[large]) {
      if (left < 2) break;
      if (seen_[e] == round_) continue;
      find_chain(e, large, small);
      const auto of_large = std::count_if(chain_.begin(), chain_.end(), [&](Index c) { return colour_[c] == large; });
      const Index gain = 2 * static_cast<Index>(of_large) - static_cast<Index>(chain_.size());
      if (gain <= 0 || 2 * gain > left) continue;
      for (const Index c : chain_) colour_[c] = large + small - colour_[c];
      left -= 2 * gain;
    }
    const bool any = left < excess(large, small);
    if (any) regroup(large, small);
    return any;
  }

  /// Finds all elements of two colours that are connected to `first` by shared nodes.
  void find_chain(Index first, int a, int b) {
    chain_.assign(1, first);
    seen_[first] = round_;
    for (std::size_t at = 0; at < chain_.size(); ++at)
      for (int corner = 0; corner < 3; ++corner)
        for (const Index other : incidence_.at(mesh_.node(chain_[at], corner))) {
          if ((colour_[other] != a && colour_[other] != b) || seen_[other] == round_) continue;
          seen_[other] = round_;
          chain_.push_back(other);
        }
  }

  void regroup(int a, int b) {
    std::vector<Index> all = std::move(members_[a]);
    all.insert(all.end(), members_[b].begin(), members_[b].end());
    members_[a].clear();
    members_[b].clear();
    for (const Index e : all) members_[colour_[e]].push_back(e);
  }

  const Mesh& mesh_;
  CornerIncidence incidence_;
  std::vector<int>& colour_;
  std::vector<std::vector<Index>> members_;  // [colour] its elements
  std::vector<std::vector<char>> stuck_;     // [large][small] no exchange helps until one of the two changes
  std::vector<int> seen_;                    // [element] the last search that reached it
  int round_ = 0;
  std::vector<Index> chain_;
};

/// Exchanges colours until no two differ by more than one element, or no exchange helps. The colouring stays valid: two
/// colours are exchanged on a Kempe chain, a set of elements connected by shared nodes that no other elements of these
/// colours touch.
/// @param colour  [element] 0 .. count - 1, a valid colouring
void balance_colours(const Mesh& mesh, int count, std::vector<int>& colour) { Balancer(mesh, count, colour).run(); }

}  // namespace

std::vector<int> greedy_colours(const Mesh& mesh, const std::vector<Index>& order) {
  constexpr int none = -1;
  const CornerIncidence incidence(mesh);
  std::vector<int> colour(mesh.element_count(), none);
  std::vector<Index> taken_for;  // [colour] the last element that must not have it
  for (Index e : order) {
    for (int corner = 0; corner < 3; ++corner) {
      for (Index other : incidence.at(mesh.node(e, corner))) {
        if (colour[other] != none) taken_for[colour[other]] = e;
      }
    }
    const auto free = std::find_if(taken_for.begin(), taken_for.end(), [e](Index by) { return by != e; });
    colour[e] = static_cast<int>(free - taken_for.begin());
    if (free == taken_for.end()) taken_for.push_back(-1);
  }
  return colour;
}

bool has_structured_colours(const Mesh& mesh) { return !mesh.structured_colours.empty(); }

Colouring colour_elements(const Mesh& mesh, ColouringMethod method) {
  using Method = ColouringMethod;
  if (method == Method::automatic) method = has_structured_colours(mesh) ? Method::structured : Method::welsh_powell;
  if (method == Method::structured) {
    if (!has_structured_colours(mesh)) throw InputError("the mesh has no structured colours; take welsh_powell");
    return grouped(mesh.structured_colours, method);
  }
  std::vector<int> colour = greedy_colours(mesh, method == Method::by_id ? elements_as_given(mesh) : by_degree(mesh));
  if (method == Method::balanced) balance_colours(mesh, count_of(colour), colour);
  return grouped(std::move(colour), method);
}

bool is_valid(const Colouring& colouring, const Mesh& mesh) {
  if (colouring.colour.size() != static_cast<std::size_t>(mesh.element_count())) return false;
  std::vector<int> last_colour(mesh.node_count(), -1);
  // Within one colour, a node that occurs twice is shared.
  for (Index e : colouring.order) {
    for (int slot = 0; slot < nodes_per_element(mesh.type); ++slot) {
      int& last = last_colour[mesh.node(e, slot)];
      if (last == colouring.colour[e]) return false;
      last = colouring.colour[e];
    }
  }
  return true;
}

int max_incidence(const Mesh& mesh) {
  std::vector<int> elements_at(mesh.node_count());
  int largest = 0;
  for (Index node : mesh.elements) largest = std::max(largest, ++elements_at[node]);
  return largest;
}

}  // namespace cleave
