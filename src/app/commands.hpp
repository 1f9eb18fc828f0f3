/// The commands of the program. Each returns the exit code and throws InputError, NumericalError or std::exception.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/measure.hpp"
#include "cleave/case/case.hpp"

namespace cleave {

/// Lists that `info` prints instead of program, build and devices; at most one.
struct InfoOptions {
  bool columns = false;  ///< columns of history.csv, as a Markdown table
  bool keys = false;     ///< keys of the case file, as a Markdown table
  bool schema = false;   ///< schema of the case file, as JSON
};

/// Options of every command about a case.
struct CaseOptions {
  std::filesystem::path file;
  std::vector<std::string> overrides;  ///< "key.path=value"
};

struct RunOptions {
  CaseOptions from;
  std::optional<BackendChoice> backend;  ///< these replace the case's own
  std::optional<int> threads;
  std::optional<std::filesystem::path> output;
  bool resume = false;
  bool force = false;  ///< replace any results; with resume: continue although some are missing
  bool quiet = false;
  bool stages = false;  ///< measure the time per stage
};

struct CheckOptions {
  CaseOptions from;
  bool details = false;  ///< print everything that is known before a run
};

/// Formats of .msh files.
inline const std::vector<std::string> msh_formats{"msh41", "msh41-ascii", "msh22", "msh22-ascii"};

struct MeshOptions {
  CaseOptions from;
  std::filesystem::path file;                    ///< file to write
  std::string msh_format = msh_formats.front();  ///< of a .msh file
};

/// Names of the benchmarks.
inline const std::vector<std::string> bench_names{"step",           "kernels", "cases",  "insertion",
                                                  "insertion-rate", "memory",  "contact"};

struct BenchOptions : MeasureOptions {
  std::string what;  ///< one of bench_names
  std::vector<Assembly> assemblies{Assembly::gather, Assembly::coloured};
  std::vector<std::string> cases;  ///< cases: "ring_20x160", "table3.6", ...; empty: all
  Step steps = 0;                  ///< cases: only so many of each; 0: all
  double budget = 6;               ///< cases: seconds that a CPU takes for a run, in full or in windows
  bool stages = false;             ///< insertion, insertion-rate: also the time per stage
  double memory = 0;               ///< memory: GB to fill; 0: what the GPU has
  bool try_largest = false;        ///< memory: also runs the largest ring
};

struct PointOptions {
  std::filesystem::path law, path;
  std::filesystem::path output;  ///< empty: the standard output
};

struct SweepOptions {
  std::filesystem::path file;  ///< the study file
  std::optional<int> jobs;     ///< these replace the study's own
  std::optional<std::filesystem::path> output;
  std::optional<std::string> only;             ///< numbers of the runs: "3,7-9"; empty: all
  std::optional<std::filesystem::path> slurm;  ///< write an array job to this file and run nothing
  bool dry_run = false;                        ///< print the plan and write nothing
  bool quiet = false;
};

int run(const RunOptions& options);
/// Runs the cases of a study, each in its own process.
int sweep(const SweepOptions& options);
int check(const CheckOptions& options);
/// Writes the mesh in the format of the file's extension.
int mesh(const MeshOptions& options);
int bench(const BenchOptions& options);
/// Moves one law along a path and writes its response as CSV.
int point(const PointOptions& options);
int info(const InfoOptions& options);

}  // namespace cleave
