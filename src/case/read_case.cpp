/// Reader of the case file, in its structure: one function per section, one line per key with its meaning, unit, range
/// and default (in case.hpp). `case_keys` prints these lines as a table, `case_schema` as a JSON schema.

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "case/key_table.hpp"
#include "case/section.hpp"
#include "case/sections.hpp"
#include "cleave/case/case.hpp"
#include "cleave/case/keys.hpp"
#include "cleave/core/environment.hpp"
#include "cleave/core/error.hpp"
#include "cleave/core/utf8.hpp"

namespace cleave {
namespace {

using namespace case_file;
using Path = std::filesystem::path;

void read_time(Section s, Case& whole) {
  TimeCase& c = whole.time;
  whole.line_of_time_step = s.line("step");
  whole.line_of_time_end = s.line("end");
  s.optional("step", c.step, {"step length; with fracture at most 0.95 of the critical step", "s"}, automatic_step,
             above(0));
  s.optional("safety", c.safety, {"ratio of the step `auto` to the critical step"}, above_to(0, 1));
  const std::string extent = s.exactly_one({"steps", "end"});
  if (extent == "steps") s.required("steps", c.steps, {"number of steps"}, at_least(0));
  if (c.steps > most_steps) s.fail("steps", fmt::format("at most {} can be counted, found {}", most_steps, c.steps));
  if (extent == "end") s.required("end", c.end.emplace(), {"time at the end", "s"}, at_least(0));
}

/// Reads `all`, or a list of devices.
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
  s.optional("backend", c.backend, {"device of the run; `auto`: a CUDA device if there is one"}, backend_names);
  s.optional("precision", c.precision, {"precision of state, forces and laws; sums of energies are always double"},
             precision_names);
  s.optional("assembly", c.assembly,
             {"`gather`: each node sums its elements in order; the others use stored matrices, colour by colour or in "
              "any order"},
             assembly_names);
  s.optional("threads", c.threads, {"number of CPU threads; 0: `OMP_NUM_THREADS` or, without it, all"},
             from_to(0, most_threads));
  s.optional("device", c.device, {"CUDA device of a run without ranks; number in `cleave info`"}, at_least(0));
  read_devices(s, c);
  s.optional("transport", c.transport,
             {"how CUDA devices of ranks exchange: `peer` through each other's memory; `nccl` by NCCL; `mpi` through "
              "their hosts; `auto`: `peer` on one machine, else `nccl` where there is NCCL"},
             transport_names);
}

/// Reports features that the coloured and atomic assemblies lack: they use stored stiffness matrices and no further
/// forces.
void require_gather(Section& s, const Case& c) {
  if (c.run.assembly == Assembly::gather) return;
  const auto refuse = [&](const char* key) {
    s.fail(key, fmt::format("it needs run.assembly: gather, not `{}`", name_of(c.run.assembly, assembly_names)));
  };
  if (!c.support.empty()) refuse("support");
  if (!c.forces.empty()) refuse("forces");
  if (!c.processes.empty()) refuse("processes");
  if (c.contact) refuse("contact");
  if (!c.obstacles.empty()) refuse("obstacles");
  for (const BoundaryCase& entry : c.boundary)
    if (entry.kind == BoundaryCase::Kind::traction)
      return s.fail("boundary",
                    fmt::format("a `traction` needs run.assembly: gather, not `{}`; a `pressure` works in both",
                                name_of(c.run.assembly, assembly_names)));
  for (const MaterialEntry& entry : c.material)
    if (entry.properties.law != "linear_elastic")
      return s.fail("run", fmt::format("assembly `{}` stores the stiffness matrices of linear elasticity: for the law "
                                       "`{}` set run.assembly to `gather`",
                                       name_of(c.run.assembly, assembly_names), entry.properties.law));
  for (const MaterialEntry& entry : c.material)
    for (const std::string& key : entry.properties.keys_of_elements())
      return s.fail("run", fmt::format("assembly `{}` has no `{}`: set run.assembly to `gather`",
                                       name_of(c.run.assembly, assembly_names), key));
}

void read_root(Section s, Case& c) {
  c.line_of_mesh = s.line("mesh");
  c.line_of_material = s.line("material");
  c.line_of_output = s.line("output");

  s.optional("title", c.title, {"title of the case; `NAME` is the name of the case file"});
  read_mesh(s.required_section("mesh", {"geometry and triangles"}), c.mesh,
            std::filesystem::absolute(c.file).parent_path());
  if (const auto material = s.required_node("material",
                                            {"material of all triangles; or a list of such maps, each `on` a group: of "
                                             "several for a triangle the last one counts"},
                                            either(any_map(), list_of(any_map()))))
    read_material(*material, c.material);
  c.kinematics = read_kinematics(s, c.material);
  if (const auto cohesive = s.optional_node(
          "cohesive",
          {"fracture of facets; or a list of such maps, the first for all facets or, as the others, `on` a group or "
           "`between` two: of several for a facet the last one counts, and facets without any do not break",
           "-", "`none`"},
          either(words({nothing_breaks}), either(any_map(), list_of(any_map())))))
    read_cohesive(*cohesive, c.cohesive);
  read_time(s.required_section("time", {"step length and end of the run"}), c);
  if (const auto initial = s.optional_node(
          "initial",
          {"initial state; or a list of such maps, each `on` a group: of several for a node or triangle the last one "
           "counts, and a node between triangles of several gets the mean of their velocities by mass",
           "-", "at rest"},
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
  read_damping(s.optional_section("damping", {"drag force -rate m v on every node, for quasi-static starts"}),
               c.damping);
  if (const auto support = s.optional_node(
          "support", {"springs from facets to the ground, numbered from 0", "-", "nothing is supported"},
          list_of(any_map())))
    for (const Node& entry : support->items()) c.support.push_back(read_support(entry));
  if (const auto forces =
          s.optional_node("forces", {"forces of your own on nodes, numbered from 0", "-", "none"}, list_of(any_map())))
    read_forces(*forces, c.forces);
  if (const auto processes = s.optional_node(
          "processes", {"fields and kernels of your own, numbered from 0", "-", "none"}, list_of(any_map())))
    read_processes(*processes, c.processes);
  read_contact(s, c, curve_names);

  read_output(s.optional_section("output", {"files"}), c);
  read_run(s.optional_section("run", {"how the case is computed"}), c.run);
  require_gather(s, c);
  if (const char* key = key_of_gather(c.cohesive); key != nullptr && c.run.assembly != Assembly::gather)
    s.fail("cohesive",
           fmt::format("`{}` needs run.assembly: gather, not `{}`", key, name_of(c.run.assembly, assembly_names)));
}

/// A case with nothing but defaults.
Case empty_case(const Path& file) {
  Case c;
  c.file = file;
  c.title = is_utf8(file.stem().string()) ? file.stem().string() : "case";
  c.output.directory = Path("out") / file.stem();
  return c;
}

}  // namespace

Case case_file::case_of_tree(Value root, const Path& file, const std::vector<std::string>& overrides, Report& report) {
  if (root.kind != Value::Kind::map) report.throw_if_any();  // there is nothing to check
  for (const std::string& text : overrides) apply_override(root, text, report);

  Case c = empty_case(file);
  read_root(Section(Node(root, "", report)), c);
  report.throw_if_any();
  c.notes = report.notes();
  return c;
}

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
