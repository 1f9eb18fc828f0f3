#include "cleave/output/vtk.hpp"

#include <vtkCell.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkSmartPointer.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLUnstructuredGridReader.h>

#include <catch2/catch.hpp>
#include <functional>
#include <set>

#include "two_triangles.hpp"

using namespace cleave;
using namespace cleave::test;

namespace {

vtkSmartPointer<vtkUnstructuredGrid> read(const std::filesystem::path& file) {
  vtkNew<vtkXMLUnstructuredGridReader> reader;
  reader->SetFileName(file.c_str());
  reader->Update();
  REQUIRE(reader->GetErrorCode() == 0);
  return reader->GetOutput();
}

using Tuple = std::vector<double>;

void check_array(vtkFieldData* data, const char* name, vtkIdType tuples,
                 const std::function<Tuple(std::size_t)>& want) {
  INFO(name);
  auto* array = vtkDataArray::SafeDownCast(data->GetAbstractArray(name));
  REQUIRE(array != nullptr);
  REQUIRE(array->GetNumberOfTuples() == tuples);
  for (vtkIdType i = 0; i < tuples; ++i) {
    const Tuple tuple = want(static_cast<std::size_t>(i));
    REQUIRE(array->GetNumberOfComponents() == static_cast<int>(tuple.size()));
    for (std::size_t k = 0; k < tuple.size(); ++k) CHECK(array->GetComponent(i, static_cast<int>(k)) == tuple[k]);
  }
}

std::set<std::string> names(vtkFieldData* data) {
  std::set<std::string> all;
  for (int i = 0; i < data->GetNumberOfArrays(); ++i) all.insert(data->GetArrayName(i));
  return all;
}

Tuple plane(Point p) { return {p.x, p.y, 0}; }
Tuple stress(PlaneTensor s) { return {s.xx, s.yy, s.xy}; }

}  // namespace

TEST_CASE("bulk file holds every field") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const TemporaryDirectory directory;
  Snapshot s = two_triangles(type);
  s.fragment = {0, 0};  // both in one fragment, whose smallest original element is 70
  write_bulk(directory / "new/bulk.vtu", s, {90, 70});
  const auto grid = read(directory / "new/bulk.vtu");

  const auto nodes = static_cast<vtkIdType>(s.position.size());
  REQUIRE(grid->GetNumberOfPoints() == nodes);
  for (vtkIdType i = 0; i < nodes; ++i) {
    CHECK(grid->GetPoint(i)[0] == s.position[i].x);
    CHECK(grid->GetPoint(i)[1] == s.position[i].y);
    CHECK(grid->GetPoint(i)[2] == 0);
  }
  REQUIRE(grid->GetNumberOfCells() == 2);
  const int stride = nodes_per_element(type);
  for (vtkIdType e = 0; e < 2; ++e) {
    CHECK(grid->GetCellType(e) == (type == ElementType::t3 ? 5 : 22));
    REQUIRE(grid->GetCell(e)->GetNumberOfPoints() == stride);
    for (int i = 0; i < stride; ++i) CHECK(grid->GetCell(e)->GetPointId(i) == s.elements[e * stride + i]);
  }

  vtkFieldData* points = grid->GetPointData();
  CHECK(names(points) == std::set<std::string>{"displacement", "velocity", "stress"});
  check_array(points, "displacement", nodes, [&](std::size_t i) { return plane(s.displacement[i]); });
  check_array(points, "velocity", nodes, [&](std::size_t i) { return plane(s.velocity[i]); });
  check_array(points, "stress", nodes, [&](std::size_t i) { return stress(s.nodal_stress[i]); });
  CHECK(std::string(points->GetAbstractArray("stress")->GetComponentName(0)) == "XX");
  CHECK(std::string(points->GetAbstractArray("stress")->GetComponentName(1)) == "YY");
  CHECK(std::string(points->GetAbstractArray("stress")->GetComponentName(2)) == "XY");

  vtkFieldData* cells = grid->GetCellData();
  CHECK(names(cells) == std::set<std::string>{"stress", "strain_energy_density", "fragment", "original_element"});
  check_array(cells, "stress", 2, [&](std::size_t e) { return stress(s.element_stress[e]); });
  check_array(cells, "strain_energy_density", 2, [&](std::size_t e) { return Tuple{s.energy_density[e]}; });
  check_array(cells, "fragment", 2, [&](std::size_t) { return Tuple{70}; });
  check_array(cells, "original_element", 2, [&](std::size_t e) { return Tuple{e == 0 ? 90.0 : 70.0}; });
}

TEST_CASE("cracks file holds one line per cohesive element on the mid-surface") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const TemporaryDirectory directory;
  const Snapshot s = two_triangles(type);
  write_cracks(directory / "cracks.vtu", s);
  const auto grid = read(directory / "cracks.vtu");

  // In VTK's order: both ends, then the middle.
  const bool linear = type == ElementType::t3;
  const std::vector<Index> side_a = linear ? std::vector<Index>{2, 0} : std::vector<Index>{2, 0, 5};
  const std::vector<Index> side_b = linear ? std::vector<Index>{4, 3} : std::vector<Index>{7, 6, 9};
  const auto nodes = static_cast<vtkIdType>(side_a.size());
  REQUIRE(grid->GetNumberOfCells() == 1);
  CHECK(grid->GetCellType(0) == (linear ? 3 : 21));
  REQUIRE(grid->GetCell(0)->GetNumberOfPoints() == nodes);
  REQUIRE(grid->GetNumberOfPoints() == nodes);
  for (vtkIdType i = 0; i < nodes; ++i) {
    CHECK(grid->GetCell(0)->GetPointId(static_cast<int>(i)) == i);
    CHECK(grid->GetPoint(i)[0] == s.position[side_a[i]].x);
    CHECK(grid->GetPoint(i)[1] == s.position[side_a[i]].y);
  }

  vtkFieldData* points = grid->GetPointData();
  const auto mean = [&](std::size_t i) {
    const Point a = s.displacement[side_a[i]], b = s.displacement[side_b[i]];
    return Tuple{(a.x + b.x) / 2, (a.y + b.y) / 2, 0};
  };
  CHECK(names(points) == std::set<std::string>{"displacement", "displacement_a", "displacement_b"});
  check_array(points, "displacement", nodes, mean);
  check_array(points, "displacement_a", nodes, [&](std::size_t i) { return plane(s.displacement[side_a[i]]); });
  check_array(points, "displacement_b", nodes, [&](std::size_t i) { return plane(s.displacement[side_b[i]]); });

  vtkFieldData* cells = grid->GetCellData();
  CHECK(names(cells) == std::set<std::string>{"opening_normal", "opening_tangential", "traction_normal",
                                              "traction_tangential", "damage", "failed", "insertion_step"});
  const auto check_cell = [&](const char* name, double want) {
    check_array(cells, name, 1, [&](std::size_t) { return Tuple{want}; });
  };
  check_cell("opening_normal", 1e-6);
  check_cell("opening_tangential", -2e-6);
  check_cell("traction_normal", 3e6);
  check_cell("traction_tangential", -4e6);
  check_cell("damage", 0.5);
  check_cell("failed", 1);
  check_cell("insertion_step", 5e9);
}

TEST_CASE("cracks file of an intact body is readable and empty") {
  const TemporaryDirectory directory;
  Snapshot s = two_triangles(ElementType::t6);
  s.cohesive.clear();
  write_cracks(directory / "cracks.vtu", s);
  const auto grid = read(directory / "cracks.vtu");
  CHECK(grid->GetNumberOfCells() == 0);
  CHECK(grid->GetNumberOfPoints() == 0);
  CHECK(grid->GetCellData()->GetNumberOfArrays() == 7);
}

TEST_CASE("mesh file has groups, colours and original ids") {
  const TemporaryDirectory directory;
  const Snapshot s = two_triangles(ElementType::t3);
  Mesh mesh;
  mesh.type = s.type;
  mesh.nodes = s.position;
  mesh.elements = s.elements;
  mesh.original_elements = {1, 0};
  mesh.groups = {{"left", {5}, {3, 5}}, {"bottom edge", {2}, {0, 1}}, {"plate", {}, {}, {1}}};
  Colouring colouring;
  colouring.count = 2;
  colouring.colour = {1, 0};
  write_mesh(directory / "mesh.vtu", mesh, colouring);
  const auto grid = read(directory / "mesh.vtu");
  check_array(grid->GetPointData(), "group:left", 6, [](std::size_t i) { return Tuple{i == 3 || i == 5 ? 1.0 : 0.0}; });
  check_array(grid->GetPointData(), "group:bottom edge", 6, [](std::size_t i) { return Tuple{i < 2 ? 1.0 : 0.0}; });
  check_array(grid->GetCellData(), "group:plate", 2, [](std::size_t e) { return Tuple{e == 1 ? 1.0 : 0.0}; });
  CHECK_FALSE(grid->GetPointData()->HasArray("group:plate"));
  CHECK_FALSE(grid->GetCellData()->HasArray("group:left"));
  check_array(grid->GetCellData(), "colour", 2, [](std::size_t e) { return Tuple{e == 0 ? 1.0 : 0.0}; });
  check_array(grid->GetCellData(), "original_element", 2, [](std::size_t e) { return Tuple{e == 0 ? 1.0 : 0.0}; });
}

TEST_CASE("time series lists files and times") {
  const TemporaryDirectory directory;
  write_time_series(directory, "bulk", {{0, 0.0}, {40, 4.0e-8}});
  CHECK(text_of(directory / "bulk.pvd") ==
        "<?xml version=\"1.0\"?>\n"
        "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
        "  <Collection>\n"
        "    <DataSet timestep=\"0\" group=\"\" part=\"0\" file=\"bulk_000000.vtu\"/>\n"
        "    <DataSet timestep=\"4.0000000000000001e-08\" group=\"\" part=\"0\" file=\"bulk_000001.vtu\"/>\n"
        "  </Collection>\n"
        "</VTKFile>\n");
  CHECK_FALSE(std::filesystem::exists(directory / "bulk.pvd.tmp"));
}

TEST_CASE("a frame that cannot be written is an error that names the file") {
  const TemporaryDirectory directory;
  std::filesystem::create_directory(directory / "bulk.vtu");
  CHECK_THROWS_WITH(write_bulk(directory / "bulk.vtu", two_triangles(ElementType::t3), {0, 1}),
                    Catch::Contains("bulk.vtu: cannot be written"));
}
