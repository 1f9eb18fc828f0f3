/// A study: a base case, the keys that vary, and settings of its runs.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace cleave {

/// Largest number of runs of a study: the names of their directories have four digits.
inline constexpr std::size_t most_runs = 9999;

/// A key of the case with its value or values, each as YAML on one line, as in `--set key=value`.
struct StudyKey {
  std::string key;
  std::vector<std::string> values;
  int line = 0;  ///< line in the study file
};

struct Study {
  std::filesystem::path file;  ///< the study file, for messages
  std::string title;
  std::filesystem::path case_file;  ///< relative to the working directory
  std::vector<StudyKey> vary;       ///< keys with at least one value each
  bool grid = true;                 ///< every combination of values; false: the i-th value of every key in run i
  std::vector<StudyKey> set;        ///< keys with one value, the same for all runs
  std::filesystem::path directory;  ///< relative to the working directory; default `out/<study file stem>`
  int line_of_directory = 0;        ///< 0: the key is absent
  int jobs = 0;              ///< number of runs at the same time; 0: as many as there are processors or devices for
  int threads = 1;           ///< CPU threads of each run
  std::vector<int> devices;  ///< CUDA devices that the runs share; empty: those of the case
};

/// One run of a study.
struct StudyRun {
  std::size_t number = 0;           ///< from 1
  std::vector<std::string> values;  ///< values of the keys that vary, in their order

  /// Directory of the results within that of the study: "run_0001".
  std::string name() const;
};

/// Reads and checks a study file, without its cases. Throws InputError with all errors of the file in one report.
Study read_study(const std::filesystem::path& file);

/// The runs in order; in a grid, the last key varies fastest.
std::vector<StudyRun> study_runs(const Study& study);

/// Overrides of the case in a run, "key.path=value": those for all runs come first.
std::vector<std::string> overrides_of(const Study& study, const StudyRun& run);

/// "time.safety=0.3, mesh.perturbation.seed=2"
std::string values_text(const Study& study, const StudyRun& run);

/// Reads the case of every run. Throws InputError with all errors of the cases: each error once, with the line of the
/// study's key that causes it and the runs that have it.
void check_cases(const Study& study, const std::vector<StudyRun>& runs);

/// The study as YAML with all values written out; reading it again, from any directory, gives the same runs.
std::string resolved_yaml(const Study& study);

}  // namespace cleave
