#include <catch2/catch.hpp>

#include "case_text.hpp"

using namespace cleave;
using namespace cleave::test;
using Catch::Contains;

namespace {

/// Reads the resolved text of a case and checks that it says the same again.
Case check_round_trip(const Case& c) {
  const std::string text = resolved_yaml(c);
  CAPTURE(text);
  Case again;
  REQUIRE_NOTHROW(again = read_text(text));
  CHECK(resolved_yaml(again) == text);

  CHECK(again.title == c.title);
  CHECK(again.mesh.shape == c.mesh.shape);
  CHECK(again.mesh.file == c.mesh.file);
  CHECK(again.mesh.pattern == c.mesh.pattern);
  CHECK(again.mesh.divisions == c.mesh.divisions);
  CHECK(again.mesh.size == c.mesh.size);
  CHECK(again.mesh.notch_length == c.mesh.notch_length);
  CHECK(again.mesh.notch_height == c.mesh.notch_height);
  CHECK(again.mesh.inner_radius == c.mesh.inner_radius);
  CHECK(again.mesh.outer_radius == c.mesh.outer_radius);
  CHECK(again.mesh.perturbation_seed == c.mesh.perturbation_seed);
  REQUIRE(again.mesh.regions.size() == c.mesh.regions.size());
  for (std::size_t i = 0; i < c.mesh.regions.size(); ++i) {
    CHECK(again.mesh.regions[i].name == c.mesh.regions[i].name);
    CHECK(again.mesh.regions[i].box == c.mesh.regions[i].box);
  }
  REQUIRE(again.material.size() == c.material.size());
  for (std::size_t i = 0; i < c.material.size(); ++i) {
    CHECK(again.material[i].on == c.material[i].on);
    CHECK(again.material[i].properties == c.material[i].properties);
  }
  CHECK(again.kinematics == c.kinematics);
  CHECK(again.cohesive.has_value() == c.cohesive.has_value());
  if (again.cohesive && c.cohesive) {
    CHECK(again.cohesive->parameters == c.cohesive->parameters);
    CHECK(again.cohesive->facets.on == c.cohesive->facets.on);
    CHECK(again.cohesive->facets.between == c.cohesive->facets.between);
    CHECK(again.cohesive->facets.between_different == c.cohesive->facets.between_different);
    REQUIRE(again.cohesive->others.size() == c.cohesive->others.size());
    for (std::size_t i = 0; i < c.cohesive->others.size(); ++i) {
      const CohesiveEntry &a = again.cohesive->others[i], &b = c.cohesive->others[i];
      CHECK(a.facets.on == b.facets.on);
      CHECK(a.facets.between == b.facets.between);
      CHECK(a.strength == b.strength);
      CHECK(a.energy == b.energy);
      CHECK(a.distribution == b.distribution);
    }
    CHECK(again.cohesive->insertion.criterion == c.cohesive->insertion.criterion);
    CHECK(again.cohesive->insertion.aggregate == c.cohesive->insertion.aggregate);
    CHECK(again.cohesive->insertion.box == c.cohesive->insertion.box);
  }
  CHECK(again.time.step == c.time.step);
  CHECK(again.time.steps == c.time.steps);
  CHECK(again.time.end == c.time.end);
  CHECK(again.initial.strain.yy == c.initial.strain.yy);
  CHECK(again.initial.origin == c.initial.origin);
  REQUIRE(again.boundary.size() == c.boundary.size());
  for (std::size_t i = 0; i < c.boundary.size(); ++i) {
    CHECK(again.boundary[i].on == c.boundary[i].on);
    CHECK(again.boundary[i].kind == c.boundary[i].kind);
    CHECK(again.boundary[i].pressure == c.boundary[i].pressure);
    CHECK(again.boundary[i].in_cracks == c.boundary[i].in_cracks);
    CHECK(again.boundary[i].follows == c.boundary[i].follows);
    CHECK(again.boundary[i].x == c.boundary[i].x);
    CHECK(again.boundary[i].y == c.boundary[i].y);
    CHECK(again.boundary[i].velocity == c.boundary[i].velocity);
    CHECK(again.boundary[i].curve == c.boundary[i].curve);
  }
  REQUIRE(again.curves.size() == c.curves.size());
  for (const auto& [name, curve] : c.curves) {
    CHECK(again.curves.at(name).kind() == curve.kind());
    CHECK(again.curves.at(name).decay_time() == curve.decay_time());
    CHECK(again.curves.at(name).points() == curve.points());
  }
  CHECK(again.output.directory == c.output.directory);
  CHECK(again.output.fields_every == c.output.fields_every);
  CHECK(again.output.fields_interval == c.output.fields_interval);
  CHECK(again.output.checkpoint_minutes == c.output.checkpoint_minutes);
  CHECK(again.output.replace == c.output.replace);
  CHECK(again.output.fields == c.output.fields);
  CHECK(again.output.format == c.output.format);
  CHECK(again.output.real == c.output.real);
  CHECK(again.output.compression == c.output.compression);
  CHECK(again.run.threads == c.run.threads);
  return again;
}

}  // namespace

TEST_CASE("every case in configs is the same after writing and reading") {
  const std::string name = GENERATE(as<std::string>(), "ring_20x160", "strip_192x48", "strip_384x96", "quickstart",
                                    "bursting_ring", "random_ring", "turning_ring");
  const std::filesystem::path file = std::filesystem::path(CLEAVE_SOURCE_DIR) / "configs" / (name + ".yaml");
  CAPTURE(file);
  const Case c = read_case(file);
  CHECK(c.title != name);
  CHECK(c.output.directory == "out/" + name);
  check_round_trip(c);
}

TEST_CASE("the published cases have the published numbers") {
  const std::filesystem::path configs = std::filesystem::path(CLEAVE_SOURCE_DIR) / "configs";
  const Case ring = read_case(configs / "ring_20x160.yaml");
  CHECK(*ring.time.step * static_cast<double>(ring.time.steps) == Approx(81e-6));
  CHECK(ring.boundary.at(0).pressure == 400e6);
  CHECK(ring.cohesive->parameters.normal.strength == 850e6);
  CHECK(ring.curves.at(ring.boundary.at(0).curve).decay_time() == 100e-6);
  for (const char* name : {"strip_192x48.yaml", "strip_384x96.yaml"}) {
    const Case strip = read_case(configs / name);
    CHECK(*strip.time.step * static_cast<double>(strip.time.steps) == Approx(20e-6));
    CHECK(strip.initial.strain.yy == 0.015);
    CHECK(strip.cohesive->insertion.aggregate == Aggregate::max);
    CHECK(strip.cohesive->parameters.tangential.energy == 352);
    CHECK(strip.boundary.size() == 2);
  }
}

TEST_CASE("the resolved file has every key") {
  const std::string text = resolved_yaml(read_text(smallest + "cohesive: {normal: {strength: 1, energy: 2}}\n"));
  CHECK(text ==
        "title: case\n"
        "mesh:\n"
        "  shape: rectangle\n"
        "  element: T6\n"
        "  pattern: crossed\n"
        "  divisions: [4, 2]\n"
        "  size: [2, 1]\n"
        "  origin: [0, 0]\n"
        "  notch: none\n"
        "  refine: 0\n"
        "  grading:\n"
        "    []\n"
        "  cracks: []\n"
        "  perturbation:\n"
        "    amplitude: 0\n"
        "    seed: 1\n"
        "  thickness: 0.001\n"
        "  numbering: hilbert\n"
        "  colouring: auto\n"
        "  doubled: []\n"
        "  regions:\n"
        "    {}\n"
        "  groups:\n"
        "    {}\n"
        "material:\n"
        "  law: linear_elastic\n"
        "  young_modulus: 1.0e+09\n"
        "  poisson_ratio: 0.25\n"
        "  density: 1000\n"
        "  plane: strain\n"
        "  artificial_viscosity: none\n"
        "kinematics: small\n"
        "cohesive:\n"
        "  law: ppr\n"
        "  normal:\n"
        "    strength: 1\n"
        "    energy: 2\n"
        "    shape: 2\n"
        "  tangential:\n"
        "    strength: 1\n"
        "    energy: 2\n"
        "    shape: 2\n"
        "  rate: none\n"
        "  friction: 0\n"
        "  insertion:\n"
        "    every: 10\n"
        "    criterion: ellipse\n"
        "    aggregate: mean\n"
        "    selection: all\n"
        "    numbering: ordered\n"
        "    region: all\n"
        "  stiffness_safety: auto\n"
        "  contact_penalty: 10\n"
        "time:\n"
        "  step: auto\n"
        "  safety: 0.5\n"
        "  steps: 10\n"
        "initial:\n"
        "  strain:\n"
        "    xx: 0\n"
        "    yy: 0\n"
        "    xy: 0\n"
        "  origin: centre\n"
        "  velocity:\n"
        "    x: 0\n"
        "    y: 0\n"
        "  velocity_gradient:\n"
        "    xx: 0\n"
        "    xy: 0\n"
        "    yx: 0\n"
        "    yy: 0\n"
        "boundary:\n"
        "  []\n"
        "body_force:\n"
        "  x: 0\n"
        "  y: 0\n"
        "damping:\n"
        "  rate: 0\n"
        "  until: end\n"
        "support:\n"
        "  []\n"
        "contact: none\n"
        "obstacles:\n"
        "  []\n"
        "curves:\n"
        "  {}\n"
        "output:\n"
        "  directory: out/case\n"
        "  replace: false\n"
        "  format: vtu\n"
        "  fields: all\n"
        "  real: float\n"
        "  compression: zlib\n"
        "  inria: none\n"
        "  fields_every: 0\n"
        "  fields_interval: 0\n"
        "  history_every: 10\n"
        "  checkpoint_every: 0\n"
        "  checkpoint_interval: 0\n"
        "  checkpoint_minutes: 15\n"
        "  probes:\n"
        "    []\n"
        "  lines:\n"
        "    []\n"
        "run:\n"
        "  backend: auto\n"
        "  precision: double\n"
        "  assembly: gather\n"
        "  threads: 0\n"
        "  device: 0\n"
        "  transport: auto\n"
        "  devices: all\n");
}

TEST_CASE("the devices of ranks and their transport are written") {
  const Case c = read_text(smallest + "run: {devices: [2, 0, 2], transport: mpi}\n");
  CHECK(c.run.transport == TransportChoice::mpi);
  CHECK(read_text(resolved_yaml(c)).run.transport == c.run.transport);
  CHECK(c.run.devices == std::vector<int>{2, 0, 2});
  CHECK(Contains("  devices: [2, 0, 2]\n").match(resolved_yaml(c)));
  CHECK(read_text(resolved_yaml(c)).run.devices == c.run.devices);
  CHECK(!read_text(smallest + "run: {devices: all}\n").run.devices);
}

TEST_CASE("every material law is written") {
  const std::string rest = GENERATE(as<std::string>(), "kelvin_voigt\n  viscosity: 3\n  bulk_viscosity: 0.1",
                                    "j2\n  yield_stress: 4.0e8", "j2\n  yield_stress: 4.0e8\n  hardening: {linear: 7}",
                                    "j2\n  yield_stress: 4.0e8\n  hardening: {table: [[0, 4.0e8], [0.1, 5.0e8]]}",
                                    "st_venant_kirchhoff\n  plane: stress", "neo_hookean");
  const Case c = read_text(replaced(smallest, "density: 1000", "density: 1000\n  law: " + rest) +
                           "boundary: [{on: left, pressure: 1}]\n");
  const Case again = check_round_trip(c);
  CHECK(again.boundary[0].follows == (c.kinematics == Kinematics::finite));
}

TEST_CASE("numbers and texts keep every bit") {
  Case c = read_text(replaced(smallest, "steps: 10", "end: 1") +
                     "boundary:\n"
                     "  - {on: left, velocity: {x: 0, y: -1.5}, curve: t}\n"
                     "  - {on: right, pressure: 1, curve: e, in_cracks: true}\n"
                     "  - {on: top, fix: [x, y]}\n"
                     "curves: {t: {table: [[0, 0.1], [1.0e-7, -3]]}, e: {exponential: 1}, l: {linear_decay: 2}}\n"
                     "cohesive: {normal: {strength: 1, energy: 2}, insertion: {region: {box: [0, 0, 1, 1]}}}\n");
  c.title = GENERATE(as<std::string>(), "plain", "colon: and # hash", "null", "~", "5", "- dash", " spaces ",
                     "\"q\" 'p'", "two\nlines", "Riß, fissure élastique", "{braces}", "true");
  c.material.front().properties.parameters.young_modulus = 0.1 + 0.2;
  c.material.front().properties.parameters.density = 4.9406564584124654e-324;
  c.mesh.thickness = 1.7976931348623157e308;
  c.mesh.pattern = MeshPattern::delaunay;
  c.mesh.perturbation_seed = 18446744073709551615u;
  c.time.end = 1.0 / 3.0;
  c.boundary[1].pressure = -123456789012345680.0;
  const Case again = check_round_trip(c);
  CHECK(again.material.front().properties.parameters.density == c.material.front().properties.parameters.density);
  CHECK(again.mesh.thickness == c.mesh.thickness);
}

TEST_CASE("lists of cohesive laws are written as lists") {
  const Case c = read_text(smallest +
                           "cohesive:\n"
                           "  - {law: exponential, normal: {strength: 1.0e6, energy: 100}, tangential: {energy: 300}, "
                           "rate: {reference: 20, exponent: 0.3}, friction: 0.25}\n"
                           "  - {on: a, normal: {strength: {weibull: {scale: 2.0e6, modulus: 8}}, energy: 50}}\n"
                           "  - {between: [a, b], normal: {strength: 5.0e5, energy: 25}}\n");
  REQUIRE(c.cohesive->others.size() == 2);
  CHECK(c.cohesive->others[0].strength == 2e6);
  CHECK(c.cohesive->rate.reference == 20);
  CHECK(c.cohesive->friction == 0.25);
  CHECK(c.cohesive->facets.all());
  CHECK(c.cohesive->others[1].facets.between == std::array<std::string, 2>{"a", "b"});
  CHECK(c.cohesive->others[1].facets.line == 10);
  check_round_trip(c);
}

TEST_CASE("a cohesive law of some facets only is written as a list") {
  for (const auto& [facets, on] : {std::pair{"on: a", "a"}, {"between: [a, b]", ""}, {"between: different", ""}}) {
    const Case c = read_text(smallest + "cohesive:\n  - {" + facets + ", normal: {strength: 1.0e6, energy: 100}}\n");
    CHECK(c.cohesive->facets.on == on);
    CHECK_FALSE(c.cohesive->facets.all());
    CHECK(c.cohesive->facets.line == 8);
    CHECK(c.cohesive->others.empty());
    CHECK(check_round_trip(c).cohesive->parameters.normal.strength == 1e6);
  }
}

TEST_CASE("groups by place are written as they are read") {
  const std::string groups =
      "  groups:\n"
      "    left:\n      sides:\n        box: [0, 0, 1, 0.1]\n"
      "    top:\n      sides:\n        normal: [0, 2]\n        within: 10\n"
      "    hole:\n      sides:\n        circle: [1, 2, 3]\n        within: 0.25\n"
      "    support:\n      nodes:\n        near: [4, 5]\n"
      "    corner:\n      nodes:\n        box: [-1, -1, 0, 0]\n";
  const Case c = read_text(
      "mesh: {shape: rectangle, divisions: [1, 1], size: [1, 1], groups: {\n"
      "  left: {sides: {box: [0, 0, 1, 0.1]}}, top: {sides: {normal: [0, 2]}},\n"
      "  hole: {sides: {circle: [1, 2, 3], within: 0.25}},\n"
      "  support: {nodes: {near: [4, 5]}}, corner: {nodes: {box: [-1, -1, 0, 0]}}}}\n"
      "material: {young_modulus: 1, poisson_ratio: 0, density: 1}\ntime: {steps: 1}\n");
  CHECK(c.mesh.groups[2].line == 3);
  CHECK_THAT(resolved_yaml(c), Contains(groups));
  CHECK_THAT(resolved_yaml(read_text(resolved_yaml(c))), Contains(groups));
}

TEST_CASE("choices of reading a mesh file are written") {
  const Folder folder;
  folder.write("plate.msh", "");
  const auto file = folder.write("case.yaml",
                                 "mesh: {file: plate.msh, scale: 1.0e-3, straighten: true, split_quads: true}\n"
                                 "material: {young_modulus: 1, poisson_ratio: 0, density: 1}\ntime: {steps: 1}\n");
  const Case c = read_case(file);
  CHECK(c.mesh.scale == 1e-3);
  CHECK_THAT(resolved_yaml(c), Contains("  scale: 0.001\n  split_quads: true\n  straighten: true\n"));
}

TEST_CASE("regions and lists of materials are written as lists") {
  const std::string entry = "young_modulus: 1.0e9, poisson_ratio: 0.25, density: 1000}\n";
  const std::string head =
      "mesh: {shape: rectangle, size: [2, 1], divisions: [4, 2],\n"
      "       regions: {b: {box: [0, 0, 1, 0.1]}, a: {box: [1, 0, 2, 0.3]}}}\n"
      "time: {steps: 10}\nmaterial:\n";
  const Case several = read_text(head + "  - {" + entry + "  - {on: a, " + entry + "  - {on: \"7\", " + entry);
  check_round_trip(several);
  CHECK_THAT(resolved_yaml(several), Contains("  regions:\n    b:\n      box: [0, 0, 1, 0.1]\n    a:\n"));
  CHECK_THAT(resolved_yaml(several),
             Contains("material:\n  - law: linear_elastic\n") &&
                 Contains("  - group: a\n    law: linear_elastic\n    young_modulus: 1.0e+09\n"));
  check_round_trip(read_text(head + "  - {on: a, " + entry));
  const Case flows = read_text(head +
                               "  - {law: j2, yield_stress: 1.0e6, erosion: {plastic_strain: 0.5}, "
                               "artificial_viscosity: {linear: 0.1, quadratic: 2}, " +
                               entry);
  CHECK(flows.material.front().properties.erosion.plastic_strain == 0.5);
  CHECK(flows.material.front().properties.viscosity.quadratic == 2);
  check_round_trip(flows);
  // One material for all triangles is written as a map, however it was given.
  const Case one = read_text(head + "  - {" + entry);
  check_round_trip(one);
  CHECK_THAT(resolved_yaml(one), Contains("material:\n  law: linear_elastic\n"));
}

TEST_CASE("a mesh file is resolved to where it is") {
  const Folder folder;
  folder.write("plate.msh", "");
  const Case c = read_case(folder.write(
      "case.yaml", replaced(smallest, "shape: rectangle, size: [2, 1], divisions: [4, 2]", "file: plate.msh")));
  CHECK(check_round_trip(c).mesh.file == folder.path() / "plate.msh");
  CHECK_THAT(resolved_yaml(c), !Contains("divisions") && !Contains("element"));

  const std::string file = replaced(smallest, "shape: rectangle, size: [2, 1], divisions: [4, 2]",
                                    "file: plate.msh, straighten: true, refine: 2, cracks: [first, second]");
  const MeshCase again = check_round_trip(read_case(folder.write("case.yaml", file))).mesh;
  CHECK(again.straighten);
  CHECK(again.refine == 2);
  CHECK(again.cracks == std::vector<std::string>{"first", "second"});
}
