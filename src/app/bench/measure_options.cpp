#include "app/bench/measure_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdlib>

#include "cleave/core/environment.hpp"

namespace cleave {

void add_measure_options(CLI::App& command, MeasureOptions& options) {
  command.add_option("--backend", options.backend, "Only the CPU or only the GPU")
      ->check(CLI::IsMember({"auto", "cpu", "cuda"}));
  command.add_option("--threads", options.threads, "CPU threads; 0: all")->check(CLI::Range(0, most_threads));
  command.add_option("--cpu-limit", options.cpu_limit, "Elements of the largest mesh that the CPU runs")
      ->check(CLI::NonNegativeNumber);
  command.add_option("--seconds", options.least_seconds, "Shortest time of one repeat")->check(positive_number());
  command.add_option("--json", options.json, "Also writes the rows to this file");
}

void add_mesh_option(CLI::App& command, MeasureOptions& options) {
  command.add_option("--mesh", options.meshes,
                     "ring:RADIALxAROUND, rectangle:NXxNY, table3.4, table3.6, table3.8, tables (all three) or sweep "
                     "(rings of 1e3 to 1e7 elements); :T3 after it for T3");
}

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

}  // namespace cleave
