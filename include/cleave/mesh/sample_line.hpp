/// A line of points that are sampled during a run.
#pragma once

#include <string>
#include <vector>

#include "cleave/mesh/mesh.hpp"

namespace cleave {

struct SampleLine {
  struct Place {
    double s = 0;  ///< distance from the first place along the line, m
    Point at;      ///< position at the start, m
  };
  std::string name;
  Step every = 1;  ///< steps between samples
  std::vector<Place> places;
  bool touches = false;  ///< it lies on the boundary of a body that may touch something
};

}  // namespace cleave
