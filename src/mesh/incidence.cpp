#include "mesh/incidence.hpp"

#include <algorithm>
#include <numeric>

#include "cleave/core/atomic.hpp"
#include "cleave/core/machine.hpp"
#include "cleave/core/parallel.hpp"

namespace cleave {

CornerIncidence::CornerIncidence(const Mesh& mesh)
    : offsets_(mesh.node_count() + std::size_t{1}), elements_(3 * static_cast<std::size_t>(mesh.element_count())) {
  const auto in_parallel = [](std::size_t count, const auto& f) {
    parallel_for(threads_for(0), count, 16384, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) f(static_cast<Index>(i));
    });
  };
  const auto elements = static_cast<std::size_t>(mesh.element_count());
  in_parallel(elements, [&](Index e) {
    for (int corner = 0; corner < 3; ++corner) atomic_add(offsets_[mesh.node(e, corner)], 1);
  });
  // Each offset first becomes the end of its range; filling moves it to the start.
  std::inclusive_scan(offsets_.begin(), offsets_.end(), offsets_.begin());
  in_parallel(elements, [&](Index e) {
    for (int corner = 0; corner < 3; ++corner) elements_[atomic_add(offsets_[mesh.node(e, corner)], -1) - 1] = e;
  });
  in_parallel(offsets_.size() - 1,
              [&](Index n) { std::sort(elements_.begin() + offsets_[n], elements_.begin() + offsets_[n + 1]); });
}

}  // namespace cleave
