/// cleave run: a case from its file to its results.
#include <fmt/format.h>
#include <malloc.h>

#include <filesystem>
#include <iostream>
#include <optional>

#include "cleave/core/error.hpp"
#include "cleave/core/machine.hpp"
#include "cleave/mesh/topology.hpp"
#include "cleave/output/directory_lock.hpp"
#include "cleave/output/files.hpp"
#include "cleave/output/fingerprint.hpp"
#include "cleave/output/output_file.hpp"
#include "cleave/output/progress.hpp"
#include "cleave/output/results.hpp"
#include "cleave/output/summary.hpp"
#include "cleave/output/text.hpp"
#include "cleave/partition/ranks.hpp"
#include "cleave/solver/model.hpp"
#include "commands/agreement.hpp"
#include "commands/backend.hpp"
#include "commands/case_text.hpp"
#include "commands/commands.hpp"
#include "commands/console.hpp"
#include "commands/earlier_results.hpp"
#include "commands/ended_from_outside.hpp"
#include "commands/estimates.hpp"
#include "commands/failure.hpp"
#include "commands/leading_solver.hpp"
#include "commands/stop_signal.hpp"
#include "commands/time_loop.hpp"

namespace cleave {
namespace {

Case case_of(const RunOptions& options) {
  Case c = read_case(options.from.file, options.from.overrides);
  if (options.backend) c.run.backend = *options.backend;
  if (options.threads) c.run.threads = *options.threads;
  if (options.output) c.output.directory = *options.output;
  return c;
}

/// What gave the output directory, for messages.
std::string origin_of_output(const RunOptions& options, const Case& c) {
  return options.output ? "--output" : output_origin(c);
}

/// What the run will be resumed from, if that is asked for; otherwise makes sure that no earlier results are lost by
/// it.
std::optional<Checkpoint> look_at_earlier_results(const RunOptions& options, const Case& c, const RunIdentity& identity,
                                                  const Results& results, Step steps) {
  refuse_to_overwrite_input(c);
  if (!options.resume) {
    const EarlierResults earlier = earlier_results(c, identity, steps);
    const bool replaces = earlier.advice.empty() || options.force || c.output.replace;
    if (!replaces) {
      throw InputError(fmt::format("{}: '{}' holds {}: {}", origin_of_output(options, c), c.output.directory.string(),
                                   earlier.of, earlier.advice));
    }
    if (!earlier.files.empty() && !options.quiet)
      tell("replaces {} files of {} in {}", earlier.files.size(), earlier.of, c.output.directory.string());
    return std::nullopt;
  }
  Checkpoint checkpoint = checkpoint_to_resume(c, identity);
  if (checkpoint.step > steps)
    throw InputError(
        fmt::format("{}: this checkpoint is of step {}, beyond the end of the run at step {}; set a later "
                    "time.steps or time.end, or run without --resume",
                    checkpoint.file.string(), checkpoint.step, steps));
  check_nothing_is_missing(results, checkpoint, options.force);
  return checkpoint;
}

/// All but the summary, which is that of the new run. Checkpoints go first: from then on nobody can resume what is only
/// half there.
void remove_earlier_results(const std::filesystem::path& directory) {
  for (const bool checkpoints : {true, false}) {
    for (const auto& file : result_files(directory)) {
      if (file.filename() == "summary.json") continue;
      if (!checkpoints || file.extension() == ".bin") remove_file(file);
    }
  }
}

std::vector<std::string> names_of(const std::vector<HeldGroup>& groups) {
  std::vector<std::string> names;
  for (const HeldGroup& group : groups) names.push_back(group.name);
  return names;
}

RunSummary start_summary(const Case& c, const Model& model, const Backend& backend, const Solver& solver, Step steps,
                         int ranks) {
  RunSummary s;
  s.ranks = ranks;
  s.title = c.title;
  s.version = CLEAVE_VERSION;
  s.elements = model.mesh.element_count();
  s.initial_nodes = model.mesh.node_count();
  s.facets = count(model.mesh).facets;
  s.colours = model.colouring.count;
  s.frames_file = c.output.format == OutputFormat::vtkhdf ? "bulk.vtkhdf" : "bulk.pvd";
  s.backend = backend.name();
  s.backend_reason = backend.reason;
  s.device = solver.device();
  s.precision = precision_name(c.run.precision);
  s.assembly = assembly_name(c.run.assembly);
  if (c.cohesive) s.insertion_aggregate = aggregate_name(c.cohesive->insertion.aggregate);
  s.time_step = model.step;
  s.steps = steps;
  s.first_step = solver.step();
  return s;
}

/// Waits for the frames that are under way.
void finish_summary(RunSummary& s, const TimeLoop& loop, Results& results, Solver& solver) {
  results.wait();
  s.steps_done = solver.step();
  s.wall_time = loop.wall_time();
  s.output_time = loop.output_time();
  s.stages = solver.stage_times();
  s.memory = solver.memory();
  s.last = loop.last_row();
  s.largest_balance_error = results.history().largest_balance_error();
  const bool frame_is_current = !results.frames().empty() && results.frames().back().step == s.last.step;
  if (frame_is_current) s.fragments = results.fragments();
}

/// For what is done while an exception is under way, which has the reason.
template <class F>
void without_errors(const F& f) {
  try {
    f();
  } catch (const std::exception&) {
  }
}

/// What every rank makes for itself, and makes alike.
struct Prepared {
  Case c;
  Model model;
  Backend backend;
  int threads;  ///< of this rank
};

Prepared prepare(const RunOptions& options, const Ranks& ranks) {
  const bool tells = !options.quiet && ranks.is_first();
  Prepared p{case_of(options), {}, {}, 0};
  if (tells) tell_notes(p.c);
  p.model = make_model(p.c);
  p.model.time_stages = options.stages;
  check_output_format(p.c);
  if (ranks.is_first()) check_output_directory(p.c.output.directory, origin_of_output(options, p.c));
  p.backend = choose_backend(p.c, ranks);
  if (tells) tell("backend {} ({})", p.backend.name(), p.backend.reason);
  check_memory(p.model, p.backend, ranks);
  check_ranks(p.c, p.model, ranks.count());
  p.threads = threads_for(p.c.run.threads, ranks.count());
  return p;
}

RunIdentity identity_of(const Prepared& p) { return {resolved_yaml(p.c), fingerprint(p.model.mesh)}; }

/// What all ranks must have alike.
std::string agreed_text(const Prepared& p) {
  const RunIdentity identity = identity_of(p);
  return fmt::format("{}\n{}", identity.case_text, identity.mesh);
}

/// The solver that rank 0 steps, and with it all others.
std::unique_ptr<Solver> solver_of_all(const Prepared& p, Ranks& ranks, OthersWait& others) {
  if (ranks.is_alone()) return make_solver(p.backend, p.model, p.threads, ranks);
  others.go();
  std::unique_ptr<Solver> own;
  together(ranks, [&] { own = make_solver(p.backend, p.model, p.threads, ranks); });
  return lead(ranks, std::move(own));
}

int run(const RunOptions& options, const Prepared& prepared, Ranks& ranks) {
  const auto& [c, model, backend, threads] = prepared;
  const std::filesystem::path& directory = c.output.directory;
  OthersWait others(ranks);
  const DirectoryLock lock(directory, origin_of_output(options, c));
  if (!lock.obstacle().empty())
    tell("{}: nothing can be locked there ({}): take care that no second run writes into it", directory.string(),
         lock.obstacle());
  const RunIdentity identity = identity_of(prepared);
  const Schedule schedule(step_count(c.time, model.step), model.step, c.output);
  Results results(c.output, model.mesh, share_among_frames(threads), names_of(model.held_groups),
                  !model.strength_scale.empty(), model.lines);
  const auto checkpoint = look_at_earlier_results(options, c, identity, results, schedule.steps());
  const std::unique_ptr<Solver> solver = solver_of_all(prepared, ranks, others);
  if (checkpoint) load_checkpoint(*checkpoint, *solver);

  std::vector<std::string> earlier_warnings;
  if (const auto earlier = read_summary(directory); checkpoint && earlier) earlier_warnings = earlier->warnings;

  // From here on the directory changes.
  catch_stop_signals();
  if (checkpoint) {
    results.resume(*checkpoint, schedule);
    if (!options.quiet) tell("resumed at step {} from {}", checkpoint->step, checkpoint->file.string());
  }
  RunSummary summary = start_summary(c, model, backend, *solver, schedule.steps(), ranks.count());
  summary.fingerprint = results_fingerprint(identity);
  summary.warnings = earlier_warnings;
  SummaryFile summary_file(directory);
  summary_file.write(summary);
  if (!checkpoint) remove_earlier_results(directory);  // no summary says any more that they are complete
  write_atomically(directory / "case.resolved.yaml", identity.case_text);

  Progress progress(std::cerr, options.quiet ? Progress::Style::none : style_of_stderr(), solver->step(),
                    schedule.steps(), model.mesh.element_count(), width_of_stderr());
  Warnings warnings([&](const std::string& warning) {
    progress.finish();
    if (!options.quiet) tell("warning: {}", warning);
    summary.warnings.push_back(warning);
    summary_file.write(summary);  // what a run that goes on from here is to know
  });
  warnings.restore(earlier_warnings);
  warn_of_case(c, model, warnings);
  TimeLoop loop(*solver, results, progress, schedule, model, identity, warnings, backend.cuda);
  const EndedFromOutside listener(
      ranks, [&](const std::string& reason) { summary_file.interrupted(reason, loop.step_reached()); });
  const auto end_summary = [&](const char* status, const std::string& reason) {
    progress.finish();
    finish_summary(summary, loop, results, *solver);
    summary.status = status;
    summary.reason = reason;
    summary_file.write(summary);
  };
  // The state that the run was left with is a frame as others are.
  const auto end_failed = [&](const std::string& reason) {
    std::string frame = "the last frame is the state that the run was left with";
    try {
      results.add(solver->capture_failed());
      results.wait();
    } catch (const std::exception& error) {
      frame = fmt::format("no frame of the failed state ({})", error.what());
    }
    end_summary("failed", reason);
    throw NumericalError(fmt::format("{}\nThe results until then are in {}; {}", reason, directory.string(), frame));
  };
  int signal = 0;
  try {
    signal = loop.run();
    summary.norms = solver->field_norms();
    if (signal == 0) {
      end_summary("done", "");
    } else {
      end_summary("stopped",
                  fmt::format("{} at step {}; --resume goes on from there", name_of_signal(signal), solver->step()));
    }
  } catch (const ElementFailure& failure) {
    summary.failed = failed_element(failure, c, model, loop, solver->capture_failed()(1));
    end_failed(failure_text(failure, *summary.failed));
  } catch (const NumericalError& error) {
    end_failed(fmt::format("the run failed after step {}: {}", loop.last_row().step, error.what()));
  } catch (const std::exception& error) {
    without_errors([&] { results.wait(); });  // frames under way may meet an obstacle of their own
    without_errors([&] { end_summary("interrupted", error.what()); });  // or stderr alone has the reason
    throw;
  }
  if (!options.quiet) fmt::print("{}", summary_text(summary, directory));
  return signal == 0 ? 0 : 128 + signal;
}

}  // namespace

int run(const RunOptions& options) {
  end_with_owner();
  Ranks& ranks = ranks_of_program();
  std::optional<Prepared> prepared;
  in_agreement(ranks, [&] {
    prepared = prepare(options, ranks);
    return ranks.is_alone() ? std::string() : agreed_text(*prepared);
  });
  if (ranks.is_first()) return run(options, *prepared, ranks);
  if (!OthersWait::told_to_go(ranks)) return 0;
  ignore_stop_signals();
  std::unique_ptr<Solver> solver;
  together(ranks, [&] { solver = make_solver(prepared->backend, prepared->model, prepared->threads, ranks); });
  prepared.reset();  // the whole body, which only rank 0 needs for what it writes
  malloc_trim(0);
  follow(ranks, *solver);
  return 0;
}

}  // namespace cleave
