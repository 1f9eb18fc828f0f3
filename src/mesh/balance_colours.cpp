#include "mesh/balance_colours.hpp"

#include <algorithm>
#include <utility>

#include "mesh/incidence.hpp"

namespace cleave {
namespace {

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

}  // namespace

void balance_colours(const Mesh& mesh, int count, std::vector<int>& colour) { Balancer(mesh, count, colour).run(); }

}  // namespace cleave
