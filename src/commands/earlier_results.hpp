/// What lies in an output directory before a run: whether it may be replaced, and whether it can be gone on from.
#pragma once

#include <string>
#include <vector>

#include "cleave/config/case.hpp"
#include "cleave/output/checkpoint.hpp"

namespace cleave {

class Results;
class Schedule;

/// A number, as text, that is the same for two runs that give the same results to the last bit, with this version.
std::string results_fingerprint(const RunIdentity& run);

/// Of two resolved cases, by what the results of the second may differ from those of the first: "time.safety: was 0.5,
/// is 0.3".
std::vector<std::string> result_differences(const std::string& earlier_case, const std::string& this_case);

/// The first few of a list, in one line.
std::string few_of(const std::vector<std::string>& list);

struct EarlierResults {
  std::vector<std::string> files;  ///< names
  std::string of;                  ///< "a finished run of this case"; empty without files
  std::string advice;  ///< why they must not be replaced and what to do instead; empty: nothing is lost by it
};

/// Earlier results in the output directory `directory` of a case of that many steps. A run that has finished, or has
/// failed in itself, may be replaced by the same run, and so may one that cannot be resumed; nothing else.
EarlierResults earlier_results(const Case& c, const OutputDirectory& directory, const RunIdentity& run, Step steps);

/// Throws InputError when the case file or the mesh file is among the results of the run itself.
void refuse_to_overwrite_input(const Case& c);

/// The newest checkpoint that can be trusted, which is of this case and mesh; says on stderr which newer ones are
/// damaged. Throws InputError when there is none, naming the keys by which the cases differ.
Checkpoint checkpoint_to_resume(const OutputDirectory& directory, const RunIdentity& run);

/// Throws InputError when rows or frames that were written until the checkpoint are gone, cut off or others; with
/// `force` says so on stderr.
void check_nothing_is_missing(const Results& results, const Checkpoint& checkpoint, const Schedule& schedule,
                              bool force);

/// Throws InputError when the directory holds rows behind the last step of a run that goes on in it, which would drop
/// them; with `force` says so on stderr.
void check_nothing_is_dropped(const OutputDirectory& directory, Step steps, bool force);

}  // namespace cleave
