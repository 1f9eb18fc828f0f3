/// Supported sections of INRIA's mesh formats: names in .mesh, numbers in .meshb (libMeshb, L. Marechal, INRIA).
#pragma once

namespace cleave::inria {

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
  end = 54
};

struct Name {
  Keyword keyword;
  const char* name;
};
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

/// Name of a section, such as "Vertices"; empty for unsupported ones.
constexpr const char* name_of(int keyword) {
  for (const Name& n : names)
    if (n.keyword == keyword) return n.name;
  return "";
}

}  // namespace cleave::inria
