/// Reads like the case file: one function per section, one line per key with its meaning, unit, range and default (in
/// case.hpp). `case_keys` prints these lines as a table, `case_schema` as a JSON schema.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "cleave/config/case.hpp"
#include "cleave/config/keys.hpp"
#include "cleave/core/error.hpp"
#include "cleave/core/utf8.hpp"
#include "config/cohesive_section.hpp"
#include "config/curve_file.hpp"
#include "config/initial_section.hpp"
#include "config/key_schema.hpp"
#include "config/material_section.hpp"
#include "config/mesh_section.hpp"
#include "config/section.hpp"

namespace cleave {
namespace {

using namespace config;
using Path = std::filesystem::path;

void read_time(Section s, Case& whole) {
  TimeCase& c = whole.time;
  whole.line_of_time_step = s.line("step");
  whole.line_of_time_end = s.line("end");
  s.optional("step", c.step, {"step length; a case that breaks takes at most 0.95 of the critical step", "s"},
             automatic_step, above(0));
  s.optional("safety", c.safety, {"part of the critical step that the step `auto` is"}, above_to(0, 1));
  const std::string extent = s.exactly_one({"steps", "end"});
  if (extent == "steps") s.required("steps", c.steps, {"number of steps"}, at_least(0));
  if (c.steps > most_steps) s.fail("steps", fmt::format("at most {} can be counted, found {}", most_steps, c.steps));
  if (extent == "end") s.required("end", c.end.emplace(), {"time at the end", "s"}, at_least(0));
}

/// `fix: x` or `fix: [x, y]`.
void read_fixed_directions(const Node& fix, BoundaryCase& c) {
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

/// The name of one of the curves.
void read_curve_name(Section& s, std::string& c, const Meaning& meaning, const std::vector<std::string>& curve_names) {
  if (s.optional("curve", c, meaning) && std::find(curve_names.begin(), curve_names.end(), c) == curve_names.end())
    s.fail("curve", fmt::format("no curve \"{}\"; {}", c, suggest_name(c, curve_names)));
}

void read_pressure(Section& s, BoundaryCase& c, Kinematics kinematics, bool breaks) {
  c.kind = BoundaryCase::Kind::pressure;
  s.required("pressure", c.pressure, {"along the inward normal, times the curve", "Pa"});
  const bool finite = kinematics == Kinematics::finite;
  c.follows = finite;
  s.optional("follow", c.follows,
             {"a pressure stays normal to the facets as they turn and stretch; only with finite kinematics", "-",
              "`true` with finite kinematics"},
             truth_names);
  if (c.follows && !finite)
    s.fail("follow", "with small kinematics facets do not turn: leave it out, or take a law of finite strains");
  const bool given =
      s.optional("in_cracks", c.in_cracks,
                 {"a pressure also acts on the faces of failed cohesive elements that its group reaches, along their normals"}, truth_names);
  if (given && c.in_cracks && !breaks)
    s.fail("in_cracks", "nothing breaks in this case: add a `cohesive` section, or leave this out");
}

/// @param breaks  the case has a cohesive section
BoundaryCase read_boundary(const Node& node, const std::vector<std::string>& curve_names, Kinematics kinematics,
                           bool breaks) {
  BoundaryCase c;
  c.line = node.value().place.line;
  Section s(node);
  s.second_spelling("on", spelling_of_on);
  s.required("on", c.on, {"group of facets or nodes that the condition is on; also spelt `group`"});
  const std::string kind = s.exactly_one({"pressure", "fix", "velocity", "absorb"});
  if (kind == "pressure") {
    read_pressure(s, c, kinematics, breaks);
  } else if (kind == "fix") {
    c.kind = BoundaryCase::Kind::fix;
    const Forms axes = words({"x", "y"});
    read_fixed_directions(
        *s.optional_node("fix", {"directions that do not move"}, either(axes, list_of(axes, 0, "[x, y]"))), c);
    s.exclude({"curve"}, "only a pressure or a velocity has it");
    s.exclude({"in_cracks", "follow"}, "only a pressure has it");
  } else if (kind == "velocity") {
    c.kind = BoundaryCase::Kind::velocity;
    read_prescribed_velocity(
        s.required_section("velocity",
                           {"prescribed motion; of two entries for the same direction of a node the later one holds"}),
        c);
    s.exclude({"in_cracks", "follow"}, "only a pressure has it");
  } else if (kind == "absorb") {
    c.kind = BoundaryCase::Kind::absorb;
    bool absorbs = true;
    if (s.required("absorb", absorbs, {"`true`: waves that arrive leave the body, as if it went on behind the facets"},
                   truth_names) &&
        !absorbs)
      s.fail("absorb", "expected true: leave the entry out if nothing is absorbed");
    s.exclude({"curve"}, "only a pressure or a velocity has it");
    s.exclude({"in_cracks", "follow"}, "only a pressure has it");
  }
  if (kind != "fix" && kind != "absorb")
    read_curve_name(s, c.curve, {"name in `curves`, of a pressure or a velocity", "-", "constant 1"}, curve_names);
  return c;
}

void read_body_force(Section s, BodyForceCase& c, const std::vector<std::string>& curve_names) {
  s.optional("x", c.acceleration[0], {"along x, times the curve", "m/s²"});
  s.optional("y", c.acceleration[1], {"along y, times the curve", "m/s²"});
  read_curve_name(s, c.curve, {"name in `curves`", "-", "constant 1"}, curve_names);
}

Curve read_table(const Node& table) {
  std::vector<std::pair<double, double>> points;
  const std::vector<Node> rows = table.items();
  if (table.is_list() && rows.empty()) table.fail("expected at least one [time, value]");
  for (const Node& row : rows) {
    std::array<double, 2> point{};
    if (!row.read(point)) continue;
    if (!points.empty() && point[0] <= points.back().first) {
      row.fail(fmt::format("times must increase, found {} after {}", point[0], points.back().first));
    }
    points.emplace_back(point[0], point[1]);
  }
  return points.empty() ? Curve() : Curve::table(points);
}

Curve read_curve_of_file(Section& s, const Path& folder) {
  std::string name;
  if (!s.required(
          "file", name,
          {"CSV file with two columns, time and value, relative to the case file; the same as a table", "s, -"}))
    return {};
  try {
    return Curve::table(read_curve_file((folder / name).lexically_normal()));
  } catch (const InputError& error) {
    s.fail("file", error.what());
    return {};
  }
}

Curve read_curve(Section s, const Path& folder) {
  const std::string kind = s.exactly_one({"exponential", "linear_decay", "half_sine", "table", "file"});
  double decay_time = 1;
  if (kind == "exponential" && s.required(kind, decay_time, {"t0 of exp(-t / t0)", "s"}, above(0)))
    return Curve::exponential(decay_time);
  if (kind == "linear_decay" && s.required(kind, decay_time, {"t0 of 1 - t / t0, not below 0", "s"}, above(0)))
    return Curve::linear_decay(decay_time);
  if (kind == "half_sine" && s.required(kind, decay_time, {"t0 of sin(π t / t0), zero after t0", "s"}, above(0)))
    return Curve::half_sine(decay_time);
  if (kind == "file") return read_curve_of_file(s, folder);
  if (kind == "table")
    return read_table(*s.optional_node(kind, {"linear between points, constant outside", "s, -"},
                                       list_of(list_of(number(), 2), 0, "[[t, value], ...]")));
  return {};
}

std::vector<std::string> field_words() {
  std::vector<std::string> words = output_fields();
  words.push_back(all_fields);
  return words;
}

/// `all`, or a list of names, of which `all` may be one.
void read_fields(const Node& fields, std::optional<std::vector<std::string>>& c) {
  if (fields.is_word(all_fields)) return;
  c.emplace();
  const auto add = [&](const Node& field, const std::string& name) {
    if (std::find(c->begin(), c->end(), name) != c->end()) field.fail(fmt::format("{} is given twice", name));
    c->push_back(name);
  };
  for (const Node& field : fields.or_word(all_fields).items()) {
    std::string word;
    if (!field.read(word, field_words())) continue;
    if (word != all_fields) add(field, word);
    for (const std::string& name : output_fields())
      if (word == all_fields && !is_named_only(name)) add(field, name);
  }
}

/// Each has a place in solver memory.
constexpr int most_line_points = 10000;

/// Names stand in the header of a CSV file.
bool can_be_column(const std::string& name) {
  return std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '-'; });
}

ProbeCase read_probe(const Node& node, const std::vector<ProbeCase>& before) {
  ProbeCase c;
  Section s(node);
  if (s.required("name", c.name, {"begins the probe's columns in probes.csv; letters, digits, _ and -"})) {
    const bool taken = std::any_of(before.begin(), before.end(), [&](const ProbeCase& p) { return p.name == c.name; });
    if (taken) s.fail("name", fmt::format("another probe has the name \"{}\"; choose another", c.name));
    if (!can_be_column(c.name)) s.fail("name", "expected letters, digits, _ and - only");
  }
  s.required("at", c.at, {"point of the body at the start, which the probe follows", "m"});
  s.optional("every", c.every, {"steps between rows of probes.csv"}, at_least(1));
  c.line = s.line("at");
  return c;
}

LineCase read_line(const Node& node, const std::vector<LineCase>& before) {
  LineCase c;
  Section s(node);
  if (s.required("name", c.name, {"of the line in lines.csv; letters, digits, _ and -"})) {
    const bool taken = std::any_of(before.begin(), before.end(), [&](const LineCase& l) { return l.name == c.name; });
    if (taken) s.fail("name", fmt::format("another line has the name \"{}\"; choose another", c.name));
    if (!can_be_column(c.name)) s.fail("name", "expected letters, digits, _ and - only");
  }
  s.second_spelling("on", spelling_of_on);
  const std::string kind = s.exactly_one({"from", "on"});
  if (kind == "from") {
    const bool begins = s.required("from", c.from, {"first point of a straight line, in the body at the start", "m"});
    const bool ends = s.required("to", c.to, {"last point of a straight line", "m"});
    if (begins && ends && c.from == c.to) s.fail("to", "expected another point than `from`");
  } else if (kind == "on") {
    s.required(
        "on", c.on,
        {"group of facets on the boundary, which follow each other, with the body on the left; also spelt `group`"});
    s.exclude({"to"}, "only a line with `from` has it");
  } else {
    s.allow({"to"});
  }
  s.required("points", c.points, {"at equal distances along the line, its ends among them"},
             from_to(2, most_line_points));
  s.optional("every", c.every, {"steps between samples"}, at_least(1));
  c.line = s.line(kind.empty() ? "name" : kind);
  return c;
}

void read_output(Section s, Case& whole) {
  OutputCase& c = whole.output;
  if (s.line("directory") > 0) whole.line_of_output = s.line("directory");
  std::string directory = c.directory.string();
  s.optional("directory", directory,
             {"of the results, from where the program is started; `NAME` is that of the case file"});
  c.directory = directory;
  s.optional("replace", c.replace,
             {"results of another case, or of a run that could be resumed, are replaced, as with `--force`"},
             truth_names);
  whole.line_of_format = s.line("format");
  s.optional("format", c.format, {"of frames: a `.vtu` file each, or one `.vtkhdf` file for all, through HDF5"},
             output_format_names);
  if (const auto fields = s.optional_node(
          "fields",
          {"arrays in frames, of those that [Results](#results) names; `all` leaves out those that are written "
           "by name only: `[all, strain]`",
           "-", "`all`"},
          either(words({all_fields}), list_of(words(field_words())))))
    read_fields(*fields, c.fields);
  s.optional("real", c.real, {"of the arrays in frames; points are always double"}, output_real_names);
  s.optional("compression", c.compression, {"of frames; `lz4` is faster and larger, and meshio does not read it"},
             compression_names);
  if (c.format == OutputFormat::vtkhdf && c.compression == Compression::lz4)
    s.fail("compression", "HDF5 does not know lz4: expected zlib or none with the format vtkhdf");
  s.optional("fields_every", c.fields_every, {"steps between frames; 0: the first and the last state only"},
             at_least(0));
  s.optional("fields_interval", c.fields_interval,
             {"the same as simulated time: a frame at the step nearest to each multiple; 0: not given", "s"},
             at_least(0));
  if (c.fields_every > 0 && c.fields_interval > 0)
    s.fail("fields_interval", "fields_every says the same in steps: give one of them");
  s.optional("history_every", c.history_every, {"steps between rows of history.csv"}, at_least(1));
  s.optional("checkpoint_every", c.checkpoint_every, {"steps between checkpoints; 0: not by steps"}, at_least(0));
  s.optional("checkpoint_interval", c.checkpoint_interval,
             {"the same as simulated time: a checkpoint at the step nearest to each multiple; 0: not given", "s"},
             at_least(0));
  if (c.checkpoint_every > 0 && c.checkpoint_interval > 0)
    s.fail("checkpoint_interval", "checkpoint_every says the same in steps: give one of them");
  s.optional("checkpoint_minutes", c.checkpoint_minutes,
             {"wall time after which there is another checkpoint; 0: not by the clock", "min"}, at_least(0));
  if (const auto probes = s.optional_node(
          "probes", {"points whose motion and stress are written to probes.csv, numbered from 0", "-", "none"},
          list_of(any_map()))) {
    for (const Node& probe : probes->items()) c.probes.push_back(read_probe(probe, c.probes));
  }
  if (const auto lines = s.optional_node(
          "lines", {"rows of points whose motion and stress are written to lines.csv, numbered from 0", "-", "none"},
          list_of(any_map()))) {
    for (const Node& line : lines->items()) c.lines.push_back(read_line(line, c.lines));
  }
}

/// `all`, or a list.
void read_devices(Section& s, RunCase& c) {
  const auto devices =
      s.optional_node("devices", {"CUDA devices that the ranks of a machine take in turn, one each", "-", "`all`"},
                      either(words({all_devices}), list_of(whole_number(at_least(0)))));
  if (!devices || devices->is_word(all_devices)) return;
  const std::vector<Node> items = devices->or_word(all_devices).items();
  if (devices->is_list() && items.empty()) devices->fail("expected at least one device");
  c.devices.emplace();
  for (const Node& item : items) {
    int device = 0;
    if (item.read(device, at_least(0))) c.devices->push_back(device);
  }
}

void read_run(Section s, RunCase& c) {
  s.optional("backend", c.backend, {"where it runs; `auto`: on a CUDA device where there is one"}, backend_names);
  s.optional("precision", c.precision, {"of state, forces and laws; sums of energies stay double"}, precision_names);
  s.optional("assembly", c.assembly,
             {"each node adds up its elements in order, or stored matrices: colour by colour, or in any order"},
             assembly_names);
  s.optional("threads", c.threads, {"CPU threads; 0: `OMP_NUM_THREADS` or, without it, all"}, from_to(0, most_threads));
  s.optional("device", c.device, {"CUDA device of a run without ranks, by its number in `cleave info`"}, at_least(0));
  read_devices(s, c);
}

/// The published pipeline has stored stiffness matrices, and no forces beside those of its stages.
void require_gather(Section& s, const Case& c) {
  if (c.run.assembly == Assembly::gather) return;
  for (const MaterialEntry& entry : c.material)
    if (entry.properties.viscosity.any())
      return s.fail("run", fmt::format("assembly `{}` has no `artificial_viscosity`: set run.assembly to `gather`",
                                       name_of(c.run.assembly, assembly_names)));
  for (const MaterialEntry& entry : c.material)
    if (entry.properties.law != "linear_elastic")
      return s.fail("run", fmt::format("assembly `{}` stores the stiffness matrices of linear elasticity: for the law "
                                       "`{}` set run.assembly to `gather`",
                                       name_of(c.run.assembly, assembly_names), entry.properties.law));
}

/// Friction is a force of the gather assembly.
void require_gather_for_friction(Section& s, const Case& c) {
  if (!c.cohesive || c.cohesive->friction == 0) return;
  if (c.run.assembly != Assembly::gather)
    s.fail("cohesive",
           fmt::format("`friction` needs run.assembly: gather, not `{}`", name_of(c.run.assembly, assembly_names)));
}

void read_root(Section s, Case& c) {
  c.line_of_mesh = s.line("mesh");
  c.line_of_material = s.line("material");
  c.line_of_output = s.line("output");

  s.optional("title", c.title, {"of the case; `NAME` is that of the case file"});
  read_mesh(s.required_section("mesh", {"geometry and triangles"}), c.mesh,
            std::filesystem::absolute(c.file).parent_path());
  if (const auto material = s.required_node(
          "material",
          {"of all triangles; or a list of such maps, each `on` a group: of several for a triangle the last holds"},
          either(any_map(), list_of(any_map()))))
    read_material(*material, c.material);
  c.kinematics = read_kinematics(s, c.material);
  if (const auto cohesive =
          s.optional_node("cohesive",
                          {"how facets break; or a list of such maps, the first of all facets or as the "
                           "others `on` a group or `between` two: of several for a facet the last "
                           "holds, and facets that belong to none do not break",
                           "-", "`none`"},
                          either(words({nothing_breaks}), either(any_map(), list_of(any_map())))))
    read_cohesive(*cohesive, c.cohesive);
  read_time(s.required_section("time", {"step length and end of the run"}), c);
  if (const auto initial = s.optional_node(
          "initial",
          {"state at the start; or a list of such maps, each `on` a group: of several for a node the last holds", "-",
           "at rest"},
          either(any_map(), list_of(any_map()))))
    read_initial(*initial, c);

  Section curves = s.optional_section("curves", {"functions of time, by name"});
  const std::vector<std::string> curve_names = curves.all_keys();
  for (const std::string& name : curve_names)
    c.curves[name] = read_curve(curves.required_section(name, {"a curve with this name", "-", "-"}),
                                std::filesystem::absolute(c.file).parent_path());
  if (const auto boundary = s.optional_node(
          "boundary", {"conditions, numbered from 0", "-", "nothing is held or loaded"}, list_of(any_map()))) {
    for (const Node& entry : boundary->items())
      c.boundary.push_back(read_boundary(entry, curve_names, c.kinematics, c.cohesive.has_value()));
  }
  read_body_force(s.optional_section("body_force", {"acceleration of the whole body, such as gravity"}), c.body_force,
                  curve_names);

  read_output(s.optional_section("output", {"files"}), c);
  read_run(s.optional_section("run", {"how the case is computed"}), c.run);
  require_gather(s, c);
  require_gather_for_friction(s, c);
}

/// A case before anything is read.
Case empty_case(const Path& file) {
  Case c;
  c.file = file;
  c.title = is_utf8(file.stem().string()) ? file.stem().string() : "case";
  c.output.directory = Path("out") / file.stem();
  return c;
}

/// Checks a tree. The report may hold errors already.
Case case_of_tree(Value root, const Path& file, const std::vector<std::string>& overrides, Report& report) {
  if (root.kind != Value::Kind::map) report.throw_if_any();  // nothing to check
  for (const std::string& text : overrides) apply_override(root, text, report);

  Case c = empty_case(file);
  read_root(Section(Node(root, "", report)), c);
  report.throw_if_any();
  c.notes = report.notes();
  return c;
}

}  // namespace

Case read_case(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
  Report report(file.string());
  return case_of_tree(load_tree(file, report), file, overrides, report);
}

Case parse_case(const std::string& text, const std::filesystem::path& file, const std::vector<std::string>& overrides) {
  Report report(file.string());
  return case_of_tree(parse_tree(text, report), file, overrides, report);
}

namespace {

std::vector<KeyRow> keys_of_case() {
  return describe_keys([](const Value& root, Report& report) {
    Case c = empty_case(any_name);
    read_root(Section(Node(root, "", report)), c);
  });
}

}  // namespace

std::string case_keys() { return table_of(keys_of_case()); }

std::string case_schema() { return schema_of(keys_of_case(), "Case file of Cleave"); }

}  // namespace cleave
