/// Checks of frames as they are written: how near facets are to their strength, and what has moved into each other.
#pragma once

#include <limits>
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

/// The first frame in which a point of a free or broken facet lies in a triangle of another fragment, deeper than a
/// tenth of the triangle's height. Without contact of the surface with itself only the two faces of a cohesive element
/// press each other; with it, nothing is looked at.
class FirstOverlap {
 public:
  struct Found {
    double time = std::numeric_limits<double>::infinity();  ///< s; infinite: none
    Point at;                                               ///< present place, m
    bool any() const { return time < std::numeric_limits<double>::infinity(); }
  };
  /// @param model  must outlive this object
  explicit FirstOverlap(const Model& model) : model_(model) {}

  /// Looks at a frame, unless an earlier one has an overlap. May be called on several threads at a time.
  void look_at(const Snapshot& snapshot);
  Found found() const {
    const std::lock_guard lock(mutex_);
    return found_;
  }

 private:
  const Model& model_;
  mutable std::mutex mutex_;
  Found found_;
};

}  // namespace cleave
