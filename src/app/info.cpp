/// cleave info: prints version, build and devices; --columns: columns of history.csv; --keys: keys of the case file;
/// --schema: the keys as a JSON schema for editors.
#include <fmt/format.h>

#include "app/commands.hpp"
#include "cleave/case/keys.hpp"
#include "cleave/core/machine.hpp"
#include "cleave/output/history.hpp"
#include "cleave/output/vtkhdf.hpp"
#include "cleave/partition/ranks.hpp"
#include "cleave/solver/solver.hpp"

namespace cleave {

int info(const InfoOptions& options) {
  if (options.columns) {
    fmt::print("{}", history_columns());
    return 0;
  }
  if (options.keys) {
    fmt::print("{}", case_keys());
    return 0;
  }
  if (options.schema) {
    fmt::print("{}", case_schema());
    return 0;
  }
  fmt::print("cleave {}\n", CLEAVE_VERSION);
  fmt::print("compiler {}\n", CLEAVE_COMPILER);
  fmt::print("build type {}\n", CLEAVE_BUILD_TYPE);
  fmt::print("precisions double, single\n");
  fmt::print("vector instructions {}\n", cpu_instructions());
  fmt::print("hardware threads {}\n", processors());
  fmt::print("MPI {}\n", mpi_of_program());
  fmt::print("output formats vtu{}\n", built_with_hdf5() ? ", vtkhdf" : " (vtkhdf: not built, HDF5 was not found)");
  fmt::print("CUDA backend {}\n", built_with_cuda() ? "built" : "not built");
  if (built_with_cuda())
    fmt::print("NCCL {}\n", why_no_nccl().empty() ? nccl_version() : "not found: " + why_no_nccl());
  const std::vector<std::string> devices = cuda_devices();
  for (std::size_t id = 0; id < devices.size(); ++id) fmt::print("device {}: {}\n", id, devices[id]);
  if (const std::string obstacle = why_no_cuda(); !obstacle.empty()) fmt::print("no CUDA device: {}\n", obstacle);
  return 0;
}

}  // namespace cleave
