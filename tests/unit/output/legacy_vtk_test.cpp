/// Legacy .vtk files of ours and of VTK's own writer, read by VTK and by us.
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkSmartPointer.h>
#include <vtkUnstructuredGrid.h>
#include <vtkUnstructuredGridReader.h>
#include <vtkUnstructuredGridWriter.h>

#include <catch2/catch.hpp>
#include <fstream>

#include "cleave/mesh/files.hpp"
#include "cleave/mesh/generators.hpp"
#include "cleave/output/vtk.hpp"
#include "two_triangles.hpp"

using namespace cleave;
using namespace cleave::test;

namespace {

/// With groups of facets on the boundary and inside, of nodes and of triangles, and names that need care.
Mesh plate(ElementType type) {
  Mesh mesh = rectangle(type, {8, 4}, {2, 1}, {0.1, 1.0 / 3}, 0.75);
  perturb(mesh, 0.2, 7);
  mesh.groups.push_back({"upper half, 50 %", {}, {}, {1, 2, 5}});
  mesh.groups.push_back({"a \"point\"", {}, {3}});
  return mesh;
}

std::filesystem::path written(const TemporaryDirectory& directory, const Mesh& mesh) {
  const auto file = directory / "mesh.vtk";
  std::ofstream(file, std::ios::binary) << legacy_vtk_file(mesh_grid(mesh, colour_elements(mesh)));
  return file;
}

void require_same(const Mesh& found, const Mesh& mesh) {
  REQUIRE(found.type == mesh.type);
  REQUIRE(found.elements == mesh.elements);
  REQUIRE(std::equal(found.nodes.begin(), found.nodes.end(), mesh.nodes.begin(), mesh.nodes.end(),
                     [](Point p, Point q) { return p.x == q.x && p.y == q.y; }));
  REQUIRE(found.groups.size() == mesh.groups.size());
  for (const Group& group : mesh.groups) {
    INFO(group.name);
    const Group* const other = found.find_group(group.name);
    REQUIRE(other != nullptr);
    CHECK(other->facets == group.facets);
    CHECK(other->nodes == group.nodes);
    CHECK(other->elements == group.elements);
    CHECK(other->inside == group.inside);
  }
}

vtkSmartPointer<vtkUnstructuredGrid> read_by_vtk(const std::filesystem::path& file) {
  vtkNew<vtkUnstructuredGridReader> reader;
  reader->SetFileName(file.c_str());
  reader->ReadAllFieldsOn();
  reader->Update();
  REQUIRE(reader->GetErrorCode() == 0);
  return reader->GetOutput();
}

}  // namespace

TEST_CASE("a written legacy .vtk file is read as the same mesh, also by VTK") {
  const TemporaryDirectory directory;
  const Mesh mesh = plate(GENERATE(ElementType::t3, ElementType::t6));
  const auto file = written(directory, mesh);
  require_same(read_mesh(file), mesh);

  const auto grid = read_by_vtk(file);
  REQUIRE(grid->GetNumberOfPoints() == mesh.node_count());
  REQUIRE(grid->GetNumberOfCells() == mesh.element_count());
  for (Index node = 0; node < mesh.node_count(); ++node) {
    CHECK(grid->GetPoint(node)[0] == mesh.nodes[node].x);
    CHECK(grid->GetPoint(node)[1] == mesh.nodes[node].y);
  }
  vtkNew<vtkIdList> nodes;
  for (Index e = 0; e < mesh.element_count(); ++e) {
    CHECK(grid->GetCellType(e) == (mesh.type == ElementType::t3 ? 5 : 22));
    grid->GetCellPoints(e, nodes);
    REQUIRE(nodes->GetNumberOfIds() == nodes_per_element(mesh.type));
    for (int i = 0; i < nodes_per_element(mesh.type); ++i) CHECK(nodes->GetId(i) == mesh.node(e, i));
  }
  auto* const half = grid->GetCellData()->GetArray("group:upper half, 50 %");
  REQUIRE(half != nullptr);
  for (Index e = 0; e < mesh.element_count(); ++e) CHECK(half->GetTuple1(e) == (e == 1 || e == 2 || e == 5 ? 1 : 0));
  auto* const point = grid->GetPointData()->GetArray("group:a \"point\"");
  REQUIRE(point != nullptr);
  CHECK(point->GetTuple1(3) == 1);
  CHECK(grid->GetCellData()->HasArray("facets:left"));
}

TEST_CASE("legacy .vtk files of VTK's own writer are read as the same mesh") {
  const TemporaryDirectory directory;
  const Mesh mesh = plate(GENERATE(ElementType::t3, ElementType::t6));
  const auto grid = read_by_vtk(written(directory, mesh));
  const bool binary = GENERATE(false, true);
  const int version =
      GENERATE(vtkDataWriter::VTK_LEGACY_READER_VERSION_4_2, vtkDataWriter::VTK_LEGACY_READER_VERSION_5_1);
  const auto file = directory / "vtk.vtk";
  vtkNew<vtkUnstructuredGridWriter> writer;
  writer->SetFileName(file.c_str());
  writer->SetInputData(grid);
  writer->SetFileVersion(version);
  binary ? writer->SetFileTypeToBinary() : writer->SetFileTypeToASCII();
  REQUIRE(writer->Write() == 1);
  INFO("version " << version << " binary " << binary);
  Mesh expected = mesh;
  // VTK writes eleven digits in ASCII.
  if (!binary) {
    const Mesh found = read_mesh(file);
    REQUIRE(found.nodes.size() == mesh.nodes.size());
    for (std::size_t n = 0; n < mesh.nodes.size(); ++n) CHECK(distance(found.nodes[n], mesh.nodes[n]) < 1e-9);
    expected.nodes = found.nodes;
  }
  require_same(read_mesh(file), expected);
}
