#include <fmt/format.h>

#include <filesystem>

#include "app/sweep/runs.hpp"

namespace fs = std::filesystem;

namespace cleave::sweep_detail {
namespace {

/// The text in quotes for a shell.
std::string in_quotes(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

/// Ranges of the ascending numbers of the runs: "1-3,7".
std::string ranges_of(const std::vector<StudyRun>& runs) {
  std::string ranges;
  for (std::size_t first = 0, end; first < runs.size(); first = end) {
    end = first + 1;
    while (end < runs.size() && runs[end].number == runs[end - 1].number + 1) ++end;
    ranges += fmt::format("{}{}", ranges.empty() ? "" : ",", runs[first].number);
    if (end - first > 1) ranges += fmt::format("-{}", runs[end - 1].number);
  }
  return ranges;
}

}  // namespace

std::string slurm_script(const Study& study, const std::vector<StudyRun>& runs, int jobs, bool other_output) {
  const std::string stem = study.file.stem().string();
  std::string text = "#!/bin/bash\n";
  text += fmt::format("# The study {}: sbatch this file. Submitted again, it executes the missing runs.\n",
                      study.file.filename().string());
  text += fmt::format("#SBATCH --job-name={}\n", in_quotes(stem));
  text += fmt::format("#SBATCH --array={}{}\n", ranges_of(runs), jobs > 0 ? fmt::format("%{}", jobs) : "");
  text += fmt::format("#SBATCH --ntasks=1\n#SBATCH --cpus-per-task={}\n", study.threads);
  if (!study.devices.empty()) text += "#SBATCH --gres=gpu:1\n";
  text += "#SBATCH --signal=B:TERM@120\n";
  text += fmt::format("cd {} || exit 1\n", in_quotes(fs::current_path().string()));
  text += fmt::format("exec {} sweep {}{} --only \"$SLURM_ARRAY_TASK_ID\"\n", in_quotes(this_program()),
                      in_quotes(study.file.string()),
                      other_output ? " --output " + in_quotes(study.directory.string()) : "");
  return text;
}

}  // namespace cleave::sweep_detail
