/// The benchmarks of `cleave bench`. Each prints its table and returns it as rows.
#pragma once

#include <vector>

#include "app/commands.hpp"
#include "bench/measure.hpp"

namespace cleave::benchmark {

/// Facet codes, each by the element with the smaller id.
std::vector<Index> interior_facets(const Mesh& mesh);

Json step(const BenchOptions& options, const std::vector<Machine>& on);
Json kernels(const BenchOptions& options, const std::vector<Machine>& on);
Json cases(const BenchOptions& options, const std::vector<Machine>& on);
Json insertion(const BenchOptions& options, const std::vector<Machine>& on);
Json insertion_rate(const BenchOptions& options, const std::vector<Machine>& on);
Json memory(const BenchOptions& options, const std::vector<Machine>& on);
Json contact(const BenchOptions& options, const std::vector<Machine>& on);

}  // namespace cleave::benchmark
