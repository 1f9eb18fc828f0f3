/// The studies of `cleave_studies`. Each prints its table and returns it as rows.
#pragma once

#include <string>
#include <vector>

#include "bench/measure.hpp"

namespace cleave::benchmark {

struct StudyOptions : MeasureOptions {
  std::vector<std::string> sizes;  ///< vectors: "2000x2000", ...
};

Json strategies(const StudyOptions& options, const std::vector<Machine>& on);
Json ladder(const StudyOptions& options, const std::vector<Machine>& on);
Json colouring(const StudyOptions& options, const std::vector<Machine>& on);
Json vectors(const StudyOptions& options, const std::vector<Machine>& on);
Json states(const StudyOptions& options, const std::vector<Machine>& on);
Json edges(const StudyOptions& options, const std::vector<Machine>& on);

}  // namespace cleave::benchmark
