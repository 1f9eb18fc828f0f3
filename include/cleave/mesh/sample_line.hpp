/// Points in a row that are looked at as a run goes on.
#pragma once

#include <string>
#include <vector>

#include "cleave/mesh/mesh.hpp"

namespace cleave {

struct SampleLine {
  struct Place {
    double s = 0;  ///< distance from the first one along the line, m
    Point at;      ///< at the start, m
  };
  std::string name;
  Step every = 1;  ///< steps between the samples
  std::vector<Place> places;
};

}  // namespace cleave
