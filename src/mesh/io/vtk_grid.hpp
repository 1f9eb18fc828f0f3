/// The unstructured grid in a file of VTK's, XML or legacy, and how it becomes a Mesh. VTK's own readers
/// believe the sizes that a file names. Damaged files make those of 9.1 and 9.7 write behind an array (a cell that is
/// longer than the list of a .vtk file) or allocate what eight bytes before compressed data ask for; checking these
/// before VTK reads them is reading the file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cleave/mesh/mesh.hpp"
#include "cleave/mesh/readers.hpp"
#include "mesh/io/input_file.hpp"

namespace cleave {

/// Values of an array, all components of a point or cell together.
struct VtkArray {
  std::string name;
  int components = 1;
  std::vector<double> values;
};

struct VtkGrid {
  std::vector<double> points;              ///< x, y, z of each, m
  std::vector<std::int64_t> connectivity;  ///< points of the cells, one cell after the other
  std::vector<std::int64_t> ends;          ///< [cell] where its points end in the connectivity
  std::vector<std::int64_t> types;         ///< [cell] VTK's number
  std::vector<VtkArray> point_data, cell_data;

  /// Whether point or cell data of that name say groups.
  static bool is_group(std::string_view array);
  /// Whether cell data may number groups: one integer a cell. Readers need no other arrays.
  /// @param type  as XML names it: "Int32"
  static bool may_number(std::string_view array, std::string_view type, std::uint64_t components);
};

/// The mesh, checked and connected. Throws InputError about the file.
Mesh mesh_of_grid(const VtkGrid& grid, const MeshReading& how, InputFile& file);

}  // namespace cleave
