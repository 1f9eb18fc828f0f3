/// cleave_studies strategies: ways to compute the elastic step, in one table and checked against each other.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "bench/stage_bytes.hpp"
#include "cleave/core/error.hpp"
#include "strategies/bench.hpp"
#include "strategies/strategy.hpp"

namespace cleave::benchmark {
namespace {

constexpr Step compared_steps = 40;

/// Displacements in the numbering of the generator.
std::vector<Point> original(const Model& model, const std::vector<Point>& u) {
  std::vector<Point> out(u.size());
  for (std::size_t n = 0; n < u.size(); ++n) out[model.mesh.original_nodes[n]] = u[n];
  return out;
}

double largest_difference(const std::vector<Point>& a, const std::vector<Point>& b) {
  double largest = 0;
  for (std::size_t n = 0; n < a.size(); ++n) largest = std::max(largest, std::hypot(a[n].x - b[n].x, a[n].y - b[n].y));
  return largest;
}

bool same(const std::vector<Point>& a, const std::vector<Point>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Point& p, const Point& q) { return p.x == q.x && p.y == q.y; });
}

}  // namespace

Json strategies(const StudyOptions& options, const std::vector<Machine>& on) {
  Json rows = Json::array();
  for (const NamedMesh& mesh : parse_meshes(options.meshes, {"ring:20x160", "ring:96x768"})) {
    if (mesh.mesh.element == ElementType::t3)
      throw InputError(fmt::format("--mesh {}: the strategies are those of T6", mesh.name));
    Case c = unbreakable_case(mesh.mesh, Assembly::coloured);
    c.mesh.numbering = Numbering::as_given;
    const Model as_generated = make_model(c);
    const double elements = as_generated.mesh.element_count();
    std::map<std::pair<Strategy::Order, bool>, Model> models;  // by numbering, and whether by blocks
    for (const Machine& m : on) {
      const bool fewer_threads = std::any_of(
          on.begin(), on.end(), [&](const Machine& o) { return !m.cuda && !o.cuda && o.threads > m.threads; });
      if (fewer_threads || !m.takes(as_generated.mesh.element_count(), options)) continue;
      const double floor = floor_bytes(ElementType::t6) * elements / m.bandwidth;
      fmt::print("\n{}, {:.0f} elements, {}, copy {:.1f} GB/s, floor {:.2f} us a step\n", mesh.name, elements, m.name,
                 m.bandwidth * 1e-9, floor * 1e6);
      fmt::print(
          "difference: of the displacements after {} steps from those of the first row, relative to the motion\n",
          compared_steps);
      fmt::print("{:<11} {:<11} {:>7} {:<9} {:<9} {:<10} {:>10} {:>13} {:>9} {:>9} {:>9} {:>11} {:>7}\n", "sum",
                 "force", "threads", "layout", "numbering", "parameters", "us/step", "M el-steps/s", "bytes/el", "GB/s",
                 "of floor", "difference", "repeats");
      std::vector<Point> reference;
      double motion = 0;
      for (const Strategy& s : studied_strategies()) {
        if (s.needs_cuda() && !m.cuda) continue;
        const auto key = std::pair(s.order, s.sum == Strategy::Sum::blocks);
        if (!models.contains(key)) models.emplace(key, numbered(as_generated, s));
        const Model& model = models.at(key);
        const auto run = m.cuda ? make_cuda_strategy(model, s) : make_cpu_strategy(model, s, m.threads);
        run->advance(compared_steps);
        const std::vector<Point> once = run->displacement();
        run->restart();
        run->advance(compared_steps);
        const bool repeats = same(once, run->displacement());
        const std::vector<Point> u = original(model, once);
        if (reference.empty()) {
          reference = u;
          motion = largest_difference(u, as_generated.displacement);
        }
        const double difference = largest_difference(u, reference) / motion;
        const Timing timing = time_steps([&](Step n) { run->advance(n); }, options.least_seconds);
        const double t = timing.median, bytes = step_bytes(s, model.mesh), rate = bytes * elements / t;
        fmt::print(
            "{:<11} {:<11} {:>7} {:<9} {:<9} {:<10} {:>10.2f} {:>13.2f} {:>9.0f} {:>9.1f} {:>8.1f}% {:>11.1e} {:>7}\n",
            word(s.sum), word(s.force), s.threads, word(s.layout), word(s.order), word(s.parameters), t * 1e6,
            elements / t * 1e-6, bytes, rate * 1e-9, 100 * floor / t, difference, repeats ? "yes" : "no");
        std::fflush(stdout);
        rows.push_back({{"mesh", mesh.name},
                        {"elements", elements},
                        {"machine", m.name},
                        {"sum", word(s.sum)},
                        {"force", word(s.force)},
                        {"threads_per_element", s.threads},
                        {"layout", word(s.layout)},
                        {"numbering", word(s.order)},
                        {"parameters", word(s.parameters)},
                        {"seconds_per_step", t},
                        {"fastest", timing.fastest},
                        {"slowest", timing.slowest},
                        {"element_steps_per_second", elements / t},
                        {"bytes_per_element", bytes},
                        {"bytes_per_second", rate},
                        {"fraction_of_floor", floor / t},
                        {"difference", difference},
                        {"repeats", repeats}});
        // The comparison is part of the benchmark: a fast wrong strategy is no strategy.
        if (!(difference < 1e-10))
          throw NumericalError(fmt::format("this strategy moves the body differently: {:.1e}", difference));
      }
    }
  }
  return rows;
}

}  // namespace cleave::benchmark
