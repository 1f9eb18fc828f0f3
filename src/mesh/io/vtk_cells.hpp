/// Cells of a VTK grid as nodes and elements of a mesh.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "mesh/io/vtk_grid.hpp"

namespace cleave {

/// A line or a point of a grid.
struct VtkMark {
  Index cell = 0;
  std::array<Index, 3> nodes{};  ///< both ends, then the mid-side node
  int node_count = 0;
};

/// A mesh with nodes and elements, without neighbours and groups, and where they come from.
struct VtkCells {
  Mesh mesh;  ///< original_nodes are points, but of nodes that quads have brought; points of no element are left out
  std::vector<double> z;       ///< [node]
  std::vector<Index> cell_of;  ///< [element] its cell
  Index from_points = 0;       ///< number of nodes that are points of the grid; others follow
  std::vector<VtkMark> marks;
};

/// Throws InputError about the file `source`.
VtkCells cells_of_grid(const VtkGrid& grid, const MeshReading& how, const std::string& source);

}  // namespace cleave
