/// What a run says once though the input can be run: numbers that do not look right, limits of the theory that are
/// left.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "cleave/output/history.hpp"
#include "cleave/solver/model.hpp"
#include "cleave/solver/solver.hpp"

namespace cleave {

/// One warning of each kind, the first.
class Warnings {
 public:
  /// @param tell  is called with each new one
  explicit Warnings(std::function<void(const std::string&)> tell) : tell_(std::move(tell)) {}

  /// Takes over what an earlier part of a run has warned of, without telling it again.
  void restore(const std::vector<std::string>& warnings) { all_ = warnings; }
  void add(const std::string& kind, const std::string& what);
  /// "kind: what"
  const std::vector<std::string>& all() const { return all_; }

 private:
  std::function<void(const std::string&)> tell_;
  std::vector<std::string> all_;
};

/// How the mesh resolves cohesive zones: at the facet whose zone is the fewest of its lengths long.
struct WorstZone {
  double zone =
      std::numeric_limits<double>::infinity();  ///< its length, m, of both modes and materials the shorter one
  double facet = 1;                             ///< length of the facet, m
  double facets() const { return zone / facet; }
};
/// Over all facets that may break, by the nominal strengths of their entries; as it begins if there are none. The model
/// must have a cohesive law.
WorstZone worst_zone(const Model& model);
/// A zone of about three elements or more lets the law, not the mesh, decide when a crack grows.
inline constexpr double enough_zone = 3;

/// Units that look wrong, T3 that lock, a cohesive zone that the mesh does not resolve.
void warn_of_case(const Case& c, const Model& model, Warnings& warnings);

/// A frame that may not fit into the memory that is left, once the solver has what it needs.
void warn_of_memory(const Case& c, const Mesh& mesh, bool on_gpu, Warnings& warnings);

/// Strains above 5 % and rotations above 5 degrees, at that step: the theory holds for small ones.
void warn_of_deformation(const Deformation& deformation, const Mesh& mesh, Step step, Warnings& warnings);

/// Whether all laws store what works on them: work that is not in the strain energy is an error of the step.
bool is_hyperelastic(const Model& model);
/// A body that has got that part of its largest energy from nothing is unstable. Stable ones got 0.005 at most
/// (VERIFICATION.md, section 16).
inline constexpr double unstable_gain = 0.2;

/// A critical step of the present shape below the step that is used, in finite kinematics.
void warn_of_present_step(const Deformation& deformation, const Model& model, Step step, Warnings& warnings);

/// Facets that broke far above their strength, dissipation that has fallen by more than rounding, accounts that owe
/// much, energy that hyperelastic laws got from nothing, after the last row of the history.
void warn_of_history(const History& history, const Model& model, Warnings& warnings);

}  // namespace cleave
