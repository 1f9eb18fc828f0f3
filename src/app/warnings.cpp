#include "app/warnings.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/case_text.hpp"
#include "app/estimates.hpp"
#include "cleave/core/machine.hpp"
#include "cleave/material/hyperelastic.hpp"
#include "cleave/output/text.hpp"

namespace cleave {
bool is_hyperelastic(const Model& model) {
  return std::all_of(model.materials.begin(), model.materials.end(), [](const MaterialCase& m) {
    return m.law == StVenantKirchhoff::name || m.law == NeoHookean::name;
  });
}

void Warnings::add(const std::string& kind, const std::string& what) {
  const auto same = [&](const std::string& warning) { return warning.starts_with(kind + ": "); };
  if (std::any_of(all_.begin(), all_.end(), same)) return;
  all_.push_back(kind + ": " + what);
  tell_(all_.back());
}

void warn_of_binding(int ranks, Warnings& warnings) {
  const int of_launcher = processors(getppid()), of_each = of_launcher / ranks;
  if (!environment::is_launched() || processors() > 1 || of_each < 2) return;
  warnings.add("binding",
               fmt::format("the launcher lets a rank use 1 of {} processors, which all its threads share: start with "
                           "mpirun --bind-to none, or with --map-by slot:PE={}",
                           of_launcher, of_each));
}

void warn_of_memory(const Case& c, const Model& model, bool on_gpu, Warnings& warnings) {
  const double frame = frame_memory(intact_frame(model), {c.run.precision, on_gpu}, choice_of(c.output));
  const double left = available_memory(frame);
  if (frame <= left) return;
  warnings.add("memory", fmt::format("a frame takes about {} of this machine's memory while it is written, and {} are "
                                     "left: write fewer output.fields, or the system may end the run",
                                     as_bytes(frame), as_bytes(left)));
}

void warn_of_deformation(const Deformation& d, const Model& model, Step step, Warnings& warnings) {
  constexpr double large_strain = 0.05, large_rotation = 5;  // -, degrees
  const Mesh& mesh = model.mesh;
  const double degrees = d.rotation * 180 / std::numbers::pi;
  if (d.strain > large_strain)
    warnings.add("strain", fmt::format("{:.2g} % in {} at step {}: the theory is that of small strains, up to {:g} %",
                                       100 * d.strain, place_of(mesh, d.strain_element), step, 100 * large_strain));
  if (degrees > large_rotation)
    warnings.add("rotation",
                 fmt::format("{:.2g} degrees in {} at step {}: the theory is that of small rotations, up to "
                             "{:g} degrees; larger ones strain the element{}",
                             degrees, place_of(mesh, d.rotation_element), step, large_rotation,
                             model.sides_touch ? ", and bodies that grow so touch where they should not: take a law of "
                                                 "finite strains, such as st_venant_kirchhoff"
                                               : ""));
}

void warn_of_present_step(const Deformation& d, const Model& model, Step step, Warnings& warnings) {
  const double ratio = d.critical_step / model.step;
  if (ratio >= 1) return;
  warnings.add("step",
               fmt::format("{} has a critical step of {:.4g} s in its present shape at step {}, {:.2g} of the step "
                           "used: energy may grow from nothing; take a smaller time.step or time.safety",
                           place_of(model.mesh, d.critical_element), d.critical_step, step, ratio));
}

namespace {

/// With a check in every step the facets around a crack's tip carry up to 1.35 times their strength when they break,
/// as their neighbours break, also in shorter steps and on finer meshes (VERIFICATION.md, section 3).
double usual_insertion_ratio(int every) { return every > 1 ? 1.1 : 1.4; }

/// Facets that break far above their strength have let the body store more energy than the law allows.
void warn_of_insertion(const HistoryRow& row, const Model& model, Warnings& warnings) {
  const int every = model.cohesive ? model.cohesive->insertion.every : 1;
  if (row.insertion_ratio <= usual_insertion_ratio(every)) return;
  const std::string advice =
      every > 1 ? fmt::format(
                      "the load grows too much in the {} steps between two checks. Unless the body starts "
                      "above its strength, set cohesive.insertion.every to 1",
                      every)
                : "the body starts above its strength or a load begins too suddenly: let it grow by a curve";
  warnings.add("insertion",
               fmt::format("a facet carried {:.3g} times its strength when it broke, at step {} or before: {}",
                           row.insertion_ratio, row.step, advice));
}

/// Advice that makes -cohesive_account smaller. A facet begins with a debt of strength^2 / (2 stiffness cap), and the
/// cap is in proportion to stiffness_safety / step^2; above `largest_safety`, contact is unstable
/// (docs/theory.md, 5.3).
std::string advice_on_account(const HistoryRow& row, const CohesiveCase& law) {
  std::string advice = "take a smaller time.step";
  if (law.stiffness_safety && *law.stiffness_safety > law.largest_safety())
    advice = fmt::format("set cohesive.stiffness_safety to {:g} at most", law.largest_safety());
  else if (law.stiffness_safety)
    advice += " and leave cohesive.stiffness_safety out: the smaller it is, the more is missing";
  if (row.insertion_ratio > usual_insertion_ratio(law.insertion.every) && law.insertion.every > 1)
    advice += ", and set cohesive.insertion.every to 1";
  return advice;
}

}  // namespace

void warn_of_history(const History& history, const Model& model, Warnings& warnings) {
  warn_of_insertion(*history.last(), model, warnings);
  constexpr double usual_debt = 0.1;   // 0.002 to 0.05 with a suitable step
  constexpr double usual_gain = 0.02;  // at most 0.005 in stable runs
  if (is_hyperelastic(model) && history.energy_gain() > usual_gain)
    warnings.add(
        "work_minus_energy",
        fmt::format("{:.2g} of the largest energy has come from nothing until step {}: the step is too long for the "
                    "shape that the body takes; take a smaller time.step or time.safety",
                    history.energy_gain(), history.last()->step));
  if (history.account_debt() > usual_debt)
    warnings.add(
        "cohesive_account",
        fmt::format("{:.2g} of the largest energy is missing in it at step {}: cohesive elements or contact "
                    "have made energy; {}",
                    history.account_debt(), history.last()->step, advice_on_account(*history.last(), *model.cohesive)));
  const double rounding = model.precision == Precision::double_precision ? 1e-9 : 1e-4;
  if (history.largest_balance_error() > 10 * rounding)
    warnings.add("balance_error",
                 fmt::format("{:.2g} of the largest energy is missing or too much in a row until step {}: more than "
                             "rounding, so a force or an energy is lost; history.csv shows since when: do not use the "
                             "run from there on, and report its case",
                             history.largest_balance_error(), history.last()->step));
  if (history.dissipation_fall() <= rounding) return;
  warnings.add("dissipation",
               fmt::format("dissipated_energy has fallen by {:.2g} of the largest energy before step {}: more than "
                           "rounding, so cracks have given back what they had dissipated",
                           history.dissipation_fall(), history.last()->step));
}

void warn_of_intact(const HistoryRow& last, const LargestFacetLoad::Found& load, Warnings& warnings) {
  if (last.cohesive_elements > 0 || load.frames == 0) return;
  warnings.add("intact",
               fmt::format("nothing broke: the largest facet traction was {:.2g} of its strength, at {:.4g} s, in {} "
                           "frame{}",
                           load.ratio, load.time, with_thousands(load.frames), load.frames == 1 ? "" : "s"));
}

void warn_of_overlap(const FirstOverlap::Found& overlap, Warnings& warnings) {
  if (!overlap.any()) return;
  warnings.add("overlap",
               fmt::format("fragments or parts lie in each other at ({:.6g}, {:.6g}) in the frame at {:.4g} s: "
                           "without `contact`, only the two faces of a cohesive element press each other, and others "
                           "pass through each other; add `contact: {{}}`",
                           overlap.at.x, overlap.at.y, overlap.time));
}

}  // namespace cleave
