#include "mesh/incidence.hpp"

#include <numeric>

namespace cleave {

CornerIncidence::CornerIncidence(const Mesh& mesh)
    : offsets_(mesh.node_count() + std::size_t{1}), elements_(3 * static_cast<std::size_t>(mesh.element_count())) {
  for (Index e = 0; e < mesh.element_count(); ++e) {
    for (int corner = 0; corner < 3; ++corner) ++offsets_[mesh.node(e, corner)];
  }
  // Each offset first becomes the end of its range; filling backwards moves it to the start and keeps ids ascending.
  std::inclusive_scan(offsets_.begin(), offsets_.end(), offsets_.begin());
  for (Index e = mesh.element_count() - 1; e >= 0; --e) {
    for (int corner = 0; corner < 3; ++corner) elements_[--offsets_[mesh.node(e, corner)]] = e;
  }
}

}  // namespace cleave
