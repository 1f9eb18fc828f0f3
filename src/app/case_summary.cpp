#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "app/case_text.hpp"
#include "app/case_warnings.hpp"
#include "app/estimates.hpp"
#include "cleave/core/machine.hpp"
#include "cleave/mesh/topology.hpp"
#include "cleave/output/frame_size.hpp"
#include "cleave/output/text.hpp"
#include "model/critical_step.hpp"
#include "model/part_message.hpp"

namespace cleave {
namespace {

/// A line: a name, and text in a column.
void line(const char* name, const std::string& text) { fmt::print("{:<10} {}\n", name, text); }

/// Seconds as "12 s", "3.4 min", "2.1 h", "5.6 days", for estimates.
std::string about(double seconds) {
  constexpr double minute = 60, hour = 3600, day = 86400;
  if (seconds < 1) return "less than a second";
  if (seconds < 99.5) return fmt::format("about {:.2g} s", seconds);
  if (seconds < 99.5 * minute) return fmt::format("about {:.2g} min", seconds / minute);
  if (seconds < 48 * hour) return fmt::format("about {:.2g} h", seconds / hour);
  return fmt::format("about {:.3g} days", seconds / day);
}

void print_body(const Model& model) {
  const Mesh& mesh = model.mesh;
  const Box body = box_around(mesh.nodes);
  const MeshQuality q = quality(mesh);
  line("body", fmt::format("{:.4g} x {:.4g} m, {:.4g} m thick, from ({:.4g}, {:.4g})", body.width(), body.height(),
                           model.thickness, body.low.x, body.low.y));
  line("mesh", fmt::format("{} {}, {} nodes, facets of {:.3g} to {:.3g} m", with_thousands(mesh.element_count()),
                           mesh.type == ElementType::t3 ? "T3" : "T6", with_thousands(mesh.node_count()),
                           q.shortest_facet, q.longest_facet));
}

void print_materials(const Case& c) {
  for (const MaterialEntry& entry : c.material) {
    const MaterialCase& m = entry.properties;
    const WaveSpeeds waves = wave_speeds(m.parameters);
    line("material",
         fmt::format("{}{} in plane {}: waves travel at {:.5g} m/s, shear waves at {:.5g} m/s",
                     entry.on.empty() ? "" : entry.on + ": ", m.law,
                     m.parameters.plane == PlaneType::strain ? "strain" : "stress", waves.dilatational, waves.shear));
  }
}

void print_zone(const Case& c, const Model& model) {
  if (!c.cohesive) return line("cohesive", "none: nothing breaks");
  const WorstZone at = worst_zone(model);
  if (at.facets() == WorstZone().facets()) return line("cohesive", c.cohesive->law + ", but no facet may break");
  const double facets = at.facets();
  const Box body = box_around(model.mesh.nodes);
  const char* resolved =
      at.zone < std::max(body.width(), body.height()) ? "resolved by the mesh" : "longer than the body";
  line("cohesive",
       fmt::format("{}, zone of {:.3g} m, {:.2g} facets long: {}", c.cohesive->law, at.zone, facets,
                   facets >= enough_zone ? resolved
                                         : fmt::format("{} resolved by the mesh, facets of {:.2g} m would resolve it",
                                                       facets >= 1 ? "barely" : "NOT", at.zone / enough_zone)));
}

void print_loads(const Case& c) {
  const char* name = "loads";
  for (const std::string& text : texts_of_loads(c)) line(std::exchange(name, ""), text);
}

void print_steps(const Model& model, Step steps) {
  const double end = static_cast<double>(steps) * model.step, ratio = usual_steps(model).median / model.critical_step;
  const Box body = box_around(model.mesh.nodes);
  line("step", fmt::format("{:.4g} s, {:.3f} of the critical one, set by {}; the median element would allow {}",
                           model.step, model.step / model.critical_step, place_of(model.mesh, limiting_element(model)),
                           ratio < 1.05 ? "no more" : fmt::format("{:.2g} times as much", ratio)));
  line("steps", fmt::format("{}, until {:.4g} s, in which waves cross the body {:.2g} times", with_thousands(steps),
                            end, fastest_wave(model) * end / std::max(body.width(), body.height())));
}

void print_wall_time(const Case& c, const Model& model, const Backend& backend, const Ranks& ranks, Step steps) {
  if (!ranks.is_alone()) return line("wall time", "is estimated without mpirun");
  const int threads = threads_for(c.run.threads);
  const MeasuredRates rates = measure_rates(c, model, backend, threads);
  const double work = static_cast<double>(steps) * model.mesh.element_count();
  const std::string on = backend.cuda ? "the GPU" : fmt::format("{} thread{}", threads, threads == 1 ? "" : "s");
  const std::string broken =
      c.cohesive ? fmt::format(" if nothing breaks, {} if every facet does", about(work / rates.broken)) : "";
  const std::string rate = fmt::format("{:.3g}{} million element-steps/s", rates.intact * 1e-6,
                                       c.cohesive ? fmt::format(" and {:.3g}", rates.broken * 1e-6) : "");
  line("wall time", fmt::format("{} on {}{}, without output (an estimate from {}, measured with {} elements at rest)",
                                about(work / rates.intact), on, broken, rate, with_thousands(rates.elements)));
}

}  // namespace

void print_summary(const Case& c, const Model& model, const Backend& backend, const Ranks& ranks,
                   const Schedule& schedule) {
  print_body(model);
  print_materials(c);
  print_zone(c, model);
  print_loads(c);
  print_steps(model, schedule.steps());
  line("memory", fmt::format("{} for the intact mesh", as_bytes(solver_memory(model))));
  const double frame = frame_bytes(intact_frame(model), choice_of(c.output));
  line("results", fmt::format("{} frames of about {} before compression, {} rows of history, in {}",
                              with_thousands(schedule.frames()), as_bytes(frame),
                              with_thousands(schedule.history_rows()), c.output.directory.string()));
  check_memory(model, backend, ranks, !needs_whole_body(c));  // as a run does; by now its needs have been printed
  print_wall_time(c, model, backend, ranks, schedule.steps());
}

}  // namespace cleave
