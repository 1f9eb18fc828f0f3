#include "cleave/mesh/colouring.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "cleave/core/error.hpp"
#include "mesh/balance_colours.hpp"
#include "mesh/ids.hpp"
#include "mesh/incidence.hpp"

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
  std::vector<Index> ids(colour.size());
  std::iota(ids.begin(), ids.end(), 0);
  Buckets buckets = bucket_sort(ids, colour, c.count);
  c.order = std::move(buckets.order);
  c.offsets = std::move(buckets.offsets);
  c.colour = std::move(colour);
  return c;
}

/// Element ids in the order of the input numbering.
std::vector<Index> input_order(const Mesh& mesh) {
  if (!mesh.original_elements.empty()) return order_by_id(mesh.original_elements);
  std::vector<Index> order(mesh.element_count());
  std::iota(order.begin(), order.end(), 0);
  return order;
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
  return bucket_sort(input_order(mesh), degree, largest + 1).order;
}

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
  std::vector<int> colour = greedy_colours(mesh, method == Method::by_id ? input_order(mesh) : by_degree(mesh));
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
