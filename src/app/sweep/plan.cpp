#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <sstream>

#include "app/earlier_results.hpp"
#include "app/sweep/runs.hpp"
#include "cleave/case/case.hpp"
#include "cleave/core/error.hpp"
#include "cleave/output/checkpoint.hpp"
#include "cleave/output/summary.hpp"

namespace fs = std::filesystem;

namespace cleave::sweep_detail {
namespace {

std::optional<std::size_t> number_of(const std::string& text) {
  std::size_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

/// A file of the case that is newer than the results may have another content; the run itself then decides.
bool input_is_newer(const Case& c, const fs::path& results) {
  const auto is_newer = [&](const fs::path& file) {
    std::error_code error;
    return fs::last_write_time(file, error) > fs::last_write_time(results, error);
  };
  const std::vector<const InitialCase*> states = initial_states_of_files(c);
  return (c.mesh.shape == MeshShape::file && is_newer(c.mesh.file)) ||
         std::any_of(states.begin(), states.end(), [&](const InitialCase* state) { return is_newer(state->file); });
}

/// Plan for a run with results; `obstacle` is the reason why they must not be changed.
PlannedRun plan_run(const Study& study, const StudyRun& run, std::string& obstacle) {
  PlannedRun planned{run, study.directory / run.name()};
  const fs::path resolved = planned.directory / "case.resolved.yaml";
  if (!fs::exists(resolved)) return planned;
  const Case c = read_case(study.case_file, overrides_of(study, run));
  const auto summary = read_summary(planned.directory);
  auto differences = result_differences(text_of_file(resolved).value_or(""), resolved_yaml(c));
  if (summary && summary->version != CLEAVE_VERSION)
    differences.push_back(fmt::format("version: was {}, is {}", summary->version, CLEAVE_VERSION));
  if (!differences.empty()) {
    if (!c.output.replace) obstacle = few_of(differences);
    return planned;
  }
  const std::string status = summary ? summary->status : "";
  if (status == "done" && !input_is_newer(c, resolved)) planned.action = PlannedRun::Action::skip;
  if (status == "done" || status == "failed") return planned;  // a failed run is repeated
  if (const auto search = find_checkpoint(planned.directory); search.newest) {
    planned.action = PlannedRun::Action::resume;
    planned.step = search.newest->step;
  }
  return planned;
}

}  // namespace

std::vector<StudyRun> select_runs(const std::vector<StudyRun>& runs, const std::optional<std::string>& only) {
  if (!only) return runs;
  std::set<std::size_t> numbers;
  std::istringstream in(*only + ",");
  for (std::string part; std::getline(in, part, ',');) {
    const std::size_t dash = part.find('-');
    const auto first = number_of(part.substr(0, dash));
    const auto last = dash == std::string::npos ? first : number_of(part.substr(dash + 1));
    if (!first || !last || *first < 1 || *last < *first || *last > runs.size()) {
      throw InputError(fmt::format("--only: expected numbers of runs from 1 to {} such as 3 or 1,4-6, found '{}'",
                                   runs.size(), part));
    }
    for (std::size_t n = *first; n <= *last; ++n) numbers.insert(n);
  }
  std::vector<StudyRun> selected;
  for (const std::size_t n : numbers) selected.push_back(runs[n - 1]);
  return selected;
}

std::vector<PlannedRun> plan_runs(const Study& study, const std::vector<StudyRun>& runs, const std::string& origin) {
  std::vector<PlannedRun> plan;
  std::string text;
  std::size_t obstacles = 0;
  for (const StudyRun& run : runs) {
    std::string obstacle;
    plan.push_back(plan_run(study, run, obstacle));
    constexpr std::size_t most_named = 5;
    if (!obstacle.empty() && ++obstacles <= most_named)
      text +=
          fmt::format("{}: '{}' holds a run of another case: {}\n", origin, plan.back().directory.string(), obstacle);
  }
  if (obstacles == 0) return plan;
  throw InputError(text +
                   fmt::format("{}: {} of its runs would replace others; give another directory with --output, or "
                               "replace them with `set: {{output.replace: true}}`",
                               study.file.string(), obstacles));
}

}  // namespace cleave::sweep_detail
