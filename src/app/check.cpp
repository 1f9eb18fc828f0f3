/// cleave check: prints everything that a run would find out before its first step.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/agreement.hpp"
#include "app/backend.hpp"
#include "app/case_text.hpp"
#include "app/case_warnings.hpp"
#include "app/commands.hpp"
#include "app/earlier_results.hpp"
#include "app/estimates.hpp"
#include "cleave/core/machine.hpp"
#include "cleave/mesh/topology.hpp"
#include "cleave/output/checkpoint.hpp"
#include "cleave/output/files.hpp"
#include "cleave/output/frame_size.hpp"
#include "cleave/output/results.hpp"
#include "cleave/output/schedule.hpp"
#include "cleave/output/text.hpp"
#include "cleave/partition/ranks.hpp"
#include "cleave/solver/model.hpp"
#include "model/materials.hpp"
#include "model/part_message.hpp"
#include "model/strength.hpp"

namespace cleave {
namespace {

using namespace case_file;

void print_material(const MaterialEntry& entry, std::size_t triangles) {
  const MaterialCase& material = entry.properties;
  const WaveSpeeds speeds = wave_speeds(material.parameters);
  fmt::print("material{}\n", entry.on.empty() ? "" : " on " + entry.on);
  fmt::print("  triangles {}\n", with_thousands(triangles));
  fmt::print("  law {}, plane {}\n", material.law,
             material.parameters.plane == PlaneType::strain ? "strain" : "stress");
  fmt::print("  wave speeds dilatational {:.5g} m/s, shear {:.5g} m/s, Rayleigh {:.5g} m/s\n", speeds.dilatational,
             speeds.shear, speeds.rayleigh);
}

void print_materials(const Case& c, const Mesh& mesh) {
  CaseReport report(c);
  const std::vector<Index> entries = material_entries(c, mesh, report);
  for (std::size_t i = 0; i < c.material.size(); ++i)
    print_material(c.material[i], std::count(entries.begin(), entries.end(), static_cast<Index>(i)));
  fmt::print("kinematics {}\n", name_of(c.kinematics, kinematics_names));
}

std::string zone_verdict(const WorstZone& at, Aggregate aggregate) {
  const double facets = at.facets();
  if (facets >= enough_zone) return fmt::format("{:.2g} facets long: resolved by the mesh", facets);
  return fmt::format(
      "{:.2g} facets long: {} resolved by the mesh (about {:g} or more are needed); onset and number of cracks depend "
      "on the mesh and on the aggregate '{}'. Facets of {:.3g} m would resolve it",
      facets, facets >= 1 ? "barely" : "NOT", enough_zone, name_of(aggregate, aggregate_names), at.zone / enough_zone);
}

void print_cap(const Model& model) {
  if (count(model.mesh).interior_facets == 0) return;
  const double ratio = least_cap_ratio(model);
  fmt::print("  stiffness safety {:.3g}, least stiffness cap {:.3g} strengths per final opening\n",
             stiffness_safety(model), ratio);
  if (ratio < enough_cap_ratio)
    fmt::print(
        "  warning: the cap is soft: cracks dissipate up to {:.0f} % more than their fracture energy. A step {:.2g} "
        "times as long would avoid this\n",
        100 / ratio, std::sqrt(ratio / enough_cap_ratio));
}

void print_contact(const Model& model) {
  const ContactStiffness contact = contact_stiffness(model);
  if (contact.largest == 0) return;
  const double penalty = model.cohesive->contact_penalty;
  fmt::print("  contact stiffness kp L/E from {:.3g} to {:.3g}, {}\n", contact.least, contact.largest,
             contact.least == penalty    ? "set by contact_penalty"
             : contact.largest < penalty ? "limited by the step"
                                         : "set by contact_penalty or limited by the step");
}

void print_strengths(const StrengthDistribution& distribution, const Model& model) {
  const StrengthRange range = strength_range(model);
  const double nominal = distribution.nominal();
  fmt::print("  strengths {} from {:.4g} Pa to {:.4g} Pa, seed {}\n",
             distribution.kind == StrengthDistribution::Kind::weibull ? "by Weibull" : "uniform", range.least * nominal,
             range.most * nominal, distribution.seed);
}

void print_cohesive(const Case& c, const Model& model) {
  if (!c.cohesive) {
    fmt::print("cohesive\n  none: no fracture\n");
    return;
  }
  const CohesiveCase& law = *c.cohesive;
  const Index breakable = breakable_facets(model);
  fmt::print("cohesive\n");
  fmt::print("  law {}\n", law.law);
  const Index interior = count(model.mesh).interior_facets;
  if (breakable < interior) fmt::print("  {} of {} facets may break\n", breakable, interior);
  if (law.distribution && law.others.empty()) print_strengths(*law.distribution, model);
  if (!law.others.empty()) {
    const StrengthRange range = strength_range(model);
    const double strength = law.parameters.normal.strength;
    fmt::print("  strengths from {:.4g} Pa to {:.4g} Pa, by {} entries\n", range.least * strength,
               range.most * strength, law.others.size() + 1);
  }
  fmt::print("  insertion every {} steps, criterion {}, aggregate {}, selection {}\n", law.insertion.every,
             name_of(law.insertion.criterion, criterion_names), name_of(law.insertion.aggregate, aggregate_names),
             name_of(law.insertion.selection, selection_names));
  if (breakable > 0) {
    const WorstZone at = worst_zone(model);
    fmt::print("  cohesive-zone length {:.4g} m, where facets are longest for it {:.4g} m\n", at.zone, at.facet);
    fmt::print("  the zone is {}\n", zone_verdict(at, law.insertion.aggregate));
  }
  print_cap(model);
  print_contact(model);
}

void print_time(const Model& model, Step steps) {
  fmt::print("time\n");
  fmt::print("  critical step {:.6g} s\n", model.critical_step);
  fmt::print("  largest stable step {:.6g} s\n", model.stable_step);
  fmt::print("  step used {:.6g} s ({:.3f} of the critical one)\n", model.step, model.step / model.critical_step);
  fmt::print("  steps {}\n", with_thousands(steps));
  fmt::print("  simulated time {:.6g} s\n", static_cast<double>(steps) * model.step);
}

void print_run(const Case& c, const Model& model, const Backend& backend, const Ranks& ranks) {
  fmt::print("run\n");
  fmt::print("  backend {} ({})\n", backend.name(), backend.reason);
  fmt::print("  assembly {}\n", assembly_name(c.run.assembly));
  fmt::print("  memory about {} of the intact mesh{}\n", as_bytes(solver_memory(model)),
             ranks.is_alone() ? "" : "; the share of each rank is listed below");
  const int in_flight = share_among_frames(threads_for(c.run.threads, ranks.count())).in_flight();
  const CopiedFrom from{c.run.precision, backend.cuda};
  fmt::print("  memory of the host for a frame about {} while it is written, up to {} frames at a time if they fit\n",
             as_bytes(frame_memory(intact_frame(model), from, choice_of(c.output))), in_flight);
  if (c.output.compression != Compression::none)
    fmt::print("  memory of the host for compressed blocks that frames share at most {}\n",
               as_bytes(kept_memory(model.mesh)));
}

void print_checkpoints(const OutputCase& c) {
  std::string when;
  if (c.checkpoint_every > 0) when += fmt::format("every {} steps, ", with_thousands(c.checkpoint_every));
  if (c.checkpoint_interval > 0) when += fmt::format("every {:g} s of simulated time, ", c.checkpoint_interval);
  if (c.checkpoint_minutes > 0) when += fmt::format("every {:g} minutes, ", c.checkpoint_minutes);
  fmt::print("  checkpoints {}when a signal stops the run; the two newest are kept\n", when);
}

void print_output(const Case& c, const Model& model, const Schedule& schedule) {
  const double rows = static_cast<double>(schedule.history_rows()) * history_row_bytes(model);
  fmt::print("output\n");
  fmt::print("  directory {}\n", c.output.directory.string());
  const FrameChoice choice = choice_of(c.output);
  const double frame = frame_bytes(intact_frame(model), choice);
  fmt::print("  frames {} of about {} before compression, {} in all\n", with_thousands(schedule.frames()),
             as_bytes(frame), as_bytes(static_cast<double>(schedule.frames()) * frame));
  if (c.cohesive) {
    fmt::print("  a frame grows to at most {} when every facet breaks\n",
               as_bytes(frame_bytes(size_of_broken(model.mesh, breakable_facets(model), intact_frame(model)), choice)));
  }
  fmt::print("  history rows {}, about {}\n", with_thousands(schedule.history_rows()), as_bytes(rows));
  for (const ProbeCase& probe : c.output.probes)
    fmt::print("  probe {} rows {}\n", probe.name, with_thousands(schedule.steps() / probe.every + 1));
  for (const SampleLine& line : model.lines) {
    const Step samples = schedule.steps() / line.every + 1;
    const Step points = static_cast<Step>(line.places.size());
    fmt::print("  line {} of {:.6g} m: {} points, rows {}, about {}\n", line.name, line.places.back().s,
               with_thousands(points), with_thousands(samples * points),
               as_bytes(static_cast<double>(samples * points) * line_row_bytes()));
  }
  print_checkpoints(c.output);
}

void print_earlier_results(const Case& c, const Model& model, const Schedule& schedule) {
  const EarlierResults earlier = earlier_results(c, c.output.directory, identity_of(c, model), schedule.steps());
  if (earlier.files.empty()) return;
  fmt::print("there are {} files of {}{}{}\n", with_thousands(earlier.files.size()), earlier.of,
             earlier.advice.empty() ? ", which a run replaces" : ": ", earlier.advice);
}

void print_details(const Case& c, const Model& model, const Backend& backend, const Ranks& ranks,
                   const Schedule& schedule) {
  print_mesh(model.mesh, model.colouring);
  print_materials(c, model.mesh);
  print_cohesive(c, model);
  print_time(model, schedule.steps());
  print_run(c, model, backend, ranks);
  print_output(c, model, schedule);
}

}  // namespace

int check(const CheckOptions& options) {
  Ranks& ranks = ranks_of_program();
  if (!ranks.is_first()) return 0;  // one rank prints for all
  const Case c = read_case(options.from.file, options.from.overrides);
  tell_notes(c);
  const Model model = make_model(c);
  tell_turned(model.mesh);
  check_output_format(c);
  check_output_directory(c.output.directory, output_origin(c));
  check_results_are_files(c.output.directory, output_origin(c));
  const Backend backend = choose_backend(c, ranks);
  check_ranks(c, model, ranks.count());
  const Schedule schedule(step_count(c.time, model.step), model.step, c.output);

  fmt::print("{} ({})\n", c.title, options.from.file.string());
  print_summary(c, model, backend, ranks, schedule);
  if (options.details)
    print_details(c, model, backend, ranks, schedule);
  else
    print_groups(model.mesh);
  if (!ranks.is_alone()) print_ranks(c, model, ranks.count(), backend.cuda);
  print_earlier_results(c, model, schedule);
  Warnings warnings([](const std::string& warning) { fmt::print("warning: {}\n", warning); });
  warn_of_case(c, model, warnings);
  if (!options.details) fmt::print("`cleave check --details` prints mesh, laws, step and output in full\n");
  return 0;
}

}  // namespace cleave
