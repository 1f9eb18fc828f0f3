/// Shapes, their keys and what they exclude; grading and lines.
#include <catch2/catch.hpp>

#include "case_text.hpp"

using namespace cleave;
using namespace cleave::test;
using Catch::Contains;

namespace {

std::string with_mesh(const std::string& mesh) {
  return replaced(smallest, "shape: rectangle, size: [2, 1], divisions: [4, 2]", mesh);
}

}  // namespace

TEST_CASE("each shape has its keys, and is written with them") {
  const std::string mesh = GENERATE(
      as<std::string>(), "shape: disc, radius: 2, cell_size: 0.5",
      "shape: disc, radius: 2, cell_size: 0.5, platen: {length: 0.3}",
      "shape: plate_with_hole, size: [2, 1], cell_size: 0.1, hole: {radius: 0.2}",
      "shape: plate_with_hole, size: [2, 1], origin: [3, 4], cell_size: 0.1, hole: {radius: 0.2, centre: [3, 4.5]}",
      "shape: kalthoff, size: [2, 4], cell_size: 0.1, notch: {length: 1, spacing: 0.5}",
      "shape: compact_tension, width: 4, cell_size: 0.1, notch: {length: 2}",
      "shape: compact_compression, size: [6, 7], cell_size: 0.1, hole: {radius: 1}, notch: {length: 2}, platen: "
      "{length: 1.5}");
  const Case c = read_text(with_mesh(mesh));
  const std::string text = resolved_yaml(c);
  CHECK(resolved_yaml(read_text(text)) == text);
  CHECK(c.mesh.cell_size > 0);
  CHECK_THAT(text, Contains("cell_size: ") && !Contains("divisions"));
}

TEST_CASE("lengths of shapes are read") {
  const MeshCase plate =
      read_text(
          with_mesh("shape: plate_with_hole, size: [2, 1], cell_size: 0.1, hole: {radius: 0.2, centre: [1, 0.25]}"))
          .mesh;
  CHECK(plate.shape == MeshShape::plate_with_hole);
  CHECK(plate.hole_radius == 0.2);
  CHECK(plate.hole_centre == std::array<double, 2>{1, 0.25});
  const MeshCase notched =
      read_text(with_mesh("shape: kalthoff, size: [2, 4], cell_size: 0.1, notch: {length: 1, spacing: 0.5}")).mesh;
  CHECK(notched.notch_length == 1);
  CHECK(notched.notch_spacing == 0.5);
  const MeshCase pressed =
      read_text(with_mesh("shape: compact_compression, size: [6, 7], cell_size: 0.1, hole: {radius: "
                          "1}, notch: {length: 2}, platen: {length: 1.5}"))
          .mesh;
  CHECK(pressed.platen_length == 1.5);
  CHECK(read_text(with_mesh("shape: disc, radius: 2, cell_size: 0.5")).mesh.platen_length == 0);
}

TEST_CASE("grading is a point or a list of points") {
  const std::string head = "shape: disc, radius: 2, cell_size: 0.5, grading: ";
  const Case one = read_text(with_mesh(head + "{at: [1, 0], size: 0.01}"));
  REQUIRE(one.mesh.grading.size() == 1);
  CHECK(one.mesh.grading[0].at == std::array<double, 2>{1, 0});
  CHECK(one.mesh.grading[0].size == 0.01);
  CHECK(one.mesh.grading[0].growth == 0.25);
  CHECK(one.mesh.grading[0].line == 1);
  const Case two = read_text(with_mesh(head + "[{at: [1, 0], size: 0.01, growth: 0.1}, {at: [0, 1], size: 0.02}]"));
  REQUIRE(two.mesh.grading.size() == 2);
  CHECK(two.mesh.grading[1].entry == 1);
  CHECK(resolved_yaml(read_text(resolved_yaml(two))) == resolved_yaml(two));
  CHECK_THAT(
      report_of(with_mesh(head + "[{at: [1], size: 0}]")),
      Contains("mesh.grading.0.at: expected a list of 2 numbers") && Contains("mesh.grading.0.size: must be > 0"));
  CHECK_THAT(report_of(with_mesh(head + "0.01")),
             Contains("mesh.grading: expected a map of keys and values or a list of them, found 0.01"));
}

TEST_CASE("the names and ends of lines are checked") {
  const std::string two =
      "output: {lines: [{name: a, from: [0, 0], to: [2, 1], points: 5, every: 3}, {name: b, on: left, points: 2}]}\n";
  const Case c = read_text(smallest + two);
  REQUIRE(c.output.lines.size() == 2);
  CHECK(c.output.lines[0].to == std::array<double, 2>{2, 1});
  CHECK(c.output.lines[0].points == 5);
  CHECK(c.output.lines[0].every == 3);
  CHECK(c.output.lines[0].on.empty());
  CHECK(c.output.lines[1].on == "left");
  CHECK(c.output.lines[1].every == 1);
  CHECK(resolved_yaml(read_text(resolved_yaml(c))) == resolved_yaml(c));
  CHECK_THAT(report_of(smallest + replaced(two, "name: b", "name: a")),
             Contains("output.lines.1.name: another line has the name \"a\"; choose another"));
  CHECK_THAT(report_of(smallest + replaced(two, "name: a", "name: \"a b\"")),
             Contains("output.lines.0.name: expected letters, digits, _ and - only"));
  CHECK_THAT(report_of(smallest + replaced(two, "on: left", "on: left, from: [0, 0]")),
             Contains("output.lines.1: expected exactly one of from, on, found from and on"));
  CHECK_THAT(report_of(smallest + replaced(two, "to: [2, 1], ", "")),
             Contains("output.lines.0.to: required key is missing"));
}
