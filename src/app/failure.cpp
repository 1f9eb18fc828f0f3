#include "app/failure.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "app/estimates.hpp"
#include "cleave/mesh/topology.hpp"

namespace cleave {
namespace {

bool is_finite(const Snapshot& s, Index e) {
  const Index per_element = nodes_per_element(s.type);
  for (Index i = e * per_element; i < (e + 1) * per_element; ++i) {
    const Point u = s.displacement[s.elements[i]];
    if (!std::isfinite(u.x) || !std::isfinite(u.y)) return false;
  }
  return true;
}

/// The first element with displacements that are not finite; 0 if there is none.
Index first_not_finite(const Snapshot& s) {
  const Index count = static_cast<Index>(s.fragment.size());
  for (Index e = 0; e < count; ++e)
    if (!is_finite(s, e)) return e;
  return 0;
}

/// Original ids of the elements that share a node with an element, ascending.
std::vector<Index> neighbours_of(const Mesh& mesh, Index element) {
  std::vector<Index> found;
  for (Index e = 0; e < mesh.element_count(); ++e) {
    if (e == element) continue;
    bool shares = false;
    for (int i = 0; i < 9; ++i) shares = shares || mesh.node(e, i / 3) == mesh.node(element, i % 3);
    if (shares) found.push_back(mesh.original_elements[e]);
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// Smallest angle of an element, degrees.
double smallest_angle(const Mesh& mesh, Index e) {
  double smallest = 180;
  for (int k = 0; k < 3; ++k) smallest = std::min(smallest, corner_angle(mesh, e, k));
  return smallest;
}

/// Largest magnitude of a curve.
double peak_of(const Curve& curve) {
  double peak = curve.kind() == Curve::Kind::table ? 0 : 1;
  for (const auto& [time, value] : curve.points()) peak = std::max(peak, std::abs(value));
  return peak;
}

struct Softest {
  double modulus = std::numeric_limits<double>::infinity();  ///< Pa
  double speed = std::numeric_limits<double>::infinity();    ///< speed of sound, m/s
};
Softest softest_of(const Model& model) {
  Softest softest;
  for (const MaterialCase& material : model.materials) {
    softest.modulus = std::min(softest.modulus, material.parameters.young_modulus);
    softest.speed = std::min(softest.speed, wave_speeds(material.parameters).dilatational);
  }
  return softest;
}

/// Adds loads and velocities that exceed small strains: strains are about load over stiffness, or speed over wave
/// speed.
void add_loads(const Case& c, const Model& model, std::vector<std::string>& causes) {
  constexpr double much = 0.05;
  const Softest softest = softest_of(model);
  for (std::size_t i = 0; i < c.boundary.size(); ++i) {
    const BoundaryCase& b = c.boundary[i];
    const double peak = b.curve.empty() ? 1 : peak_of(c.curves.at(b.curve));
    const double pressure = peak * std::abs(b.pressure), speed = peak * std::hypot(b.velocity[0], b.velocity[1]);
    if (pressure > much * softest.modulus)
      causes.push_back(
          fmt::format("boundary.{}: a pressure of {:.3g} Pa is {:.3g} % of Young's modulus: check its unit", i,
                      pressure, 100 * pressure / softest.modulus));
    if (speed > much * softest.speed)
      causes.push_back(
          fmt::format("boundary.{}: {:.3g} m/s are {:.3g} % of the speed of sound and cause strains of about that size",
                      i, speed, 100 * speed / softest.speed));
  }
  double gradient = 0;
  for (const double part : c.initial.velocity_gradient) gradient = std::max(gradient, std::abs(part));
  const double strain =
      std::max({std::abs(c.initial.strain.xx), std::abs(c.initial.strain.yy), std::abs(c.initial.strain.xy)});
  if (strain > much) causes.push_back(fmt::format("initial.strain: {:.3g} % is no small strain", 100 * strain));
  const double size = std::sqrt(quality(model.mesh).area);
  if (gradient * size / softest.speed > much)
    causes.push_back(
        fmt::format("initial.velocity_gradient: {:.3g} 1/s strains the body by {:.3g} % before a wave "
                    "crosses it",
                    gradient, 100 * gradient * size / softest.speed));
}

/// A sentence for each known cause of failing elements that applies.
std::vector<std::string> likely_causes(const Case& c, const Model& model, const TimeLoop& loop, Index element) {
  constexpr double close = 0.9, large = 0.05, flat = 10;
  std::vector<std::string> causes;
  const double fraction = model.step / model.critical_step, strain = loop.deformation().strain;
  const double angle = smallest_angle(model.mesh, element), present = loop.deformation().critical_step;
  add_loads(c, model, causes);
  if (present < model.step)
    causes.push_back(fmt::format(
        "time.step: the critical step of the present shape was {:.3g} of the one used at step {}, "
        "and shapes between two looks may need a smaller one: take {:.2g} s or less, or an `auto` "
        "step with time.safety {:.2g}",
        present / model.step, loop.step_of_deformation(), 0.9 * present, 0.9 * present / model.critical_step));
  if (strain > large)
    causes.push_back(fmt::format(
        "the largest strain was {:.3g} % at step {}: {}", 100 * strain, loop.step_of_deformation(),
        c.kinematics == Kinematics::small
            ? "the theory is that of small strains, and nothing in it keeps an element from turning inside out"
            : "the critical step is that of the undeformed mesh, and squeezed elements need a smaller one"));
  if (fraction > close)
    causes.push_back(
        fmt::format("time.step: the step is {:.3g} of the critical one: take a smaller one, or `auto`", fraction));
  if (angle < flat)
    causes.push_back(
        fmt::format("the element has an angle of {:.2g} degrees: mesh that place with better triangles", angle));
  if (causes.empty())
    causes.push_back(
        fmt::format("nothing stands out: the step is {:.2g} of the critical one, the largest strain was {:.2g} "
                    "% at step {}, the smallest angle of the element is {:.2g} degrees; look at the frames",
                    fraction, 100 * strain, loop.step_of_deformation(), angle));
  return causes;
}

}  // namespace

FailedElement failed_element(const ElementFailure& failure, const Case& c, const Model& model, const TimeLoop& loop,
                             const Snapshot& state) {
  const Index e = failure.element == ElementFailure::unknown ? first_not_finite(state) : failure.element;
  FailedElement failed;
  failed.element = model.mesh.original_elements[e];
  failed.centre = centroid(model.mesh, e);
  failed.found = failure.found;
  failed.time = static_cast<double>(failure.found) * model.step;
  failed.good = failure.good;
  failed.finite = is_finite(state, e);
  failed.neighbours = neighbours_of(model.mesh, e);
  failed.causes = likely_causes(c, model, loop, e);
  return failed;
}

std::string failure_text(const ElementFailure& failure, const FailedElement& f) {
  return fmt::format(
      "the run failed at step {}, time {:.6g} s: {}\n  element {} at ({:.6g}, {:.6g}){}; the check before, at step {}, "
      "found nothing wrong\n  elements around it: {}\n  likely: {}",
      f.found, f.time, failure.what(), f.element, f.centre.x, f.centre.y,
      f.finite ? "" : ", whose displacements are no longer finite numbers", f.good, fmt::join(f.neighbours, ", "),
      fmt::join(f.causes, "\n  likely: "));
}

}  // namespace cleave
