/// Times measured in A. Alhadeff's thesis chapter (IJNME 103 (2015) 859): one core of a Core i7 at 2.8 GHz against a
/// GTX 480, double precision.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "cleave/case/case.hpp"

namespace cleave::benchmark {

inline constexpr int published_gpu_cores = 480;

/// A row of tables 3.5 to 3.8: a full run with fracture.
struct PublishedRun {
  const char* name;    ///< "ring_20x160"
  const char* table;   ///< "table3.6" or "table3.8"
  const char* config;  ///< name of the case in configs/, from which it differs in its divisions only
  std::array<int, 2> divisions;
  Index nodes, new_nodes, cohesive_elements;
  int colours;
  double cpu_seconds, gpu_seconds;
};
const std::vector<PublishedRun>& published_runs();

/// The runs of these names, or tables; all if there are none. Throws InputError, with the nearest name.
std::vector<PublishedRun> find_runs(const std::vector<std::string>& names);

/// The case of a run: that of configs/, which the program holds.
Case case_of(const PublishedRun& run, Assembly assembly);

/// A row of table 3.4: all interior facets cut in 20 random groups.
struct PublishedInsertion {
  Index elements;
  double cpu_seconds, gpu_seconds;
};
/// Null when the table has no mesh of so many elements.
const PublishedInsertion* published_insertion(Index elements);

}  // namespace cleave::benchmark
