/// Warnings of a run about valid input: values that look wrong, limits of the theory that are exceeded.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/frame_checks.hpp"
#include "cleave/output/history.hpp"
#include "cleave/solver/model.hpp"
#include "cleave/solver/solver.hpp"

namespace cleave {

/// The warnings of a run, the first one of each kind.
class Warnings {
 public:
  /// @param tell  called with each new warning
  explicit Warnings(std::function<void(const std::string&)> tell) : tell_(std::move(tell)) {}

  /// Adopts the warnings of an earlier part of the run without printing them.
  void restore(const std::vector<std::string>& warnings) { all_ = warnings; }
  void add(const std::string& kind, const std::string& what);
  /// All warnings, "kind: text".
  const std::vector<std::string>& all() const { return all_; }

 private:
  std::function<void(const std::string&)> tell_;
  std::vector<std::string> all_;
};

/// Warns where a launcher binds this rank to one processor and leaves others of the machine to nobody.
/// @param ranks  on this machine
void warn_of_binding(int ranks, Warnings& warnings);

/// Warns about frames that may not fit into the memory left by the solver.
void warn_of_memory(const Case& c, const Model& model, bool on_gpu, Warnings& warnings);

/// Warns about strains above 5 % and rotations above 5 degrees at a step with small kinematics.
void warn_of_deformation(const Deformation& deformation, const Model& model, Step step, Warnings& warnings);

/// Whether all laws store all work: work without strain energy is then an error of the step.
bool is_hyperelastic(const Model& model);
/// Fraction of the largest energy from which on an energy gain means instability. Stable runs have at most 0.005
/// (VERIFICATION.md, section 16).
inline constexpr double unstable_gain = 0.2;

/// Warns, in finite kinematics, if the critical step of the current shape is below the step.
void warn_of_present_step(const Deformation& deformation, const Model& model, Step step, Warnings& warnings);

/// Warns, after the last row of history.csv, about facets that broke far above their strength, a balance that misses
/// and dissipation that fell by more than rounding, large negative accounts, and energy gains of hyperelastic laws.
void warn_of_history(const History& history, const Model& model, Warnings& warnings);

/// Warns, at the end of a run with a cohesive law, if nothing broke.
void warn_of_intact(const HistoryRow& last, const LargestFacetLoad::Found& load, Warnings& warnings);

/// Warns, at the end of a run, if fragments or parts have moved into each other.
void warn_of_overlap(const FirstOverlap::Found& overlap, Warnings& warnings);

}  // namespace cleave
