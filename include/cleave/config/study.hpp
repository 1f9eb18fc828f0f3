/// What a study says: a base case, the keys that vary, and how its runs are carried out.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace cleave {

/// A study may have so many runs: their directories have numbers of four digits.
inline constexpr std::size_t most_runs = 9999;

/// A key of the case with its value or values, each as YAML on one line, as after `--set key=`.
struct StudyKey {
  std::string key;
  std::vector<std::string> values;
  int line = 0;  ///< in the study file
};

struct Study {
  std::filesystem::path file;  ///< the study file, for messages
  std::string title;
  std::filesystem::path case_file;  ///< relative to the working directory
  std::vector<StudyKey> vary;       ///< each with a value at least
  bool grid = true;                 ///< every combination; else first with first, second with second, ...
  std::vector<StudyKey> set;        ///< one value each, for all runs
  std::filesystem::path directory;  ///< relative to the working directory; default `out/<study file stem>`
  int line_of_directory = 0;        ///< 0: the key is absent
  int jobs = 0;                     ///< runs at once; 0: as many as there are processors or devices for
  int threads = 1;                  ///< CPU threads of each run
  std::vector<int> devices;         ///< CUDA devices that the runs share; empty: as the case says
};

/// One run of a study.
struct StudyRun {
  std::size_t number = 0;           ///< from 1
  std::vector<std::string> values;  ///< of the keys that vary, in their order

  /// "run_0001", the directory of its results within that of the study.
  std::string name() const;
};

/// Reads and checks a study file, without its cases. Throws InputError with all errors of the file in one report.
Study read_study(const std::filesystem::path& file);

/// The runs in order: of a grid, the last key varies fastest.
std::vector<StudyRun> study_runs(const Study& study);

/// What the run replaces in the case, "key.path=value": first what holds for all runs.
std::vector<std::string> overrides_of(const Study& study, const StudyRun& run);

/// "time.safety=0.3, mesh.perturbation.seed=2"
std::string values_text(const Study& study, const StudyRun& run);

/// Reads the case of every run. Throws InputError with all that is wrong with them, each error once, with the line of
/// the study's key that leads to it and the runs that have it.
void check_cases(const Study& study, const std::vector<StudyRun>& runs);

/// The study as YAML with every value written out; reading it again, from anywhere, gives the same runs.
std::string resolved_yaml(const Study& study);

}  // namespace cleave
