#include "mesh/ids.hpp"

#include <algorithm>
#include <cstdint>

namespace cleave {

std::vector<Index> order_by_id(const std::vector<Index>& original) {
  std::vector<Index> order(original.size());
  std::iota(order.begin(), order.end(), 0);
  if (std::is_sorted(original.begin(), original.end())) return order;
  const auto [least, most] = std::minmax_element(original.begin(), original.end());
  const std::int64_t low = *least, range = std::int64_t{*most} - low + 1;
  // Ids of files are mostly dense: counting takes a tenth of the time of comparing.
  if (range > 2 * std::ssize(original)) {
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return original[a] < original[b]; });
    return order;
  }
  std::vector<Index> next(static_cast<std::size_t>(range) + 1);  // [id] position of the next part with this id
  for (const Index id : original) ++next[static_cast<std::size_t>(id - low) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  for (std::size_t i = 0; i < original.size(); ++i)
    order[next[static_cast<std::size_t>(original[i] - low)]++] = static_cast<Index>(i);
  return order;
}

std::vector<Index> inverse(const std::vector<Index>& order) {
  auto position = parallel_vector<Index>(threads_for(0), order.size());
  parallel_for(threads_for(0), order.size(), 65536, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) position[order[i]] = static_cast<Index>(i);
  });
  return position;
}

}  // namespace cleave
