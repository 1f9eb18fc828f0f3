/// cleave_studies: ways to compute the same thing, timed and checked against each other.
#include <CLI/CLI.hpp>
#include <exception>

#include "app/console.hpp"
#include "cleave/core/error.hpp"
#include "strategies/bench.hpp"

namespace {

using namespace cleave;
using namespace cleave::benchmark;

struct Study {
  const char* name;
  const char* text;
  Json (*run)(const StudyOptions&, const std::vector<Machine>&);
  bool compares_with_copy;
};
constexpr Study studies[] = {
    {"strategies", "Ways to compute the elastic step", strategies, true},
    {"ladder", "Kernels for internal forces, from the naive one up", ladder, false},
    {"colouring", "Numbers and sizes of colours, and kernels by colour", colouring, false},
    {"states", "States of materials, side by side or not", states, false},
    {"edges", "Neighbours and edges, by the host and by a sort", edges, false},
    {"vectors", "Matrix-vector products and norms", vectors, true},
};

int run(int argc, char** argv) {
  CLI::App app("Ways to compute the same thing, timed and checked against each other", "cleave_studies");
  app.require_subcommand(1);
  StudyOptions options;
  for (const Study& study : studies) {
    CLI::App* command = app.add_subcommand(study.name, study.text);
    add_measure_options(*command, options);
    if (study.run == vectors)
      command->add_option("--sizes", options.sizes, "ROWSxCOLUMNS of matrices");
    else
      add_mesh_option(*command, options);
    command->callback([&] {
      measure(study.name, options, study.compares_with_copy,
              [&](const std::vector<Machine>& on) { return study.run(options, on); });
    });
  }
  try {
    app.parse(argc, argv);
    return 0;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help
    tell("cleave_studies: {}; see cleave_studies --help", error.what());
    return exit_code::wrong_input;
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const cleave::InputError& error) {
    cleave::tell("cleave_studies: {}", error.what());
    return cleave::exit_code::wrong_input;
  } catch (const cleave::NumericalError& error) {
    cleave::tell("cleave_studies: {}", error.what());
    return cleave::exit_code::failed_run;
  } catch (const std::exception& error) {
    cleave::tell("cleave_studies: {}", error.what());
    return cleave::exit_code::other_error;
  }
}
