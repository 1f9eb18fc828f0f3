#include <catch2/catch.hpp>

#include "case_text.hpp"
#include "cleave/force/force_laws.hpp"

using namespace cleave;
using namespace cleave::test;
using Catch::Contains;
using Catch::EndsWith;

namespace {

const std::string curves = "curves:\n  pulse: {exponential: 1.0e-4}\n  ramp: {table: [[0, 0], [1, 1]]}\n";
const std::string cohesive = "cohesive:\n  normal: {strength: 1.0e6, energy: 100}\n";

/// A case with one fault, and the whole line of the report about it.
struct Fault {
  std::string text;
  std::string line;
};

void check_only(const Fault& fault) {
  CAPTURE(fault.text);
  CHECK(report_of(fault.text) == fault.line + "\ncase.yaml: 1 error");
}

std::string with(const std::string& what, const std::string& value) { return replaced(smallest, what, value); }

}  // namespace

TEST_CASE("a file that cannot be read is reported") {
  const Folder folder;
  CHECK_THROWS_WITH(read_case(folder.path() / "none.yaml"), Contains("none.yaml: no such file\n"));
  CHECK_THROWS_WITH(read_case(folder.path()), Contains("is a directory; expected a case file (YAML)"));
  CHECK_THROWS_AS(read_case(folder.path()), InputError);
}

TEST_CASE("a file that is endless or too large is refused") {
  CHECK_THROWS_WITH(read_case("/dev/zero"),
                    Contains("is neither a plain file nor a pipe; expected a case file (YAML)"));
  const Folder folder;
  const auto large = folder.write("large.yaml", smallest);
  std::filesystem::resize_file(large, std::uintmax_t{1} << 40);  // of which nothing is on the disk
  CHECK_THROWS_WITH(read_case(large), Contains("has more than 64000000 bytes"));
}

TEST_CASE("a file of too many values or keys is refused") {
  std::string many = smallest + "boundary: [";
  for (int i = 0; i < 1'100'000; ++i) many += "1,";
  CHECK_THAT(report_of(many + "1]\n"), Contains("more than 1000000 values"));
  std::string keys = smallest + "curves:\n";
  for (int i = 0; i < 10'001; ++i) keys += "  a" + std::to_string(i) + ": {exponential: 1}\n";
  CHECK_THAT(report_of(keys), Contains("case.yaml:10008: curves: more than 10000 keys in a map"));
}

TEST_CASE("control characters in names and texts are refused") {
  for (const std::string name : {"\\x01", "\\e[2J", "a\\nb", "a\\tb", "\\x7f", "\\u0085", "\\u2028", "\\uffff"}) {
    CAPTURE(name);
    const std::string key = "\"" + name + "\"";
    check_only({with("divisions: [4, 2]", "divisions: [4, 2], regions: {" + key + ": {box: [0, 0, 1, 1]}}"),
                "case.yaml:1: mesh.regions: a key with a control character; take it out"});
  }
  check_only({smallest + "title: \"a\\eb\"\n",
              "case.yaml:7: title: expected text without control characters, found the "
              "text \"a\x1b"
              "b\""});
  CHECK(read_text(smallest + "title: |\n  two\n  lines\n").title == "two\nlines\n");
  CHECK(read_text(smallest + "title: \"\u00dcbung \u2014 \u5272\u308c\"\n").title == "\u00dcbung \u2014 \u5272\u308c");
  CHECK_THROWS_WITH(read_text(smallest, {"curves.a\x1b"
                                         "b.exponential=1"}),
                    Contains("a key with a control character"));
}

TEST_CASE("forces of one's own need a program that has them") {
  if (ForceLaws::count > 0) return;  // tests/program/user_program.sh
  check_only({smallest + "forces: [{law: magnet, gap: 1}]\n",
              "case.yaml:7: forces: this program has no forces of your own: build one that has them with "
              "scripts/build_law HEADER (docs/user_laws.md)"});
  CHECK(read_text(smallest + "forces: []\n").forces.empty());
}

TEST_CASE("a file that is no YAML or no map is refused") {
  CHECK_THAT(report_of("mesh: {shape: ring\nmaterial: [\n"), Contains("case.yaml:") && Contains("not valid YAML: "));
  CHECK_THAT(report_of("title: a\ntime: {steps: 1\n\tend: 2}}\n"), Contains("not valid YAML: "));
  CHECK_THAT(report_of("title: a\nmesh: {\nx: ]\n"), Contains("case.yaml:3: not valid YAML: "));
  check_only({"", "case.yaml: expected the keys of a case, found nothing"});
  check_only({"- 1\n- 2\n", "case.yaml: expected the keys of a case, found a list of 2"});
  check_only({"hello\n", "case.yaml: expected the keys of a case, found the text \"hello\""});
  check_only(
      {smallest + "---\n" + smallest, "case.yaml: expected one YAML document, found several (separated by ---)"});
  CHECK_THAT(report_of("# nothing\n, a\n" + smallest),
             Contains("case.yaml:2: not valid YAML: "));  // read for ever once
  CHECK_THAT(report_of(smallest + "initial: &i {strain: *i}\n"), Contains("nested more than 32 levels deep"));
}

TEST_CASE("unknown keys are reported") {
  const Fault fault = GENERATE(
      Fault{smallest + "cohesive:\n  normal:\n    strength: 1.0e6\n    energy: 100\n    strenght: 2\n",
            "case.yaml:11: cohesive.normal.strenght: unknown key; did you mean \"strength\"?"},
      Fault{smallest + "bondary: []\n", "case.yaml:7: bondary: unknown key; did you mean \"boundary\"?"},
      Fault{smallest + "humidity: 9.81\n",
            "case.yaml:7: humidity: unknown key; valid names: title, mesh, material, kinematics, cohesive, time, "
            "initial, curves, "
            "boundary, body_force, damping, support, forces, processes, contact, obstacles, output, run"},
      Fault{smallest + "run: {thread: 2}\n", "case.yaml:7: run.thread: unknown key; did you mean \"threads\"?"},
      Fault{smallest + "boundary:\n  - on: left\n    fix: x\n    colour: red\n",
            "case.yaml:10: boundary.0.colour: unknown key; valid names: on, pressure, traction, fix, velocity, absorb"},
      Fault{smallest + "initial: {velocity_gradient: {xz: 1}}\n",
            "case.yaml:7: initial.velocity_gradient.xz: unknown key; did you mean \"xx\"?"},
      Fault{smallest + "mesh.thickness: 2\n",
            "case.yaml:7: mesh.thickness: unknown key; valid names: title, mesh, "
            "material, kinematics, cohesive, time, initial, curves, boundary, body_force, damping, support, forces, "
            "processes, "
            "contact, "
            "obstacles, output, run"});
  check_only(fault);
}

TEST_CASE("keys given twice are reported") {
  check_only({smallest + "time: {steps: 20}\n", "case.yaml:7: time: given twice, first on line 6"});
  check_only({with("  density: 1000\n", "  density: 1000\n  density: 2000\n"),
              "case.yaml:6: material.density: given twice, first on line 5"});
  check_only({with("steps: 10", "steps: 10, steps: 10"), "case.yaml:6: time.steps: given twice, first on line 6"});
  check_only({smallest + "? [a, b]\n: 1\n", "case.yaml:7: a key must be a name"});
  check_only({smallest + std::string(201, 'a') + ": 1\n", "case.yaml:7: a key of 201 bytes; at most 200"});
}

TEST_CASE("wrong types are reported") {
  const Fault fault = GENERATE(
      Fault{with("density: 1000", "density: heavy"),
            "case.yaml:5: material.density: expected a number, found the text \"heavy\""},
      Fault{with("density: 1000", "density: 1_000"),
            "case.yaml:5: material.density: expected a number, found the text \"1_000\""},
      Fault{with("density: 1000", "density: [1000]"),
            "case.yaml:5: material.density: expected a number, found a list of 1"},
      Fault{with("density: 1000", "density:"), "case.yaml:5: material.density: expected a number, found nothing"},
      Fault{with("steps: 10", "steps: 2.5"), "case.yaml:6: time.steps: expected a whole number, found 2.5"},
      Fault{with("steps: 10", "steps: many"),
            "case.yaml:6: time.steps: expected a whole number, found the text \"many\""},
      Fault{with("divisions: [4, 2]", "divisions: [4.5, 2]"),
            "case.yaml:1: mesh.divisions.0: expected a whole number, found 4.5"},
      Fault{with("divisions: [4, 2]", "divisions: 4"),
            "case.yaml:1: mesh.divisions: expected a list of 2 numbers, found 4"},
      Fault{with("size: [2, 1]", "size: [2, 1, 3]"),
            "case.yaml:1: mesh.size: expected a list of 2 numbers, found a list of 3"},
      Fault{with("steps: 10", "steps: 10, step: aut"),
            "case.yaml:6: time.step: expected a number or auto, found the text \"aut\""},
      Fault{smallest + "title: [a]\n", "case.yaml:7: title: expected text, found a list of 1"},
      Fault{smallest + "title: \"\"\n", "case.yaml:7: title: expected text that is not empty, found the text \"\""},
      Fault{smallest + "run: cpu\n", "case.yaml:7: run: expected a map of keys and values, found the text \"cpu\""},
      Fault{smallest + "cohesive: off\n",
            "case.yaml:7: cohesive: expected a map of keys and values or none, found the text \"off\""},
      Fault{smallest + "boundary: {on: left, fix: x}\n", "case.yaml:7: boundary: expected a list, found a map"},
      Fault{smallest + "boundary: [left]\n",
            "case.yaml:7: boundary.0: expected a map of keys and values, found the text \"left\""},
      Fault{smallest + "boundary: [{on: left, fix: []}]\n",
            "case.yaml:7: boundary.0.fix: expected x, y or [x, y], found a list of 0"},
      Fault{smallest + "boundary: [{on: left, fix: [x, z]}]\n",
            "case.yaml:7: boundary.0.fix.1: expected one of x, y, found the text \"z\""},
      Fault{smallest + "boundary: [{on: left, fix: [x, x]}]\n", "case.yaml:7: boundary.0.fix.1: x is given twice"},
      Fault{smallest + "boundary: [{on: left, velocity: {}}]\n",
            "case.yaml:7: boundary.0.velocity: expected x, y or both"},
      Fault{smallest + "curves: {a: {table: [[0, 1], [2]]}}\n",
            "case.yaml:7: curves.a.table.1: expected a list of 2 numbers, found a list of 1"},
      Fault{smallest + "curves: {a: {table: []}}\n",
            "case.yaml:7: curves.a.table: expected at least one [time, value]"},
      Fault{smallest + "output: {directory: \"\"}\n",
            "case.yaml:7: output.directory: expected text that is not empty, found the text \"\""});
  check_only(fault);
}

TEST_CASE("wrong regions are reported") {
  const auto with_regions = [](const std::string& regions) {
    return with("divisions: [4, 2]", "divisions: [4, 2],\n  regions: " + regions);
  };
  check_only({with_regions("{a: {box: [0, 0, 1]}}"),
              "case.yaml:2: mesh.regions.a.box: expected a list of 4 numbers, found a list of 3"});
  check_only({with_regions("{a: {}}"), "case.yaml:2: mesh.regions.a.box: required key is missing"});
  check_only({with_regions("{a: 5}"), "case.yaml:2: mesh.regions.a: expected a map of keys and values, found 5"});
  check_only({with_regions("{a: {box: [0, 0, 1, 1]},\n a: {box: [0, 0, 1, 1]}}"),
              "case.yaml:3: mesh.regions.a: given twice, first on line 2"});
  check_only({with_regions("{a: {box: [0, 1, 1, 0]}}"),
              "case.yaml:2: mesh.regions.a.box: expected [x0, y0, x1, y1] with x0 < x1 and y0 < y1"});
  check_only({with_regions("{a: {bx: [0, 0, 1, 1], box: [0, 0, 1, 1]}}"),
              "case.yaml:2: mesh.regions.a.bx: unknown key; did you mean \"box\"?"});
  check_only({with_regions("[a]"), "case.yaml:2: mesh.regions: expected a map of keys and values, found a list of 1"});
}

TEST_CASE("wrong groups by place are reported") {
  const auto with_groups = [](const std::string& groups) {
    return with("divisions: [4, 2]", "divisions: [4, 2],\n  groups: " + groups);
  };
  const std::string at = "case.yaml:2: mesh.groups.a";
  check_only({with_groups("{a: {}}"), at + ": expected exactly one of sides, nodes, found none"});
  check_only({with_groups("{a: {sides: {}}}"), at + ".sides: expected exactly one of box, normal, circle, found none"});
  check_only({with_groups("{a: {sides: {box: [0, 1, 1, 0]}}}"),
              at + ".sides.box: expected [x0, y0, x1, y1] with x0 < x1 and y0 < y1"});
  check_only({with_groups("{a: {sides: {box: [0, 0, 1, 1], within: 1}}}"),
              at + ".sides.within: only `normal` and `circle` have it"});
  check_only({with_groups("{a: {sides: {normal: [0, 0]}}}"),
              at + ".sides.normal: expected a direction, such as [0, 1], found [0, 0]"});
  check_only({with_groups("{a: {sides: {normal: [0, 1], within: 181}}}"),
              at + ".sides.within: must be in [0, 180], found 181"});
  check_only({with_groups("{a: {sides: {circle: [0, 0, 1]}}}"), at + ".sides.within: required key is missing"});
  check_only({with_groups("{a: {sides: {circle: [0, 0, 0], within: 1}}}"),
              at + ".sides.circle: expected [x, y, radius] with a radius > 0, found 0"});
  check_only({with_groups("{a: {nodes: {}}}"), at + ".nodes: expected exactly one of near, box, found none"});
  check_only({with_groups("{a: {nodes: {naer: [0, 0], box: [0, 0, 1, 1]}}}"),
              at + ".nodes.naer: unknown key; did you mean \"near\"?"});
  check_only({with_groups("{outside: {nodes: {near: [0, 0]}}}"),
              "case.yaml:2: mesh.groups.outside: this group is always there, it holds all boundary sides: choose "
              "another name"});
}

TEST_CASE("wrong materials are reported") {
  const std::string rest = "time: {steps: 10}\n" + smallest.substr(0, smallest.find("material"));
  const std::string good = "young_modulus: 1.0e9, poisson_ratio: 0.25, density: 1000";
  check_only({rest, "case.yaml: material: required key is missing"});
  check_only({rest + "material: steel\n",
              "case.yaml:3: material: expected a map of keys and values or a list of them, found the text \"steel\""});
  check_only({rest + "material: []\n", "case.yaml:3: material: expected at least one material"});
  check_only({rest + "material: [steel]\n",
              "case.yaml:3: material.0: expected a map of keys and values, found the text \"steel\""});
  check_only({rest + "material: {on: plate, " + good + "}\n",
              "case.yaml:3: material.on: only an entry of a list of materials has it, a single material is that of all "
              "triangles"});
  check_only({rest + "material:\n  - {" + good + "}\n  - {on: a, young_modulus: 1, poisson_ratio: 0}\n",
              "case.yaml:5: material.1.density: required key is missing"});
  check_only({rest + "material:\n  - {on: [a], " + good + "}\n",
              "case.yaml:4: material.0.on: expected text, found a list of 1"});
  check_only({rest + "material:\n  - {" + good + ", plane: stress}\n  - on: a\n    plane: strain\n    " +
                  "young_modulus: 1\n    poisson_ratio: 0\n    density: 1\n",
              "case.yaml:6: material.1.plane: all materials must have the same plane, found strain after stress"});
  check_only({rest + "material:\n  - {" + good + ", plane: stress}\n  - {on: a, " + good + "}\n",
              "case.yaml:5: material.1.plane: all materials must have the same plane, found strain after stress"});
  // A wrong word is one error.
  check_only({rest + "material:\n  - {" + good + ", plane: stress}\n  - {on: a, " + good + ", plane: stres}\n",
              "case.yaml:5: material.1.plane: expected one of strain, stress, found the text \"stres\"; did you mean "
              "\"stress\"?"});
}

TEST_CASE("material laws that do not fit the kinematics are reported") {
  const auto law = [](const std::string& rest) { return with("density: 1000", "density: 1000\n  law: " + rest); };
  const std::string metal = "j2\n  yield_stress: 4.0e8\n  hardening: ";
  check_only(
      {law("linear_elastic\n  viscosity: 1"), "case.yaml:7: material.viscosity: only the law `kelvin_voigt` has it"});
  check_only({law("linear_elastic\n  erosion: {plastic_strain: 1}"),
              "case.yaml:7: material.erosion: only the law `j2` has it"});
  check_only({law(metal + "none\n  erosion: {plastic_strain: 0}"),
              "case.yaml:9: material.erosion.plastic_strain: must be > 0, found 0"});
  check_only({law("linear_elastic\n  artificial_viscosity: {linear: -1}"),
              "case.yaml:7: material.artificial_viscosity.linear: must be >= 0, found -1"});
  check_only({law("linear_elastic\n  artificial_viscosity: {linear: 1}\nrun: {assembly: coloured}"),
              "case.yaml:8: run: assembly `coloured` has no `artificial_viscosity`: set run.assembly to `gather`"});
  check_only({law("kelvin_voigt\n  yield_stress: 1\n  viscosity: 1"),
              "case.yaml:7: material.yield_stress: only the law `j2` has it"});
  check_only({law("kelvin_voigt"), "case.yaml:2: material.viscosity: required key is missing"});
  check_only({law("kelvin_voigt\n  viscosity: -1"), "case.yaml:7: material.viscosity: must be >= 0, found -1"});
  check_only({law("j2"), "case.yaml:2: material.yield_stress: required key is missing"});
  check_only({law("j2\n  yield_stress: 0"), "case.yaml:7: material.yield_stress: must be > 0, found 0"});
  check_only({law(metal + "{table: []}"),
              "case.yaml:8: material.hardening.table: expected at least one row, found a list of 0"});
  check_only({law(metal + "{linear: -1}"), "case.yaml:8: material.hardening.linear: must be >= 0, found -1"});
  check_only({law(metal + "{linear: 1, table: [[0, 4.0e8]]}"),
              "case.yaml:8: material.hardening: expected exactly one of table, linear, found table and linear"});
  check_only(
      {law(metal + "{table: [[0, 3.0e8]]}"),
       "case.yaml:8: material.hardening.table.0: expected the first row to be [0, yield_stress], which is 4e+08"});
  check_only({law(metal + "{table: [[0, 4.0e8], [0, 5.0e8]]}"),
              "case.yaml:8: material.hardening.table.1: strains must increase, found 0 after 0"});
  check_only({law(metal + "{table: [[0, 4.0e8], [0.1, 3.0e8]]}"),
              "case.yaml:8: material.hardening.table.1: stresses must not fall, found 3e+08 after 4e+08"});
  check_only({law("neo_hookean\n  plane: stress"),
              "case.yaml:7: material.plane: the law `neo_hookean` is for plane strain: set `plane: strain`, or take "
              "`st_venant_kirchhoff`"});
  check_only(
      {law("j2\n  yield_stress: 1\nkinematics: finite"),
       "case.yaml:8: kinematics: the law `j2` is for small strains; with finite kinematics all materials must be "
       "`st_venant_kirchhoff` or `neo_hookean`"});
  check_only({law("neo_hookean\nkinematics: small"),
              "case.yaml:7: kinematics: the law `neo_hookean` is for finite strains; with small kinematics no material "
              "may have it"});
  check_only({law("j2\n  yield_stress: 1") + "run: {assembly: coloured}\n",
              "case.yaml:9: run: assembly `coloured` stores the stiffness matrices of linear elasticity: for the law "
              "`j2` set run.assembly to `gather`"});
  check_only(
      {smallest + "boundary: [{on: left, pressure: 1, follow: true}]\n",
       "case.yaml:7: boundary.0.follow: with small kinematics facets do not turn: leave it out, or take a law of "
       "finite strains"});
  check_only({smallest + "boundary: [{on: left, fix: x, follow: true}]\n",
              "case.yaml:7: boundary.0.follow: only a pressure has it"});
  const Case gas = read_text(law("neo_hookean") + cohesive + "boundary: [{on: left, pressure: 1, in_cracks: true}]\n");
  CHECK(gas.boundary.at(0).in_cracks);
  CHECK(gas.boundary.at(0).follows);
}

TEST_CASE("wrong words are reported") {
  const Fault fault = GENERATE(
      Fault{
          with("shape: rectangle", "shape: rectangel"),
          "case.yaml:1: mesh.shape: expected one of rectangle, ring, disc, plate_with_hole, kalthoff, compact_tension, "
          "compact_compression, found the text \"rectangel\"; did you mean "
          "\"rectangle\"?"},
      Fault{with("shape: rectangle", "shape: rectangle, element: Q4"),
            "case.yaml:1: mesh.element: expected one of T3, T6, found the text \"Q4\""},
      Fault{with("density: 1000", "density: 1000\n  law: neo_hooke"),
            "case.yaml:6: material.law: expected one of linear_elastic, kelvin_voigt, j2, st_venant_kirchhoff, "
            "neo_hookean, "
            "found the text \"neo_hooke\"; did you mean \"neo_hookean\"?"},
      Fault{with("density: 1000", "density: 1000\n  plane: stres"),
            "case.yaml:6: material.plane: expected one of strain, stress, found the text \"stres\"; did you mean "
            "\"stress\"?"},
      Fault{smallest + cohesive + "  law: ppp\n",
            "case.yaml:9: cohesive.law: expected one of ppr, linear, exponential, found the text \"ppp\"; did you mean "
            "\"ppr\"?"},
      Fault{smallest + cohesive + "  law: xu_needleman\n",
            "case.yaml:9: cohesive.law: expected one of ppr, linear, exponential, found the text \"xu_needleman\""},
      Fault{smallest + "run: {precision: half}\n",
            "case.yaml:7: run.precision: expected one of double, single, found the text \"half\""},
      Fault{smallest + "run: {backend: gpu}\n",
            "case.yaml:7: run.backend: expected one of auto, cpu, cuda, found the text \"gpu\"; did you mean \"cpu\"?"},
      Fault{smallest + "run: {assembly: 3}\n",
            "case.yaml:7: run.assembly: expected one of gather, coloured, atomic, found 3"});
  check_only(fault);
}

TEST_CASE("missing keys are reported") {
  check_only({with("  density: 1000\n", ""), "case.yaml:2: material.density: required key is missing"});
  check_only({with("time: {steps: 10}\n", ""), "case.yaml: time: required key is missing"});
  check_only({with(", size: [2, 1]", ""), "case.yaml:1: mesh.size: required key is missing"});
  check_only({with(", divisions: [4, 2]", ""), "case.yaml:1: mesh.divisions: required key is missing"});
  check_only({smallest + "cohesive: {}\n", "case.yaml:7: cohesive.normal: required key is missing"});
  check_only({smallest + "cohesive: {normal: {energy: 1}}\n",
              "case.yaml:7: cohesive.normal.strength: required key is missing"});
  check_only({smallest + "cohesive: {normal: {strength: 1}}\n",
              "case.yaml:7: cohesive.normal.energy: required key is missing"});
  check_only({smallest + cohesive + "  insertion: {region: {}}\n",
              "case.yaml:9: cohesive.insertion.region.box: required key is missing"});
  check_only({smallest + "boundary: [{fix: x}]\n", "case.yaml:7: boundary.0.on: required key is missing"});
  check_only(
      {with("shape: rectangle, size: [2, 1], divisions: [4, 2]", "shape: ring, inner_radius: 1, divisions: [1, 3]"),
       "case.yaml:1: mesh.outer_radius: required key is missing"});
}

TEST_CASE("values out of range are reported") {
  const std::string ring = with("shape: rectangle, size: [2, 1]", "shape: ring, inner_radius: 1, outer_radius: 2");
  const auto notched = [](const std::string& length) {
    return with("shape: rectangle", "shape: rectangle, notch: {length: " + length + "}");
  };
  const std::string box = smallest + cohesive + "  insertion: {region: {box: ";
  const std::vector<Fault> faults{
      {with("1.0e9", "0"), "case.yaml:3: material.young_modulus: must be > 0, found 0"},
      {with("0.25", "0.5"), "case.yaml:4: material.poisson_ratio: must be in (-1, 0.5), found 0.5"},
      {with("0.25", "0.51\n  plane: stress"), "case.yaml:4: material.poisson_ratio: must be in (-1, 0.5], found 0.51"},
      {with("0.25", "-1"), "case.yaml:4: material.poisson_ratio: must be in (-1, 0.5), found -1"},
      {with("1000", "-7850"), "case.yaml:5: material.density: must be > 0, found -7850"},
      {with("shape: rectangle", "shape: rectangle, thickness: 0"), "case.yaml:1: mesh.thickness: must be > 0, found 0"},
      {with("[4, 2]", "[0, 2]"), "case.yaml:1: mesh.divisions.0: must be >= 1, found 0"},
      {with("[4, 2]", "[4, -2]"), "case.yaml:1: mesh.divisions.1: must be >= 1, found -2"},
      {with("[4, 2]", "[4, 3000000000]"),
       "case.yaml:1: mesh.divisions.1: must be in [-2147483648, 2147483647], found 3000000000"},
      {with("[4, 2]", "[100000, 100000]"), "case.yaml:1: mesh.divisions: at most 71582788 quads, found 10000000000"},
      {with("divisions: [4, 2]", "element: T3, divisions: [100000, 100000]"),
       "case.yaml:1: mesh.divisions: at most 119304647 quads, found 10000000000"},
      {with("[2, 1]", "[2, 0]"), "case.yaml:1: mesh.size.1: must be > 0, found 0"},
      {notched("2"), "case.yaml:1: mesh.notch.length: must be in (0, 2), found 2"},
      {notched("0"), "case.yaml:1: mesh.notch.length: must be in (0, 2), found 0"},
      {notched("1, height: 1"), "case.yaml:1: mesh.notch.height: must be in (0, 1), found 1"},
      {replaced(notched("1"), "[4, 2]", "[4, 3]"),
       "case.yaml:1: mesh.divisions: a notch at mid-height needs an even number of quads along y, found 3"},
      {replaced(ring, "[4, 2]", "[4, 2]"),
       "case.yaml:1: mesh.divisions: the circumference needs at least 3 quads, found 2"},
      {replaced(replaced(ring, "[4, 2]", "[1, 3]"), "inner_radius: 1", "inner_radius: 2"),
       "case.yaml:1: mesh.outer_radius: must be > 2, found 2"},
      {replaced(replaced(ring, "[4, 2]", "[1, 3]"), "inner_radius: 1", "inner_radius: 0"),
       "case.yaml:1: mesh.inner_radius: must be > 0, found 0"},
      {with("shape: rectangle", "shape: rectangle, perturbation: {amplitude: 0.5}"),
       "case.yaml:1: mesh.perturbation.amplitude: must be in [0, 0.4], found 0.5"},
      {with("shape: rectangle", "shape: rectangle, perturbation: {seed: -1}"),
       "case.yaml:1: mesh.perturbation.seed: must be >= 0, found -1"},
      {with("steps: 10", "steps: -1"), "case.yaml:6: time.steps: must be >= 0, found -1"},
      {with("steps: 10", "end: -1"), "case.yaml:6: time.end: must be >= 0, found -1"},
      {with("steps: 10", "steps: 10, step: 0"), "case.yaml:6: time.step: must be > 0, found 0"},
      {with("steps: 10", "steps: 10, safety: 1.5"), "case.yaml:6: time.safety: must be in (0, 1], found 1.5"},
      {with("steps: 10", "steps: 10, safety: 0"), "case.yaml:6: time.safety: must be in (0, 1], found 0"},
      {smallest + "cohesive: {normal: {strength: 0, energy: 1}}\n",
       "case.yaml:7: cohesive.normal.strength: must be > 0, found 0"},
      {smallest + "cohesive: {normal: {strength: 1, energy: -1}}\n",
       "case.yaml:7: cohesive.normal.energy: must be > 0, found -1"},
      {smallest + "cohesive: {normal: {strength: 1, energy: 1, shape: 1}}\n",
       "case.yaml:7: cohesive.normal.shape: must be > 1, found 1"},
      {smallest + cohesive + "  tangential: {shape: 0.5}\n",
       "case.yaml:9: cohesive.tangential.shape: must be > 1, found 0.5"},
      {smallest + cohesive + "  stiffness_safety: 1\n",
       "case.yaml:9: cohesive.stiffness_safety: must be in (0, 1), found 1"},
      {smallest + cohesive + "  contact_penalty: 0\n", "case.yaml:9: cohesive.contact_penalty: must be > 0, found 0"},
      {smallest + cohesive + "  insertion: {every: 0}\n",
       "case.yaml:9: cohesive.insertion.every: must be >= 1, found 0"},
      {smallest + cohesive + "  friction: -0.1\n", "case.yaml:9: cohesive.friction: must be >= 0, found -0.1"},
      {smallest + cohesive + "  friction: 0.1\nrun: {assembly: coloured}\n",
       "case.yaml:7: cohesive: `friction` needs run.assembly: gather, not `coloured`"},
      {smallest + cohesive + "  rate: {exponent: 0.1}\n",
       "case.yaml:9: cohesive.rate.reference: required key is missing"},
      {smallest + cohesive + "  rate: {reference: 10, exponent: 0}\n",
       "case.yaml:9: cohesive.rate.exponent: must be in (0, 10), found 0"},
      {smallest + cohesive + "  rate: fast\n",
       "case.yaml:9: cohesive.rate: expected a map of keys and values or none, found the text \"fast\""},
      {box + "[1, 0, 0, 1]}}\n",
       "case.yaml:9: cohesive.insertion.region.box: expected [x0, y0, x1, y1] with x0 < x1 and y0 < y1"},
      {box + "[0, 1, 1, 1]}}\n",
       "case.yaml:9: cohesive.insertion.region.box: expected [x0, y0, x1, y1] with x0 < x1 and y0 < y1"},
      {smallest + "output: {format: vtkhdf, compression: lz4}\n",
       "case.yaml:7: output.compression: HDF5 does not know lz4: expected zlib or none with the format vtkhdf"},
      {smallest + "output: {fields: [damge]}\n",
       "case.yaml:7: output.fields.0: expected one of displacement, velocity, stress, strain, von_mises_stress, "
       "largest_principal_stress, smallest_principal_stress, pressure, largest_shear_stress, "
       "largest_principal_strain, equivalent_strain, strain_energy_density, fragment, contact_traction, contact_depth, "
       "original_node, "
       "original_element, displacement_a, displacement_b, opening_normal, "
       "opening_tangential, traction_normal, traction_tangential, damage, strength_scale, failed, insertion_step, "
       "plastic_strain, all, found the text "
       "\"damge\"; did you mean \"damage\"?"},
      {smallest + "output: {fields: [damage, damage]}\n", "case.yaml:7: output.fields.1: damage is given twice"},
      {smallest + "output: {fields: [damage, all]}\n", "case.yaml:7: output.fields.1: damage is given twice"},
      {smallest + "output: {fields: damage}\n",
       "case.yaml:7: output.fields: expected a list or all, found the text \"damage\""},
      {smallest + "output: {fields_every: -1}\n", "case.yaml:7: output.fields_every: must be >= 0, found -1"},
      {smallest + "output: {history_every: 0}\n", "case.yaml:7: output.history_every: must be >= 1, found 0"},
      {smallest + "output: {fields_every: 5, fields_interval: 1.0e-6}\n",
       "case.yaml:7: output.fields_interval: fields_every says the same in steps: give one of them"},
      {smallest + "output: {checkpoint_every: -5}\n", "case.yaml:7: output.checkpoint_every: must be >= 0, found -5"},
      {smallest + "run: {threads: -1}\n", "case.yaml:7: run.threads: must be in [0, 1024], found -1"},
      {smallest + "run: {devices: some}\n",
       "case.yaml:7: run.devices: expected a list or all, found the text \"some\""},
      {smallest + "run: {transport: nvlink}\n",
       "case.yaml:7: run.transport: expected one of auto, peer, nccl, mpi, found the text \"nvlink\""},
      {smallest + "run: {devices: []}\n", "case.yaml:7: run.devices: expected at least one device"},
      {smallest + "run: {devices: [0, -1]}\n", "case.yaml:7: run.devices.1: must be >= 0, found -1"},
      {smallest + "curves:\n  a: {exponential: 0}\n", "case.yaml:8: curves.a.exponential: must be > 0, found 0"},
      {smallest + "curves:\n  a: {linear_decay: -1}\n", "case.yaml:8: curves.a.linear_decay: must be > 0, found -1"},
      {smallest + "curves:\n  a:\n    table:\n      - [0, 1]\n      - [0, 2]\n",
       "case.yaml:11: curves.a.table.1: times must increase, found 0 after 0"}};
  for (const Fault& fault : faults) check_only(fault);
}

TEST_CASE("values that are not finite are reported") {
  check_only({with("1000", ".nan"), "case.yaml:5: material.density: must be finite, found .nan"});
  check_only({with("1000", ".inf"), "case.yaml:5: material.density: must be finite, found .inf"});
  check_only({with("1000", "1e999"), "case.yaml:5: material.density: must be finite, found 1e999"});
  check_only({with("steps: 10", "steps: .inf"), "case.yaml:6: time.steps: must be finite, found .inf"});
  check_only({smallest + "boundary: [{on: left, pressure: -.inf}]\n",
              "case.yaml:7: boundary.0.pressure: must be finite, found -.inf"});
  check_only(
      {smallest + "initial: {strain: {xy: nan}}\n", "case.yaml:7: initial.strain.xy: must be finite, found nan"});
  check_only({smallest + "curves: {a: {table: [[0, .nan]]}}\n",
              "case.yaml:7: curves.a.table.0.1: must be finite, found .nan"});
}

TEST_CASE("keys that exclude each other are reported") {
  check_only({with("steps: 10", "steps: 10, end: 1"),
              "case.yaml:6: time: expected exactly one of steps, end, found steps and end"});
  check_only({with("steps: 10", "step: 1"), "case.yaml:6: time: expected exactly one of steps, end, found none"});
  check_only({with("shape: rectangle", "shape: rectangle, file: a.msh"),
              "case.yaml:1: mesh: expected exactly one of shape, file, found shape and file"});
  check_only({with("shape: rectangle, ", ""), "case.yaml:1: mesh: expected exactly one of shape, file, found none"});
  check_only({smallest + "boundary:\n  - on: left\n    fix: x\n    pressure: 1\n",
              "case.yaml:10: boundary.0: expected exactly one of pressure, traction, fix, velocity, absorb, found "
              "pressure and fix"});
  check_only(
      {smallest + "boundary: [{on: left}]\n",
       "case.yaml:7: boundary.0: expected exactly one of pressure, traction, fix, velocity, absorb, found none"});
  check_only({smallest + curves + "boundary: [{on: left, fix: x, curve: ramp}]\n",
              "case.yaml:10: boundary.0.curve: only a pressure, a traction or a velocity has it"});
  check_only({smallest + cohesive + "boundary: [{on: left, fix: x, in_cracks: true}]\n",
              "case.yaml:9: boundary.0.in_cracks: only a pressure has it"});
  check_only({smallest + cohesive + "boundary: [{on: left, velocity: {x: 1}, in_cracks: false}]\n",
              "case.yaml:9: boundary.0.in_cracks: only a pressure has it"});
  check_only({smallest + cohesive + "boundary: [{on: left, pressure: 1, in_cracks: yes}]\n",
              "case.yaml:9: boundary.0.in_cracks: expected one of true, false, found the text \"yes\""});
  check_only({smallest + "boundary: [{on: left, pressure: 1, in_cracks: true}]\n",
              "case.yaml:7: boundary.0.in_cracks: nothing breaks in this case: add a `cohesive` section, or leave this "
              "out"});
  check_only({smallest + "curves: {a: {exponential: 1, table: [[0, 1]]}}\n",
              "case.yaml:7: curves.a: expected exactly one of exponential, linear_decay, half_sine, table, file, found "
              "exponential and "
              "table"});
  check_only(
      {smallest + "curves: {a: {}}\n",
       "case.yaml:7: curves.a: expected exactly one of exponential, linear_decay, half_sine, table, file, found none"});
  check_only({with("shape: rectangle", "shape: rectangle, inner_radius: 1"),
              "case.yaml:1: mesh.inner_radius: only the shape ring has it"});
  check_only({with("shape: rectangle, size: [2, 1], divisions: [4, 2]",
                   "shape: ring, inner_radius: 1, outer_radius: 2, divisions: [4, 8], notch: {length: 1}"),
              "case.yaml:1: mesh.notch: only the shapes rectangle, kalthoff, compact_tension, "
              "compact_compression have it"});
}

TEST_CASE("a missing mesh file, or one with keys of a generated mesh, is reported") {
  CHECK_THAT(
      report_of(with("shape: rectangle, size: [2, 1], divisions: [4, 2]", "file: plate.msh")),
      Contains("case.yaml:1: mesh.file: no such file: ") && Contains("plate.msh\n") && EndsWith("case.yaml: 1 error"));
  const Folder folder;
  folder.write("plate.msh", "");
  const auto file = folder.write(
      "case.yaml", with("shape: rectangle, size: [2, 1], divisions: [4, 2]", "file: plate.msh, divisions: [4, 2]"));
  CHECK_THROWS_WITH(read_case(file), Contains("mesh.divisions: only a generated mesh has it"));
}

TEST_CASE("wrong lists of cohesive laws are reported") {
  const auto with_list = [](const std::string& second) {
    return smallest + "cohesive:\n  - {normal: {strength: 1.0e6, energy: 100}}\n  - " + second + "\n";
  };
  const std::string normal = "normal: {strength: 5.0e5, energy: 50}";
  CHECK_NOTHROW(read_text(with_list("{on: a, " + normal + "}")));
  CHECK_NOTHROW(read_text(with_list("{between: [a, b], " + normal + "}")));
  const auto fault = GENERATE_COPY(
      Fault{with_list("{" + normal + "}"),
            "case.yaml:9: cohesive.1: expected `on` or `between`: only the first entry may be that of all facets "
            "that no other names"},
      Fault{with_list("a text"),
            "case.yaml:9: cohesive.1: expected a map of keys and values, found the text \"a text\""},
      Fault{with_list("{on: a, between: [a, b], " + normal + "}"),
            "case.yaml:9: cohesive.1.between: an entry has `on` or `between`, not both"},
      Fault{with_list("{between: [a], " + normal + "}"),
            "case.yaml:9: cohesive.1.between: expected a list of 2 names, found a list of 1"},
      Fault{with_list("{between: a, " + normal + "}"),
            "case.yaml:9: cohesive.1.between: expected a list or different, found the text \"a\""},
      Fault{with_list("{on: a, law: linear, " + normal + "}"),
            "case.yaml:9: cohesive.1.law: that of the first entry holds for all facets"},
      Fault{with_list("{on: a, tangential: {strength: 1}, " + normal + "}"),
            "case.yaml:9: cohesive.1.tangential: in sliding the ratios of the first entry hold"},
      Fault{with_list("{on: a, normal: {strength: 5.0e5, energy: 50, shape: 3}}"),
            "case.yaml:9: cohesive.1.normal.shape: shapes are those of the first entry"},
      Fault{with_list("{on: a}"), "case.yaml:9: cohesive.1.normal: required key is missing"},
      Fault{smallest + "cohesive:\n  - {on: a, between: [a, b], " + normal + "}\n",
            "case.yaml:8: cohesive.0.between: an entry has `on` or `between`, not both"},
      Fault{smallest + "cohesive: {on: a, " + normal + "}\n",
            "case.yaml:7: cohesive.on: only an entry of a list has it, a single law is that of all facets"},
      Fault{smallest + "cohesive: []\n", "case.yaml:7: cohesive: expected at least one law"});
  check_only(fault);
}

TEST_CASE("shapes of the linear law are refused") {
  const std::string law = smallest + "cohesive:\n  law: linear\n  normal: {strength: 1.0e6, energy: 100, shape: ";
  CHECK(report_of(law + "3}\n") ==
        "case.yaml:8: cohesive.law: the law `linear` has no shapes: leave them out or set both to 2\n"
        "case.yaml: 1 error");
  CHECK_NOTHROW(read_text(law + "2}\n"));
}

TEST_CASE("unknown curves are reported") {
  check_only({smallest + curves + "boundary: [{on: left, pressure: 1, curve: plse}]\n",
              "case.yaml:10: boundary.0.curve: no curve \"plse\"; did you mean \"pulse\"?"});
  check_only({smallest + curves + "boundary: [{on: left, pressure: 1, curve: explosion}]\n",
              "case.yaml:10: boundary.0.curve: no curve \"explosion\"; valid names: pulse, ramp"});
  check_only({smallest + "boundary: [{on: left, pressure: 1, curve: pulse}]\n",
              "case.yaml:7: boundary.0.curve: no curve \"pulse\"; there are none"});
}

TEST_CASE("all errors of a file are in one report, by line") {
  const std::string text =
      "mesh:\n"
      "  shape: rectangle\n"
      "  size: [0.016, -0.004]\n"
      "  divisons: [192, 48]\n"
      "material: {young_modulus: soft, poisson_ratio: 0.6, density: 1190}\n"
      "time: {step: .nan, steps: 10, end: 1}\n"
      "boundary:\n"
      "  - {on: left, fix: q}\n"
      "  - {on: right, pressure: 1, curve: pulse}\n"
      "time: {}\n";
  CHECK(report_of(text, {"run.threads=-3", "nonsense"}) ==
        "case.yaml:1: mesh.divisions: required key is missing\n"
        "case.yaml:3: mesh.size.1: must be > 0, found -0.004\n"
        "case.yaml:4: mesh.divisons: unknown key; did you mean \"divisions\"?\n"
        "case.yaml:5: material.young_modulus: expected a number, found the text \"soft\"\n"
        "case.yaml:5: material.poisson_ratio: must be in (-1, 0.5), found 0.6\n"
        "case.yaml:6: time.step: must be finite, found .nan\n"
        "case.yaml:6: time: expected exactly one of steps, end, found steps and end\n"
        "case.yaml:8: boundary.0.fix: expected one of x, y, found the text \"q\"\n"
        "case.yaml:9: boundary.1.curve: no curve \"pulse\"; there are none\n"
        "case.yaml:10: time: given twice, first on line 6\n"
        "--set nonsense: expected key.path=value, such as time.steps=100 or boundary.0.pressure=1e6\n"
        "--set run.threads=-3: run.threads: must be in [0, 1024], found -3\n"
        "case.yaml: 12 errors");
}
