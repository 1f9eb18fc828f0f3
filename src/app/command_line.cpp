#include "app/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/commands.hpp"
#include "app/console.hpp"
#include "cleave/case/names.hpp"
#include "cleave/core/environment.hpp"
#include "cleave/core/error.hpp"

namespace cleave {
namespace {

using namespace case_file;

/// A command, and the function that executes it with its options, which it owns.
struct Command {
  CLI::App* given;
  std::function<int()> run;
};

template <class Enum>
CLI::IsMember one_of(const case_file::Names<Enum>& names) {
  std::vector<std::string> all;
  for (const auto& [word, value] : names) all.push_back(word);
  return CLI::IsMember(all);
}

void add_case(CLI::App* command, CaseOptions& options) {
  command->add_option("CASE", options.file, "Case file (YAML)")->required();
  command->add_option("--set", options.overrides, "Replaces a value of the case file; may be repeated")
      ->type_name("key.path=value")
      ->allow_extra_args(false);
}

Command add_run(CLI::App& app) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "Runs a case");
  add_case(command, options->from);
  command
      ->add_option_function<std::string>(
          "--backend", [=](const std::string& word) { options->backend = value_of(word, backend_names); },
          "auto takes a CUDA device when there is one, else the CPU")
      ->type_name("auto|cpu|cuda")
      ->check(one_of(backend_names).description(""));
  command->add_option("--threads", options->threads, "CPU threads; 0: OMP_NUM_THREADS, or all")
      ->type_name("N")
      ->check(CLI::Range(0, most_threads));
  command->add_option("--output", options->output, "Directory of the results")->type_name("DIR");
  command->add_flag("--resume", options->resume, "Continues from the newest checkpoint in the output directory");
  command->add_flag("--force", options->force,
                    "Replaces results of another case or of a run that could be resumed; with --resume: continues "
                    "although earlier results are missing");
  command->add_flag("--quiet", options->quiet, "Prints nothing but errors");
  command->add_flag("--stages", options->stages, "Measures the time of each stage of the step (slower)");
  return {command, [=] { return run(*options); }};
}

Command add_sweep(CLI::App& app) {
  const auto options = std::make_shared<SweepOptions>();
  CLI::App* command = app.add_subcommand("sweep", "Runs the cases of a study, a case for each combination of values");
  command->add_option("STUDY", options->file, "Study file (YAML)")->required();
  command
      ->add_option("--jobs", options->jobs, "Number of runs at the same time; by default processors / threads of a run")
      ->type_name("N")
      ->check(CLI::Range(1, most_threads));
  command->add_option("--output", options->output, "Directory of the study")->type_name("DIR");
  // By a function, as CLI11 takes an empty text for an option that was not given.
  command
      ->add_option_function<std::string>(
          "--only", [=](const std::string& numbers) { options->only = numbers; },
          "Executes only the runs with these numbers")
      ->type_name("N[,M-K]");
  command
      ->add_option_function<std::string>(
          "--slurm", [=](const std::string& file) { options->slurm = file; },
          "Writes an array job for Slurm, one task per run, and runs nothing")
      ->type_name("FILE.sh");
  command->add_flag("--dry-run", options->dry_run, "Prints the plan and writes nothing");
  command->add_flag("--quiet", options->quiet, "Prints nothing but errors");
  return {command, [=] { return sweep(*options); }};
}

Command add_check(CLI::App& app) {
  const auto options = std::make_shared<CheckOptions>();
  CLI::App* command = app.add_subcommand("check", "Validates a case and prints what a run would do");
  add_case(command, options->from);
  command->add_flag("--details", options->details, "Prints mesh, laws, step and output in full");
  return {command, [=] { return check(*options); }};
}

Command add_mesh(CLI::App& app) {
  const auto options = std::make_shared<MeshOptions>();
  CLI::App* command = app.add_subcommand("mesh", "Writes the mesh of a case");
  add_case(command, options->from);
  command->add_option("-o", options->file, "File to write: .vtu, .vtk, .msh (Gmsh), .mesh or .meshb (INRIA)")
      ->required()
      ->type_name("FILE");
  command->add_option("--format", options->msh_format, "Format of a .msh file")
      ->type_name("msh41|msh41-ascii|msh22|msh22-ascii")
      ->check(CLI::IsMember(msh_formats).description(""));
  return {command, [=] { return mesh(*options); }};
}

/// Refuses options that this benchmark would ignore silently. All accept `--seconds` and `--cpu-limit`, as scripts pass
/// them to all.
void refuse_unread(const CLI::App& command, const std::string& benchmark) {
  struct ReadBySome {
    const char* option;
    std::vector<std::string> benchmarks;
  };
  const ReadBySome options[] = {{"--mesh", {"step", "kernels", "insertion", "insertion-rate", "memory", "contact"}},
                                {"--assembly", {"step", "kernels", "cases", "insertion", "insertion-rate", "memory"}},
                                {"--case", {"cases"}},
                                {"--steps", {"cases"}},
                                {"--budget", {"cases"}},
                                {"--stages", {"insertion", "insertion-rate"}},
                                {"--memory", {"memory"}},
                                {"--try", {"memory"}}};
  for (const auto& [option, of] : options)
    if (command.count(option) > 0 && std::find(of.begin(), of.end(), benchmark) == of.end())
      throw InputError(fmt::format("{}: `bench {}` does not read it, only {} {}", option, benchmark,
                                   fmt::join(of, ", "), of.size() == 1 ? "does" : "do"));
}

Command add_bench(CLI::App& app) {
  const auto options = std::make_shared<BenchOptions>();
  CLI::App* command = app.add_subcommand("bench", "Measures how fast this machine is");
  command->add_option("WHAT", options->what, "What to measure")->required()->check(CLI::IsMember(bench_names));
  add_mesh_option(*command, *options);
  command
      ->add_option_function<std::vector<std::string>>(
          "--assembly",
          [=](const std::vector<std::string>& given) {
            options->assemblies.clear();
            for (const std::string& word : given) options->assemblies.push_back(value_of(word, assembly_names));
          },
          "gather, coloured, atomic")
      ->check(one_of(assembly_names));
  add_measure_options(*command, *options);
  command->add_option("--case", options->cases,
                      "cases: strip_192x48, strip_384x96, ring_20x160, ring_30x240, ring_40x320, ring_96x768, "
                      "ring_115x787, table3.6 (strips) or table3.8 (rings); by default all");
  command->add_option("--steps", options->steps, "cases: only the first N steps of each run; 0: all")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--budget", options->budget, "cases: seconds that a CPU takes for a run, in full or in windows")
      ->check(positive_number());
  command->add_flag("--stages", options->stages, "insertion, insertion-rate: also the time per stage");
  command->add_option("--memory", options->memory, "memory: GB to fill; by default what the GPU has, or 139")
      ->check(positive_number());
  command->add_flag("--try", options->try_largest, "memory: also runs the largest ring");
  return {command, [=] {
            refuse_unread(*command, options->what);
            return bench(*options);
          }};
}

Command add_point(CLI::App& app) {
  const auto options = std::make_shared<PointOptions>();
  CLI::App* command = app.add_subcommand("point", "Moves one material or traction law along a path");
  command
      ->add_option("CASE", options->law,
                   "Case, whose law the columns name; or file with `material` or `cohesive` alone")
      ->required();
  command
      ->add_option("--path", options->path,
                   "CSV file: xx, yy, xy (strain; with yx: displacement gradient) or normal, tangential; and time")
      ->required()
      ->type_name("FILE.csv");
  command->add_option("-o", options->output, "File to write; by default the standard output")->type_name("FILE.csv");
  return {command, [=] { return point(*options); }};
}

Command add_info(CLI::App& app) {
  const auto options = std::make_shared<InfoOptions>();
  CLI::App* command = app.add_subcommand("info", "Prints version, build and devices");
  CLI::Option* columns = command->add_flag("--columns", options->columns,
                                           "Prints the columns of history.csv instead, as a table in Markdown");
  CLI::Option* keys =
      command->add_flag("--keys", options->keys, "Prints the keys of the case file instead, as a table in Markdown")
          ->excludes(columns);
  command->add_flag("--schema", options->schema, "Prints a JSON schema of the case file instead, for editors")
      ->excludes(columns)
      ->excludes(keys);
  return {command, [=] { return info(*options); }};
}

int refuse(const std::string& reason) {
  tell("cleave: {}", reason);
  return exit_code::wrong_input;
}

}  // namespace

int run_command(int argc, char** argv) {
  CLI::App app("Cleave: explicit dynamics of fracture and fragmentation in 2D, cohesive elements inserted on the fly",
               "cleave");
  app.set_version_flag("--version", "cleave " CLEAVE_VERSION);
  app.require_subcommand(1);
  const Command commands[] = {add_run(app),   add_sweep(app), add_check(app), add_mesh(app),
                              add_bench(app), add_point(app), add_info(app)};
  const std::string first = argc > 1 ? argv[1] : "";
  const auto is_first = [&](CLI::App* command) { return command->get_name() == first; };
  if (!first.empty() && first[0] != '-' && app.get_subcommands(is_first).empty())
    return refuse(
        fmt::format("unknown command '{}'; the commands are run, sweep, check, mesh, bench, point and info", first));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    return refuse(fmt::format("{}; see cleave --help", error.what()));
  }
  check_environment();
  for (const Command& command : commands)
    if (*command.given) return command.run();
  return exit_code::other_error;
}

}  // namespace cleave
