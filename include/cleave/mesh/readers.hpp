/// Meshes from files.
#pragma once

#include <filesystem>

#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// What becomes of triangles whose mid-side nodes are off the middle of their sides: elements have straight sides.
enum class CurvedSides { refused, straightened };

/// Reads a mesh file by its extension, checks it (check_mesh) and connects it: .msh (Gmsh 4.1 or 2.2, ASCII or binary),
/// .mesh and .meshb (INRIA, ASCII and binary), .vtu or legacy .vtk. Triangles with 3 or 6 nodes, one kind per file, in
/// a plane of constant z.
///
/// Groups of a .msh file are its physical points, lines and surfaces, called by their name, or by their number without
/// one; those of one name, which must differ in dimension, are one group. Those of a .mesh or .meshb file are the
/// references of its edges and triangles that are not 0, called by their number. A line inside the body gives its nodes
/// and a facet inside, a surface its triangles only. Nodes of no triangle (points of the geometry) are dropped. Groups
/// of a .vtu or .vtk file are integer arrays "group:NAME" of point data (points with a value other than 0 are the
/// nodes, and boundary facets with all nodes among them the facets) and of cell data (the triangles); an array
/// "facets:NAME" of cell data says which facets instead, as the sum of 2^k over the facets k of the triangle.
///
/// The numbers of a file's nodes are the input numbering if they all have 32 bits, else their positions from 1; so are
/// those of its triangles. A group that holds nothing or is there twice is an error.
///
/// Throws InputError naming the file and the place (line or byte), or the node or element in the input numbering.
Mesh read_mesh(const std::filesystem::path& file, CurvedSides sides = CurvedSides::refused);

}  // namespace cleave
