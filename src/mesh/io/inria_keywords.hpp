/// Supported sections of INRIA's formats: names in .mesh and .sol, numbers in .meshb and .solb (libMeshb, L. Marechal,
/// INRIA).
#pragma once

namespace cleave::inria {

constexpr char comment = '#';

enum Keyword {
  dimension = 3,
  vertices = 4,
  edges = 5,
  triangles = 6,
  quadrilaterals = 7,
  tetrahedra = 8,
  prisms = 9,
  hexahedra = 10,
  triangles_p2 = 24,
  edges_p2 = 25,
  quadrilaterals_q2 = 27,
  tetrahedra_p2 = 30,
  hexahedra_q2 = 33,
  pyramids = 49,
  end = 54,
  sol_at_vertices = 62
};

struct Name {
  Keyword keyword;
  const char* name;
};
/// Sections of meshes.
inline constexpr Name names[] = {{dimension, "Dimension"},
                                 {vertices, "Vertices"},
                                 {edges, "Edges"},
                                 {triangles, "Triangles"},
                                 {quadrilaterals, "Quadrilaterals"},
                                 {tetrahedra, "Tetrahedra"},
                                 {prisms, "Prisms"},
                                 {hexahedra, "Hexahedra"},
                                 {triangles_p2, "TrianglesP2"},
                                 {edges_p2, "EdgesP2"},
                                 {quadrilaterals_q2, "QuadrilateralsQ2"},
                                 {tetrahedra_p2, "TetrahedraP2"},
                                 {hexahedra_q2, "HexahedraQ2"},
                                 {pyramids, "Pyramids"},
                                 {end, "End"}};
/// Sections of solutions.
inline constexpr Name solution_names[] = {{dimension, "Dimension"}, {sol_at_vertices, "SolAtVertices"}, {end, "End"}};

/// Types of the fields of a solution, as the format numbers them.
enum FieldType { scalar = 1, vector = 2, symmetric_tensor = 3, tensor = 4 };

/// Number of components of a field; 0: there is no such type.
constexpr int components_of(int type, int dimension) {
  constexpr int in_plane[] = {1, 2, 3, 4}, in_space[] = {1, 3, 6, 9};
  if (type < scalar || type > tensor) return 0;
  return (dimension == 2 ? in_plane : in_space)[type - 1];
}

/// Name of a section, such as "Vertices".
constexpr const char* name_of(int keyword) {
  for (const Name& n : names)
    if (n.keyword == keyword) return n.name;
  for (const Name& n : solution_names)
    if (n.keyword == keyword) return n.name;
  return "";
}

}  // namespace cleave::inria
