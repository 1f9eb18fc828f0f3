/// cleave run: a case from its file to its results.
#include <fmt/format.h>

#include <csignal>
#include <filesystem>
#include <iostream>

#include "cleave/core/error.hpp"
#include "cleave/mesh/topology.hpp"
#include "cleave/output/files.hpp"
#include "cleave/output/progress.hpp"
#include "cleave/output/results.hpp"
#include "cleave/output/summary.hpp"
#include "cleave/solver/model.hpp"
#include "commands/backend.hpp"
#include "commands/case_text.hpp"
#include "commands/commands.hpp"
#include "commands/estimates.hpp"
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

/// The case as far as the state of a run depends on it: how it runs and what it writes may change on resuming, and the
/// mesh file may have moved (its content is looked at by itself).
std::uint64_t fingerprint_of(Case c, const Mesh& mesh) {
  c.output = {};
  const Assembly assembly = c.run.assembly;  // each keeps a state of its own
  c.run = {};
  c.run.assembly = assembly;
  c.mesh.file = c.mesh.file.filename();
  c.time.steps = 0;  // a finished run may be resumed with a later end
  c.time.end.reset();
  return fingerprint(resolved_yaml(c), mesh);
}

/// Removes the results of an earlier run. Throws InputError when the mesh of this one is among them.
void remove_old_results(const Case& c) {
  const auto files = result_files(c.output.directory);
  for (const auto& file : files) {
    std::error_code error;
    if (c.mesh.shape == MeshShape::file && std::filesystem::equivalent(file, c.mesh.file, error)) {
      throw InputError(
          fmt::format("{}:{}: mesh.file: '{}' is among the results that this run replaces; copy it "
                      "elsewhere or choose another output.directory",
                      c.file.string(), c.line_of_mesh, c.mesh.file.string()));
    }
  }
  for (const auto& file : files) std::filesystem::remove(file);
}

RunSummary start_summary(const Case& c, const Model& model, const Backend& backend, const Solver& solver, Step steps) {
  RunSummary s;
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
void finish_summary(RunSummary& s, const TimeLoop& loop, Results& results, const Solver& solver) {
  results.wait();
  s.steps_done = solver.step();
  s.wall_time = loop.wall_time();
  s.output_time = loop.output_time();
  s.stages = solver.stage_times();
  s.peak_memory = solver.peak_memory();
  s.last = loop.last_row();
  s.largest_balance_error = results.history().largest_balance_error();
  const bool frame_is_current = !results.frames().empty() && results.frames().back().step == s.last.step;
  if (frame_is_current) s.fragments = results.fragments();
}

}  // namespace

int run(const RunOptions& options) {
  const Case c = case_of(options);
  const std::filesystem::path& directory = c.output.directory;
  Model model = make_model(c);
  model.time_stages = options.stages;
  check_output_format(c);
  check_output_directory(directory, options.output ? "--output" : output_origin(c));

  const Backend backend = choose_backend(c.run.backend);
  if (!options.quiet) fmt::print(stderr, "backend {} ({})\n", backend.name(), backend.reason);
  const std::unique_ptr<Solver> solver = make_solver(backend, model, c.run.threads);

  const Schedule schedule(step_count(c.time, model.step), c.output);
  const std::uint64_t mark = fingerprint_of(c, model.mesh);
  Results results(c.output, model.mesh.original_elements, share_among_frames(writer_threads(c.run)));
  if (options.resume) {
    const Checkpoint checkpoint = find_checkpoint(directory, mark);
    if (checkpoint.step > schedule.steps())
      throw InputError(
          fmt::format("{}: this checkpoint is of step {}, beyond the end of the run at step {}; set a later "
                      "time.steps or time.end, or run without --resume",
                      checkpoint.file.string(), checkpoint.step, schedule.steps()));
    load_checkpoint(checkpoint, *solver);
    results.resume(checkpoint, schedule);
    if (!options.quiet) fmt::print(stderr, "resumed at step {} from {}\n", checkpoint.step, checkpoint.file.string());
  } else {
    remove_old_results(c);
  }
  catch_stop_signals();
  write_atomically(directory / "case.resolved.yaml", resolved_yaml(c));

  Progress progress(std::cerr, options.quiet ? Progress::Style::none : style_of_stderr(), solver->step(),
                    schedule.steps(), model.mesh.element_count(), width_of_stderr());
  RunSummary summary = start_summary(c, model, backend, *solver, schedule.steps());
  TimeLoop loop(*solver, results, progress, schedule, model.mesh.element_count(), mark);
  int signal = 0;
  try {
    signal = loop.run();
    progress.finish();
  } catch (const NumericalError& error) {
    progress.finish();
    finish_summary(summary, loop, results, *solver);
    summary.status = "failed";
    summary.reason = error.what();
    write_atomically(directory / "summary.json", summary_json(summary));
    throw NumericalError(fmt::format("{}\nThe results until then are in {}", error.what(), directory.string()));
  }

  finish_summary(summary, loop, results, *solver);
  summary.status = signal == 0 ? "done" : "stopped";
  if (signal != 0) {
    summary.reason = fmt::format("{} at step {}; --resume goes on from there", signal == SIGINT ? "SIGINT" : "SIGTERM",
                                 solver->step());
  }
  write_atomically(directory / "summary.json", summary_json(summary));
  if (!options.quiet) fmt::print("{}", summary_text(summary, directory));
  return signal == 0 ? 0 : 128 + signal;
}

}  // namespace cleave
