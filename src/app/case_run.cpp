#include "app/case_run.hpp"

#include <fmt/format.h>

#include <iostream>
#include <stdexcept>

#include "app/case_text.hpp"
#include "app/case_warnings.hpp"
#include "app/console.hpp"
#include "app/earlier_results.hpp"
#include "app/failure.hpp"
#include "app/stop_signal.hpp"
#include "cleave/core/error.hpp"
#include "cleave/core/machine.hpp"
#include "cleave/mesh/topology.hpp"
#include "cleave/output/checkpoint.hpp"
#include "cleave/output/files.hpp"
#include "cleave/output/output_file.hpp"
#include "cleave/output/text.hpp"

namespace cleave {
namespace {

using namespace case_file;

constexpr const char* resolved_name = "case.resolved.yaml";

/// Removes all results but the summary, which the new run replaces. Checkpoints go first, so that an incomplete set of
/// results cannot be resumed.
void remove_earlier_results(const OutputDirectory& directory) {
  for (const bool checkpoints : {true, false}) {
    for (const std::string& name : result_files(directory)) {
      if (name == "summary.json") continue;
      if (!checkpoints || name.ends_with(".bin")) remove_file(directory / name);
    }
  }
}

RunSummary summary_at_start(const RunParts& of) {
  const auto& [c, model, backend, ranks, identity, schedule, results, facet_load, overlap, solver, quiet] = of;
  RunSummary s;
  s.ranks = ranks.count();
  s.title = c.title;
  s.version = CLEAVE_VERSION;
  s.elements = model.mesh.element_count();
  s.initial_nodes = model.mesh.node_count();
  s.facets = facet_count(model.mesh);
  s.colours = model.colouring.count;
  s.frames_file = c.output.format == OutputFormat::vtkhdf ? "bulk.vtkhdf" : "bulk.pvd";
  s.backend = backend.name();
  s.backend_reason = backend.reason;
  s.device = solver.device();
  s.precision = name_of(c.run.precision, precision_names);
  s.assembly = assembly_name(c.run.assembly);
  if (c.cohesive) s.insertion_criterion = name_of(c.cohesive->insertion.criterion, criterion_names);
  if (c.cohesive) s.insertion_aggregate = name_of(c.cohesive->insertion.aggregate, aggregate_names);
  s.time_step = model.step;
  s.steps = schedule.steps();
  s.first_step = solver.step();
  s.fingerprint = results_fingerprint(identity);
  return s;
}

/// Runs f while another exception is being handled, and ignores exceptions of f: the first one has the reason.
template <class F>
void without_errors(const F& f) {
  try {
    f();
  } catch (const std::exception&) {
  }
}

}  // namespace

CaseRun::CaseRun(const RunParts& parts)
    : of_(parts),
      summary_(summary_at_start(of_)),
      summary_file_(directory()),
      progress_(std::cerr, of_.quiet ? Progress::Style::none : style_of_stderr(), of_.solver.step(),
                of_.schedule.steps(), of_.model.mesh.element_count(), width_of_stderr()),
      warnings_([this](const std::string& warning) { warn(warning); }),
      loop_(of_.solver, of_.results, progress_, of_.schedule, of_.model, of_.identity, warnings_, of_.backend.cuda) {}

void CaseRun::begin(const std::optional<Checkpoint>& checkpoint) {
  if (const auto earlier = read_summary(directory()); checkpoint && earlier) summary_.warnings = earlier->warnings;
  catch_stop_signals();
  if (checkpoint) {
    of_.results.resume(*checkpoint, of_.schedule);
    if (!of_.quiet) tell("resumed at step {} from {}", checkpoint->step, checkpoint->file.string());
  }
  summary_file_.write(summary_);
  if (!checkpoint) remove_earlier_results(directory());  // the summary no longer says that they are complete
  write_atomically(directory() / resolved_name, of_.identity.case_text);
  warnings_.restore(summary_.warnings);
}

int CaseRun::go() {
  warn_of_case(of_.c, of_.model, warnings_);
  warn_of_binding(of_.ranks.host_count(), warnings_);
  warn_of_memory(of_.c, of_.model, of_.backend.cuda, warnings_);
  const EndedFromOutside listener(
      of_.ranks, [&](const std::string& reason) { summary_file_.interrupted(reason, loop_.step_reached()); });
  const int signal = step_to_end();
  if (!of_.quiet) fmt::print("{}", summary_text(summary_, directory().path()));
  return signal == 0 ? 0 : 128 + signal;
}

/// Returns the signal that has stopped the run, 0 at the end.
int CaseRun::step_to_end() {
  try {
    const int signal = loop_.run();
    check_all_is_there();
    warn_of_overlap(of_.overlap.found(), warnings_);
    if (signal == 0) warn_of_intact(loop_.last_row(), of_.facet_load.found(), warnings_);
    summary_.norms = of_.solver.field_norms();
    if (signal == 0)
      end("done", "");
    else
      end("stopped", fmt::format("{} at step {}; continue with --resume", name_of_signal(signal), of_.solver.step()));
    return signal;
  } catch (const ElementFailure& failure) {
    without_errors([&] { of_.results.wait(); });  // frees the memory of waiting frames
    summary_.failed = failed_element(failure, of_.c, of_.model, loop_, of_.solver.capture_failed()(1));
    end_failed(failure_text(failure, *summary_.failed));
  } catch (const NumericalError& error) {
    end_failed(fmt::format("the run failed after step {}: {}", loop_.last_row().step, error.what()));
  } catch (const std::exception& error) {
    without_errors([&] { of_.results.wait(); });                // frames under way may fail as well
    without_errors([&] { end("interrupted", error.what()); });  // otherwise only stderr has the reason
    throw;
  }
}

/// Throws if a file of the results is missing, so that a run without it does not end as done.
void CaseRun::check_all_is_there() const {
  of_.results.check_all_is_there();
  if (!size_of(directory() / resolved_name))
    throw std::runtime_error(fmt::format(
        "{}: it was moved or removed while the run wrote into this directory; put it back and go on with --resume",
        (directory() / resolved_name).string()));
}

void CaseRun::warn(const std::string& warning) {
  progress_.finish();
  if (!of_.quiet) tell("warning: {}", warning);
  summary_.warnings.push_back(warning);
  summary_file_.write(summary_);  // a resumed run reads it
}

/// Waits for frames under way and writes the final summary.
void CaseRun::end(const char* status, const std::string& reason) {
  progress_.finish();
  of_.results.wait();
  summary_.steps_done = of_.solver.step();
  summary_.wall_time = loop_.wall_time();
  summary_.output_time = loop_.output_time();
  summary_.stages = of_.solver.stage_times();
  summary_.memory = of_.solver.memory();
  summary_.process_peak = peak_memory();
  summary_.last = loop_.last_row();
  summary_.largest_balance_error = of_.results.history().largest_balance_error();
  const bool frame_is_current = !of_.results.frames().empty() && of_.results.frames().back().step == summary_.last.step;
  if (frame_is_current) summary_.fragments = of_.results.fragments();
  summary_.status = status;
  summary_.reason = reason;
  summary_file_.write(summary_);
}

/// Writes the state of a failed run as a frame.
void CaseRun::end_failed(const std::string& reason) {
  std::string frame = "the last frame is the state that the run was left with";
  try {
    of_.results.wait();
    of_.results.add(of_.solver.capture_failed());
    of_.results.wait();
  } catch (const std::exception& error) {
    frame = fmt::format("no frame of the failed state ({})", error.what());
  }
  end("failed", reason);
  throw NumericalError(fmt::format("{}\nThe results until then are in {}; {}", reason, directory().string(), frame));
}

}  // namespace cleave
