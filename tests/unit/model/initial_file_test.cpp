#include <stdlib.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "cleave/core/error.hpp"
#include "cleave/mesh/files.hpp"
#include "cleave/mesh/solutions.hpp"
#include "cleave/mesh/topology.hpp"
#include "cleave/solver/model.hpp"

using namespace cleave;
using Catch::Contains;

namespace {

/// A folder of its own for the files of a test.
class Files {
 public:
  Files() {
    std::string name = (std::filesystem::temp_directory_path() / "cleave_initial_XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~Files() { std::filesystem::remove_all(path_); }
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;

  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

Case plate(ElementType type) {
  Case c;
  c.file = "case.yaml";
  c.mesh.element = type;
  c.mesh.divisions = {12, 8};
  c.mesh.size = {3, 2};
  c.mesh.perturbation_amplitude = 0.2;
  c.material = {{"", {"linear_elastic", {210e9, 0.3, 7850, PlaneType::strain}}}};
  c.time.steps = 1;
  return c;
}

/// Fields that tell the places of nodes: values of a wrong node show.
Point displacement_at(Point p) { return {1e-3 * p.x + 2e-3 * p.y * p.y, -3e-3 * p.x * p.y}; }
Point velocity_at(Point p) { return {5 + p.x * p.x, p.y - 7 * p.x}; }

SolutionField field_of(const std::vector<Point>& nodes, Point (*at)(Point)) {
  SolutionField field;
  for (const Point& node : nodes) field.values.insert(field.values.end(), {at(node).x, at(node).y});
  return field;
}
std::string solution_at(const std::vector<Point>& nodes, bool binary = false) {
  return solution_file({field_of(nodes, displacement_at), field_of(nodes, velocity_at)}, binary);
}

void set_file(InitialCase& state, const std::filesystem::path& file) {
  state.file = file;
  state.key_of_file = "initial.file";
  state.line_of_file = 9;
}

/// Node by node exactly what the fields say at its place.
void require_fields(const Model& model) {
  for (Index n = 0; n < model.mesh.node_count(); ++n) {
    const Point u = displacement_at(model.mesh.nodes[n]), v = velocity_at(model.mesh.nodes[n]);
    REQUIRE((model.displacement[n].x == u.x && model.displacement[n].y == u.y));
    REQUIRE((model.velocity[n].x == v.x && model.velocity[n].y == v.y));
  }
}

std::string error_of(const Case& c) {
  try {
    make_model(c);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

/// Two triangles, the last of whose vertices 1 to 6 is of none of them; `crack` is a line between them.
const std::string square_text =
    "MeshVersionFormatted 2\nDimension\n2\nVertices\n6\n0 0 0\n1 0 0\n1 1 0\n5 5 0\n0 1 0\n6 6 0\n"
    "Edges\n1\n1 3 8\nTriangles\n2\n1 2 3 0\n1 3 5 0\n";
const std::vector<Point> square_vertices{{0, 0}, {1, 0}, {1, 1}, {5, 5}, {0, 1}, {6, 6}};

Case square_in(const Files& files, const std::string& mesh = square_text) {
  Case c = plate(ElementType::t3);
  c.mesh.shape = MeshShape::file;
  c.mesh.perturbation_amplitude = 0;
  c.mesh.file = files.write("square_text.mesh", mesh);
  return c;
}

}  // namespace

TEST_CASE("values of a file go to the nodes of a shape by the order of the mesh as it is generated") {
  const Files files;
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  Case c = plate(type);
  const int refine = GENERATE(0, 1);
  c.mesh.refine = refine;
  Case given = c;
  given.mesh.numbering = Numbering::as_given;
  const std::vector<Point> nodes = make_mesh(given).nodes;
  for (const bool binary : {false, true}) {
    set_file(c.initial, files.write(binary ? "a.solb" : "a.sol", solution_at(nodes, binary)));
    for (const Numbering numbering : {Numbering::hilbert, Numbering::halves, Numbering::as_given})
      for (const Assembly assembly : {Assembly::gather, Assembly::coloured}) {
        c.mesh.numbering = numbering;
        c.run.assembly = assembly;
        require_fields(make_model(c));
      }
  }
}

TEST_CASE("values of a file go to the nodes of a mesh file by its vertices, used or not") {
  const Files files;
  Case c = square_in(files);
  set_file(c.initial, files.write("a.sol", solution_at(square_vertices)));
  const Model model = make_model(c);
  CHECK(model.mesh.node_count() == 4);
  require_fields(model);

  std::vector<Point> used = square_vertices;
  used.pop_back();
  set_file(c.initial, files.write("a.sol", solution_at(used)));
  CHECK_THAT(error_of(c), Contains("case.yaml:9: initial.file: ") &&
                              Contains("a.sol:5: there are values at 5 vertices, but the mesh has 6: write them"));
}

TEST_CASE("tags of a Gmsh file begin with 1, positions in a .vtk file with 0") {
  const Files files;
  Case c = plate(ElementType::t3);
  const std::string vtk =
      "# vtk DataFile Version 3.0\nsquare\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 6 double\n0 0 0\n1 0 0\n1 1 0\n5 5 "
      "0\n0 1 0\n6 6 0\nCELLS 2 8\n3 0 1 2\n3 0 2 4\nCELL_TYPES 2\n5\n5\n";
  const std::string tags =
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n6\n3 1 1 0\n1 0 0 0\n2 1 0 0\n4 5 5 0\n5 0 1 0\n6 6 6 "
      "0\n$EndNodes\n$Elements\n2\n1 2 2 0 1 1 2 3\n2 2 2 0 1 1 3 5\n$EndElements\n";
  c.mesh.shape = MeshShape::file;
  c.mesh.perturbation_amplitude = 0;
  set_file(c.initial, files.write("a.sol", solution_at(square_vertices)));
  for (const auto& [name, text] : {std::pair{"a.vtk", vtk}, std::pair{"a.msh", tags}}) {
    INFO(name);
    c.mesh.file = files.write(name, text);
    require_fields(make_model(c));
  }

  std::string gap = tags;
  gap.replace(gap.find("5 0 1 0"), 1, "9").replace(gap.find("2 2 0 1 1 3 5") + 12, 1, "9");
  c.mesh.file = files.write("gap.msh", gap);
  CHECK_THAT(error_of(c), Contains("case.yaml:9: initial.file: ") &&
                              Contains("a.sol: node 9 of the mesh has no value: the file has 6, for nodes 1 to 6; "));
}

TEST_CASE("nodes that a crack doubles take the value of their node, or their own") {
  const Files files;
  Case c = square_in(files);
  c.mesh.cracks = {"8"};
  c.mesh.numbering = GENERATE(Numbering::hilbert, Numbering::as_given);
  set_file(c.initial, files.write("a.sol", solution_at(square_vertices)));
  Model model = make_model(c);
  CHECK(model.mesh.node_count() == 6);
  require_fields(model);

  // Copies are of vertices 1 and 3, in this order.
  std::vector<Point> all = square_vertices;
  all.insert(all.end(), {{70, 70}, {80, 80}});
  set_file(c.initial, files.write("a.sol", solution_at(all)));
  model = make_model(c);
  int copies = 0;
  for (Index n = 0; n < model.mesh.node_count(); ++n) {
    const bool is_copy = model.displacement[n].x != displacement_at(model.mesh.nodes[n]).x;
    copies += is_copy ? 1 : 0;
    if (is_copy)
      CHECK(model.velocity[n].x == velocity_at(model.mesh.nodes[n].x == 0 ? Point{70, 70} : Point{80, 80}).x);
  }
  CHECK(copies == 2);
  all.pop_back();
  set_file(c.initial, files.write("a.sol", solution_at(all)));
  CHECK_THAT(error_of(c), Contains("there are values at 7 vertices, but the mesh has 6 or 8"));
}

TEST_CASE("the values of a file add to strain and velocity, with those named alone") {
  const Files files;
  Case c = plate(ElementType::t6);
  c.mesh.numbering = Numbering::as_given;
  const std::vector<Point> nodes = make_mesh(c).nodes;
  c.initial.velocity = {100, 200};
  c.initial.strain = {1e-4, 0, 0};
  c.initial.origin = {{0, 0}};
  const Model without = make_model(c);
  const auto is_sum = [](Point sum, Point a, Point b) { return sum.x == a.x + b.x && sum.y == a.y + b.y; };

  set_file(c.initial, files.write("a.sol", solution_at(nodes)));
  Model model = make_model(c);
  for (Index n = 0; n < model.mesh.node_count(); ++n) {
    REQUIRE(is_sum(model.velocity[n], without.velocity[n], velocity_at(model.mesh.nodes[n])));
    REQUIRE(is_sum(model.displacement[n], without.displacement[n], displacement_at(model.mesh.nodes[n])));
  }
  c.initial.fields = {"velocity"};
  set_file(c.initial, files.write("a.sol", solution_file({field_of(nodes, velocity_at)}, false)));
  model = make_model(c);
  for (Index n = 0; n < model.mesh.node_count(); ++n) {
    REQUIRE(is_sum(model.velocity[n], without.velocity[n], velocity_at(model.mesh.nodes[n])));
    REQUIRE(is_sum(model.displacement[n], without.displacement[n], {0, 0}));
  }
  c.initial.fields = {"velocity", "displacement"};
  CHECK_THAT(error_of(c), Contains("a.sol:6: expected a vector each for velocity and displacement, found 1 field"));
}

TEST_CASE("an entry of a list takes the values of its nodes alone") {
  const Files files;
  Case c = plate(ElementType::t3);
  c.mesh.numbering = Numbering::as_given;
  const std::vector<Point> nodes = make_mesh(c).nodes;
  InitialGroup left{"left", {}, 3, 1};
  set_file(left.state, files.write("a.sol", solution_at(nodes)));
  c.initial_groups = {left};
  const Model model = make_model(c);
  int moving = 0;
  for (Index n = 0; n < model.mesh.node_count(); ++n) {
    const bool on_left = model.mesh.nodes[n].x == 0;
    const Point expected = on_left ? velocity_at(model.mesh.nodes[n]) : Point{0, 0};
    REQUIRE((model.velocity[n].x == expected.x && model.velocity[n].y == expected.y));
    moving += on_left ? 1 : 0;
  }
  CHECK(moving == 9);
}

TEST_CASE("a displacement that no energy can be computed of is refused") {
  const Files files;
  Case c = square_in(files);
  std::vector<Point> far = square_vertices;
  far[2] = {1e170, 0};
  set_file(c.initial, files.write("a.sol", solution_file({field_of(far, displacement_at)}, false)));
  c.initial.fields = {"displacement"};
  CHECK_THAT(error_of(c), Contains("case.yaml:9: initial.file: the elastic energy of an element would be "));
}
