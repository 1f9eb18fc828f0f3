/// Results in an output directory before a run: whether it may replace or resume them.
#pragma once

#include <string>
#include <vector>

#include "cleave/case/case.hpp"
#include "cleave/output/checkpoint.hpp"
#include "cleave/solver/model.hpp"

namespace cleave {

class Results;
class Schedule;

/// Hash, as text, that is equal for two runs with this version if their results are equal to the last bit.
std::string results_fingerprint(const RunIdentity& run);

/// The identity of a run of this case.
RunIdentity identity_of(const Case& c, const Model& model);

/// Differences between two resolved cases that can change results: "time.safety: was 0.5, is 0.3".
std::vector<std::string> result_differences(const std::string& earlier_case, const std::string& this_case);

/// The first items of a list, on one line.
std::string few_of(const std::vector<std::string>& list);

struct EarlierResults {
  std::vector<std::string> files;  ///< names of the files
  std::string of;                  ///< description, such as "a finished run of this case"; empty without files
  std::string advice;              ///< why they must not be replaced, and what to do; empty: they may be replaced
};

/// Earlier results in the output directory of a case with that many steps. The same run may replace a finished or
/// failed one, or one that cannot be resumed; nothing else may be replaced.
EarlierResults earlier_results(const Case& c, const OutputDirectory& directory, const RunIdentity& run, Step steps);

/// Throws InputError if the case file or the mesh file has the name of a result of the run.
void refuse_to_overwrite_input(const Case& c);

/// The newest valid checkpoint, which must belong to this case and mesh. Reports newer damaged ones on stderr. Throws
/// InputError if there is none, with the keys by which the cases differ.
Checkpoint checkpoint_to_resume(const OutputDirectory& directory, const RunIdentity& run);

/// Throws InputError if rows or frames that were written until the checkpoint are missing, truncated or different; with
/// `force` prints this on stderr instead.
void check_nothing_is_missing(const Results& results, const Checkpoint& checkpoint, const Schedule& schedule,
                              bool force);

/// Throws InputError if the directory has rows beyond the last step of the resumed run, which would be lost; with
/// `force` prints this on stderr instead.
void check_nothing_is_dropped(const OutputDirectory& directory, Step steps, bool force);

}  // namespace cleave
