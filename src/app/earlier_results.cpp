#include "app/earlier_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "app/console.hpp"
#include "cleave/case/keys.hpp"
#include "cleave/core/error.hpp"
#include "cleave/output/checkpoint.hpp"
#include "cleave/output/files.hpp"
#include "cleave/output/results.hpp"
#include "cleave/output/summary.hpp"
#include "cleave/output/text.hpp"

namespace fs = std::filesystem;

namespace cleave {
namespace {

/// Keys without effect on results: names, places of files whose content is compared, and settings of the run.
const std::vector<std::string> no_matter_for_results{"title",
                                                     "mesh.file",
                                                     "mesh.doubled",
                                                     "initial.file",
                                                     "initial.N.file",
                                                     "output.directory",
                                                     "output.replace",
                                                     "output.checkpoint_every",
                                                     "output.checkpoint_interval",
                                                     "output.checkpoint_minutes",
                                                     "run.backend",
                                                     "run.threads",
                                                     "run.device",
                                                     "run.devices",
                                                     "run.transport"};
/// Keys that may change when a run is resumed.
const std::vector<std::string> no_matter_for_resuming{
    "title",       "mesh.file",  "mesh.doubled", "initial.file",  "initial.N.file", "output",    "run.backend",
    "run.threads", "run.device", "run.devices",  "run.transport", "time.end",       "time.steps"};

/// Text for a difference that no key shows.
std::string content_of_files(const RunIdentity& run) {
  const CaseValues values = case_values(run.case_text, {});
  const bool has_initial = std::any_of(values.begin(), values.end(), [](const auto& value) {
    return value.first.starts_with("initial.") && value.first.ends_with(".file");
  });
  return std::string("the content of the mesh file") + (has_initial ? " or of a file of `initial`" : "");
}

/// Differences between the case in a text and this one.
std::vector<std::string> differences(const std::string& case_text, const RunIdentity& run,
                                     const std::vector<std::string>& no_matter) {
  return case_differences(case_values(case_text, no_matter), case_values(run.case_text, no_matter));
}

/// Differences in probes and lines. Their rows continue those already written, so a probe at another place under the
/// same name would continue the same column.
std::vector<std::string> differences_of_places(const std::string& before, const std::string& now) {
  std::vector<std::string> all = result_differences(before, now);
  std::erase_if(all, [](const std::string& text) {
    return !text.starts_with("output.probes") && !text.starts_with("output.lines");
  });
  return all;
}

/// Differences between the run of a checkpoint and this one.
std::vector<std::string> differences(const Checkpoint& checkpoint, const RunIdentity& run) {
  auto all = differences(checkpoint.run.case_text, run, no_matter_for_resuming);
  for (std::string& text : differences_of_places(checkpoint.run.case_text, run.case_text))
    all.push_back(std::move(text));
  if (all.empty() && checkpoint.run.mesh != run.mesh) all.push_back(content_of_files(run));
  return all;
}

/// Whether another run of the case gives the same bits.
bool repeats(const Case& c) {
  return c.run.assembly != Assembly::atomic &&
         !(c.cohesive && c.cohesive->insertion.numbering == CopyNumbering::counter);
}

bool can_be_resumed(const OutputDirectory& directory, const RunIdentity& run, Step steps) {
  const CheckpointSearch search = find_checkpoint(directory);
  return search.newest && search.newest->step <= steps && differences(*search.newest, run).empty();
}

const char* const otherwise =
    "give another directory with --output, or replace it with --force or output.replace: true";

/// Describes results of the same case, given their summary.
EarlierResults of_this_case(const Case& c, const OutputDirectory& directory, const EarlierSummary& summary,
                            const RunIdentity& run, Step steps) {
  const bool done = summary.status == "done", failed = summary.status == "failed";
  EarlierResults found;
  found.of = fmt::format("{} run of this case", done ? "a finished" : failed ? "a failed" : "an unfinished");
  if (!repeats(c)) found.advice = "it does not repeat bit for bit; " + std::string(otherwise);
  if (!done && !failed && can_be_resumed(directory, run, steps))
    found.advice = "it can be resumed; go on with --resume, " + std::string(otherwise);
  return found;
}

/// The step at the start of the last complete row of a table of results; -1 without one.
Step last_step_in(const OutputPath& file) {
  constexpr std::int64_t longest_row = 1 << 20;
  const auto tail = tail_of_file(file, longest_row);
  if (!tail) return -1;
  std::string_view text = *tail;
  text = text.substr(0, text.find_last_of('\n') + 1);  // the rest is a row truncated by a crash
  if (text.empty()) return -1;
  text.remove_suffix(1);
  const std::size_t row = text.find_last_of('\n') + 1;
  Step step = -1;
  std::from_chars(text.data() + row, text.data() + text.size(), step);
  return step;
}

EarlierResults of_another_case(const OutputDirectory& directory, const EarlierSummary& summary, const RunIdentity& run,
                               Step steps) {
  auto all = result_differences(text_of_file(directory / "case.resolved.yaml").value_or(""), run.case_text);
  if (summary.version != CLEAVE_VERSION)
    all.push_back(fmt::format("version: was {}, is {}", summary.version, CLEAVE_VERSION));
  if (all.empty()) all.push_back(content_of_files(run));
  EarlierResults found;
  found.of = "a run of another case";
  found.advice = fmt::format("{}; {}{}", few_of(all),
                             can_be_resumed(directory, run, steps) ? "go on from it with --resume, " : "", otherwise);
  return found;
}

}  // namespace

std::string few_of(const std::vector<std::string>& list) {
  constexpr std::size_t most = 5;
  const std::size_t shown = std::min(list.size(), most);
  std::string text =
      fmt::format("{}", fmt::join(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(shown), "; "));
  return shown < list.size() ? text + fmt::format("; and {} more", list.size() - shown) : text;
}

std::vector<std::string> result_differences(const std::string& earlier_case, const std::string& this_case) {
  return case_differences(case_values(earlier_case, no_matter_for_results),
                          case_values(this_case, no_matter_for_results));
}

std::string results_fingerprint(const RunIdentity& run) {
  std::string text = fmt::format("{}\n{:016x}\n", CLEAVE_VERSION, run.mesh);
  for (const auto& [key, value] : case_values(run.case_text, no_matter_for_results))
    text += fmt::format("{}: {}\n", key, value);
  return fmt::format("{:016x}", fingerprint(text));
}

RunIdentity identity_of(const Case& c, const Model& model) {
  RunIdentity identity{resolved_yaml(c), fingerprint(model.mesh)};
  if (!initial_states_of_files(c).empty())
    identity.mesh = fingerprint(
        fmt::format("{:x} {:x} {:x}", identity.mesh, fingerprint(model.displacement), fingerprint(model.velocity)));
  return identity;
}

EarlierResults earlier_results(const Case& c, const OutputDirectory& directory, const RunIdentity& run, Step steps) {
  const auto files = result_files(directory);
  // A run that was killed while it wrote its first summary leaves only temporary files.
  if (std::all_of(files.begin(), files.end(), is_temporary)) return {};
  EarlierResults found;
  if (const auto summary = read_summary(directory)) {
    found = summary->fingerprint == results_fingerprint(run) ? of_this_case(c, directory, *summary, run, steps)
                                                             : of_another_case(directory, *summary, run, steps);
  } else {
    found.of = "an unknown run";
    found.advice = fmt::format("no summary.json of this version says what {} is of; {}", files.front(), otherwise);
  }
  found.files = files;
  return found;
}

void refuse_to_overwrite_input(const Case& c) {
  const auto refuse = [&](const std::string& place, const fs::path& input) {
    throw InputError(
        fmt::format("{}: '{}' has the name of a result in the output directory '{}', so the run would "
                    "overwrite it; copy it elsewhere or give another directory with --output",
                    place, input.string(), c.output.directory.string()));
  };
  for (const std::string& name : result_files(c.output.directory)) {
    const fs::path file = c.output.directory / name;
    std::error_code error;
    if (fs::equivalent(file, c.file, error)) refuse(c.file.string(), c.file);
    if (c.mesh.shape == MeshShape::file && fs::equivalent(file, c.mesh.file, error))
      refuse(fmt::format("{}:{}: mesh.file", c.file.string(), c.line_of_mesh), c.mesh.file);
    for (const InitialCase* state : initial_states_of_files(c))
      if (fs::equivalent(file, state->file, error))
        refuse(fmt::format("{}:{}: {}", c.file.string(), state->line_of_file, state->key_of_file), state->file);
  }
}

Checkpoint checkpoint_to_resume(const OutputDirectory& directory, const RunIdentity& run) {
  const CheckpointSearch search = find_checkpoint(directory);
  if (!search.newest) {
    const std::string damaged =
        search.passed_over.empty() ? "" : fmt::format(" ({})", fmt::join(search.passed_over, "; "));
    throw InputError(
        fmt::format("--resume: no checkpoint (checkpoint_*.bin) in '{}' can be used{}; run without "
                    "--resume, and set output.checkpoint_every or checkpoint_minutes to write some",
                    directory.string(), damaged));
  }
  for (const std::string& damaged : search.passed_over) tell("{}; going on from an older one", damaged);
  const auto all = differences(*search.newest, run);
  if (!all.empty()) {
    throw InputError(
        fmt::format("{}: this checkpoint belongs to another case or mesh: {}. Only title, output but its probes and "
                    "lines, the end of the run and of `run` all but assembly and precision may change: restore the "
                    "rest, or run without --resume to start over",
                    search.newest->file.string(), few_of(all)));
  }
  return *search.newest;
}

void check_nothing_is_missing(const Results& results, const Checkpoint& checkpoint, const Schedule& schedule,
                              bool force) {
  const auto missing = results.missing(checkpoint, schedule);
  if (missing.empty()) return;
  const std::string text = fmt::format("'{}' lacks what the run had written until step {}: {}",
                                       results.directory().string(), with_thousands(checkpoint.step), few_of(missing));
  if (!force) {
    throw InputError(
        fmt::format("--resume: {}; put that back, go on without it with --resume --force, or run without "
                    "--resume to start over",
                    text));
  }
  tell("{}", text);
}

void check_nothing_is_dropped(const OutputDirectory& directory, Step steps, bool force) {
  for (const char* name : {"history.csv", "fragments.csv", "probes.csv", "lines.csv"}) {
    const Step last = last_step_in(directory / name);
    if (last <= steps) continue;
    const std::string text = fmt::format("{} in '{}' has rows until step {}, beyond the end of this run at step {}",
                                         name, directory.string(), with_thousands(last), with_thousands(steps));
    if (!force)
      throw InputError(
          fmt::format("--resume: {}: they would be lost; set a later time.steps or time.end, or drop them with "
                      "--resume --force",
                      text));
    tell("{}; they are dropped", text);
    return;
  }
}

}  // namespace cleave
