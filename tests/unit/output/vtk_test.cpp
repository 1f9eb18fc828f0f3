#include "cleave/output/vtk.hpp"

#include <vtkCell.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkSmartPointer.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLUnstructuredGridReader.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
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
Tuple stress(StressTensor s) { return {s.xx, s.yy, s.zz, s.xy, 0, 0}; }

const FrameChoice exactly{Precision::double_precision, {}, 2};

}  // namespace

TEST_CASE("the bulk file has every field") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const Compression compression = GENERATE(Compression::zlib, Compression::lz4, Compression::none);
  const TemporaryDirectory directory;
  Snapshot s = two_triangles(type);
  const bool touches = GENERATE(false, true);
  for (std::size_t n = 0; touches && n < s.position.size(); ++n) {
    s.contact_traction.push_back({1e5 * static_cast<double>(n), -2e5});
    s.contact_depth.push_back(1e-6 * static_cast<double>(n));
  }
  s.fragment = {0, 0};  // both in one fragment, whose smallest original element is 70
  // All nodes of the second element are copies.
  Mesh mesh;
  mesh.type = type;
  mesh.elements = type == ElementType::t3 ? std::vector<Index>{0, 1, 2, 0, 2, 1}
                                          : std::vector<Index>{0, 1, 2, 3, 4, 5, 0, 2, 1, 5, 4, 3};
  mesh.nodes.resize(mesh.elements.size() / 2);
  for (Index n = 0; n < mesh.node_count(); ++n) mesh.original_nodes.push_back(100 - n);
  mesh.original_elements = {90, 70};
  write_vtu(directory / "new/bulk.vtu", bulk_grid(s, mesh, {70, 70}, exactly), compression);
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
  std::set<std::string> at_nodes{"displacement", "velocity", "stress", "von_mises_stress", "largest_principal_stress",
                                 "original_node"};
  if (touches) at_nodes.insert({"contact_traction", "contact_depth"});
  CHECK(names(points) == at_nodes);
  if (touches) {
    check_array(points, "contact_traction", nodes, [&](std::size_t i) { return plane(s.contact_traction[i]); });
    check_array(points, "contact_depth", nodes, [&](std::size_t i) { return Tuple{s.contact_depth[i]}; });
  }
  check_array(points, "original_node", nodes, [&](std::size_t i) { return Tuple{100.0 - mesh.elements[i]}; });
  check_array(points, "displacement", nodes, [&](std::size_t i) { return plane(s.displacement[i]); });
  check_array(points, "velocity", nodes, [&](std::size_t i) { return plane(s.velocity[i]); });
  check_array(points, "stress", nodes, [&](std::size_t i) { return stress(s.nodal_stress[i]); });
  for (int k = 0; k < 6; ++k) {
    constexpr const char* components[] = {"XX", "YY", "ZZ", "XY", "YZ", "XZ"};
    CHECK(std::string(points->GetAbstractArray("stress")->GetComponentName(k)) == components[k]);
  }

  vtkFieldData* cells = grid->GetCellData();
  // meshio makes a matrix of an array that states one component.
  CHECK_THAT(text_of(directory / "new/bulk.vtu"), !Catch::Contains("NumberOfComponents=\"1\""));
  CHECK(names(cells) == std::set<std::string>{"stress", "von_mises_stress", "largest_principal_stress",
                                              "strain_energy_density", "fragment", "original_element"});
  check_array(cells, "stress", 2, [&](std::size_t e) { return stress(s.element_stress[e]); });
  check_array(cells, "strain_energy_density", 2, [&](std::size_t e) { return Tuple{s.energy_density[e]}; });
  check_array(cells, "fragment", 2, [&](std::size_t) { return Tuple{70}; });
  check_array(cells, "original_element", 2, [&](std::size_t e) { return Tuple{e == 0 ? 90.0 : 70.0}; });
}

TEST_CASE("the cracks file has one line per cohesive element on the mid-surface") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const TemporaryDirectory directory;
  const Snapshot s = two_triangles(type);
  write_vtu(directory / "cracks.vtu", cracks_grid(s, exactly));
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
                                              "traction_tangential", "damage", "strength_scale", "failed",
                                              "insertion_step"});
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

TEST_CASE("arrays lie in the file in the opposite order of their tags") {
  // meshio 5.3.5 relies on it: it gives an array that it has read a new place, by which it must not find it again.
  const TemporaryDirectory directory;
  write_vtu(directory / "cracks.vtu", cracks_grid(two_triangles(ElementType::t6)));
  const std::string text = text_of(directory / "cracks.vtu");
  std::vector<long> places;
  for (std::size_t at = text.find("offset=\""); at != std::string::npos; at = text.find("offset=\"", at + 1))
    places.push_back(std::stol(text.substr(at + 8, 12)));
  REQUIRE(places.size() > 10);
  CHECK(std::is_sorted(places.rbegin(), places.rend()));
  CHECK(places.back() == 0);
}

TEST_CASE("the cracks file of an intact body has no points and no lines") {
  const TemporaryDirectory directory;
  Snapshot s = two_triangles(ElementType::t6);
  s.cohesive.clear();
  write_vtu(directory / "cracks.vtu", cracks_grid(s));
  const auto grid = read(directory / "cracks.vtu");
  CHECK(grid->GetNumberOfPoints() == 0);
  REQUIRE(grid->GetNumberOfCells() == 1);  // for readers that need one
  CHECK(grid->GetCellType(0) == 2);
  CHECK(grid->GetCell(0)->GetNumberOfPoints() == 0);
  CHECK(grid->GetCellData()->GetNumberOfArrays() == 8);
  CHECK(grid->GetPointData()->GetNumberOfArrays() == 3);
  // meshio wants values in their tags, see write_vtu.
  CHECK_THAT(text_of(directory / "cracks.vtu"), !Catch::Contains("appended") && !Catch::Contains("compressor"));
}

TEST_CASE("reals are rounded to floats by default, points are not") {
  const TemporaryDirectory directory;
  Snapshot s = two_triangles(ElementType::t3);
  s.position[1].x = 1.0 / 3;
  write_vtu(directory / "bulk.vtu", bulk_grid(s, mesh_of(s), {0, 1}));
  const auto grid = read(directory / "bulk.vtu");
  CHECK(grid->GetPoint(1)[0] == 1.0 / 3);
  auto* energy = vtkDataArray::SafeDownCast(grid->GetCellData()->GetAbstractArray("strain_energy_density"));
  CHECK(energy->GetDataType() == VTK_FLOAT);
  CHECK(energy->GetComponent(1, 0) == static_cast<double>(static_cast<float>(1.0 / 3)));
}

TEST_CASE("scalars of the stress have the values computed by hand") {
  Snapshot s = two_triangles(ElementType::t3);
  // Pure shear; a pressure in the plane whose largest principal stress is the one across it.
  s.element_stress = {{0, 0, 3, 0}, {-10, -10, 0, -6}};
  const Grid grid = bulk_grid(s, mesh_of(s), {0, 1}, exactly);
  const auto values = [&](const std::string& name) {
    for (const GridArray& array : grid.cell_data)
      if (array.name == name) return std::get<std::vector<double>>(array.values);
    return std::vector<double>{};
  };
  const std::vector<double> von_mises = values("von_mises_stress"), principal = values("largest_principal_stress");
  REQUIRE(von_mises.size() == 2);
  CHECK(von_mises[0] == Approx(3 * std::sqrt(3.0)));
  CHECK(von_mises[1] == Approx(4));
  CHECK(principal == std::vector<double>{3, -6});
}

TEST_CASE("scalars of the stress are written by name") {
  Snapshot s = two_triangles(ElementType::t3);
  // In the plane 5 +- 5 and -10 twice; across it -6.
  s.element_stress = {{8, 2, 4, -6}, {-10, -10, 0, -6}};
  s.nodal_stress[2] = {8, 2, 4, 11};  // across it 11
  FrameChoice choice = exactly;
  choice.fields = {"smallest_principal_stress", "pressure", "largest_shear_stress"};
  const Grid grid = bulk_grid(s, mesh_of(s), {0, 1}, choice);
  const auto check = [](const GridArray& array, const std::string& name, std::size_t i, double want) {
    CHECK(array.name == name);
    CHECK(std::get<std::vector<double>>(array.values)[i] == Approx(want));
  };
  REQUIRE(grid.cell_data.size() == 3);
  check(grid.cell_data[0], "smallest_principal_stress", 0, -6);
  check(grid.cell_data[0], "smallest_principal_stress", 1, -10);
  check(grid.cell_data[1], "pressure", 0, -4.0 / 3);
  check(grid.cell_data[1], "pressure", 1, 26.0 / 3);
  check(grid.cell_data[2], "largest_shear_stress", 0, 8);
  check(grid.cell_data[2], "largest_shear_stress", 1, 2);
  REQUIRE(grid.point_data.size() == 3);
  CHECK(std::fabs(std::get<std::vector<double>>(grid.point_data[0].values)[2]) < 1e-14);
  check(grid.point_data[1], "pressure", 2, -7);
  check(grid.point_data[2], "largest_shear_stress", 2, 5.5);
}

TEST_CASE("fields of material states are zero where a material lacks them") {
  Snapshot s = two_triangles(ElementType::t3);
  FrameChoice choice = exactly;
  choice.fields = {"plastic_strain"};
  const auto written = [&] {
    const Grid grid = bulk_grid(s, mesh_of(s), {0, 1}, choice);
    CHECK(grid.point_data.empty());
    REQUIRE(grid.cell_data.size() == 1);
    CHECK(grid.cell_data[0].name == "plastic_strain");
    return std::get<std::vector<double>>(grid.cell_data[0].values);
  };
  CHECK(written() == std::vector<double>{0, 0});
  s.state_fields = {{"other", {3, 4}}, {"plastic_strain", {0.25, 0}}};
  CHECK(written() == std::vector<double>{0.25, 0});
}

TEST_CASE("a frame needs only the parts of a state that its arrays are made of") {
  const auto wanted = [](const std::vector<std::string>& fields) {
    FrameChoice choice = exactly;
    choice.fields = fields;
    return choice.parts();
  };
  const auto same = [](const SnapshotParts& a, const SnapshotParts& b) {
    return a.neighbours == b.neighbours && a.nodal_stress == b.nodal_stress && a.element_stress == b.element_stress &&
           a.energy_density == b.energy_density && a.state_fields == b.state_fields;
  };
  CHECK(same(wanted({"displacement", "velocity", "strain", "fragment", "damage", "original_node"}),
             {false, false, false, false, false}));
  for (const char* name : {"stress", "von_mises_stress", "largest_principal_stress", "smallest_principal_stress",
                           "pressure", "largest_shear_stress"})
    CHECK(same(wanted({name}), {false, true, true, false, false}));
  CHECK(same(wanted({"strain_energy_density"}), {false, false, false, true, false}));
  CHECK(same(wanted({"plastic_strain"}), {false, false, false, false, true}));
  CHECK(same(FrameChoice{}.parts(), {false, true, true, true, false}));

  Snapshot whole = two_triangles(ElementType::t6);
  Snapshot part = whole;
  part.neighbours = {};
  part.drop_stress();
  FrameChoice choice = exactly;
  choice.fields = {"displacement", "velocity", "equivalent_strain", "fragment", "original_element", "damage"};
  const auto arrays_of = [&](const Snapshot& s) {
    std::vector<GridArray::Values> values;
    for (const Grid& grid : {bulk_grid(s, mesh_of(whole), {0, 1}, choice), cracks_grid(s, choice)})
      for (const auto* arrays : {&grid.point_data, &grid.cell_data})
        for (const GridArray& array : *arrays) values.push_back(array.values);
    return values;
  };
  CHECK(arrays_of(part) == arrays_of(whole));
}

TEST_CASE("only the chosen fields are written, and the case file lists all fields") {
  Snapshot s = two_triangles(ElementType::t6);
  s.contact_traction.resize(s.position.size());
  s.contact_depth.resize(s.position.size());
  const auto written = [&](const FrameChoice& choice) {
    std::set<std::string> all;
    for (const Grid& grid : {bulk_grid(s, mesh_of(s), {0, 1}, choice), cracks_grid(s, choice)})
      for (const auto* arrays : {&grid.point_data, &grid.cell_data})
        for (const GridArray& array : *arrays) all.insert(array.name);
    return all;
  };
  const std::set<std::string> all(output_fields().begin(), output_fields().end());
  std::set<std::string> usual = all;
  std::erase_if(usual, is_named_only);
  CHECK(all.size() == usual.size() + 6 + state_fields().size());  // a user's law may add its own
  CHECK(all.contains("plastic_strain"));
  CHECK(written({}) == usual);
  FrameChoice choice;
  choice.fields = output_fields();
  CHECK(written(choice) == all);
  choice.fields = {"damage", "velocity"};
  CHECK(written(choice) == std::set<std::string>{"damage", "velocity"});
}

TEST_CASE("a large file is the same for any number of threads, and its blocks are read back") {
  const TemporaryDirectory directory;
  Snapshot s = two_triangles(ElementType::t3);
  for (int i = 6; i < 70'000; ++i) {  // some blocks of each array, and a remainder
    s.position.push_back({1e-3 * i, 2e-3 * i});
    s.displacement.push_back({1e-7 * i * i, -1e-6 * i});
    s.velocity.push_back({0.1 * i, 0.3 * i});
    s.nodal_stress.push_back({1e6 * i, 2e6 * i, 3e6 * i, 4e6 * i});
  }
  const Compression compression = GENERATE(Compression::zlib, Compression::lz4, Compression::none);
  const auto text_with = [&](int threads) {
    const FrameChoice choice{Precision::double_precision, {}, threads};
    write_vtu(directory / "bulk.vtu", bulk_grid(s, mesh_of(s), {0, 1}, choice), compression, threads);
    return text_of(directory / "bulk.vtu");
  };
  const std::string once = text_with(1);
  CHECK(text_with(3) == once);
  const auto grid = read(directory / "bulk.vtu");
  check_array(grid->GetPointData(), "displacement", 70'000, [&](std::size_t i) { return plane(s.displacement[i]); });
  check_array(grid->GetPointData(), "stress", 70'000, [&](std::size_t i) { return stress(s.nodal_stress[i]); });
}

TEST_CASE("the mesh file has groups, colours and original ids") {
  const TemporaryDirectory directory;
  const Snapshot s = two_triangles(ElementType::t3);
  Mesh mesh;
  mesh.type = s.type;
  mesh.nodes = s.position;
  mesh.elements = s.elements;
  mesh.original_nodes = {5, 0, 1, 2, 3, 4};
  mesh.original_elements = {1, 0};
  mesh.groups = {{"left", {5}, {3, 5}}, {"<bottom> & \"edge\"", {2}, {0, 1}}, {"plate", {}, {}, {1}}};
  Colouring colouring;
  colouring.count = 2;
  colouring.colour = {1, 0};
  write_vtu(directory / "mesh.vtu", mesh_grid(mesh, colouring));
  const auto grid = read(directory / "mesh.vtu");
  check_array(grid->GetPointData(), "group:left", 6, [](std::size_t i) { return Tuple{i == 3 || i == 5 ? 1.0 : 0.0}; });
  check_array(grid->GetPointData(), "group:<bottom> & \"edge\"", 6,
              [](std::size_t i) { return Tuple{i < 2 ? 1.0 : 0.0}; });
  check_array(grid->GetCellData(), "group:plate", 2, [](std::size_t e) { return Tuple{e == 1 ? 1.0 : 0.0}; });
  CHECK_FALSE(grid->GetPointData()->HasArray("group:plate"));
  CHECK_FALSE(grid->GetCellData()->HasArray("group:left"));
  check_array(grid->GetCellData(), "colour", 2, [](std::size_t e) { return Tuple{e == 0 ? 1.0 : 0.0}; });
  check_array(grid->GetCellData(), "original_element", 2, [](std::size_t e) { return Tuple{e == 0 ? 1.0 : 0.0}; });
  check_array(grid->GetPointData(), "original_node", 6,
              [](std::size_t n) { return Tuple{n == 0 ? 5.0 : static_cast<double>(n) - 1}; });
}

TEST_CASE("a time series lists files and times") {
  const TemporaryDirectory directory;
  write_time_series(directory, "bulk", {{0, 0.0, 0}, {40, 4.0e-8, 1}});
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

TEST_CASE("a frame that cannot be written leaves no file and an error with its name") {
  const TemporaryDirectory directory;
  std::filesystem::create_directory(directory / "bulk.vtu");
  const Grid grid = cracks_grid(two_triangles(ElementType::t3));
  CHECK_THROWS_WITH(write_vtu(directory / "bulk.vtu", grid), Catch::Contains("bulk.vtu: cannot be written"));
  CHECK_FALSE(std::filesystem::exists(directory / "bulk.vtu.tmp"));
}
