/// Case files written as other programs want them, and files that are no text.
#include <catch2/catch.hpp>

#include "case/hints.hpp"
#include "case_text.hpp"

using namespace cleave;
using namespace cleave::test;
using Catch::Contains;

TEST_CASE("names of other programs are answered with the name here") {
  CHECK_THAT(report_of(replaced(smallest, "density: 1000", "rho: 1000")),
             Contains("material.rho: unknown key; it is called \"density\" here"));
  CHECK_THAT(report_of(replaced(smallest, "young_modulus", "E")),
             Contains("material.E: unknown key; it is called \"young_modulus\" here"));
  CHECK_THAT(report_of(replaced(smallest, "poisson_ratio", "nu")),
             Contains("material.nu: unknown key; it is called \"poisson_ratio\" here"));
  CHECK_THAT(report_of(smallest + "dt: 1.0e-9\n"), Contains("dt: unknown key; it is called \"time.step\" here"));
  CHECK_THAT(report_of(smallest + "cohesive: {Gc: 3}\n"),
             Contains("cohesive.Gc: unknown key; it is called \"cohesive.normal.energy\" here"));
  CHECK_THAT(report_of(smallest + "boundary: [{true: left, fix: x}]\n"),
             Contains("boundary.0.true: unknown key; it is called \"group\" here"));
}

TEST_CASE("a key without a counterpart is answered with what to write instead, once") {
  const auto condition = [](const std::string& text) { return smallest + "boundary: [{on: left, " + text + "}]\n"; };
  const std::string displacement = report_of(condition("displacement: {y: 1.0e-3}"));
  CHECK_THAT(displacement, Contains("boundary.0.displacement: unknown key; give the velocity: `velocity: {x: ..., y: "
                                    "...}` in m/s times a `curve`") &&
                               Contains("case.yaml: 1 error"));
  CHECK_THAT(
      report_of(condition("force: {x: 10}")),
      Contains("boundary.0.force: unknown key; give a `traction: {x: ..., y: ...}` in Pa, the force over length times "
               "mesh.thickness, or a `pressure`") &&
          Contains("case.yaml: 1 error"));
  CHECK_THAT(report_of(smallest + "rigid_wall: {x: 0}\n"),
             Contains("rigid_wall: unknown key; rigid half planes and discs are `obstacles`: {name: ..., plane: "));
  CHECK_THAT(report_of(smallest + "gravity: 9.81\n"),
             Contains("gravity: unknown key; gravity is `body_force: {y: -9.81}` at the top level of the case"));
  CHECK_THAT(report_of(replaced(smallest, "density: 1000", "density: 1000\n  damping: 0.1")),
             Contains("material.damping: unknown key; `damping: {rate: ...}` at the top level of the case"));
  CHECK_THAT(report_of(smallest + "damping: 0.1\n"),
             Contains("damping: expected a map of keys and values such as {rate: 2.0e4}, found 0.1"));
  CHECK_THAT(report_of(replaced(smallest, "density: 1000", "density: 1000\n  plane_stress: true")),
             Contains("material.plane_stress: unknown key; write `plane: stress` or `plane: strain`"));
  CHECK_THAT(report_of(smallest + "cohesive: {intrinsic: true, normal: {strength: 1.0e6, energy: 1}}\n"),
             Contains("cohesive.intrinsic: unknown key; cohesive elements are inserted where a facet reaches its "
                      "strength, so no law has an elastic branch; leave it out"));
}

TEST_CASE("words of other programs are answered with the word here") {
  const auto material = [](const std::string& line) {
    return replaced(smallest, "density: 1000", "density: 1000\n  " + line);
  };
  CHECK_THAT(
      report_of(material("plane: plane_stress")),
      Contains("material.plane: expected one of strain, stress, found the text \"plane_stress\"; take \"stress\""));
  CHECK_THAT(report_of(material("law: von_mises")), Contains("found the text \"von_mises\"; take \"j2\""));
  CHECK_THAT(report_of(smallest + "output: {fields: [von_mises]}\n"), Contains("\"von_mises_stress\""));
  const auto law = [](const std::string& word) {
    return smallest + "cohesive: {law: " + word + ", normal: {strength: 1.0e6, energy: 1}}\n";
  };
  CHECK_THAT(report_of(law("bilinear")), Contains("found the text \"bilinear\"; take \"linear\": it begins at"));
  CHECK_THAT(report_of(law("intrinsic")), Contains("found the text \"intrinsic\"; take \"linear\": cohesive elements "
                                                   "are inserted where a facet reaches its strength"));
}

TEST_CASE("a condition in the form of other programs is answered with the form here") {
  for (const std::string word : {"all", "both", "xy", "true"})
    CHECK_THAT(report_of(smallest + "boundary: [{on: left, fix: " + word + "}]\n"),
               Contains("boundary.0.fix: expected x, y or [x, y], found " + word + "; write [x, y]"));
  for (const std::string curve : {"{table: [[0, 0], [1, 1]]}", "[[0, 0], [1, 1]]"})
    CHECK_THAT(report_of(smallest + "boundary: [{on: left, pressure: 1, curve: " + curve + "}]\n"),
               Contains("boundary.0.curve: expected text that names an entry of `curves`, such as `ramp` with `curves: "
                        "{ramp: {table: [[0, 0], [1.0e-6, 1]]}}`, found a "));
}

TEST_CASE("a number with a decimal comma is answered with a decimal point") {
  const auto density = [](const std::string& text) {
    return report_of(replaced(smallest, "density: 1000", "density: " + text));
  };
  CHECK_THAT(density("7,85"),
             Contains("material.density: expected a number with a decimal point, found the text \"7,85\"; write 7.85"));
  CHECK_THAT(density("7,850"), Contains("write 7.850 or 7850"));
  CHECK_THAT(density("1,5e3"), Contains("write 1.5e3"));
  CHECK_THAT(density("1,2,3"), !Contains("decimal"));
  CHECK_THAT(report_of(replaced(smallest, "size: [2, 1]", "size: [0,1, 0,02]")),
             Contains("mesh.size: expected a list of 2 numbers, found a list of 4; numbers are written with a decimal "
                      "point, not with a comma"));
  CHECK_THAT(report_of(replaced(smallest, "size: [2, 1]", "size: [1, 2, 3]")), !Contains("decimal"));
  CHECK_THAT(report_of(smallest + "initial: {strain: {xx: 0,01}}\n"),
             Contains("initial.strain.01: unknown key; a number is written with a decimal point, not with a comma"));
}

TEST_CASE("a number with a unit is refused with the number in SI units") {
  CHECK_THAT(report_of(replaced(smallest, "density: 1000", "density: 7.85 g/cm3")),
             Contains("material.density: expected a number in SI units, found the text \"7.85 g/cm3\"; write 7850"));
  CHECK(case_file::without_unit("210 GPa") == "2.1e+11");
  CHECK(case_file::without_unit("0.5mm") == "5.0e-04");
  CHECK(case_file::without_unit("3 µs") == case_file::without_unit("3us"));
  CHECK(case_file::without_unit("100 us") == "1.0e-04");
  CHECK(case_file::without_unit("30 us") == "3.0e-05");
  CHECK(case_file::without_unit("3 apples").empty());
  CHECK(case_file::without_unit("GPa").empty());
  CHECK(case_file::without_unit("3").empty());
}

TEST_CASE("a number in quotes is accepted with a note") {
  const Case c = read_text(replaced(smallest, "density: 1000", "density: \"1.0e3\"") + "run: {threads: '2'}\n");
  CHECK(c.material.front().properties.parameters.density == 1000);
  CHECK(c.run.threads == 2);
  REQUIRE(c.notes.size() == 2);
  CHECK_THAT(c.notes[0], Contains("material.density: the text \"1.0e3\" is taken as a number"));
  CHECK_THAT(c.notes[1], Contains("run.threads: the text \"2\" is taken as a number"));
  CHECK(read_text(smallest).notes.empty());
  CHECK_THAT(report_of(replaced(smallest, "density: 1000", "density: \"-1\"")),
             Contains("material.density: must be > 0, found -1"));
}

TEST_CASE("`group` is a second spelling of `on`") {
  const Case c = read_text(smallest + "boundary: [{group: left, fix: x}]\n");
  CHECK(c.boundary.at(0).on == "left");
  CHECK_THAT(resolved_yaml(read_text(smallest + "boundary: [{on: left, fix: x}]\n")), Contains("  - group: left\n"));
  CHECK_THAT(report_of(smallest + "boundary: [{on: left, group: left, fix: x}]\n"),
             Contains("boundary.0.group: the same as \"on\": give one of them"));
  CHECK_THAT(report_of(smallest + "boundary: [{fix: x}]\n"), Contains("boundary.0.on: required key is missing"));
}

TEST_CASE("the names and positions of probes are checked") {
  const std::string two = "output: {probes: [{name: tip, at: [1, 0.5], every: 3}, {name: b-1, at: [0, 0]}]}\n";
  const Case c = read_text(smallest + two);
  REQUIRE(c.output.probes.size() == 2);
  CHECK(c.output.probes[0].name == "tip");
  CHECK(c.output.probes[0].at == std::array<double, 2>{1, 0.5});
  CHECK(c.output.probes[0].every == 3);
  CHECK(c.output.probes[1].every == 1);
  CHECK_THAT(resolved_yaml(c), Contains("  probes:\n    - name: tip\n      at: [1, 0.5]\n      every: 3\n"));
  CHECK_THAT(report_of(smallest + replaced(two, "b-1", "tip")),
             Contains("output.probes.1.name: another probe has the name \"tip\"; choose another"));
  CHECK_THAT(report_of(smallest + replaced(two, "b-1", "\"a,b\"")),
             Contains("output.probes.1.name: expected letters, digits, _ and - only"));
  CHECK_THAT(report_of(smallest + replaced(two, "every: 3", "every: 0")),
             Contains("output.probes.0.every: must be >= 1, found 0"));
}

TEST_CASE("aliases that expand to too many values are reported") {
  std::string bomb = "a0: &a0 [1, 1]\n";
  for (int i = 1; i < 30; ++i) {
    const std::string n = std::to_string(i), before = std::to_string(i - 1);
    bomb += "a" + n + ": &a" + n + " [*a" + before + ", *a" + before + "]\n";
  }
  CHECK_THAT(report_of(bomb), Contains("more than 1000000 values, aliases written out"));
  CHECK_THAT(report_of("title: " + std::string(100000, '[') + "\n"), Contains("not valid YAML: nested too deep"));
  std::string deep = "title: ";
  for (int i = 0; i < 40; ++i) deep += "[";
  CHECK_THAT(report_of(deep + std::string(40, ']') + "\n"), Contains("nested more than 32 levels deep"));
}

TEST_CASE("text that is not UTF-8 is refused with its line, a long text with its length") {
  CHECK_THAT(report_of("title: Ri\xdf\n" + smallest), Contains("case.yaml:1: not text in UTF-8"));
  CHECK_THAT(report_of(smallest + "# \xed\xa0\x80\n"), Contains("not text in UTF-8"));  // half of a UTF-16 pair
  CHECK(read_text("title: Riß \xf0\x9f\x92\xa5\n" + smallest).title == "Riß \xf0\x9f\x92\xa5");
  CHECK_THAT(report_of(smallest, {"title=\xff"}), Contains("not text in UTF-8"));
  // yaml-cpp would begin an escape here, and make a byte that is no character of some.
  CHECK_THAT(report_of(smallest + std::string("title: Ri\0_ss\n", 14)),
             Contains("not text: it has a byte that is zero"));
  CHECK_THAT(report_of("title: \"a\\_b\"\n" + smallest), Contains("title: an escape such as \\_ or \\N"));
  CHECK_THAT(report_of("\"a\\Nb\": 1\n" + smallest), Contains("an escape such as \\_ or \\N"));
  const std::string report = report_of("title: " + std::string(100000, 'x') + "\n" + smallest);
  CHECK_THAT(report, Contains("title: expected text of at most 1000 bytes, found the text \"xxx"));
  CHECK(report.size() < 400);
  CHECK(report_of(std::string(100000, 'k') + ": 1\n" + smallest).size() < 600);
  CHECK_THAT(report_of("title: \"a\\0b\"\n" + smallest), Contains("expected text without control characters"));
}

TEST_CASE("invalid YAML is reported in clear words") {
  for (const std::string text : {"a: b: c\n", "a: [1, 2\n", "a: {b: 1\n", "a: 'b\n", "a: *b\n", "\ta: 1\n", "a: &\n",
                                 "- a\nb: 1\n", "a: @b\n", "%YAML 3\n---\na: 1\n", "a: ]\n", "a: !<\n", "? [\n"}) {
    CAPTURE(text);
    const std::string report = report_of(text);
    CHECK_THAT(report, !Contains("illegal") && !Contains("bad file") && !Contains("yaml-cpp") && !Contains("end of"));
  }
}
