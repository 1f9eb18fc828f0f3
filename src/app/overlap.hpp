/// Fragments or parts of a body that have moved into each other.
#pragma once

#include <limits>
#include <mutex>

#include "cleave/solver/model.hpp"
#include "cleave/solver/snapshot.hpp"

namespace cleave {

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
