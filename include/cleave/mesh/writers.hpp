/// Meshes as files of other programs; a .vtu comes from cleave/output.
#pragma once

#include <string>
#include <vector>

#include "cleave/mesh/mesh.hpp"

namespace cleave {

enum class GmshVersion { v22, v41 };

/// A .msh file: nodes and elements in the order of the mesh, under the numbers of the input numbering (one more where
/// it begins with 0), groups as physical points, lines and surfaces. read_mesh gives the same mesh back, to the last
/// bit. A group's lines are its facets, on the boundary or inside; its points are the nodes that are on none of them.
std::string gmsh_file(const Mesh& mesh, GmshVersion version, bool binary);

/// Facets or triangles of the same groups have the same reference in INRIA's formats.
struct InriaReference {
  Index number = 0;
  int dimension = 0;                ///< 1: facets, 2: triangles
  std::vector<std::string> groups;  ///< never empty
};

/// Those of a mesh, by number, from 1; 0 stands for no group.
std::vector<InriaReference> inria_references(const Mesh& mesh);

/// A .mesh file, or a .meshb file of version 3. The format knows no names, and no groups of nodes.
std::string inria_file(const Mesh& mesh, bool binary);

}  // namespace cleave
