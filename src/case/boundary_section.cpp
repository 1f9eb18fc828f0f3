#include <fmt/format.h>

#include <algorithm>

#include "case/sections.hpp"

namespace cleave::case_file {
namespace {

/// `fix: x` or `fix: [x, y]`.
void read_fixed_directions(const Node& fix, BoundaryCase& c) {
  for (const char* word : {"all", "both", "xy", "true"})
    if (fix.is_word(word)) return fix.fail(fmt::format("expected x, y or [x, y], found {}; write [x, y]", word));
  const std::vector<Node> directions = fix.is_list() ? fix.items() : std::vector<Node>{fix};
  if (directions.empty()) fix.fail_expected("x, y or [x, y]");
  for (const Node& direction : directions) {
    std::string axis;
    if (!direction.read(axis, std::vector<std::string>{"x", "y"})) continue;
    bool& fixed = axis == "x" ? c.x : c.y;
    if (fixed) direction.fail(fmt::format("{} is given twice", axis));
    fixed = true;
  }
}

void read_prescribed_velocity(Section s, BoundaryCase& c) {
  c.x = s.optional("x", c.velocity[0], {"along x, times the curve", "m/s", "free"});
  c.y = s.optional("y", c.velocity[1], {"along y, times the curve; at least one of x and y", "m/s", "free"});
  if (s.given() && !s.has("x") && !s.has("y")) s.fail("", "expected x, y or both");
}

void read_traction(Section s, BoundaryCase& c) {
  s.optional("x", c.traction[0], {"along x, times the curve", "Pa"});
  s.optional("y", c.traction[1], {"along y, times the curve; at least one of x and y", "Pa"});
  if (s.given() && !s.has("x") && !s.has("y")) s.fail("", "expected x, y or both");
}

/// Reads the name of a curve.
void read_curve_name(Section& s, std::string& c, const Meaning& meaning, const std::vector<std::string>& curve_names) {
  if (s.optional("curve", c, meaning) && std::find(curve_names.begin(), curve_names.end(), c) == curve_names.end())
    s.fail("curve", fmt::format("no curve \"{}\"; {}", c, suggest_name(c, curve_names)));
}

void read_pressure(Section& s, BoundaryCase& c, Kinematics kinematics, bool breaks) {
  c.kind = BoundaryCase::Kind::pressure;
  s.required("pressure", c.pressure, {"pressure along the inward normal, times the curve", "Pa"});
  const bool finite = kinematics == Kinematics::finite;
  c.follows = finite;
  s.optional("follow", c.follows,
             {"`true`: the pressure stays normal to the facets as they turn and stretch; needs finite kinematics", "-",
              "`true` with finite kinematics"},
             truth_names);
  if (c.follows && !finite)
    s.fail("follow", "with small kinematics facets do not turn: leave it out, or take a law of finite strains");
  const bool given = s.optional("in_cracks", c.in_cracks,
                                {"`true`: the pressure also acts on the faces of failed cohesive elements connected to "
                                 "its group, along their normals"},
                                truth_names);
  if (given && c.in_cracks && !breaks)
    s.fail("in_cracks", "nothing breaks in this case: add a `cohesive` section, or leave this out");
}

}  // namespace

BoundaryCase read_boundary(const Node& node, const std::vector<std::string>& curve_names, Kinematics kinematics,
                           bool breaks) {
  BoundaryCase c;
  c.line = node.value().place.line;
  Section s(node);
  s.second_spelling("on", spelling_of_on);
  s.required("on", c.on, {"group of facets or nodes to which the condition applies; also spelt `group`"});
  const std::string kind = s.exactly_one({"pressure", "traction", "fix", "velocity", "absorb"});
  if (kind == "pressure") {
    read_pressure(s, c, kinematics, breaks);
  } else if (kind == "traction") {
    c.kind = BoundaryCase::Kind::traction;
    read_traction(s.required_section("traction", {"dead load on the facets, in fixed directions, times the curve"}), c);
    s.exclude({"in_cracks", "follow"}, "only a pressure has it");
  } else if (kind == "fix") {
    c.kind = BoundaryCase::Kind::fix;
    const Forms axes = words({"x", "y"});
    read_fixed_directions(
        *s.optional_node("fix", {"directions that do not move"}, either(axes, list_of(axes, 0, "[x, y]"))), c);
    s.exclude({"curve"}, "only a pressure, a traction or a velocity has it");
    s.exclude({"in_cracks", "follow"}, "only a pressure has it");
  } else if (kind == "velocity") {
    c.kind = BoundaryCase::Kind::velocity;
    read_prescribed_velocity(
        s.required_section("velocity",
                           {"prescribed motion; of two entries for the same direction of a node the later one counts"}),
        c);
    s.exclude({"in_cracks", "follow"}, "only a pressure has it");
  } else if (kind == "absorb") {
    c.kind = BoundaryCase::Kind::absorb;
    bool absorbs = true;
    if (s.required("absorb", absorbs,
                   {"`true`: waves leave the body through the facets, as if the body continued behind them"},
                   truth_names) &&
        !absorbs)
      s.fail("absorb", "expected true: leave the entry out if nothing is absorbed");
    s.exclude({"curve"}, "only a pressure, a traction or a velocity has it");
    s.exclude({"in_cracks", "follow"}, "only a pressure has it");
  }
  if (kind != "fix" && kind != "absorb")
    read_curve_name(s, c.curve, {"name in `curves`, for a pressure, a traction or a velocity", "-", "constant 1"},
                    curve_names);
  return c;
}

void read_body_force(Section s, BodyForceCase& c, const std::vector<std::string>& curve_names) {
  s.optional("x", c.acceleration[0], {"along x, times the curve", "m/s²"});
  s.optional("y", c.acceleration[1], {"along y, times the curve", "m/s²"});
  read_curve_name(s, c.curve, {"name in `curves`", "-", "constant 1"}, curve_names);
}

void read_damping(Section s, DampingCase& c) {
  s.required("rate", c.rate, {"force over mass and velocity: a free body slows down by exp(-rate t)", "1/s"},
             at_least(0));
  s.optional("until", c.until, {"last time at which the drag acts; `end`: the end of the run", "s"}, end_of_run,
             above(0));
}

SupportCase read_support(const Node& node) {
  SupportCase c;
  c.line = node.value().place.line;
  Section s(node);
  s.second_spelling("on", spelling_of_on);
  s.required("on", c.on, {"group of facets that rest on the springs; also spelt `group`"});
  s.required("stiffness", c.stiffness, {"traction of the springs over the displacement, in both directions", "Pa/m"},
             above(0));
  return c;
}

}  // namespace cleave::case_file
