/// The command line: reads the arguments, calls the command, turns exceptions into one report and an exit code.
#include <fmt/format.h>
#include <malloc.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <map>
#include <new>

#include "cleave/core/error.hpp"
#include "commands/agreement.hpp"
#include "commands/commands.hpp"
#include "commands/console.hpp"
#include "commands/exit_code.hpp"

namespace {

namespace exit_code = cleave::exit_code;

int report(int code, const std::string& text) {
  cleave::tell("cleave: {}", text);
  return code;
}

int report_closed_stdout(int code, const std::string& reason) {
  return report(code != 0 ? code : exit_code::other_error,
                fmt::format("what it had to say cannot be written to the standard output ({})", reason));
}

/// A number that a measurement can be made with.
CLI::Validator positive_number() {
  return CLI::Validator(
      [](const std::string& text) {
        char* end = nullptr;
        const double number = std::strtod(text.c_str(), &end);
        const bool good = end != text.c_str() && *end == '\0' && std::isfinite(number) && number > 0;
        return good ? std::string() : fmt::format("expected a number above 0, found {}", text);
      },
      "");
}

void add_case(CLI::App* command, cleave::CaseOptions& options) {
  command->add_option("CASE", options.file, "Case file (YAML)")->required();
  command->add_option("--set", options.overrides, "Replaces a value of the case file; may be repeated")
      ->type_name("key.path=value")
      ->allow_extra_args(false);
}

int run_program(int argc, char** argv) {
  CLI::App app("Cleave: explicit dynamics of fracture and fragmentation in 2D, cohesive elements inserted on the fly",
               "cleave");
  app.set_version_flag("--version", "cleave " CLEAVE_VERSION);
  app.require_subcommand(1);

  cleave::RunOptions run;
  CLI::App* run_command = app.add_subcommand("run", "Runs a case");
  add_case(run_command, run.from);
  std::string backend;
  run_command->add_option("--backend", backend, "auto takes a CUDA device when there is one, else the CPU")
      ->type_name("auto|cpu|cuda")
      ->check(CLI::IsMember({"auto", "cpu", "cuda"}).description(""));
  run_command->add_option("--threads", run.threads, "CPU threads; 0: OMP_NUM_THREADS, or all")
      ->type_name("N")
      ->check(CLI::Range(0, cleave::most_threads));
  run_command->add_option("--output", run.output, "Directory of the results")->type_name("DIR");
  run_command->add_flag("--resume", run.resume, "Goes on from the newest checkpoint in the output directory");
  run_command->add_flag("--force", run.force,
                        "Replaces results of another case or of a run that could be resumed; with --resume: goes on "
                        "though results from before are gone");
  run_command->add_flag("--quiet", run.quiet, "Prints nothing but errors");
  run_command->add_flag("--stages", run.stages, "Measures the time of each stage of the step (slower)");

  cleave::SweepOptions sweep;
  CLI::App* sweep_command =
      app.add_subcommand("sweep", "Runs the cases of a study, a case for each combination of values");
  sweep_command->add_option("STUDY", sweep.file, "Study file (YAML)")->required();
  sweep_command->add_option("--jobs", sweep.jobs, "Runs at once; by default processors / threads of a run")
      ->type_name("N")
      ->check(CLI::Range(1, cleave::most_threads));
  sweep_command->add_option("--output", sweep.output, "Directory of the study")->type_name("DIR");
  sweep_command->add_option("--only", sweep.only, "Only the runs with these numbers")->type_name("N[,M-K]");
  sweep_command->add_option("--slurm", sweep.slurm, "Writes an array job for Slurm, a run a task, and runs nothing")
      ->type_name("FILE.sh");
  sweep_command->add_flag("--dry-run", sweep.dry_run, "Tells what would be done, and writes nothing");
  sweep_command->add_flag("--quiet", sweep.quiet, "Prints nothing but errors");

  cleave::CaseOptions check;
  CLI::App* check_command = app.add_subcommand("check", "Validates a case and tells what a run would do");
  add_case(check_command, check);

  cleave::CaseOptions mesh;
  std::filesystem::path mesh_file;
  CLI::App* mesh_command = app.add_subcommand("mesh", "Writes the mesh of a case");
  add_case(mesh_command, mesh);
  mesh_command->add_option("-o", mesh_file, "File to write: .vtu, .vtk, .msh (Gmsh), .mesh or .meshb (INRIA)")
      ->required()
      ->type_name("FILE");
  std::string msh_format = cleave::msh_formats.front();
  mesh_command->add_option("--format", msh_format, "Of a .msh file")
      ->type_name("msh41|msh41-ascii|msh22|msh22-ascii")
      ->check(CLI::IsMember(cleave::msh_formats).description(""));

  cleave::BenchOptions bench;
  std::vector<std::string> assemblies{"gather", "coloured"};
  CLI::App* bench_command = app.add_subcommand("bench", "Measures how fast this machine is");
  bench_command->add_option("WHAT", bench.what, "What to measure")
      ->required()
      ->check(CLI::IsMember(cleave::bench_names));
  bench_command->add_option("--mesh", bench.meshes,
                            "ring:RADIALxAROUND, rectangle:NXxNY, table3.4, table3.6, table3.8, tables (all three) or "
                            "sweep (rings of 1e3 to 1e7 elements); :T3 after it for T3");
  bench_command->add_option("--assembly", assemblies, "gather, coloured, atomic")
      ->check(CLI::IsMember({"gather", "coloured", "atomic"}));
  bench_command->add_option("--backend", bench.backend, "Only the CPU or only the GPU")
      ->check(CLI::IsMember({"auto", "cpu", "cuda"}));
  bench_command->add_option("--threads", bench.threads, "CPU threads; 0: all")
      ->check(CLI::Range(0, cleave::most_threads));
  bench_command->add_option("--cpu-limit", bench.cpu_limit, "Elements of the largest mesh that the CPU runs")
      ->check(CLI::NonNegativeNumber);
  bench_command->add_option("--seconds", bench.least_seconds, "Shortest time of one repeat")->check(positive_number());
  bench_command->add_option("--case", bench.cases,
                            "cases: strip_192x48, strip_384x96, ring_20x160, ring_30x240, ring_40x320, ring_96x768, "
                            "ring_115x787, table3.6 (strips) or table3.8 (rings); by default all");
  bench_command->add_option("--steps", bench.steps, "cases: only the first N steps of each run; 0: all")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber);
  bench_command
      ->add_option("--budget", bench.budget, "cases: seconds that a CPU takes for a run, in full or in windows")
      ->check(positive_number());
  bench_command->add_option("--sizes", bench.sizes, "vectors: ROWSxCOLUMNS of matrices");
  bench_command->add_flag("--stages", bench.stages, "insertion, insertion-rate: also the time per stage");
  bench_command->add_option("--memory", bench.memory, "memory: GB to fill; by default what the GPU has, or 139")
      ->check(positive_number());
  bench_command->add_flag("--try", bench.try_largest, "memory: also runs the largest ring");
  bench_command->add_option("--json", bench.json, "Also writes the rows to this file");

  cleave::PointOptions point;
  CLI::App* point_command = app.add_subcommand("point", "Leads one material or traction law along a path");
  point_command->add_option("LAW", point.law, "File with `material` or `cohesive`, as in a case file")->required();
  point_command
      ->add_option("--path", point.path,
                   "CSV file: xx, yy, xy (strain; with yx: displacement gradient) or normal, tangential; and time")
      ->required()
      ->type_name("FILE.csv");
  point_command->add_option("-o", point.output, "File to write; by default the standard output")->type_name("FILE.csv");
  CLI::Option* plot = point_command
                          ->add_option("--plot", point.plot.emplace(),
                                       "Also draws it; by default into FILE.svg beside FILE.csv, or LAW.svg here")
                          ->type_name("FILE.svg")
                          ->expected(0, 1);

  CLI::App* info_command = app.add_subcommand("info", "Prints version, build and devices");
  cleave::InfoOptions about;
  CLI::Option* columns_flag = info_command->add_flag(
      "--columns", about.columns, "Prints the columns of history.csv instead, as a table in Markdown");
  CLI::Option* keys_flag =
      info_command->add_flag("--keys", about.keys, "Prints the keys of the case file instead, as a table in Markdown")
          ->excludes(columns_flag);
  info_command->add_flag("--schema", about.schema, "Prints a JSON schema of the case file instead, for editors")
      ->excludes(columns_flag)
      ->excludes(keys_flag);

  const std::string first = argc > 1 ? argv[1] : "";
  const auto is_first = [&](CLI::App* command) { return command->get_name() == first; };
  if (!first.empty() && first[0] != '-' && app.get_subcommands(is_first).empty()) {
    return report(
        exit_code::wrong_input,
        fmt::format("there is no command '{}'; the commands are run, sweep, check, mesh, bench, point and info",
                    first));
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    return report(exit_code::wrong_input, fmt::format("{}; see cleave --help", error.what()));
  }

  if (backend == "auto") run.backend = cleave::BackendChoice::automatic;
  if (backend == "cpu") run.backend = cleave::BackendChoice::cpu;
  if (backend == "cuda") run.backend = cleave::BackendChoice::cuda;
  if (*run_command) return cleave::run(run);
  if (*sweep_command) return cleave::sweep(sweep);
  if (*check_command) return cleave::check(check);
  if (*mesh_command) return cleave::mesh(mesh, mesh_file, msh_format);
  if (*bench_command) {
    const std::map<std::string, cleave::Assembly> names{{"gather", cleave::Assembly::gather},
                                                        {"coloured", cleave::Assembly::coloured},
                                                        {"atomic", cleave::Assembly::atomic}};
    for (const std::string& name : assemblies) bench.assemblies.push_back(names.at(name));
    return cleave::bench(bench);
  }
  if (!*plot) point.plot.reset();
  if (*point_command) return cleave::point(point);
  if (*info_command) return cleave::info(about);
  return exit_code::other_error;
}

}  // namespace

int main(int argc, char** argv) {
  // Keeps freed memory for the next frame: the system would clear each page of it again.
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
  cleave::open_standard_streams();
  std::signal(SIGXFSZ, SIG_IGN);  // a file larger than `ulimit -f` is an error of writing
  std::string reason;
  try {
    const int code = run_program(argc, argv);
    return cleave::flush_stdout(reason) ? code : report_closed_stdout(code, reason);
  } catch (const cleave::LetGo& end) {
    return end.exit_code;
  } catch (const cleave::InputError& error) {
    return report(exit_code::wrong_input, error.what());
  } catch (const cleave::NumericalError& error) {
    return report(exit_code::failed_run, error.what());
  } catch (const std::bad_alloc&) {
    return report(exit_code::other_error, cleave::no_memory);
  } catch (const std::filesystem::filesystem_error& error) {
    return report(exit_code::other_error,
                  fmt::format("{}: cannot be used ({})", error.path1().string(), error.code().message()));
  } catch (const std::system_error& error) {
    if (!cleave::flush_stdout(reason)) return report_closed_stdout(exit_code::other_error, error.code().message());
    return report(exit_code::other_error, fmt::format("the system refused ({})", error.code().message()));
  } catch (const std::exception& error) {
    return report(exit_code::other_error, error.what());
  }
}
