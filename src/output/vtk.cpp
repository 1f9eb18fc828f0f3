#include "cleave/output/vtk.hpp"

#include <fmt/format.h>
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkDoubleArray.h>
#include <vtkErrorCode.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkTypeInt32Array.h>
#include <vtkTypeInt64Array.h>
#include <vtkTypeUInt8Array.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLUnstructuredGridWriter.h>

#include <cstdint>
#include <cstring>

#include "cleave/output/fragments.hpp"
#include "cleave/output/output_file.hpp"

namespace cleave {
namespace {

/// Adds an array with `components` values a tuple; fill(i, tuple) sets those of tuple i.
template <class Array, class Fill>
Array* add_array(vtkFieldData* data, const std::string& name, std::size_t tuples, int components, const Fill& fill) {
  vtkNew<Array> array;
  array->SetName(name.c_str());
  array->SetNumberOfComponents(components);
  array->SetNumberOfTuples(static_cast<vtkIdType>(tuples));
  for (std::size_t i = 0; i < tuples; ++i) fill(i, array->GetPointer(static_cast<vtkIdType>(i) * components));
  data->AddArray(array);
  return array;
}

/// Adds an array with one value a tuple.
template <class Array, class Value>
void add_scalars(vtkFieldData* data, const std::string& name, std::size_t tuples, const Value& value) {
  add_array<Array>(data, name, tuples, 1, [&](std::size_t i, auto* tuple) { *tuple = value(i); });
}

/// Adds a vector of the plane with z = 0.
template <class Value>
void add_vectors(vtkFieldData* data, const std::string& name, std::size_t tuples, const Value& value) {
  add_array<vtkDoubleArray>(data, name, tuples, 3, [&](std::size_t i, double* tuple) {
    const Point p = value(i);
    tuple[0] = p.x, tuple[1] = p.y, tuple[2] = 0;
  });
}

void add_stress(vtkFieldData* data, const std::vector<PlaneTensor>& stress) {
  auto* array = add_array<vtkDoubleArray>(data, "stress", stress.size(), 3, [&](std::size_t i, double* tuple) {
    tuple[0] = stress[i].xx, tuple[1] = stress[i].yy, tuple[2] = stress[i].xy;
  });
  array->SetComponentName(0, "XX");
  array->SetComponentName(1, "YY");
  array->SetComponentName(2, "XY");
}

void set_points(vtkUnstructuredGrid* grid, const std::vector<Point>& positions) {
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  points->SetNumberOfPoints(static_cast<vtkIdType>(positions.size()));
  for (std::size_t i = 0; i < positions.size(); ++i) {
    points->SetPoint(static_cast<vtkIdType>(i), positions[i].x, positions[i].y, 0);
  }
  grid->SetPoints(points);
}

/// Cells of one type and size; connectivity is [cell][size].
void set_cells(vtkUnstructuredGrid* grid, int type, std::size_t size, const std::vector<Index>& connectivity) {
  vtkNew<vtkTypeInt64Array> offsets, ids;
  const std::size_t cells = connectivity.size() / size;
  offsets->SetNumberOfValues(static_cast<vtkIdType>(cells + 1));
  for (std::size_t c = 0; c <= cells; ++c) {
    offsets->SetValue(static_cast<vtkIdType>(c), static_cast<vtkTypeInt64>(c * size));
  }
  ids->SetNumberOfValues(static_cast<vtkIdType>(connectivity.size()));
  for (std::size_t i = 0; i < connectivity.size(); ++i) ids->SetValue(static_cast<vtkIdType>(i), connectivity[i]);
  vtkNew<vtkCellArray> array;
  array->SetData(offsets, ids);
  grid->SetCells(type, array);
}

void set_triangles(vtkUnstructuredGrid* grid, ElementType type, const std::vector<Index>& elements) {
  set_cells(grid, type == ElementType::t3 ? VTK_TRIANGLE : VTK_QUADRATIC_TRIANGLE,
            static_cast<std::size_t>(nodes_per_element(type)), elements);
}

/// VTK's codes are those of errno and some of its own.
std::string reason_of(unsigned long code) {
  if (code == vtkErrorCode::OutOfDiskSpaceError) return "no space left on the disk";
  return code < vtkErrorCode::FirstVTKErrorCode ? std::strerror(static_cast<int>(code))
                                                : fmt::format("VTK error {}", code);
}

void write_grid(const std::filesystem::path& file, vtkUnstructuredGrid* grid) {
  TemporaryFile temporary(file);
  vtkNew<vtkXMLUnstructuredGridWriter> writer;
  writer->SetFileName(temporary.path().c_str());
  writer->SetInputData(grid);
  writer->SetDataModeToAppended();
  writer->SetCompressorTypeToZLib();
  writer->SetCompressionLevel(1);  // digits of measured fields hardly compress: higher levels cost time and win little
  // The exception below is the report; VTK would print its own besides.
  const int display = vtkObject::GetGlobalWarningDisplay();
  vtkObject::GlobalWarningDisplayOff();
  const int written = writer->Write();
  vtkObject::SetGlobalWarningDisplay(display);
  if (written != 1 || writer->GetErrorCode() != vtkErrorCode::NoError) {
    throw std::runtime_error(fmt::format("{}: cannot be written ({}); check the free space and the permissions",
                                         file.string(), reason_of(writer->GetErrorCode())));
  }
  temporary.commit();
}

}  // namespace

void write_bulk(const std::filesystem::path& file, const Snapshot& s, const std::vector<Index>& original_elements) {
  vtkNew<vtkUnstructuredGrid> grid;
  set_points(grid, s.position);
  set_triangles(grid, s.type, s.elements);

  vtkPointData* points = grid->GetPointData();
  const std::size_t nodes = s.position.size();
  add_vectors(points, "displacement", nodes, [&](std::size_t i) { return s.displacement[i]; });
  add_vectors(points, "velocity", nodes, [&](std::size_t i) { return s.velocity[i]; });
  add_stress(points, s.nodal_stress);

  vtkCellData* cells = grid->GetCellData();
  const std::vector<Index> fragments = fragment_ids(s, original_elements);
  const std::size_t elements = fragments.size();
  add_stress(cells, s.element_stress);
  add_scalars<vtkDoubleArray>(cells, "strain_energy_density", elements,
                              [&](std::size_t e) { return s.energy_density[e]; });
  add_scalars<vtkTypeInt32Array>(cells, "fragment", elements, [&](std::size_t e) { return fragments[e]; });
  add_scalars<vtkTypeInt32Array>(cells, "original_element", elements,
                                 [&](std::size_t e) { return original_elements[e]; });
  write_grid(file, grid);
}

void write_cracks(const std::filesystem::path& file, const Snapshot& s) {
  // VTK has the ends of a quadratic edge first and its middle last.
  const std::size_t side = static_cast<std::size_t>(nodes_per_facet(s.type));
  const std::vector<std::size_t> order = side == 2 ? std::vector<std::size_t>{0, 1} : std::vector<std::size_t>{0, 2, 1};
  std::vector<Index> side_a, side_b, connectivity;  // [cohesive element][side]
  for (const Snapshot::Cohesive& c : s.cohesive) {
    for (const std::size_t i : order) {
      connectivity.push_back(static_cast<Index>(connectivity.size()));
      side_a.push_back(c.nodes[i]);
      side_b.push_back(c.nodes[side + i]);
    }
  }
  const auto mean = [&](const std::vector<Point>& field, std::size_t i) {
    const Point a = field[side_a[i]], b = field[side_b[i]];
    return Point{(a.x + b.x) / 2, (a.y + b.y) / 2};
  };

  vtkNew<vtkUnstructuredGrid> grid;
  const std::size_t nodes = connectivity.size();
  std::vector<Point> positions(nodes);
  for (std::size_t i = 0; i < nodes; ++i) positions[i] = mean(s.position, i);
  set_points(grid, positions);
  set_cells(grid, side == 2 ? VTK_LINE : VTK_QUADRATIC_EDGE, side, connectivity);

  vtkPointData* points = grid->GetPointData();
  add_vectors(points, "displacement", nodes, [&](std::size_t i) { return mean(s.displacement, i); });
  add_vectors(points, "displacement_a", nodes, [&](std::size_t i) { return s.displacement[side_a[i]]; });
  add_vectors(points, "displacement_b", nodes, [&](std::size_t i) { return s.displacement[side_b[i]]; });

  vtkCellData* cells = grid->GetCellData();
  const auto add = [&]<class Array>(Array*, const char* name, auto member) {
    add_scalars<Array>(cells, name, s.cohesive.size(), [&](std::size_t c) { return s.cohesive[c].*member; });
  };
  using Cohesive = Snapshot::Cohesive;
  constexpr vtkDoubleArray* real = nullptr;
  constexpr vtkTypeUInt8Array* flag = nullptr;
  constexpr vtkTypeInt64Array* count = nullptr;
  add(real, "opening_normal", &Cohesive::opening_normal);
  add(real, "opening_tangential", &Cohesive::opening_tangential);
  add(real, "traction_normal", &Cohesive::traction_normal);
  add(real, "traction_tangential", &Cohesive::traction_tangential);
  add(real, "damage", &Cohesive::damage);
  add(flag, "failed", &Cohesive::failed);
  add(count, "insertion_step", &Cohesive::insertion_step);
  write_grid(file, grid);
}

void write_mesh(const std::filesystem::path& file, const Mesh& mesh, const Colouring& colouring) {
  vtkNew<vtkUnstructuredGrid> grid;
  set_points(grid, mesh.nodes);
  set_triangles(grid, mesh.type, mesh.elements);
  const auto add_members = [](auto* data, const Group& group, const std::vector<Index>& ids, std::size_t count) {
    std::vector<std::uint8_t> member(count, 0);
    for (const Index id : ids) member[id] = 1;
    add_scalars<vtkTypeInt32Array>(data, "group:" + group.name, count, [&](std::size_t i) { return member[i]; });
  };
  const std::size_t elements = colouring.colour.size();
  for (const Group& group : mesh.groups) {
    if (!group.nodes.empty() || group.elements.empty())
      add_members(grid->GetPointData(), group, group.nodes, mesh.nodes.size());
    if (!group.elements.empty()) add_members(grid->GetCellData(), group, group.elements, elements);
  }
  add_scalars<vtkTypeInt32Array>(grid->GetCellData(), "colour", elements,
                                 [&](std::size_t e) { return colouring.colour[e]; });
  add_scalars<vtkTypeInt32Array>(grid->GetCellData(), "original_element", elements,
                                 [&](std::size_t e) { return mesh.original_elements[e]; });
  write_grid(file, grid);
}

std::string frame_name(const std::string& series, std::size_t frame) {
  return fmt::format("{}_{:06}.vtu", series, frame);
}

void write_time_series(const std::filesystem::path& directory, const std::string& series,
                       const std::vector<Frame>& frames) {
  std::string text =
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
      "  <Collection>\n";
  for (std::size_t i = 0; i < frames.size(); ++i) {
    text += fmt::format("    <DataSet timestep=\"{:.17g}\" group=\"\" part=\"0\" file=\"{}\"/>\n", frames[i].time,
                        frame_name(series, i));
  }
  text += "  </Collection>\n</VTKFile>\n";
  write_atomically(directory / (series + ".pvd"), text);
}

}  // namespace cleave
