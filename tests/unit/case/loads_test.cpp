#include <catch2/catch.hpp>

#include "case_text.hpp"

using namespace cleave;
using namespace cleave::test;
using Catch::Contains;

namespace {

std::string breaking(const std::string& normal) {
  return smallest + "cohesive:\n  normal: {" + normal + ", energy: 100}\n";
}

void check_fault(const std::string& text, const std::string& line) {
  CAPTURE(text);
  CHECK(report_of(text) == line + "\ncase.yaml: 1 error");
}

}  // namespace

TEST_CASE("names that YAML 1.1 takes for true or false stand in quotes in the resolved case") {
  const Case c = read_text(
      replaced(smallest, "divisions: [4, 2]", "divisions: [4, 2],\n  regions: {\"Yes\": {box: [0, 0, 1, 1]}}") +
      "boundary: [{on: \"off\", fix: x}]\n");
  const std::string text = resolved_yaml(c);
  CHECK_THAT(text, Contains("\"Yes\":") && Contains("group: \"off\"") && Contains("replace: false"));
  CHECK(resolved_yaml(read_text(text)) == text);
}

TEST_CASE("Weibull strengths are read") {
  const Case c = read_text(
      breaking("strength: {weibull: {scale: 300.0e6, modulus: 10, reference_length: 1.0e-4, seed: 3}}, shape: 3"));
  REQUIRE(c.cohesive);
  REQUIRE(c.cohesive->distribution);
  const StrengthDistribution& d = *c.cohesive->distribution;
  CHECK(d.kind == StrengthDistribution::Kind::weibull);
  CHECK(d.scale == 300e6);
  CHECK(d.modulus == 10);
  CHECK(d.reference_length == 1e-4);
  CHECK(d.seed == 3);
  CHECK(c.cohesive->parameters.normal.strength == 300e6);
  CHECK(c.cohesive->parameters.tangential.strength == 300e6);
  CHECK(read_text(resolved_yaml(c)).cohesive->distribution == c.cohesive->distribution);

  const Case plain = read_text(breaking("strength: {weibull: {scale: 1.0e6, modulus: 2}}"));
  CHECK_FALSE(plain.cohesive->distribution->reference_length);
  CHECK(plain.cohesive->distribution->seed == 1);
  CHECK(read_text(resolved_yaml(plain)).cohesive->distribution == plain.cohesive->distribution);
}

TEST_CASE("uniform strengths are read") {
  const Case c = read_text(breaking("strength: {uniform: {from: 2.0e6, to: 4.0e6}}"));
  CHECK(c.cohesive->distribution->kind == StrengthDistribution::Kind::uniform);
  CHECK(c.cohesive->parameters.normal.strength == 3e6);
  CHECK(read_text(resolved_yaml(c)).cohesive->distribution == c.cohesive->distribution);
  CHECK_FALSE(read_text(breaking("strength: 1.0e6")).cohesive->distribution);
}

TEST_CASE("wrong distributions of strengths are reported") {
  const std::string at = "case.yaml:8: cohesive.normal.strength";
  check_fault(breaking("strength: {weibull: {scale: 1.0e6}}"), at + ".weibull.modulus: required key is missing");
  check_fault(breaking("strength: {weibull: {modulus: 5}}"), at + ".weibull.scale: required key is missing");
  check_fault(breaking("strength: {weibull: {scale: 1.0e6, modulus: 0}}"),
              at + ".weibull.modulus: must be > 0, found 0");
  check_fault(breaking("strength: {weibull: {scale: 1.0e6, modulus: 5, reference_length: -1}}"),
              at + ".weibull.reference_length: must be > 0, found -1");
  check_fault(breaking("strength: {weibull: {scale: 1.0e6, modulus: 5, lenght: 1}}"),
              at + ".weibull.lenght: unknown key; valid names: scale, modulus, reference_length, seed");
  check_fault(breaking("strength: {uniform: {from: 2.0e6, to: 1.0e6}}"),
              at + ".uniform.to: must be >= 2.0e+06, found 1.0e6");
  check_fault(breaking("strength: {}"), at + ": expected exactly one of weibull, uniform, found none");
  check_fault(breaking("strength: strong"), at + ": expected a number, found the text \"strong\"");
  check_fault(smallest + "cohesive:\n  normal: {strength: 1.0e6, energy: 1}\n  tangential: {strength: {weibull: {}}}\n",
              "case.yaml:9: cohesive.tangential.strength: expected a number, found a map");
}

TEST_CASE("the selection of breaking facets is read") {
  CHECK(read_text(breaking("strength: 1.0e6")).cohesive->insertion.selection == Selection::all);
  const Case c = read_text(breaking("strength: 1.0e6") + "  insertion: {selection: local_maximum}\n");
  CHECK(c.cohesive->insertion.selection == Selection::local_maximum);
  CHECK(read_text(resolved_yaml(c)).cohesive->insertion.selection == Selection::local_maximum);
  check_fault(breaking("strength: 1.0e6") + "  insertion: {selection: max}\n",
              "case.yaml:9: cohesive.insertion.selection: expected one of all, local_maximum, found the text \"max\"");
}

TEST_CASE("body force, absorbing sides and states of groups are read") {
  const Case c = read_text(smallest +
                           "curves: {pulse: {half_sine: 2.0e-5}}\n"
                           "body_force: {y: -9.81, curve: pulse}\n"
                           "boundary:\n  - {on: right, absorb: true}\n"
                           "initial:\n  - {velocity: {x: 1}}\n  - {group: left, strain: {yy: 2.0e-3}}\n");
  CHECK(c.body_force.acceleration == std::array<double, 2>{0, -9.81});
  CHECK(c.body_force.curve == "pulse");
  CHECK(c.boundary.at(0).kind == BoundaryCase::Kind::absorb);
  CHECK(c.initial.velocity[0] == 1);
  REQUIRE(c.initial_groups.size() == 1);
  CHECK(c.initial_groups[0].on == "left");
  CHECK(c.initial_groups[0].state.strain.yy == 2e-3);
  CHECK(c.initial_groups[0].state.velocity[0] == 0);
  CHECK(c.initial_groups[0].line == 13);
  const Case again = read_text(resolved_yaml(c));
  CHECK(resolved_yaml(again) == resolved_yaml(c));
  CHECK(again.body_force.acceleration == c.body_force.acceleration);
  CHECK(again.boundary.at(0).kind == BoundaryCase::Kind::absorb);
  CHECK(again.initial.velocity[0] == 1);
  CHECK(again.initial_groups.at(0).state.strain.yy == 2e-3);
  CHECK(again.curves.at("pulse").kind() == Curve::Kind::half_sine);

  const Case pulled = read_text(smallest + "boundary:\n  - {on: right, traction: {y: -2.0e6}}\n");
  CHECK(pulled.boundary.at(0).kind == BoundaryCase::Kind::traction);
  CHECK(pulled.boundary[0].traction == std::array<double, 2>{0, -2e6});
  CHECK(read_text(resolved_yaml(pulled)).boundary.at(0).traction == pulled.boundary[0].traction);
  check_fault(smallest + "boundary:\n  - {on: right, traction: {}}\n",
              "case.yaml:8: boundary.0.traction: expected x, y or both");
  check_fault(smallest + "boundary:\n  - {on: right, traction: {x: 1}, follow: true}\n",
              "case.yaml:8: boundary.0.follow: only a pressure has it");
  check_fault(
      smallest + "run: {assembly: coloured}\nboundary:\n  - {on: right, traction: {x: 1}}\n",
      "case.yaml:8: boundary: a `traction` needs run.assembly: gather, not `coloured`; a `pressure` works in both");

  CHECK(c.damping.rate == 0);
  const Case damped = read_text(smallest + "damping: {rate: 2.0e4, until: 1.0e-3}\n");
  CHECK(damped.damping.rate == 2e4);
  CHECK(damped.damping.until == 1e-3);
  CHECK(read_text(resolved_yaml(damped)).damping.rate == 2e4);
  CHECK(read_text(resolved_yaml(damped)).damping.until == 1e-3);
  CHECK_FALSE(read_text(smallest + "damping: {rate: 0, until: end}\n").damping.until);
  check_fault(smallest + "damping: {until: 1}\n", "case.yaml:7: damping.rate: required key is missing");
  check_fault(smallest + "damping: {rate: -1}\n", "case.yaml:7: damping.rate: must be >= 0, found -1");
  check_fault(smallest + "damping: {rate: 1, until: 0}\n", "case.yaml:7: damping.until: must be > 0, found 0");
  const Case rests =
      read_text(smallest + "support:\n  - {on: bottom, stiffness: 1.0e12}\n  - {on: left, stiffness: 2}\n");
  REQUIRE(read_text(resolved_yaml(rests)).support.size() == 2);
  CHECK(read_text(resolved_yaml(rests)).support[0].on == "bottom");
  CHECK(read_text(resolved_yaml(rests)).support[0].stiffness == 1e12);
  check_fault(smallest + "support:\n  - {on: bottom, stiffness: 0}\n",
              "case.yaml:8: support.0.stiffness: must be > 0, found 0");
  check_fault(smallest + "run: {assembly: coloured}\nsupport:\n  - {on: bottom, stiffness: 1}\n",
              "case.yaml:8: support: it needs run.assembly: gather, not `coloured`");
  check_fault(smallest + "body_force: {z: 1}\n", "case.yaml:7: body_force.z: unknown key; valid names: x, y, curve");
  check_fault(smallest + "body_force: {x: 1, curve: none}\n",
              "case.yaml:7: body_force.curve: no curve \"none\"; there are none");
  check_fault(smallest + "boundary:\n  - {on: right, absorb: false}\n",
              "case.yaml:8: boundary.0.absorb: expected true: leave the entry out if nothing is absorbed");
  check_fault(smallest + "initial: {on: left, velocity: {x: 1}}\n",
              "case.yaml:7: initial.on: only an entry of a list has it, a single state is that of all nodes");
  check_fault(smallest + "initial:\n  - {on: left}\n  - {velocity: {x: 1}}\n",
              "case.yaml:9: initial.1: only the first entry may have no `on`: it is the state of all nodes that no "
              "other names");
  check_fault(smallest + "initial:\n  - {on: left}\n  - a text\n",
              "case.yaml:9: initial.1: expected a map of keys and values, found the text \"a text\"");
}

TEST_CASE("files of initial states are read, with the meaning of their vectors") {
  const Folder folder;
  folder.write("state.sol", "");
  folder.write("left.solb", "");
  const auto read = [&](const std::string& initial) {
    return read_case(folder.write("case.yaml", smallest + "initial: " + initial + "\n"));
  };
  const Case one = read("{file: state.sol, velocity: {x: 1}}");
  CHECK(one.initial.file == folder.path() / "state.sol");
  CHECK(one.initial.fields == std::vector<std::string>{"displacement", "velocity"});
  CHECK(one.initial.key_of_file == "initial.file");
  CHECK(one.initial.line_of_file == 7);
  CHECK(initial_states_of_files(one) == std::vector<const InitialCase*>{&one.initial});
  CHECK(initial_states_of_files(read("{velocity: {x: 1}}")).empty());

  const Case list =
      read("\n  - {velocity: {x: 1}}\n  - {on: left,\n     file: left.solb, fields: [velocity, displacement]}");
  CHECK(list.initial.file.empty());
  const InitialCase& state = list.initial_groups.at(0).state;
  CHECK(state.file == folder.path() / "left.solb");
  CHECK(state.fields == std::vector<std::string>{"velocity", "displacement"});
  CHECK(state.key_of_file == "initial.1.file");
  CHECK(state.line_of_file == 10);
  CHECK(initial_states_of_files(list) == std::vector<const InitialCase*>{&state});
  for (const Case& c : {one, list}) {
    const Case again = read_text(resolved_yaml(c));
    CHECK(resolved_yaml(again) == resolved_yaml(c));
    CHECK(initial_states_of_files(again).at(0)->file == initial_states_of_files(c).at(0)->file);
    CHECK(initial_states_of_files(again).at(0)->fields == initial_states_of_files(c).at(0)->fields);
  }
}

TEST_CASE("wrong files of initial states are reported") {
  check_fault(smallest + "initial: {file: state.sol}\n", "case.yaml:7: initial.file: no such file: state.sol");
  check_fault(smallest + "initial: {file: case.yaml}\n",
              "case.yaml:7: initial.file: expected a name that ends in .sol (ASCII) or .solb (binary), found "
              "\"case.yaml\"");
  check_fault(smallest + "initial: {fields: [velocity]}\n",
              "case.yaml:7: initial.fields: it names the vectors of a `file`: give one, or leave this key out");
  const auto fields = [](const std::string& words) {
    const Folder folder;
    const auto file = folder.write("state.sol", "");
    return report_of(smallest + "initial: {file: " + file.string() + ", fields: " + words + "}\n");
  };
  CHECK(fields("[displacement]").empty());
  CHECK_THAT(fields("[]"), Contains("case.yaml:7: initial.fields: expected displacement, velocity or both"));
  CHECK_THAT(fields("[velocity, velocity]"), Contains("case.yaml:7: initial.fields.1: velocity is given twice"));
  CHECK_THAT(fields("[velocity, displacment]"), Contains("initial.fields.1: expected one of displacement, velocity") &&
                                                    Contains("did you mean \"displacement\"?"));
  CHECK_THAT(fields("velocity"), Contains("case.yaml:7: initial.fields: expected a list"));
  CHECK_THAT(report_of(smallest + "initial: {displacement: {x: 1}}\n"),
             Contains("the displacement at the start follows from `strain` about `origin`, or stands in a `file`"));
}

TEST_CASE("files in INRIA's formats have fields") {
  CHECK(read_text(smallest).output.inria == InriaFrames::none);
  CHECK(read_text(smallest + "output: {inria: mesh}\n").output.inria == InriaFrames::mesh);
  CHECK(read_text(smallest + "output: {inria: meshb, fields: [damage, stress]}\n").output.inria == InriaFrames::meshb);
  check_fault(smallest + "output: {inria: mesh, fields: [damage]}\n",
              "case.yaml:7: output.inria: it writes displacement, velocity and stress: name one of them in `fields`");
}

TEST_CASE("a curve is read from a CSV file") {
  const Folder folder;
  const std::string text = smallest + "curves: {shot: {file: data/shot.csv}}\n";
  const auto read = [&](const std::string& csv) {
    std::filesystem::create_directories(folder.path() / "data");
    folder.write("data/shot.csv", csv);
    return read_case(folder.write("case.yaml", text));
  };
  const std::vector<std::pair<double, double>> points{{0, 0}, {1e-6, 2.5}, {3e-6, -1}};
  for (const char* csv : {"0,0\n1e-6,2.5\n3e-6,-1\n", "time,pressure\n# from a gauge\n0, 0\n\n1.0e-6, 2.5\r\n3e-6, -1",
                          "0 0\n1e-6\t2.5\n3e-6   -1\n", "t;p\n0;0\n1e-6;+2.5\n3e-6;-1\n"}) {
    const Case c = read(csv);
    CHECK(c.curves.at("shot").kind() == Curve::Kind::table);
    CHECK(c.curves.at("shot").points() == points);
    CHECK(read_text(resolved_yaml(c)).curves.at("shot").points() == points);  // without the file
  }
  const std::string file = (folder.path() / "data" / "shot.csv").string();
  const auto fault = [&](const std::string& csv, const std::string& what) {
    CAPTURE(csv);
    CHECK_THROWS_WITH(read(csv), Contains("case.yaml:7: curves.shot.file: " + file + what));
  };
  fault("0,0\n1e-6\n", ":2: expected a time and a value, found \"1e-6\"");
  fault("t,p\nx,y\n", ":2: expected a time and a value, found \"x,y\"");
  fault("0,0\n1,2,3\n", ":2: expected a time and a value, found \"1,2,3\"");
  fault("0,nan\n", ":1: expected a time and a value, found \"0,nan\"");
  fault("0,1\n2,1\n2,3\n", ":3: times must increase, found 2 after 2");
  fault("time,value\n", " has no row with a time and a value");
  std::filesystem::remove(file);
  CHECK_THROWS_WITH(read_case(folder.path() / "case.yaml"), Contains("curves.shot.file: no such file: " + file));
  std::filesystem::create_directories(file);
  CHECK_THROWS_WITH(read_case(folder.path() / "case.yaml"), Contains("expected a curve (CSV)"));
}
