#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

#include "cleave/core/machine.hpp"
#include "cleave/core/parallel.hpp"
#include "cleave/mesh/blocks.hpp"
#include "cleave/mesh/connectivity.hpp"
#include "cleave/mesh/topology.hpp"
#include "mesh/ids.hpp"

namespace cleave {
namespace {

using Elements = std::vector<Index>;

/// Calls f(block) for the blocks of a range, on several threads.
template <class F>
void for_each_block(const BlockRange& range, const F& f) {
  parallel_for(threads_for(0), static_cast<std::size_t>(range.blocks()), 256, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) f(range.first_block + static_cast<Index>(i));
  });
}

/// Cuts elements into blocks by repeated halving across the longer direction.
class Bisection {
 public:
  explicit Bisection(const Mesh& mesh)
      : place_(parallel_vector<Place>(threads_for(0), static_cast<std::size_t>(mesh.element_count()))) {
    parallel_for(threads_for(0), place_.size(), 16384, [&](std::size_t begin, std::size_t end) {
      for (auto e = static_cast<Index>(begin); e < static_cast<Index>(end); ++e) place_[e] = place_of(mesh, e);
    });
  }
  /// Afterwards the elements of a block are consecutive in [begin, end); only the last block may be short.
  /// @param threads  number of threads for both halves
  void cut(Elements::iterator begin, Elements::iterator end, int threads) const {
    const std::ptrdiff_t blocks = (end - begin + elements_per_block - 1) / elements_per_block;
    if (blocks < 2) return;
    const auto middle = begin + blocks / 2 * elements_per_block;
    const double Point::*along = longer_direction(begin, end);
    std::nth_element(begin, middle, end, [&](Index a, Index b) {
      const double at_a = place_[a].centroid.*along, at_b = place_[b].centroid.*along;
      return at_a < at_b || (at_a == at_b && a < b);
    });
    if (threads < 2 || end - begin < 65536) {
      cut(begin, middle, 1);
      cut(middle, end, 1);
    } else {
      parallel_for(2, 2, 1, [&](std::size_t half, std::size_t) {
        half == 0 ? cut(begin, middle, threads - threads / 2) : cut(middle, end, threads / 2);
      });
    }
  }

 private:
  struct Place {
    Point centroid, extent;
  };
  static Place place_of(const Mesh& mesh, Index e) {
    const Point &a = mesh.nodes[mesh.node(e, 0)], &b = mesh.nodes[mesh.node(e, 1)], &c = mesh.nodes[mesh.node(e, 2)];
    const Box box = box_around(std::array{a, b, c});
    return {centroid(mesh, e), {box.width(), box.height()}};
  }
  std::vector<Place> place_;  // [element]

  /// The direction with the larger extent in elements.
  const double Point::*longer_direction(Elements::iterator begin, Elements::iterator end) const {
    Box box{place_[*begin].centroid, place_[*begin].centroid};
    Point width{0, 0};
    for (auto e = begin; e != end; ++e) {
      const auto& [at, extent] = place_[*e];
      box.include(at);
      width = {width.x + extent.x, width.y + extent.y};
    }
    return box.width() * width.y >= box.height() * width.x ? &Point::x : &Point::y;
  }
};

/// Exchanges elements between neighbouring blocks, one for one, as long as that lowers the number of nodes between
/// blocks. Pairs of blocks are processed one after the other. A pair depends on its two blocks alone, so pairs without
/// a common block can be processed at the same time.
class Exchange {
 public:
  /// @param order  elements, block after block
  Exchange(const Mesh& mesh, const std::vector<BlockRange>& ranges, Elements& order)
      : mesh_(mesh), ranges_(ranges), at_corner_(mesh), order_(order), block_(order.size()) {
    for (const BlockRange& range : ranges)
      for_each_block(range, [&](Index b) {
        for (Index i = range.begin_of(b); i < range.end_of(b); ++i) put(order[i], b);
      });
  }
  void run() {
    std::vector<Pair> pairs = neighbours();
    std::vector<std::atomic<Index>> done(ranges_.back().end_block());  // [block] number of processed pairs
    const std::vector<PairsOfBlock> order = take_turns(pairs, done.size());
    // A pair waits for earlier pairs of its blocks. These come earlier in this order too, so that a thread has already
    // taken them.
    parallel_for(threads_for(0), order.size(), 1, [&](std::size_t i, std::size_t) {
      for (std::size_t p = order[i].begin; p < order[i].end; ++p) {
        const auto& [range, a, b, turn_of_a, turn_of_b] = pairs[p];
        const Turn at_a(done[a], turn_of_a), at_b(done[b], turn_of_b);
        exchange(*range, a, b);
      }
    });
  }

 private:
  struct Pair {
    const BlockRange* range;
    Index a, b;
    Index turn_of_a = 0, turn_of_b = 0;  ///< number of pairs of a, and of b, before this one
  };
  /// The pairs of a block a, which one thread processes.
  struct PairsOfBlock {
    std::size_t begin, end;
    int wave;
  };
  /// Waits for the turn of a pair at one of its blocks, and ends that turn.
  class Turn {
   public:
    Turn(std::atomic<Index>& done, Index before) : done_(done), before_(before) {
      for (Index now; (now = done_.load(std::memory_order_acquire)) != before_;) done_.wait(now);
    }
    ~Turn() {
      done_.store(before_ + 1, std::memory_order_release);
      done_.notify_all();
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    std::atomic<Index>& done_;
    Index before_;  ///< number of pairs before
  };
  /// An element that may leave its block.
  struct Candidate {
    int gain;     ///< reduction of the number of nodes between blocks if it leaves alone
    Index place;  ///< position in the order
  };

  const Mesh& mesh_;
  const std::vector<BlockRange>& ranges_;
  CornerIncidence at_corner_;
  Elements& order_;
  std::vector<std::atomic<Index>> block_;  // [element] its block

  Index block_of(Index e) const { return block_[e].load(std::memory_order_relaxed); }
  void put(Index e, Index block) { block_[e].store(block, std::memory_order_relaxed); }

  /// Blocks a < b of one range that share facets, sorted by a, then b.
  std::vector<Pair> neighbours() const {
    std::vector<Pair> pairs;
    for (const BlockRange& range : ranges_) {
      const auto of_blocks = [&](std::size_t begin, std::size_t end) {
        return neighbours_of(range, range.first_block + static_cast<Index>(begin),
                             range.first_block + static_cast<Index>(end));
      };
      const auto found = parallel_results(threads_for(0), static_cast<std::size_t>(range.blocks()), 256, of_blocks);
      for (const std::vector<Pair>& some : found) pairs.insert(pairs.end(), some.begin(), some.end());
    }
    return pairs;
  }
  /// Assigns each pair its turns. Returns the pairs of each block a in waves: pairs of one wave have no common block
  /// and wait only for pairs of earlier waves.
  static std::vector<PairsOfBlock> take_turns(std::vector<Pair>& pairs, std::size_t blocks) {
    constexpr Index none = -1;
    std::vector<PairsOfBlock> all;
    std::vector<Index> turns(blocks, 0), last(blocks, none);  // [block] number of pairs, block a of the last one
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      if (all.empty() || pairs[p].a != pairs[all.back().begin].a) all.push_back({p, p, 0});
      all.back().end = p + 1;
      const auto own = static_cast<Index>(all.size() - 1);
      const auto turn_at = [&](Index block) {
        const Index before = std::exchange(last[block], own);
        if (before != none && before != own) all[own].wave = std::max(all[own].wave, all[before].wave + 1);
        return turns[block]++;
      };
      pairs[p].turn_of_a = turn_at(pairs[p].a);
      pairs[p].turn_of_b = turn_at(pairs[p].b);
    }
    std::stable_sort(all.begin(), all.end(), [](const auto& one, const auto& other) { return one.wave < other.wave; });
    return all;
  }
  /// The pairs of the blocks a in [begin, end).
  std::vector<Pair> neighbours_of(const BlockRange& range, Index begin, Index end) const {
    std::vector<Pair> pairs;
    std::vector<Index> others;
    for (Index a = begin; a < end; ++a) {
      others.clear();
      for (Index i = range.begin_of(a); i < range.end_of(a); ++i)
        for (int k = 0; k < 3; ++k) {
          const Index b = block_behind(order_[i], k);
          if (b > a && b < range.end_block()) others.push_back(b);
        }
      std::sort(others.begin(), others.end());
      others.erase(std::unique(others.begin(), others.end()), others.end());
      for (const Index b : others) pairs.push_back({&range, a, b});
    }
    return pairs;
  }
  /// Block of the element behind a facet; -1 at the boundary.
  Index block_behind(Index e, int k) const {
    const Index code = mesh_.neighbour(e, k);
    return is_intact(code) ? block_of(element_of(code)) : -1;
  }

  void exchange(const BlockRange& range, Index a, Index b) {
    while (true) {
      const std::vector<Candidate> from_a = candidates(range, a, b), from_b = candidates(range, b, a);
      Candidate best_a{}, best_b{};
      int best = 0;
      for (const Candidate& out : from_a)
        for (const Candidate& in : from_b) {
          // Moving the first element never increases the gain of the second one.
          if (out.gain + in.gain <= best) break;
          put(order_[out.place], b);
          const int both = out.gain + gain(order_[in.place], a);
          put(order_[out.place], a);
          if (both > best) best = both, best_a = out, best_b = in;
        }
      if (best == 0) return;
      put(order_[best_a.place], b);
      put(order_[best_b.place], a);
      std::swap(order_[best_a.place], order_[best_b.place]);
    }
  }
  /// Elements of block `from` that share a facet with block `to`, by descending gain, ties by id.
  std::vector<Candidate> candidates(const BlockRange& range, Index from, Index to) const {
    std::vector<Candidate> found;
    found.reserve(elements_per_block);
    for (Index i = range.begin_of(from); i < range.end_of(from); ++i) {
      bool touches = false;
      for (int k = 0; k < 3; ++k) touches |= block_behind(order_[i], k) == to;
      if (touches) found.push_back({gain(order_[i], to), i});
    }
    std::sort(found.begin(), found.end(), [&](const Candidate& a, const Candidate& b) {
      return a.gain > b.gain || (a.gain == b.gain && order_[a.place] < order_[b.place]);
    });
    return found;
  }
  /// Reduction of the number of nodes between blocks if an element moves to another block.
  int gain(Index e, Index to) const {
    const Index from = block_of(e);
    int fewer = 0;
    for (int k = 0; k < 3; ++k) {
      bool others = false, all_from = true, all_to = true;
      for (const Index other : at_corner_.at(mesh_.node(e, k))) {
        if (other == e) continue;
        others = true;
        const Index there = block_of(other);
        all_from &= there == from;
        all_to &= there == to;
      }
      if (others) fewer += all_to - all_from;
    }
    if (mesh_.type == ElementType::t6)
      for (int k = 0; k < 3; ++k) {
        const Index behind = block_behind(e, k);
        fewer += (behind == to) - (behind == from);
      }
    return fewer;
  }
};

/// Sorts the elements of each block by the present numbering.
void sort_in_blocks(Elements& order, const std::vector<BlockRange>& ranges) {
  for (const BlockRange& range : ranges)
    for_each_block(range,
                   [&](Index b) { std::sort(order.begin() + range.begin_of(b), order.begin() + range.end_of(b)); });
}

/// Sorts the blocks by their middle elements in the present numbering. A short block stays the last of its range.
/// @param order  sorted within blocks
Elements in_present_order(const Elements& order, const std::vector<BlockRange>& ranges) {
  Elements result;
  result.reserve(order.size());
  for (const BlockRange& range : ranges) {
    std::vector<std::pair<Index, Index>> blocks;  // element in the middle, block
    for (Index b = range.first_block; b < range.end_block(); ++b) {
      const Index begin = range.begin_of(b), end = range.end_of(b);
      blocks.emplace_back(order[begin + (end - begin) / 2], b);
    }
    const bool short_one = (range.end_element - range.first_element) % elements_per_block != 0;
    std::sort(blocks.begin(), blocks.end() - short_one);
    for (const auto& [middle, b] : blocks)
      result.insert(result.end(), order.begin() + range.begin_of(b), order.begin() + range.end_of(b));
  }
  return result;
}

}  // namespace

std::vector<Index> compact_block_order(const Mesh& mesh, const std::vector<BlockRange>& ranges, BlockOrder blocks) {
  auto order = all_ids(static_cast<std::size_t>(mesh.element_count()));
  {
    const Bisection bisection(mesh);
    for (const BlockRange& range : ranges)
      bisection.cut(order.begin() + range.first_element, order.begin() + range.end_element, threads_for(0));
  }
  Exchange(mesh, ranges, order).run();
  sort_in_blocks(order, ranges);
  if (blocks == BlockOrder::halves) return order;
  return in_present_order(order, ranges);
}

}  // namespace cleave
