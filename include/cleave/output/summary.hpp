/// What is left to say when a run has ended, well or not: summary.json and the block on stdout.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cleave/output/fragments.hpp"
#include "cleave/output/output_directory.hpp"
#include "cleave/solver/snapshot.hpp"
#include "cleave/solver/solver.hpp"

namespace cleave {

/// Where and why a run failed at an element, by original ids.
struct FailedElement {
  Index element = 0;
  Point centre;                     ///< reference position, m
  Step found = 0;                   ///< the step of the check that found it
  double time = 0;                  ///< of that step, s
  Step good = 0;                    ///< the last check before it, at which every element was right
  bool finite = true;               ///< its displacements in the state that the run was left with
  std::vector<Index> neighbours;    ///< elements that share a node of the mesh with it
  std::vector<std::string> causes;  ///< likely ones, a sentence each
};

struct RunSummary {
  std::string title;
  std::string version;
  std::string status = "running";  ///< then "done", "stopped" by a signal, "failed", "interrupted" by any other error
  std::string reason;              ///< of a stop, failure or interruption; empty when done
  std::vector<std::string> warnings;    ///< one of each kind, "kind: what"
  std::optional<FailedElement> failed;  ///< of a run that failed at an element
  std::string fingerprint;              ///< the same of two runs with the same results

  Index elements = 0;  ///< bulk
  Index initial_nodes = 0;
  Index facets = 0;  ///< of the intact mesh
  int colours = 0;

  std::string frames_file = "bulk.pvd";  ///< the series to open

  std::string backend;         ///< "cpu", "cuda"
  std::string backend_reason;  ///< why that one
  std::string device;
  int ranks = 1;
  std::string precision;            ///< "double", "single"
  std::string assembly;             ///< "gather", "coloured", "atomic"
  std::string insertion_criterion;  ///< "ellipse", "max"; empty when nothing breaks
  std::string insertion_aggregate;  ///< "mean", "max"; empty when nothing breaks

  double time_step = 0;  ///< s
  Step steps = 0;        ///< of the whole run
  Step steps_done = 0;   ///< reached
  Step first_step = 0;   ///< where this program started: 0, or the checkpoint's

  double wall_time = 0;           ///< of the time loop in all, s
  double output_time = 0;         ///< part of it in which steps waited for output, s
  std::vector<StageTime> stages;  ///< empty: not measured
  MemoryUse memory;

  std::vector<FieldNorms> norms;  ///< of the state at the end of a run that was done or stopped

  HistoryRow last;  ///< the last row of history.csv
  double largest_balance_error = 0;
  std::vector<Fragment> fragments;  ///< at the last row; empty when no frame was written there

  /// Bulk elements times steps per second of computing (waiting for output left out); 0 before any step.
  double element_steps_per_second() const;
};

/// What summary.json says of an earlier run.
struct EarlierSummary {
  std::string status, reason, fingerprint, version;
  std::vector<std::string> warnings;
};

/// Of that directory; empty when there is none that can be read, or it has no fingerprint.
std::optional<EarlierSummary> read_summary(const OutputDirectory& directory);

/// Writes summary.json, on a full disk where the last one lies. Throws std::runtime_error when that fails, too.
void write_summary(const OutputDirectory& directory, const RunSummary& summary);

/// The text of summary.json: flat but for "warnings" (texts), "energies" (the names of history.csv, J), "norms" (by
/// field), "stages" (name, seconds, calls) and, of a run that failed at an element, "failed_element".
std::string summary_json(const RunSummary& summary);

/// The block for people; `directory` holds the results.
std::string summary_text(const RunSummary& summary, const std::filesystem::path& directory);

}  // namespace cleave
