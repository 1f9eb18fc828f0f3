#include "case/sections.hpp"

namespace cleave::case_file {
namespace {

void read_strain(Section s, PlaneTensor& c) {
  s.optional("xx", c.xx, {"along x"});
  s.optional("yy", c.yy, {"along y"});
  s.optional("xy", c.xy, {"shear, as a tensor component"});
}

void read_velocity(Section s, std::array<double, 2>& c) {
  s.optional("x", c[0], {"along x", "m/s"});
  s.optional("y", c[1], {"along y", "m/s"});
}

void read_velocity_gradient(Section s, std::array<double, 4>& c) {
  s.optional("xx", c[0], {"∂vx/∂x", "1/s"});
  s.optional("xy", c[1], {"∂vx/∂y", "1/s"});
  s.optional("yx", c[2], {"∂vy/∂x", "1/s"});
  s.optional("yy", c[3], {"∂vy/∂y", "1/s"});
}

void read_state(Section& s, InitialCase& c) {
  read_strain(s.optional_section("strain", {"uniform strain at the start"}), c.strain);
  s.optional("origin", c.origin,
             {"fixed point of strain and velocity gradient; `centre`: that of the bounding box", "m"}, centre_of_box);
  read_velocity(s.optional_section("velocity", {"uniform velocity at the start"}), c.velocity);
  read_velocity_gradient(s.optional_section("velocity_gradient",
                                            {"gradient of a velocity that is linear in x and y, added to `velocity`"}),
                         c.velocity_gradient);
}

void write_state(Writer& w, const InitialCase& c) {
  w.section("strain", [&] {
    w.key("xx", c.strain.xx);
    w.key("yy", c.strain.yy);
    w.key("xy", c.strain.xy);
  });
  c.origin ? w.key("origin", *c.origin) : w.key("origin", centre_of_box);
  w.section("velocity", [&] {
    w.key("x", c.velocity[0]);
    w.key("y", c.velocity[1]);
  });
  w.section("velocity_gradient", [&] {
    w.key("xx", c.velocity_gradient[0]);
    w.key("xy", c.velocity_gradient[1]);
    w.key("yx", c.velocity_gradient[2]);
    w.key("yy", c.velocity_gradient[3]);
  });
}

}  // namespace

void read_initial(const Node& node, Case& c) {
  if (!node.is_list()) {
    Section s(node.or_word("a list of them"));
    s.exclude({"on", spelling_of_on}, "only an entry of a list has it, a single state is that of all nodes");
    read_state(s, c.initial);
    return;
  }
  const std::vector<Node> items = node.items();
  for (std::size_t i = 0; i < items.size(); ++i) {
    const bool first = i == 0;
    Section s(items[i]);
    s.second_spelling("on", spelling_of_on);
    InitialGroup entry;
    const bool named =
        s.optional("on", entry.on,
                   {"group of triangles, facets or nodes with this initial state, also spelt `group`; only in a list",
                    "-", "all nodes, in the first entry"});
    entry.line = s.line("on");
    entry.entry = static_cast<int>(i);
    read_state(s, named || !first ? entry.state : c.initial);
    if (named)
      c.initial_groups.push_back(entry);
    else if (!first && s.given() && !s.has("on"))
      s.fail("", "only the first entry may have no `on`: it is the state of all nodes that no other names");
  }
}

void write_initial(Writer& w, const Case& c) {
  if (c.initial_groups.empty()) return w.section("initial", [&] { write_state(w, c.initial); });
  std::vector<InitialGroup> entries{{"", c.initial}};
  entries.insert(entries.end(), c.initial_groups.begin(), c.initial_groups.end());
  w.list("initial", entries, [&](const InitialGroup& entry) {
    if (!entry.on.empty()) w.key(spelling_of_on, entry.on);
    write_state(w, entry.state);
  });
}

}  // namespace cleave::case_file
