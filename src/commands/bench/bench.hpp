/// What the benchmarks share: meshes by name, the machines to compare, timing, and the benchmarks themselves.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cleave/solver/model.hpp"
#include "cleave/solver/solver.hpp"
#include "commands/commands.hpp"

namespace cleave::benchmark {

using Json = nlohmann::ordered_json;

struct NamedMesh {
  std::string name;
  MeshCase mesh;
};

/// Meshes of ring:20x160, rectangle:192x48, or of a set: table3.4, table3.6, table3.8, tables, sweep. ":T3" after any
/// of them makes linear elements. An empty list stands for `otherwise`. Throws InputError.
std::vector<NamedMesh> parse_meshes(const std::vector<std::string>& names, const std::vector<std::string>& otherwise);

/// Steel that is checked for fracture every 10 steps but never breaks, swinging freely.
Case unbreakable_case(const MeshCase& mesh, Assembly assembly);

struct Machine {
  std::string name;
  bool cuda = false;
  int threads = 0;       ///< of a CPU
  int cores = 0;         ///< threads, or CUDA cores
  double bandwidth = 0;  ///< bytes/s of a copy

  std::unique_ptr<Solver> solver(const Model& model) const {
    return cuda ? make_cuda_solver(model) : make_cpu_solver(model, threads);
  }
  /// Whether a mesh is small enough for this machine, see BenchOptions::cpu_limit.
  bool takes(Index elements, const BenchOptions& options) const { return cuda || elements <= options.cpu_limit; }
  std::string short_name() const { return name.substr(0, 28); }
};

/// Times of the stages between two readings of stage_times(), longest first.
std::vector<StageTime> spent_between(const std::vector<StageTime>& before, const std::vector<StageTime>& after);

/// Facet codes, each by the element with the smaller id.
std::vector<Index> interior_facets(const Mesh& mesh);

double seconds_of(const std::function<void()>& work);

/// Times of one step, s.
struct Timing {
  double median = 0, fastest = 0, slowest = 0;
  int repeats = 0;
  Step steps = 0;  ///< of a repeat
};
/// Warm-up, then five repeats (three when they are slow) of at least `least` seconds each. `advance` takes steps and
/// waits for them.
Timing time_steps(const std::function<void(Step)>& advance, double least);

Json step(const BenchOptions& options, const std::vector<Machine>& on);
Json kernels(const BenchOptions& options, const std::vector<Machine>& on);
Json strategies(const BenchOptions& options, const std::vector<Machine>& on);
Json insertion_rate(const BenchOptions& options, const std::vector<Machine>& on);
Json memory(const BenchOptions& options, const std::vector<Machine>& on);
Json insertion(const BenchOptions& options, const std::vector<Machine>& on);
Json cases(const BenchOptions& options, const std::vector<Machine>& on);
Json colouring(const BenchOptions& options, const std::vector<Machine>& on);
Json ladder(const BenchOptions& options, const std::vector<Machine>& on);
Json vectors(const BenchOptions& options, const std::vector<Machine>& on);
Json states(const BenchOptions& options, const std::vector<Machine>& on);
Json edges(const BenchOptions& options, const std::vector<Machine>& on);

}  // namespace cleave::benchmark
