/// cleave_studies vectors: matrix-vector products from a block per row to coalesced tiles, and norms by one reduction.
#include <fmt/format.h>

#include <cstdio>

#include "cleave/core/error.hpp"
#include "strategies/bench.hpp"
#include "strategies/bench_ways.hpp"

namespace cleave::benchmark {
namespace {

VectorSizes parse_sizes(const std::string& text) {
  VectorSizes sizes{};
  int end = 0;
  const int read = std::sscanf(text.c_str(), "%dx%d%n", &sizes.rows, &sizes.columns, &end);
  const double values = static_cast<double>(sizes.rows) * sizes.columns;
  if (read != 2 || end != static_cast<int>(text.size()) || sizes.rows < 0 || sizes.columns < 0 || values > 2e9)
    throw InputError(fmt::format("--sizes {}: expected ROWSxCOLUMNS, such as 2000x2000, of at most 2e9 values", text));
  return sizes;
}

}  // namespace

Json vectors(const StudyOptions& options, const std::vector<Machine>& on) {
  std::vector<std::string> names = options.sizes;
  if (names.empty()) names = {"33x33", "2000x2000", "100x100000", "100000x100"};
  Json rows = Json::array();
  fmt::print("y = alpha A x + beta y, and norms of the values of A (min, max, L0, L1, L2, Linf in one pass)\n");
  for (const Machine& m : on) fmt::print("  {}: copy {:.1f} GB/s\n", m.name, m.bandwidth * 1e-9);
  for (const std::string& name : names) {
    const VectorSizes sizes = parse_sizes(name);
    for (const Machine& m : on) {
      const auto study = m.cuda ? make_cuda_vector_study(sizes) : make_cpu_vector_study(sizes, m.threads);
      time_ways(*study, name, sizes.rows * sizes.columns, m, options.least_seconds, rows);
    }
  }
  return rows;
}

}  // namespace cleave::benchmark
