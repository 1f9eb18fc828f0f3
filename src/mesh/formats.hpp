/// One reader per file format; read_mesh chooses by the extension.
#pragma once

#include <filesystem>

#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// Gmsh 2.2 ASCII.
Mesh read_gmsh(const std::filesystem::path& file);

/// VTK's XML unstructured grid.
Mesh read_vtu(const std::filesystem::path& file);

/// Throws InputError when the mesh does not lie in a plane of constant z; `z` holds one value per node, m.
void check_plane(const Mesh& mesh, const std::vector<double>& z, const std::string& source);

}  // namespace cleave
