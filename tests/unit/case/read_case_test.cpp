#include <algorithm>
#include <catch2/catch.hpp>

#include "case_text.hpp"

using namespace cleave;
using namespace cleave::test;

TEST_CASE("a minimal case gets the defaults") {
  const Case c = read_text(smallest);
  CHECK(c.title == "case");
  CHECK(c.mesh.shape == MeshShape::rectangle);
  CHECK(c.mesh.element == ElementType::t6);
  CHECK(c.mesh.pattern == MeshPattern::crossed);
  CHECK(c.mesh.divisions == std::array<int, 2>{4, 2});
  CHECK(c.mesh.origin == std::array<double, 2>{0, 0});
  CHECK(c.mesh.notch_length == 0);
  CHECK(c.mesh.perturbation_amplitude == 0);
  CHECK(c.mesh.perturbation_seed == 1);
  CHECK(c.mesh.thickness == 1e-3);
  CHECK(c.mesh.numbering == Numbering::hilbert);
  CHECK(c.mesh.colouring == ColouringMethod::automatic);
  CHECK(c.material.front().properties.law == "linear_elastic");
  CHECK(c.material.front().properties.parameters.plane == PlaneType::strain);
  CHECK_FALSE(c.cohesive);
  CHECK_FALSE(c.time.step);
  CHECK(c.time.safety == 0.5);
  CHECK(c.time.steps == 10);
  CHECK_FALSE(c.time.end);
  CHECK_FALSE(c.initial.origin);
  CHECK(c.boundary.empty());
  CHECK(c.curves.empty());
  CHECK(c.output.directory == std::filesystem::path("out/case"));
  CHECK(c.output.fields_every == 0);
  CHECK_FALSE(c.output.fields.has_value());
  CHECK(c.output.real == Precision::single_precision);
  CHECK(c.output.compression == Compression::zlib);
  CHECK(c.output.format == OutputFormat::vtu);
  CHECK(c.output.history_every == 10);
  CHECK(c.output.checkpoint_every == 0);
  CHECK(c.run.backend == BackendChoice::automatic);
  CHECK(c.run.precision == Precision::double_precision);
  CHECK(c.run.assembly == Assembly::gather);
  CHECK(c.run.threads == 0);
  CHECK(c.mesh.regions.empty());
  REQUIRE(c.material.size() == 1);
  CHECK(c.material.front().on.empty());
  CHECK(c.line_of_mesh == 1);
  CHECK(c.line_of_material == 2);
  CHECK(c.line_of_time_step == 0);
  CHECK(c.line_of_output == 0);
}

TEST_CASE("every key is read") {
  const Case c = read_text(
      "title: Everything\n"
      "mesh: {shape: rectangle, size: [2.0, 1], origin: [-1, -0.5], divisions: [2.0e1, 4], notch: {length: 0.5, "
      "height: 0.25},\n"
      "       element: T3, pattern: delaunay, perturbation: {amplitude: 0.1, seed: 18446744073709551615}, thickness: "
      "2e-3,\n"
      "       numbering: as_given, colouring: balanced, doubled: [crack, seam], regions: {coating: {box: [0, 0, 1, "
      "1.5]}, a core: {box: "
      "[-1, -0.5, 0, 0.5]}}}\n"
      "material: {law: linear_elastic, young_modulus: 210.0e9, poisson_ratio: .3, density: +7850, plane: stress}\n"
      "cohesive:\n"
      "  law: ppr\n"
      "  normal: {strength: 850.0e6, energy: 2000, shape: 3}\n"
      "  tangential: {energy: 1000}\n"
      "  insertion: {every: 5, criterion: max, aggregate: max, numbering: counter, region: {box: [0, -1, 2, 1]}}\n"
      "  stiffness_safety: 0.5\n"
      "  contact_penalty: 20\n"
      "time: {safety: 0.8, end: 1.0e-6,\n"
      "       step: 3e-9}\n"
      "initial: {strain: {xx: 1, yy: 2, xy: 3}, origin: [4, 5], velocity: {x: 6, y: 7},\n"
      "          velocity_gradient: {xx: 8, xy: 9, yx: 10, yy: 11}}\n"
      "curves: {pulse: {exponential: 1.0e-4}, down: {linear_decay: 2}, ramp: {table: [[0, 0], [1.0e-6, 1]]}}\n"
      "boundary:\n"
      "  - {on: left, pressure: -4.0e8, curve: pulse, in_cracks: true}\n"
      "  - {on: right, fix: [y]}\n"
      "  - {on: bottom, fix: x}\n"
      "  - on: top\n"
      "    velocity: {x: 1}\n"
      "    curve: ramp\n"
      "  - {on: \"7\", fix: [x, y]}\n"
      "output: {directory: /tmp/x, fields_every: 1.0e3, history_every: 1, checkpoint_every: 500, real: double, "
      "compression: none, format: vtkhdf, fields: [damage, velocity]}\n"
      "run: {backend: cuda, precision: single, assembly: atomic, threads: 8}\n");
  CHECK(c.title == "Everything");
  CHECK(c.mesh.divisions == std::array<int, 2>{20, 4});
  CHECK(c.mesh.origin == std::array<double, 2>{-1, -0.5});
  CHECK(c.mesh.notch_length == 0.5);
  CHECK(c.mesh.notch_height == 0.25);
  CHECK(c.mesh.element == ElementType::t3);
  CHECK(c.mesh.pattern == MeshPattern::delaunay);
  CHECK(c.mesh.perturbation_seed == 18446744073709551615u);
  CHECK(c.mesh.numbering == Numbering::as_given);
  CHECK(c.mesh.colouring == ColouringMethod::balanced);
  CHECK(c.mesh.doubled == std::vector<std::string>{"crack", "seam"});
  REQUIRE(c.mesh.regions.size() == 2);
  CHECK(c.mesh.regions[0].name == "coating");
  CHECK(c.mesh.regions[0].box == std::array<double, 4>{0, 0, 1, 1.5});
  CHECK(c.mesh.regions[0].line == 4);
  CHECK(c.mesh.regions[1].name == "a core");
  CHECK(c.material.front().properties.parameters.young_modulus == 210e9);
  CHECK(c.material.front().properties.parameters.poisson_ratio == 0.3);
  CHECK(c.material.front().properties.parameters.density == 7850);
  CHECK(c.material.front().properties.parameters.plane == PlaneType::stress);
  REQUIRE(c.cohesive);
  CHECK(c.cohesive->law == "ppr");
  CHECK(c.cohesive->parameters.normal.shape == 3);
  CHECK(c.cohesive->parameters.tangential.strength == 850e6);
  CHECK(c.cohesive->parameters.tangential.energy == 1000);
  CHECK(c.cohesive->parameters.tangential.shape == 3);
  CHECK(c.cohesive->insertion.every == 5);
  CHECK(c.cohesive->insertion.criterion == Criterion::max);
  CHECK(c.cohesive->insertion.aggregate == Aggregate::max);
  CHECK(c.cohesive->insertion.numbering == CopyNumbering::counter);
  CHECK(c.cohesive->insertion.box == std::array<double, 4>{0, -1, 2, 1});
  CHECK(c.cohesive->stiffness_safety == 0.5);
  CHECK(c.cohesive->contact_penalty == 20);
  CHECK(c.time.step == 3e-9);
  CHECK(c.time.end == 1e-6);
  CHECK(c.time.steps == 0);
  CHECK(c.initial.strain.yy == 2);
  CHECK(c.initial.strain.xy == 3);
  CHECK(c.initial.origin == std::array<double, 2>{4, 5});
  CHECK(c.initial.velocity == std::array<double, 2>{6, 7});
  CHECK(c.initial.velocity_gradient == std::array<double, 4>{8, 9, 10, 11});

  REQUIRE(c.boundary.size() == 5);
  CHECK(c.boundary[0].kind == BoundaryCase::Kind::pressure);
  CHECK(c.boundary[0].pressure == -4e8);
  CHECK(c.boundary[0].curve == "pulse");
  CHECK(c.boundary[0].in_cracks);
  CHECK(c.boundary[0].line == 19);
  CHECK((c.boundary[1].kind == BoundaryCase::Kind::fix && !c.boundary[1].x && c.boundary[1].y));
  CHECK((c.boundary[2].x && !c.boundary[2].y));
  CHECK(c.boundary[3].kind == BoundaryCase::Kind::velocity);
  CHECK((c.boundary[3].x && !c.boundary[3].y));
  CHECK(c.boundary[3].velocity == std::array<double, 2>{1, 0});
  CHECK(c.boundary[3].line == 22);
  CHECK(c.boundary[4].on == "7");
  CHECK((c.boundary[4].x && c.boundary[4].y));

  CHECK(c.curves.size() == 3);
  CHECK(c.curves.at("pulse").kind() == Curve::Kind::exponential);
  CHECK(c.curves.at("down").decay_time() == 2);
  CHECK(c.curves.at("ramp").points().size() == 2);
  CHECK(c.output.directory == "/tmp/x");
  CHECK(c.output.fields_every == 1000);
  CHECK(c.output.real == Precision::double_precision);
  CHECK(c.output.compression == Compression::none);
  CHECK(c.output.format == OutputFormat::vtkhdf);
  CHECK(c.output.fields == std::vector<std::string>{"damage", "velocity"});
  CHECK(c.run.backend == BackendChoice::cuda);
  CHECK(c.run.precision == Precision::single_precision);
  CHECK(c.run.assembly == Assembly::atomic);
  CHECK(c.run.threads == 8);
  CHECK(c.line_of_mesh == 2);
  CHECK(c.line_of_time_step == 14);
  CHECK(c.line_of_output == 26);
}

TEST_CASE("the documented example is read") {
  const Case c = read_text(R"(
title: Ring under internal pressure
mesh:
  shape: ring
  inner_radius: 0.08
  outer_radius: 0.15
  divisions: [20, 160]
  element: T6
  perturbation: {amplitude: 0.1, seed: 1}
  thickness: 1.0e-3
  numbering: hilbert
material: {law: linear_elastic, young_modulus: 210.0e9, poisson_ratio: 0.3, density: 7850, plane: strain}
cohesive:
  law: ppr
  normal:     {strength: 850.0e6, energy: 2000, shape: 2}
  tangential: {strength: 850.0e6, energy: 2000, shape: 2}
  insertion: {every: 10, aggregate: mean}
  stiffness_safety: auto
  contact_penalty: 10
time: {step: 3.0e-9, steps: 27000}
initial: {strain: {xx: 0, yy: 0, xy: 0}, origin: [0, 0], velocity: {x: 0, y: 0}, velocity_gradient: {xx: 0, yy: 0}}
boundary:
  - {on: inner, pressure: 400.0e6, curve: pulse}
  - {on: outer, fix: [x, y]}
  - {on: outer, velocity: {y: 1.0}, curve: ramp}
curves:
  pulse: {exponential: 100.0e-6}
  ramp:  {table: [[0, 0], [1.0e-6, 1]]}
output: {directory: out/ring, fields_every: 1500, history_every: 10, checkpoint_every: 0}
run: {backend: auto, precision: double, assembly: coloured}
)");
  CHECK(c.mesh.shape == MeshShape::ring);
  CHECK(c.time.steps == 27000);
  CHECK(c.boundary.size() == 3);
  CHECK(c.initial.origin == std::array<double, 2>{0, 0});
  CHECK(c.output.directory == "out/ring");
}

TEST_CASE("words may replace an absent key") {
  const Case c = read_text(replaced(replaced(smallest, "steps: 10", "steps: 10, step: auto"), "shape: rectangle",
                                    "shape: rectangle, notch: none") +
                           "cohesive: none\ninitial: {origin: centre}\n");
  CHECK_FALSE(c.time.step);
  CHECK(c.line_of_time_step == 6);
  CHECK(c.mesh.notch_length == 0);
  CHECK_FALSE(c.cohesive);
  CHECK_FALSE(c.initial.origin);
}

TEST_CASE("`all` and a field that is written by name only may be combined") {
  CHECK_FALSE(read_text(smallest + "output: {fields: all}\n").output.fields);
  const Case c = read_text(smallest + "output: {fields: [strain, all]}\n");
  REQUIRE(c.output.fields);
  std::vector<std::string> fields = *c.output.fields, known = output_fields();
  CHECK(fields.front() == "strain");
  std::erase_if(known, [](const std::string& name) { return is_named_only(name) && name != "strain"; });
  CHECK(known.size() + 6 == output_fields().size());
  std::sort(fields.begin(), fields.end());
  std::sort(known.begin(), known.end());
  CHECK(fields == known);
}

TEST_CASE("a list of materials is read") {
  const std::string one = smallest.substr(smallest.find("  young"), smallest.find("time") - smallest.find("  young"));
  const Case c = read_text(replaced(smallest, one,
                                    "  - {young_modulus: 1.0e9, poisson_ratio: 0.25, density: 1000, plane: stress}\n"
                                    "  - young_modulus: 2.0e9\n"
                                    "    on: coating\n"
                                    "    poisson_ratio: 0.3\n"
                                    "    density: 2000\n"
                                    "    plane: stress\n"));
  REQUIRE(c.material.size() == 2);
  CHECK(c.material[0].on.empty());
  CHECK(c.material[0].line == 3);
  CHECK(c.material[0].properties == MaterialCase{"linear_elastic", {1e9, 0.25, 1000, PlaneType::stress}});
  CHECK(c.material[1].on == "coating");
  CHECK(c.material[1].line == 5);
  CHECK(c.material[1].properties == MaterialCase{"linear_elastic", {2e9, 0.3, 2000, PlaneType::stress}});
  CHECK(c.line_of_material == 2);
}

TEST_CASE("plane stress allows an incompressible material") {
  const Case c = read_text(replaced(smallest, "0.25", "0.5\n  plane: stress"));
  CHECK(c.material.front().properties.parameters.poisson_ratio == 0.5);
}

TEST_CASE("aliases are replaced by the values of their anchors") {
  const Case c = read_text(smallest + "cohesive: {normal: &mode {strength: 1, energy: 2}, tangential: *mode}\n");
  CHECK(c.cohesive->parameters.tangential.energy == 2);
}

TEST_CASE("a mesh file is found from the folder of the case") {
  const Folder folder;
  std::filesystem::create_directory(folder.path() / "meshes");
  folder.write("meshes/plate.msh", "");
  const auto file = folder.write(
      "meshes/case.yaml",
      replaced(smallest, "shape: rectangle, size: [2, 1], divisions: [4, 2]", "file: ../meshes/plate.msh"));
  const Case c = read_case(file);
  CHECK(c.mesh.shape == MeshShape::file);
  CHECK(c.mesh.file == folder.path() / "meshes/plate.msh");
  CHECK(c.mesh.file.is_absolute());
  CHECK(c.file == file);
}

TEST_CASE("overrides replace values of the case") {
  const std::string text =
      smallest + "boundary:\n  - {on: left, pressure: 1, curve: a}\ncurves: {a: {exponential: 1}}\n";

  SECTION("replace, add and take away values") {
    const Case c = read_text(text, {"time.steps=2.7e4", "boundary.0.pressure=1e6", "mesh.perturbation.seed=7",
                                    "title=a = b", "boundary.0.curve=", "mesh.divisions.1=6",
                                    "cohesive={normal: {strength: 5, energy: 6}}", "output.directory=out/other"});
    CHECK(c.time.steps == 27000);
    CHECK(c.boundary[0].pressure == 1e6);
    CHECK(c.boundary[0].curve.empty());
    CHECK(c.mesh.perturbation_seed == 7);
    CHECK(c.mesh.divisions == std::array<int, 2>{4, 6});
    CHECK(c.title == "a = b");
    CHECK(c.cohesive->parameters.normal.energy == 6);
    CHECK(c.output.directory == "out/other");
  }
  SECTION("come one after another") {
    const Case c = read_text(text, {"time.steps=", "time.end=2", "time.end=3"});
    CHECK(c.time.end == 3);
    CHECK(read_text(text, {"boundary.0="}).boundary.empty());
  }
  SECTION("are reported as such") {
    const auto error = [&](const std::string& override_text) { return report_of(text, {override_text}); };
    const std::string form = ": expected key.path=value, such as time.steps=100 or boundary.0.pressure=1e6";
    const std::string end = "\ncase.yaml: 1 error";
    CHECK(error("time.steps") == "--set time.steps" + form + end);
    CHECK(error("=3") == "--set =3" + form + end);
    CHECK(error("time..steps=3") == "--set time..steps=3" + form + end);
    CHECK(error("time.steps=[1").find("--set time.steps=[1: the value is not valid YAML: ") == 0);
    CHECK(error("time.steps.x=1") ==
          "--set time.steps.x=1: \"x\" cannot be set inside 10, which is no map or list" + end);
    CHECK(error("boundary.1.pressure=1") ==
          "--set boundary.1.pressure=1: \"1\" is no index of a list of 1, from 0" + end);
    CHECK(error("boundary.x.pressure=1") ==
          "--set boundary.x.pressure=1: \"x\" is no index of a list of 1, from 0" + end);
    CHECK(error("time.stp=") == "--set time.stp=: there is no such key to take away" + end);
    CHECK(error("time.stps=4") == "--set time.stps=4: time.stps: unknown key; did you mean \"steps\"?" + end);
    CHECK(error("time.steps=-5") == "--set time.steps=-5: time.steps: must be >= 0, found -5" + end);
    CHECK(error("cohesive.normal.energy=5") ==
          "--set cohesive.normal.energy=5: cohesive.normal.strength: required key is missing" + end);
    CHECK(error("run={threads: 1, threads: 2}") ==
          "--set run={threads: 1, threads: 2}: run.threads: given twice" + end);
  }
}
