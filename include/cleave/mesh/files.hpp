/// Reading and writing of mesh files; .vtu files are written by cleave/output.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// Treatment of triangles with mid-side nodes off the middle of their sides; elements must have straight sides.
enum class CurvedSides { refused, straightened };

/// Choices of reading a mesh file.
struct MeshReading {
  CurvedSides sides = CurvedSides::refused;
  double scale = 1;          ///< coordinates of the file times this are metres
  bool split_quads = false;  ///< quads become two triangles each; false: they are an error
};

/// Reads a mesh file, checks it (check_mesh) and connects it. The extension gives the format: .msh (Gmsh 4.1 or 2.2,
/// ASCII or binary), .inp (Abaqus), .mesh and .meshb (INRIA, ASCII and binary), .vtu or legacy .vtk. Triangles have 3
/// or 6 nodes, one kind per file, and lie in a plane of constant z. Clockwise triangles are turned, and counted in
/// Mesh::turned. Quads with 4 nodes become two T3, with 8 or 9 nodes two T6, on request.
///
/// Groups of a .msh file are its physical points, lines and surfaces, known by name, or by number without a name;
/// physical groups of one name, which must differ in dimension, form one group. Groups of a .mesh or .meshb file are
/// the nonzero references of its edges and triangles, known by number. A line gives its nodes and its facets, which may
/// lie inside the body; a surface gives its triangles only. Nodes of no triangle (points of the geometry) are dropped.
/// Groups of a .vtu or .vtk file are integer arrays "group:NAME". In point data, points with nonzero values are the
/// nodes, and boundary facets whose nodes all belong to them the facets. In cell data they mark the triangles. An array
/// "facets:NAME" of cell data gives the facets instead, as the sum of 2^k over the facets k of the triangle in the
/// group. Without such arrays cells with the same number in an integer array of cell data are a group "ARRAY=NUMBER":
/// triangles, lines and points; lines without numbers are the group "lines".
///
/// Groups of an .inp file are its sets, but internal ones, and its surfaces. A set of nodes gives its nodes, without
/// those of no triangle, a set of elements its triangles and, of trusses, lines; a surface gives the sides of
/// triangles. Sets and surfaces of one name form one group; a set of an instance is INSTANCE.SET if another one has a
/// set of that name.
///
/// Node numbers of a file are the input numbering if all fit into 32 bits, otherwise positions from 1; likewise
/// triangle numbers. An empty or repeated group is an error.
///
/// Throws InputError that names the file and the place (line or byte), or the node or element in the input numbering.
Mesh read_mesh(const std::filesystem::path& file, const MeshReading& how = {});

enum class GmshVersion { v22, v41 };

/// Text of a .msh file: nodes and elements in the order of the mesh, with the numbers of the input numbering (plus one
/// if it starts at 0), groups as physical points, lines and surfaces. read_mesh returns the same mesh, bit for bit. The
/// lines of a group are its facets, on the boundary or inside; its points are the nodes on none of its facets.
std::string gmsh_file(const Mesh& mesh, GmshVersion version, bool binary);

/// A reference number in INRIA's formats. Facets or triangles with the same set of groups share one reference.
struct InriaReference {
  Index number = 0;
  int dimension = 0;                ///< 1: facets, 2: triangles
  std::vector<std::string> groups;  ///< groups with this reference, at least one
};

/// The references of a mesh in ascending order, from 1; 0 stands for no group.
std::vector<InriaReference> inria_references(const Mesh& mesh);

/// Text of a .mesh file, or bytes of a .meshb file of version 3. The format has neither names nor groups of nodes.
std::string inria_file(const Mesh& mesh, bool binary);

}  // namespace cleave
