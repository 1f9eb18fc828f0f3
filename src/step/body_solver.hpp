/// The part of the Solver interface that is the same for both solvers.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cleave/solver/solver.hpp"
#include "step/body_output.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// @tparam Body  GatherBody or ColouredBody
template <class Body>
class BodySolver : public Solver {
 public:
  Step step() const override { return body_.step; }
  std::vector<StageTime> stage_times() override { return body_.backend.stages(); }
  Deformation largest_deformation() override { return cleave::largest_deformation(body_); }
  std::vector<FieldNorms> field_norms() override {
    return cleave::field_norms(body_, body_.row_counts(), [](const auto& field) { return field.data(); });
  }
  MemoryUse memory() const override { return Body::Backend::memory.use(); }
  std::string device() const override { return body_.backend.device(); }
  std::vector<ProbeRow> take_probe_rows() override { return body_.probes.take(); }

 protected:
  template <class... Args>
  explicit BodySolver(const Model& model, Args&&... backend) : body_(model, std::forward<Args>(backend)...) {}

  Body body_;
};

}  // namespace cleave::inline CLEAVE_PRECISION
