/// A run of a case, from the first change of its directory to its end.
#pragma once

#include <optional>
#include <string>

#include "app/backend.hpp"
#include "app/ended_from_outside.hpp"
#include "app/frame_checks.hpp"
#include "app/time_loop.hpp"
#include "app/warnings.hpp"
#include "cleave/output/checkpoint.hpp"
#include "cleave/output/progress.hpp"
#include "cleave/output/results.hpp"
#include "cleave/output/schedule.hpp"
#include "cleave/output/summary.hpp"
#include "cleave/partition/ranks.hpp"
#include "cleave/solver/model.hpp"

namespace cleave {

/// Parts of a run, all of which must outlive it.
struct RunParts {
  const Case& c;
  const Model& model;
  const Backend& backend;
  Ranks& ranks;
  const RunIdentity& identity;
  const Schedule& schedule;
  Results& results;
  const LargestFacetLoad& facet_load;  ///< of the frames that `results` writes
  const FirstOverlap& overlap;         ///< likewise
  Solver& solver;                      ///< at the first step of the run
  bool quiet;
};

/// A run. At any time its summary states how far it is; in the end how and why it has ended.
class CaseRun {
 public:
  /// Changes nothing yet.
  explicit CaseRun(const RunParts& parts);

  /// Prepares the directory for the run.
  /// @param checkpoint  continue from it; empty: remove earlier results
  void begin(const std::optional<Checkpoint>& checkpoint);
  /// Steps to the end, or until a signal asks to stop. Returns the exit code. Throws the error that ends the run after
  /// writing it to the summary: NumericalError with the reason and the place of the results, std::exception if output
  /// cannot be written.
  int go();

 private:
  const OutputDirectory& directory() const { return of_.results.directory(); }
  void warn(const std::string& warning);
  void end(const char* status, const std::string& reason);
  [[noreturn]] void end_failed(const std::string& reason);
  int step_to_end();
  void check_all_is_there() const;

  RunParts of_;
  RunSummary summary_;
  SummaryFile summary_file_;
  Progress progress_;
  Warnings warnings_;
  TimeLoop loop_;
};

}  // namespace cleave
