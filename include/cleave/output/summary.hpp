/// Summary of a run that has ended in any way: summary.json and the text on stdout.
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

/// Location and causes of a run's failure at an element; ids are original ids.
struct FailedElement {
  Index element = 0;
  Point centre;                     ///< reference position, m
  Step found = 0;                   ///< step of the check that found the failure
  double time = 0;                  ///< time of that step, s
  Step good = 0;                    ///< step of the last check before it, with no failed element
  bool finite = true;               ///< whether the element's displacements in the last state are finite
  std::vector<Index> neighbours;    ///< elements that share a node of the mesh with it
  std::vector<std::string> causes;  ///< likely causes, one sentence each
};

struct RunSummary {
  std::string title;
  std::string version;
  std::string status = "running";     ///< then "done", "stopped" by a signal, "failed", "interrupted" by another error
  std::string reason;                 ///< of a stop, failure or interruption; empty when done
  std::vector<std::string> warnings;  ///< one of each kind, "kind: text"
  std::optional<FailedElement> failed;  ///< of a run that failed at an element
  std::string fingerprint;              ///< equal for two runs with the same results

  Index elements = 0;  ///< bulk elements
  Index initial_nodes = 0;
  Index facets = 0;  ///< of the intact mesh
  int colours = 0;

  std::string frames_file = "bulk.pvd";  ///< series to open

  std::string backend;         ///< "cpu", "cuda"
  std::string backend_reason;  ///< reason for the choice
  std::string device;
  int ranks = 1;
  std::string precision;            ///< "double", "single"
  std::string assembly;             ///< "gather", "coloured", "atomic"
  std::string insertion_criterion;  ///< "ellipse", "max"; empty without fracture
  std::string insertion_aggregate;  ///< "mean", "max"; empty without fracture

  double time_step = 0;  ///< s
  Step steps = 0;        ///< of the whole run
  Step steps_done = 0;   ///< last step reached
  Step first_step = 0;   ///< first step of this program: 0, or that of a checkpoint

  double wall_time = 0;           ///< of the whole time loop, s
  double output_time = 0;         ///< part of it in which steps waited for output, s
  std::vector<StageTime> stages;  ///< empty: not measured
  double process_peak = 0;        ///< largest resident memory of the process (of rank 0), bytes
  MemoryUse memory;               ///< arrays of the solver

  std::vector<FieldNorms> norms;  ///< of the state at the end of a run that was done or stopped

  HistoryRow last;  ///< last row of history.csv
  double largest_balance_error = 0;
  std::vector<Fragment> fragments;  ///< at the last row; empty if no frame was written there

  /// Bulk elements times steps per second of computing, without time waiting for output; 0 before any step.
  double element_steps_per_second() const;
};

/// Content of summary.json of an earlier run.
struct EarlierSummary {
  std::string status, reason, fingerprint, version;
  std::vector<std::string> warnings;
};

/// Reads summary.json of a directory; empty if there is none that can be read, or it has no fingerprint.
std::optional<EarlierSummary> read_summary(const OutputDirectory& directory);

/// Writes summary.json, in place of the last one if the disk is full. Throws std::runtime_error if that fails, too.
void write_summary(const OutputDirectory& directory, const RunSummary& summary);

/// Text of summary.json: flat except for "warnings" (texts), "energies" (as in history.csv, J), "norms" (by field),
/// "stages" (name, seconds, calls) and, after a failure at an element, "failed_element".
std::string summary_json(const RunSummary& summary);

/// Summary as readable text; `directory` holds the results.
std::string summary_text(const RunSummary& summary, const std::filesystem::path& directory);

}  // namespace cleave
