#include "cleave/mesh/connectivity.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "cleave/core/atomic.hpp"
#include "cleave/core/machine.hpp"
#include "cleave/core/parallel.hpp"

namespace cleave {
namespace {

/// Calls f(i) for i < count, on all threads.
template <class F>
void for_all(std::size_t count, const F& f) {
  parallel_for(threads_for(0), count, 16384, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) f(static_cast<Index>(i));
  });
}

/// Codes of the edges from a node to larger ids, in the order of these.
std::vector<Index> edges_from(const Mesh& mesh, Index node, std::span<const Index> elements) {
  std::vector<std::pair<Index, Index>> larger;  // the other node, the code
  for (const Index e : elements)
    for (int k = 0; k < facets_per_element; ++k) {
      const Index code = facets_per_element * e + k, across = mesh.neighbours[code];
      const auto [start, end] = mesh.ends(code);
      const bool is_first = across == boundary_facet || code < across;
      if (is_first && std::min(start, end) == node) larger.emplace_back(std::max(start, end), code);
    }
  std::sort(larger.begin(), larger.end());
  std::vector<Index> codes;
  for (const auto& [other, code] : larger) codes.push_back(code);
  return codes;
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
  for_all(mesh.nodes.size(),
          [&](Index n) { first[n + 1] = static_cast<Index>(edges_from(mesh, n, elements.at(n)).size()); });
  std::inclusive_scan(first.begin(), first.end(), first.begin());
  facets_.resize(first.back());
  for_all(mesh.nodes.size(), [&](Index n) {
    Index edge = first[n];
    for (const Index code : edges_from(mesh, n, elements.at(n))) {
      of_facet_[code] = edge;
      if (const Index across = mesh.neighbours[code]; across != boundary_facet) of_facet_[across] = edge;
      facets_[edge++] = code;
    }
  });
}

std::array<Index, 2> Edges::corners(Index edge) const {
  const auto [start, end] = mesh_->ends(facets_[edge]);
  return {std::min(start, end), std::max(start, end)};
}

}  // namespace cleave
