#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

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

/// Reads the meaning of the vectors of a file.
void read_fields(const Node& fields, std::vector<std::string>& c) {
  const std::vector<std::string> all = InitialCase{}.fields;
  c.clear();
  for (const Node& field : fields.items()) {
    std::string word;
    if (!field.read(word, all)) continue;
    if (std::find(c.begin(), c.end(), word) != c.end()) field.fail(fmt::format("{} is given twice", word));
    c.push_back(word);
  }
  if (fields.is_list() && fields.value().items.empty()) fields.fail("expected displacement, velocity or both");
}

void read_file(Section& s, InitialCase& c, const std::string& path, const std::filesystem::path& folder) {
  std::string name;
  c.line_of_file = s.line("file");
  c.key_of_file = path + ".file";
  if (s.optional("file", name,
                 {"`.sol` or `.solb` file (INRIA) with vectors at the nodes of the mesh, which are added to the fields "
                  "above, relative to the case file",
                  "m, m/s", "no file"})) {
    c.file = s.from_root("file", folder / name);
    std::error_code ignored;
    if (c.file.extension() != ".sol" && c.file.extension() != ".solb")
      s.fail("file", fmt::format("expected a name that ends in .sol (ASCII) or .solb (binary), found \"{}\"", name));
    else if (!std::filesystem::exists(c.file, ignored))
      s.fail("file", fmt::format("no such file: {}", c.file.string()));
  }
  const auto fields =
      s.optional_node("fields", {"what the vectors of `file` are, in its order", "-", "`[displacement, velocity]`"},
                      list_of(words(c.fields)));
  if (fields) read_fields(*fields, c.fields);
  if (fields && !s.has("file")) s.fail("fields", "it names the vectors of a `file`: give one, or leave this key out");
}

void read_state(Section& s, InitialCase& c, const std::string& path, const std::filesystem::path& folder) {
  read_strain(s.optional_section("strain", {"uniform strain at the start"}), c.strain);
  s.optional("origin", c.origin,
             {"fixed point of strain and velocity gradient; `centre`: that of the bounding box", "m"}, centre_of_box);
  read_velocity(s.optional_section("velocity", {"uniform velocity at the start"}), c.velocity);
  read_velocity_gradient(s.optional_section("velocity_gradient",
                                            {"gradient of a velocity that is linear in x and y, added to `velocity`"}),
                         c.velocity_gradient);
  read_file(s, c, path, folder);
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
  if (c.file.empty()) return;
  w.key("file", c.file.string());
  w.words("fields", c.fields);
}

}  // namespace

void read_initial(const Node& node, Case& c) {
  const std::filesystem::path folder = std::filesystem::absolute(c.file).parent_path();
  if (!node.is_list()) {
    Section s(node.or_word("a list of them"));
    s.exclude({"on", spelling_of_on}, "only an entry of a list has it, a single state is that of all nodes");
    read_state(s, c.initial, node.path(), folder);
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
    read_state(s, named || !first ? entry.state : c.initial, items[i].path(), folder);
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

namespace cleave {

std::vector<const InitialCase*> initial_states_of_files(const Case& c) {
  std::vector<const InitialCase*> states;
  if (!c.initial.file.empty()) states.push_back(&c.initial);
  for (const InitialGroup& entry : c.initial_groups)
    if (!entry.state.file.empty()) states.push_back(&entry.state);
  return states;
}

}  // namespace cleave
