/// Meshes from files.
#pragma once

#include <filesystem>

#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// Reads a mesh file by its extension: .msh (Gmsh 2.2 ASCII) or .vtu. Triangles with 3 or 6 nodes, one kind per file;
/// physical names of lines and points (.msh) or an integer point- or cell-data array per group (.vtu) become groups.
/// Unused nodes (geometry points of Gmsh) are dropped. No neighbours yet: see connect. Throws InputError naming file and line.
Mesh read_mesh(const std::filesystem::path& file);

}  // namespace cleave
