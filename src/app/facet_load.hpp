/// How near the facets of an intact body come to their strength.
#pragma once

#include <mutex>

#include "cleave/solver/model.hpp"
#include "cleave/solver/snapshot.hpp"

namespace cleave {

/// The largest traction of a facet that may break over its strength, in the frames of a body that is intact.
class LargestFacetLoad {
 public:
  struct Found {
    double ratio = 0;  ///< traction over strength by the criterion and aggregate of the case
    double time = 0;   ///< s
    Index frames = 0;  ///< number of frames with nodal stresses
  };
  /// @param model  must outlive this object
  explicit LargestFacetLoad(const Model& model) : model_(model) {}

  /// Looks at a frame, with the mean stresses of its nodes over all their elements. Ignores one that has cracks or no
  /// nodal stresses. May be called on several threads at a time.
  void look_at(const Snapshot& snapshot);
  Found found() const {
    const std::lock_guard lock(mutex_);
    return found_;
  }

 private:
  double ratio_at(const Snapshot& snapshot, Index element, int facet) const;

  const Model& model_;
  mutable std::mutex mutex_;
  Found found_;
};

}  // namespace cleave
