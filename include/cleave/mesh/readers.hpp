/// Meshes from files.
#pragma once

#include <filesystem>

#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// Reads a mesh file by its extension: .msh (Gmsh 2.2 ASCII) or .vtu, checks it (check_mesh) and connects it.
/// Triangles with 3 or 6 nodes, one kind per file, in a plane of constant z.
///
/// Groups of a .msh file are its physical points, lines and surfaces, called by their name, or by their number without
/// one; those of one name, which must differ in dimension, are one group. A line inside the body gives its nodes only,
/// a surface its triangles only. Nodes of no triangle (geometry points of Gmsh) are dropped. Groups of a .vtu file are
/// integer arrays "group:NAME" of point data (points with a value other than 0 are the nodes, and boundary facets with
/// all nodes among them the facets) and of cell data (the triangles).
///
/// A group that holds nothing or is there twice, and a number above 32 bits, are errors.
///
/// Throws InputError naming the file and the line (.msh), or the node or element in the file's own numbering.
Mesh read_mesh(const std::filesystem::path& file);

}  // namespace cleave
