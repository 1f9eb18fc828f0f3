/// cleave bench cases: tables 3.5 to 3.8 of A. Alhadeff's thesis chapter (IJNME 103 (2015) 859), runs with fracture
/// from their first step to their last, with the published columns beside.
#include <fmt/format.h>

#include <algorithm>

#include "app/case_text.hpp"
#include "bench/bench.hpp"
#include "bench/published.hpp"
#include "bench/run_time.hpp"
#include "cleave/core/error.hpp"

namespace cleave::benchmark {
namespace {

/// A line of the table: one run with one assembly on all machines.
struct Line {
  PublishedRun published;
  Assembly assembly;
  Index elements, nodes;
  int colours;
  Step steps, all_steps;
  std::vector<RunTime> times;  ///< by machine

  bool whole() const { return steps == all_steps; }
  const HistoryRow& end() const { return times.back().end; }
};

Line measure(const PublishedRun& published, Assembly assembly, const BenchOptions& options,
             const std::vector<Machine>& on) {
  const Case c = case_of(published, assembly);
  const Model model = make_model(c);
  const Step all = step_count(c.time, model.step), steps = options.steps > 0 ? std::min(options.steps, all) : all;
  const WholeRun run{model, steps, c.cohesive->insertion.every, c.output.history_every};
  return {published,
          assembly,
          model.mesh.element_count(),
          model.mesh.node_count(),
          model.colouring.count,
          steps,
          all,
          time_whole_run(run, on, options.budget)};
}

/// "12.34", "~12.34" when estimated; "no device" without one.
std::string time_text(const RunTime& time) {
  return fmt::format("{}{:.{}f}", time.repeats == 0 ? "~" : "", time.seconds, time.seconds < 10 ? 3 : 1);
}

std::string ratio_text(double ratio) { return ratio > 0 ? fmt::format("{:.{}f}", ratio, ratio < 10 ? 2 : 1) : "-"; }

const Machine* one_core(const std::vector<Machine>& on) { return on.front().cuda ? nullptr : &on.front(); }

/// Speedup of machine i over one core, 0 without one.
double speedup(const Line& line, const std::vector<Machine>& on, std::size_t i) {
  return one_core(on) != nullptr && one_core(on)->threads == 1 ? line.times.front().seconds / line.times[i].seconds : 0;
}

void print_line(const Line& l, const std::vector<Machine>& on, bool gpu) {
  fmt::print("{:<13} {:<9} {:>8} {:>6} {:>8} {:>8} {:>8}", l.published.name, assembly_name(l.assembly), l.elements,
             l.steps, l.end().nodes - l.nodes, l.end().cohesive_elements, l.colours);
  for (std::size_t i = 0; i < on.size(); ++i) {
    fmt::print(" {:>12}", time_text(l.times[i]));
    const double ratio = speedup(l, on, i);
    if (on[i].cores > 1)
      fmt::print(" {:>8} {:>7}", ratio_text(ratio), ratio > 0 ? fmt::format("{:.3f}", ratio / on[i].cores) : "-");
  }
  if (!gpu) fmt::print(" {:>12} {:>8} {:>7}", "no device", "-", "-");
  const PublishedRun& p = l.published;
  const double published = p.cpu_seconds / p.gpu_seconds;
  fmt::print(" | {:>8} {:>8} {:>7} {:>10.3f} {:>9.3f} {:>7.1f} {:>6.3f}\n", p.new_nodes, p.cohesive_elements, p.colours,
             p.cpu_seconds, p.gpu_seconds, published, published / published_gpu_cores);
  for (std::size_t i = 0; i < on.size(); ++i)
    if (!l.times[i].same_run)
      fmt::print("  {}: energies or counts are not those of {}: these times are of another run\n", on[i].name,
                 on.back().name);
  std::fflush(stdout);
}

void print_head(const std::vector<Machine>& on, bool gpu, double budget) {
  fmt::print(
      "Tables 3.5 to 3.8: whole runs, a fracture check and a history row every 10 steps, no frames. Seconds of "
      "stepping.\n"
      "speedup: over one core; efficiency: speedup / cores (threads, CUDA cores). Published: one core of a Core i7 at "
      "2.8 GHz, GTX 480 ({} cores).\n"
      "~: estimated from up to 20 windows of about {:g} s in all, in the middle of equal parts of the run; each starts "
      "from the state\n"
      "that {} had there, and ends with the same energies and counts.\n\n",
      published_gpu_cores, budget, on.back().name);
  fmt::print("{:<13} {:<9} {:>8} {:>6} {:>8} {:>8} {:>8}", "", "", "", "", "new", "", "");
  for (const Machine& m : on) {
    fmt::print(" {:>12}", m.name.substr(0, 12));
    if (m.cores > 1) fmt::print(" {:>8} {:>7}", "speed-", "effi-");
  }
  if (!gpu) fmt::print(" {:>12} {:>8} {:>7}", "GPU", "speed-", "effi-");
  fmt::print(" | published:\n{:<13} {:<9} {:>8} {:>6} {:>8} {:>8} {:>8}", "case", "assembly", "elements", "steps",
             "nodes", "cohesive", "colours");
  for (const Machine& m : on) {
    fmt::print(" {:>12}", "s");
    if (m.cores > 1) fmt::print(" {:>8} {:>7}", "up", "ciency");
  }
  if (!gpu) fmt::print(" {:>12} {:>8} {:>7}", "s", "up", "ciency");
  fmt::print(" | {:>8} {:>8} {:>7} {:>10} {:>9} {:>7} {:>6}\n", "nodes", "cohesive", "colours", "CPU s", "GPU s",
             "speedup", "effic.");
}

Json published_json(const PublishedRun& p) {
  const double speedup = p.cpu_seconds / p.gpu_seconds;
  return {{"table", p.table},
          {"nodes", p.nodes},
          {"new_nodes", p.new_nodes},
          {"cohesive_elements", p.cohesive_elements},
          {"colours", p.colours},
          {"cpu_seconds", p.cpu_seconds},
          {"gpu_seconds", p.gpu_seconds},
          {"speedup", speedup},
          {"efficiency", speedup / published_gpu_cores}};
}

Json row_of(const Line& l, const std::vector<Machine>& on, std::size_t i) {
  const RunTime& t = l.times[i];
  Json row{{"case", l.published.name},
           {"assembly", assembly_name(l.assembly)},
           {"machine", on[i].name},
           {"cores", on[i].cores},
           {"elements", l.elements},
           {"nodes", l.nodes},
           {"new_nodes", l.end().nodes - l.nodes},
           {"cohesive_elements", l.end().cohesive_elements},
           {"colours", l.colours},
           {"steps", l.steps},
           {"whole_run", l.whole()},
           {"seconds", t.seconds},
           {"measured", t.repeats > 0 ? "in full" : "windows"},
           {"same_run", t.same_run}};
  if (t.repeats > 0) {
    row["repeats"] = t.repeats;
    row["slowest"] = t.slowest;
  } else {
    row["windows"] = t.windows;
    row["steps_per_window"] = t.window_steps;
    row["seconds_in_windows"] = t.timed_seconds;
  }
  if (const double ratio = speedup(l, on, i); ratio > 0) {
    row["speedup_over_one_thread"] = ratio;
    row["efficiency"] = ratio / on[i].cores;
  }
  row["published"] = published_json(l.published);
  return row;
}

}  // namespace

Json cases(const BenchOptions& options, const std::vector<Machine>& on) {
  const std::vector<PublishedRun> runs = find_runs(options.cases);
  const bool gpu = on.back().cuda;
  print_head(on, gpu, options.budget);
  Json rows = Json::array();
  for (const PublishedRun& run : runs)
    for (const Assembly assembly : options.assemblies) {
      const Line line = measure(run, assembly, options, on);
      print_line(line, on, gpu);
      for (std::size_t i = 0; i < on.size(); ++i) rows.push_back(row_of(line, on, i));
    }
  if (options.steps > 0)
    fmt::print("\nThese runs end after {} steps; the published ones go on to 10,000, 40,000 and 27,000.\n",
               options.steps);
  return rows;
}

}  // namespace cleave::benchmark
