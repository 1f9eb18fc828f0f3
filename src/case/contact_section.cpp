#include <fmt/format.h>

#include <algorithm>

#include "case/sections.hpp"
#include "cleave/core/quantities.hpp"

namespace cleave::case_file {
namespace {

/// Reads `all`, or a list of groups.
void read_bodies(Section& s, ContactCase& c) {
  s.second_spelling("on", spelling_of_on);
  c.line_of_on = s.line("on");
  const auto on = s.optional_node("on", {"groups of triangles whose sides touch; also spelt `group`", "-", "`all`"},
                                  either(words({all_triangles}), list_of(any_text())));
  if (!on || on->is_word(all_triangles)) return;
  const std::vector<Node> names = on->or_word(all_triangles).items();
  if (on->is_list() && names.empty()) on->fail("expected at least one group of triangles");
  for (const Node& name : names) {
    std::string group;
    if (name.read(group)) c.on.push_back(group);
  }
}

void read_faces(const Node& node, std::optional<ContactCase>& contact) {
  if (node.is_word(no_contact)) return;
  ContactCase& c = contact.emplace();
  Section s(node.or_word(no_contact));
  s.optional("friction", c.friction, {"Coulomb's coefficient, static and kinetic"}, at_least(0));
  s.optional("penalty", c.penalty, {"contact stiffness, as far as the step allows", "E / side length"}, above(0));
  read_bodies(s, c);
}

void read_plane(Section s, ObstacleCase& c) {
  c.shape = ObstacleCase::Shape::plane;
  s.required("point", c.place, {"a point of its face", "m"});
  if (s.required("normal", c.normal, {"direction from the obstacle to the free side, of any length"}) &&
      c.normal == std::array<double, 2>{0, 0})
    s.fail("normal", "expected a direction, found [0, 0]");
}

void read_disc(Section s, ObstacleCase& c) {
  c.shape = ObstacleCase::Shape::disc;
  s.required("centre", c.place, {"its centre", "m"});
  s.required("radius", c.radius, {"its radius", "m"}, above(0));
}

void read_motion(Section& s, ObstacleCase& c, const std::vector<std::string>& curve_names) {
  Section velocity = s.optional_section(
      "velocity", {"prescribed velocity, times the curve; of an obstacle with a mass that at the start"});
  velocity.optional("x", c.velocity[0], {"along x", "m/s"});
  velocity.optional("y", c.velocity[1], {"along y", "m/s"});
  if (s.optional("curve", c.curve,
                 {"name in `curves`, for the velocity of an obstacle without mass", "-", "constant 1"}) &&
      std::find(curve_names.begin(), curve_names.end(), c.curve) == curve_names.end())
    s.fail("curve", fmt::format("no curve \"{}\"; {}", c.curve, suggest_name(c.curve, curve_names)));
  const bool free = s.optional("mass", c.mass.emplace(),
                               {"mass, for the thickness of the body: forces and `body_force` move the obstacle", "kg",
                                "moved by its velocity alone"},
                               above(0));
  if (!free) c.mass.reset();
  s.optional("inertia", c.inertia,
             {"moment of inertia of a disc about its centre; `homogeneous`: mass radius² / 2", "kg m²"}, homogeneous,
             above(0));
  if (s.has("curve") && s.has("mass"))
    s.fail("curve", "forces move an obstacle with a mass: leave out `mass` or `curve`");
  if (s.has("curve") && !s.has("velocity")) s.fail("curve", "it multiplies a `velocity`: add one");
  if (c.inertia && !s.has("mass")) s.fail("inertia", "only an obstacle with a `mass` turns: add it");
  if (c.inertia && s.has("plane")) s.fail("inertia", "a plane does not turn: leave it out");
}

ObstacleCase read_obstacle(const Node& node, const Case& whole, const std::vector<std::string>& curve_names) {
  ObstacleCase c;
  c.line = node.value().place.line;
  c.friction = whole.contact ? whole.contact->friction : 0;
  Section s(node);
  if (s.required("name", c.name, {"name in columns of history.csv"})) {
    const auto same = [&](const ObstacleCase& other) { return other.name == c.name; };
    if (std::any_of(whole.obstacles.begin(), whole.obstacles.end(), same))
      s.fail("name", fmt::format("an obstacle before has the name \"{}\"", c.name));
    for (const char* quantity : {"reaction_", "displacement_"})
      if (c.name.rfind(quantity, 0) == 0)
        s.fail("name", fmt::format("columns of history.csv that begin with {} are forces and motions of others: take "
                                   "another name",
                                   quantity));
  }
  const std::string shape = s.exactly_one({"plane", "disc"});
  if (shape == "plane") read_plane(s.required_section("plane", {"half plane that the body cannot enter"}), c);
  if (shape == "disc") read_disc(s.required_section("disc", {"disc that the body cannot enter"}), c);
  s.optional("friction", c.friction, {"Coulomb's coefficient, static and kinetic", "-", "that of `contact`, else 0"},
             at_least(0));
  read_motion(s, c, curve_names);
  return c;
}

void write_obstacle(Writer& w, const ObstacleCase& c) {
  w.key("name", c.name);
  if (c.shape == ObstacleCase::Shape::plane) {
    w.section("plane", [&] {
      w.key("point", c.place);
      w.key("normal", c.normal);
    });
  } else {
    w.section("disc", [&] {
      w.key("centre", c.place);
      w.key("radius", c.radius);
    });
  }
  w.key("friction", c.friction);
  w.section("velocity", [&] {
    w.key("x", c.velocity[0]);
    w.key("y", c.velocity[1]);
  });
  if (!c.curve.empty()) w.key("curve", c.curve);
  if (!c.mass) return;
  w.key("mass", *c.mass);
  if (c.shape == ObstacleCase::Shape::disc) c.inertia ? w.key("inertia", *c.inertia) : w.key("inertia", homogeneous);
}

}  // namespace

void read_contact(Section& root, Case& c, const std::vector<std::string>& curve_names) {
  if (const auto contact = root.optional_node("contact",
                                              {"contact of the body's surface with itself: fragments, parts and the "
                                               "faces of cracks that have failed; and its "
                                               "numbers for `obstacles`",
                                               "-", "the two faces of a cohesive element press each other alone"},
                                              either(words({no_contact}), any_map())))
    read_faces(*contact, c.contact);
  const auto obstacles = root.optional_node(
      "obstacles", {"rigid obstacles that the body cannot enter, numbered from 0", "-", "there are none"},
      list_of(any_map()));
  if (!obstacles) return;
  for (const Node& entry : obstacles->items()) c.obstacles.push_back(read_obstacle(entry, c, curve_names));
  if (c.obstacles.size() > most_obstacles)
    obstacles->fail(fmt::format("{} obstacles, at most {} are possible", c.obstacles.size(), most_obstacles));
}

void write_contact(Writer& w, const Case& c) {
  if (!c.contact) {
    w.key("contact", no_contact);
  } else {
    w.section("contact", [&] {
      w.key("friction", c.contact->friction);
      w.key("penalty", c.contact->penalty);
      c.contact->on.empty() ? w.key(spelling_of_on, all_triangles) : w.words(spelling_of_on, c.contact->on);
    });
  }
  w.list("obstacles", c.obstacles, [&](const ObstacleCase& entry) { write_obstacle(w, entry); });
}

}  // namespace cleave::case_file
