/// What the stages of an elastic step move, counted from the data structures.
#pragma once

#include <optional>
#include <string>

#include "cleave/solver/model.hpp"

namespace cleave::benchmark {

/// Bytes of one pass over the mesh, each array that a launch touches being moved once by that launch.
struct StageBytes {
  double per_element = 0;
  bool by_colour = false;  ///< a pass is a launch per colour
};

/// Of the stage with that name in stage_times(); none for stages that only touch counters and for those not counted.
std::optional<StageBytes> stage_bytes(const Model& model, const std::string& stage);

}  // namespace cleave::benchmark
