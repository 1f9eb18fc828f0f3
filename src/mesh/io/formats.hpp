/// One reader per file format; read_mesh chooses by the extension.
#pragma once

#include <filesystem>
#include <vector>

#include "cleave/mesh/files.hpp"
#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// Gmsh 4.1 or 2.2, ASCII or binary.
Mesh read_gmsh(const std::filesystem::path& file, const MeshReading& how);

/// Abaqus input file (.inp).
Mesh read_abaqus(const std::filesystem::path& file, const MeshReading& how);

/// INRIA's .mesh, ASCII, and .meshb, binary.
Mesh read_inria(const std::filesystem::path& file, const MeshReading& how);

/// VTK's XML unstructured grid.
Mesh read_vtu(const std::filesystem::path& file, const MeshReading& how);

/// VTK's legacy unstructured grid, ASCII or binary.
Mesh read_legacy_vtk(const std::filesystem::path& file, const MeshReading& how);

/// Scales the mesh that a reader has filled with nodes, elements with valid nodes and the numbers of the file, turns
/// its clockwise triangles, straightens its sides if asked to, checks and connects it; groups come afterwards. `z`
/// holds one value per node. Throws InputError also when the mesh does not lie in a plane of constant z.
/// @return the triangles that were turned, ascending: their facets 1 and 2 have changed places
std::vector<Index> finish_mesh(Mesh& mesh, const std::vector<double>& z, const MeshReading& how,
                               const std::string& source);

}  // namespace cleave
