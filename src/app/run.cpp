/// cleave run: runs a case from its file to its results.
#include <fmt/format.h>
#include <malloc.h>

#include <cstdint>
#include <filesystem>
#include <future>
#include <optional>

#include "app/agreement.hpp"
#include "app/backend.hpp"
#include "app/case_run.hpp"
#include "app/case_text.hpp"
#include "app/commands.hpp"
#include "app/console.hpp"
#include "app/earlier_results.hpp"
#include "app/estimates.hpp"
#include "app/stop_signal.hpp"
#include "cleave/core/error.hpp"
#include "cleave/core/machine.hpp"
#include "cleave/output/checkpoint.hpp"
#include "cleave/output/files.hpp"
#include "cleave/output/results.hpp"
#include "cleave/partition/ranks.hpp"
#include "cleave/solver/model.hpp"
#include "model/part_message.hpp"

namespace cleave {
namespace {

Case case_of(const RunOptions& options) {
  Case c = read_case(options.from.file, options.from.overrides);
  if (options.backend) c.run.backend = *options.backend;
  if (options.threads) c.run.threads = *options.threads;
  if (options.output) c.output.directory = *options.output;
  return c;
}

/// Origin of the output directory, for messages.
std::string origin_of_output(const RunOptions& options, const Case& c) {
  return options.output ? "--output" : output_origin(c);
}

/// The checkpoint to resume from, if requested; otherwise checks that the run loses no earlier results.
std::optional<Checkpoint> check_earlier_results(const RunOptions& options, const Case& c, const RunIdentity& identity,
                                                const Results& results, const Schedule& schedule) {
  const OutputDirectory& directory = results.directory();
  const Step steps = schedule.steps();
  refuse_to_overwrite_input(c);
  check_results_are_files(directory, origin_of_output(options, c));
  if (!options.resume) {
    const EarlierResults earlier = earlier_results(c, directory, identity, steps);
    const bool replaces = earlier.advice.empty() || options.force || c.output.replace;
    if (!replaces) {
      throw InputError(fmt::format("{}: '{}' holds {}: {}", origin_of_output(options, c), c.output.directory.string(),
                                   earlier.of, earlier.advice));
    }
    if (!earlier.files.empty() && !options.quiet)
      tell("replaces {} files of {} in {}", earlier.files.size(), earlier.of, c.output.directory.string());
    return std::nullopt;
  }
  Checkpoint checkpoint = checkpoint_to_resume(directory, identity);
  if (checkpoint.step > steps)
    throw InputError(
        fmt::format("{}: this checkpoint is of step {}, beyond the end of the run at step {}; set a later "
                    "time.steps or time.end, or run without --resume",
                    checkpoint.file.string(), checkpoint.step, steps));
  check_nothing_is_missing(results, checkpoint, schedule, options.force);
  check_nothing_is_dropped(results.directory(), steps, options.force);
  return checkpoint;
}

/// Parts of a run that every rank makes for itself, identically. With `in_parts` rank 0 alone makes the model.
struct Prepared {
  Case c;
  bool in_parts;
  Model model;
  Backend backend;
  int threads;  ///< number of threads of this rank
};

Prepared prepare(const RunOptions& options, const Ranks& ranks) {
  const bool tells = !options.quiet && ranks.is_first();
  Prepared p{case_of(options), false, {}, {}, 0};
  if (tells) tell_notes(p.c);
  // A checkpoint has the rows of the whole body.
  p.in_parts = !ranks.is_alone() && !options.resume && !needs_whole_body(p.c);
  auto backend = std::async([&] { return choose_backend(p.c, ranks); });  // a device starts while the mesh is made
  const bool makes_model = ranks.is_first() || !p.in_parts;
  if (makes_model) p.model = make_model(p.c);
  if (tells) tell_turned(p.model.mesh);
  p.model.time_stages = options.stages;
  check_output_format(p.c);
  if (ranks.is_first()) check_output_directory(p.c.output.directory, origin_of_output(options, p.c));
  p.backend = backend.get();
  if (tells) tell("backend {} ({})", p.backend.name(), p.backend.reason);
  if (makes_model) {
    check_ranks(p.c, p.model, ranks.count());
    check_memory(p.model, p.backend, ranks, p.in_parts);
  }
  p.threads = threads_for(p.c.run.threads, ranks.count());
  return p;
}

/// Text that must be equal on all ranks.
std::string agreed_text(const Prepared& p) {
  if (p.in_parts) return resolved_yaml(p.c);
  const RunIdentity identity = identity_of(p.c, p.model);
  return fmt::format("{}\n{}", identity.case_text, identity.mesh);
}

/// Tells each other rank its part of the model, one after the other. Returns that of rank 0.
Model send_parts(const Model& model, Ranks& ranks) {
  for (int r = 1; r < ranks.count(); ++r) {
    const std::vector<std::byte> message = message_to_rank(model, r, ranks.count());
    const std::uint64_t size = message.size();
    ranks.exchange(reinterpret_cast<const std::byte*>(&size), nullptr, {{r, 0, sizeof size, 0, 0}});
    ranks.exchange(message.data(), nullptr, {{r, 0, message.size(), 0, 0}});
  }
  return model_from(message_to_rank(model, 0, ranks.count()));
}

/// The part of the model that rank 0 sends.
Model receive_part(Ranks& ranks) {
  std::uint64_t size = 0;
  ranks.exchange(nullptr, reinterpret_cast<std::byte*>(&size), {{0, 0, 0, 0, sizeof size}});
  std::vector<std::byte> message(size);
  ranks.exchange(nullptr, message.data(), {{0, 0, 0, 0, message.size()}});
  return model_from(message);
}

/// The solver of rank 0, which leads those of all ranks.
std::unique_ptr<Solver> solver_of_all(const Prepared& p, Ranks& ranks, StartBarrier& barrier) {
  if (ranks.is_alone()) return make_solver(p.backend, p.model, p.threads, ranks);
  barrier.release();
  std::unique_ptr<Solver> own;
  run_collectively(ranks, [&] {
    Model part;
    if (p.in_parts) part = send_parts(p.model, ranks);
    own = make_solver(p.backend, p.in_parts ? part : p.model, p.threads, ranks);
  });
  malloc_trim(0);
  return lead(ranks, std::move(own), p.model.element_strength_scale);
}

std::vector<std::string> names_of(const std::vector<HeldGroup>& groups) {
  std::vector<std::string> names;
  for (const HeldGroup& group : groups) names.push_back(group.name);
  return names;
}

std::vector<ObstacleOutline> outlines_of(const std::vector<Obstacle>& obstacles) {
  std::vector<ObstacleOutline> outlines;
  for (const Obstacle& o : obstacles) outlines.push_back({o.name, o.radius, o.normal});
  return outlines;
}

int run(const RunOptions& options, const Prepared& prepared, Ranks& ranks) {
  const auto& [c, in_parts, model, backend, threads] = prepared;
  const std::filesystem::path& directory = c.output.directory;
  StartBarrier barrier(ranks);
  const DirectoryLock lock(directory, origin_of_output(options, c));
  if (!lock.obstacle().empty())
    tell("{}: files cannot be locked there ({}): make sure that no second run writes into this directory",
         directory.string(), lock.obstacle());
  const RunIdentity identity = identity_of(prepared.c, prepared.model);
  const Schedule schedule(step_count(c.time, model.step), model.step, c.output);
  LargestFacetLoad facet_load(model);  // outlives the threads of `results`
  FirstOverlap overlap(model);         // likewise
  Results results(c.output, lock.directory(), model.mesh, share_among_frames(threads, {c.run.precision, backend.cuda}),
                  names_of(model.held_groups), !model.strength_scale.empty(), model.lines, outlines_of(model.obstacles),
                  process_columns(model));
  results.look_at_frames([&](const Snapshot& frame) {
    facet_load.look_at(frame);
    overlap.look_at(frame);
  });
  const auto checkpoint = check_earlier_results(options, c, identity, results, schedule);
  const std::unique_ptr<Solver> solver = solver_of_all(prepared, ranks, barrier);
  if (checkpoint) load_checkpoint(*checkpoint, *solver);

  CaseRun run({c, model, backend, ranks, identity, schedule, results, facet_load, overlap, *solver, options.quiet});
  run.begin(checkpoint);
  return run.go();
}

}  // namespace

int run(const RunOptions& options) {
  end_with_owner();
  Ranks& ranks = ranks_of_program();
  std::optional<Prepared> prepared;
  run_in_agreement(
      ranks,
      [&] {
        prepared = prepare(options, ranks);
        return ranks.is_alone() ? std::string() : agreed_text(*prepared);
      },
      "it reads another case or another mesh than rank 0: give all ranks the same files");
  run_in_agreement(
      ranks,
      [&] { return fmt::format("{} {}", prepared->backend.name(), static_cast<int>(prepared->backend.transport)); },
      "it has another backend than rank 0, or exchanges by another transport: set run.backend: cpu or run.transport: "
      "mpi, or start ranks only where there are CUDA devices");
  if (ranks.is_first()) return run(options, *prepared, ranks);
  if (!StartBarrier::wait(ranks)) return 0;
  ignore_stop_signals();
  std::unique_ptr<Solver> solver;
  run_collectively(ranks, [&] {
    if (prepared->in_parts) prepared->model = receive_part(ranks);
    malloc_trim(0);
    solver = make_solver(prepared->backend, prepared->model, prepared->threads, ranks);
  });
  prepared.reset();  // only rank 0 needs the model, for its output
  malloc_trim(0);
  follow(ranks, *solver);
  return 0;
}

}  // namespace cleave
