/// Any bytes as a study file, over a case that is there, are read with all its runs, or refused with an InputError; and
/// a study that was read is read again from what it resolves to, with the same runs.
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

#include "cleave/case/study.hpp"
#include "cleave/core/error.hpp"
#include "input_file.hpp"

namespace {

const auto* as_bytes(std::string_view text) { return reinterpret_cast<const std::uint8_t*>(text.data()); }

constexpr std::string_view base_case = R"(mesh: {shape: rectangle, size: [1, 1], divisions: [2, 2]}
material: {young_modulus: 1.0e9, poisson_ratio: 0.3, density: 1000}
cohesive: {normal: {strength: 1.0e6, energy: 100}}
time: {safety: 0.5, end: 1.0e-3}
)";
constexpr std::size_t most_cases_to_check = 4;  // each is read, which takes most of the time

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cleave;
  static const auto written = fuzz::input_file("case.yaml", as_bytes(base_case), base_case.size());
  Study study;
  std::vector<StudyRun> runs;
  std::string resolved;
  try {
    study = read_study(fuzz::input_file("study.yaml", data, size));
    runs = study_runs(study);
    resolved = resolved_yaml(study);
    if (runs.size() <= most_cases_to_check) check_cases(study, runs);
  } catch (const InputError&) {
    if (resolved.empty()) return 0;
  }
  const Study again = read_study(fuzz::input_file("resolved.yaml", as_bytes(resolved), resolved.size()));
  const auto values = [](const StudyRun& a, const StudyRun& b) { return a.values == b.values; };
  const auto found = study_runs(again);
  if (resolved_yaml(again) != resolved || !std::equal(found.begin(), found.end(), runs.begin(), runs.end(), values)) {
    std::cerr << "reading this again gives another study:\n" << resolved;
    std::abort();
  }
  return 0;
}
