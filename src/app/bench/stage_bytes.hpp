/// Bytes that the stages of an elastic step move, counted from the data structures.
#pragma once

#include <optional>
#include <string>

#include "cleave/solver/model.hpp"

namespace cleave::benchmark {

/// Bytes of one pass over the mesh, each array that a launch touches being moved once by that launch.
struct StageBytes {
  double per_element = 0;
  bool by_step = false;  ///< a pass is all launches of a step: colours, in parts of a large mesh
};

/// Bytes of the stage with that name in stage_times(); none for stages that only touch counters, for stages not
/// counted, and for stages of `coloured` and `atomic` that a check without a stress near the strength leaves out.
std::optional<StageBytes> stage_bytes(const Model& model, const std::string& stage);

}  // namespace cleave::benchmark
