/// Writers of mesh files for other programs; .vtu files are written by cleave/output.
#pragma once

#include <string>
#include <vector>

#include "cleave/mesh/mesh.hpp"

namespace cleave {

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
