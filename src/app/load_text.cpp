#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "app/case_text.hpp"

namespace cleave {
namespace {

using Pair = std::array<double, 2>;

std::string text_of(const Pair& vector) { return fmt::format("({:g}, {:g})", vector[0], vector[1]); }

std::string with_curve(const std::string& curve) { return curve.empty() ? "" : ", curve " + curve; }

/// "x", "y" or "x and y".
const char* directions_of(const BoundaryCase& b) { return b.x && b.y ? "x and y" : b.x ? "x" : "y"; }

/// Prescribed velocity: only the directions that are.
std::string speeds_of(const BoundaryCase& b) {
  if (b.x && b.y) return text_of(b.velocity) + " m/s";
  return fmt::format("{:g} m/s along {}", b.velocity[b.x ? 0 : 1], directions_of(b));
}

std::string text_of(const BoundaryCase& b) {
  switch (b.kind) {
    case BoundaryCase::Kind::pressure:
      return fmt::format("pressure of {:g} Pa on {}{}{}", b.pressure, b.on,
                         b.in_cracks ? " and in cracks from there" : "", with_curve(b.curve));
    case BoundaryCase::Kind::traction:
      return fmt::format("traction of {} Pa on {}{}", text_of(b.traction), b.on, with_curve(b.curve));
    case BoundaryCase::Kind::fix:
      return fmt::format("{} held along {}", b.on, directions_of(b));
    case BoundaryCase::Kind::velocity:
      return fmt::format("{} driven at {}{}", b.on, speeds_of(b), with_curve(b.curve));
    default:
      return fmt::format("{} absorbs waves", b.on);
  }
}

/// The initial state of a group; `on` empty: of all nodes.
std::vector<std::string> texts_of(const InitialCase& state, const std::string& on) {
  const std::string where = on.empty() ? "" : " of " + on;
  std::vector<std::string> texts;
  const PlaneTensor& e = state.strain;
  if (e.xx != 0 || e.yy != 0 || e.xy != 0)
    texts.push_back(fmt::format("initial strain{}: xx {:g}, yy {:g}, xy {:g}", where, e.xx, e.yy, e.xy));
  if (state.velocity != Pair{})
    texts.push_back(fmt::format("initial velocity{}: {} m/s", where, text_of(state.velocity)));
  const auto& g = state.velocity_gradient;
  if (g != std::array<double, 4>{})
    texts.push_back(fmt::format("initial velocity gradient{}: xx {:g}, xy {:g}, yx {:g}, yy {:g} 1/s", where, g[0],
                                g[1], g[2], g[3]));
  if (!state.file.empty())
    texts.push_back(
        fmt::format("initial {}{}: {}", fmt::join(state.fields, " and "), where, state.file.filename().string()));
  return texts;
}

}  // namespace

std::vector<std::string> texts_of_loads(const Case& c) {
  std::vector<std::string> texts = texts_of(c.initial, "");
  for (const InitialGroup& entry : c.initial_groups)
    for (std::string& text : texts_of(entry.state, entry.on)) texts.push_back(std::move(text));
  for (const BoundaryCase& entry : c.boundary) texts.push_back(text_of(entry));
  if (c.body_force.acceleration != Pair{})
    texts.push_back(
        fmt::format("body force of {} m/s^2{}", text_of(c.body_force.acceleration), with_curve(c.body_force.curve)));
  if (c.damping.rate > 0)
    texts.push_back(fmt::format("damping at {:g} 1/s{}", c.damping.rate,
                                c.damping.until ? fmt::format(" until {:g} s", *c.damping.until) : ""));
  for (const SupportCase& entry : c.support)
    texts.push_back(fmt::format("springs of {:g} Pa/m on {}", entry.stiffness, entry.on));
  for (const ForceCase& entry : c.forces)
    texts.push_back(fmt::format("force `{}` on {}", entry.law, entry.on.empty() ? "all nodes" : entry.on));
  for (const ProcessCase& entry : c.processes) texts.push_back(fmt::format("process `{}`", entry.law));
  return texts;
}

}  // namespace cleave
