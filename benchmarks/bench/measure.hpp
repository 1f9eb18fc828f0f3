/// Measuring: meshes by name, the machines to compare, timing, rows.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/measure.hpp"
#include "cleave/case/case.hpp"
#include "cleave/solver/model.hpp"
#include "cleave/solver/solver.hpp"

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
  /// Whether a mesh is small enough for this machine, see MeasureOptions::cpu_limit.
  bool takes(Index elements, const MeasureOptions& options) const { return cuda || elements <= options.cpu_limit; }
  std::string short_name() const { return name.substr(0, 28); }
};

/// Times of the stages between two readings of stage_times(), longest first.
std::vector<StageTime> spent_between(const std::vector<StageTime>& before, const std::vector<StageTime>& after);

/// One thread and all threads of the CPU, and the GPU, as far as the options want them.
/// @param copy  also measures their copy bandwidths
std::vector<Machine> machines(const MeasureOptions& options, bool copy);

/// Measures and, if there is `options.json`, writes the rows there. Whether the file can be written and the meshes fit
/// into memory is checked first, as measuring may take hours.
/// @param name    of the benchmark, for the file
/// @param copies  whether bandwidths of copies are measured first
void measure(const std::string& name, const MeasureOptions& options, bool copies,
             const std::function<Json(const std::vector<Machine>&)>& rows_on);

}  // namespace cleave::benchmark
