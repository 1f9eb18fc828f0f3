#include "cleave/mesh/connectivity.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "cleave/core/atomic.hpp"
#include "cleave/core/machine.hpp"
#include "cleave/core/parallel.hpp"

namespace cleave {
namespace {

/// Calls f(begin, end) for ranges of i < count, on all threads.
template <class F>
void for_ranges(std::size_t count, const F& f) {
  parallel_for(threads_for(0), count, 16384,
               [&](std::size_t begin, std::size_t end) { f(static_cast<Index>(begin), static_cast<Index>(end)); });
}
/// Calls f(i) for i < count, on all threads.
template <class F>
void for_all(std::size_t count, const F& f) {
  for_ranges(count, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) f(i);
  });
}

/// Calls f(other, code) for the edges from a node to larger ids, in no order.
/// @param elements  at the node
template <class F>
void for_edges_from(const Mesh& mesh, Index node, std::span<const Index> elements, const F& f) {
  for (const Index e : elements)
    for (int k = 0; k < facets_per_element; ++k) {
      const Index start = mesh.node(e, (k + 1) % 3), end = mesh.node(e, (k + 2) % 3);
      const Index code = facets_per_element * e + k, across = mesh.neighbours[code];
      if (std::min(start, end) == node && (!is_intact(across) || code < across)) f(std::max(start, end), code);
    }
}

}  // namespace

CornerIncidence::CornerIncidence(const Mesh& mesh)
    : offsets_(mesh.node_count() + std::size_t{1}), elements_(3 * static_cast<std::size_t>(mesh.element_count())) {
  const auto elements = static_cast<std::size_t>(mesh.element_count());
  for_all(elements, [&](Index e) {
    for (int corner = 0; corner < 3; ++corner) atomic_add(offsets_[mesh.node(e, corner)], 1);
  });
  // Each offset first becomes the end of its range; filling moves it to the start.
  std::inclusive_scan(offsets_.begin(), offsets_.end(), offsets_.begin());
  for_all(elements, [&](Index e) {
    for (int corner = 0; corner < 3; ++corner) elements_[atomic_add(offsets_[mesh.node(e, corner)], -1) - 1] = e;
  });
  for_all(offsets_.size() - 1,
          [&](Index n) { std::sort(elements_.begin() + offsets_[n], elements_.begin() + offsets_[n + 1]); });
}

Edges::Edges(const Mesh& mesh) : mesh_(&mesh), of_facet_(mesh.neighbours.size()) {
  const CornerIncidence elements(mesh);
  std::vector<Index> first(mesh.nodes.size() + 1, 0);  // [node] edge
  for_all(mesh.nodes.size(), [&](Index n) {
    Index count = 0;
    for_edges_from(mesh, n, elements.at(n), [&](Index, Index) { ++count; });
    first[n + 1] = count;
  });
  std::inclusive_scan(first.begin(), first.end(), first.begin());
  facets_.resize(first.back());
  for_ranges(mesh.nodes.size(), [&](Index begin, Index end) {
    std::vector<std::pair<Index, Index>> larger;  // the other node, the code
    for (Index n = begin; n < end; ++n) {
      larger.clear();
      for_edges_from(mesh, n, elements.at(n), [&](Index other, Index code) { larger.emplace_back(other, code); });
      std::sort(larger.begin(), larger.end());
      Index edge = first[n];
      for (const auto& [other, code] : larger) {
        of_facet_[code] = edge;
        if (const Index across = mesh.neighbours[code]; is_intact(across)) of_facet_[across] = edge;
        facets_[edge++] = code;
      }
    }
  });
}

std::array<Index, 2> Edges::corners(Index edge) const {
  const auto [start, end] = mesh_->ends(facets_[edge]);
  return {std::min(start, end), std::max(start, end)};
}

}  // namespace cleave
