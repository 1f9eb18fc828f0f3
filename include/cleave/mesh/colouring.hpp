/// Element colours: elements of one colour share no node, so they can write to their nodes at the same time.
#pragma once

#include <vector>

#include "cleave/mesh/mesh.hpp"

namespace cleave {

struct Colouring {
  int count = 0;
  std::vector<int> colour;     ///< [element] 0 .. count - 1
  std::vector<Index> order;    ///< [element] element ids grouped by colour, ascending within a colour
  std::vector<Index> offsets;  ///< [count + 1] range of each colour in `order`
  bool structured = false;     ///< from the exact formula of a structured mesh, not from Welsh-Powell
};

/// The structured 8-colouring where the mesh has one, else Welsh-Powell on the graph of elements that share a node:
/// degree descending, ties by original element id, smallest free colour (D. J. A. Welsh, M. B. Powell, 1967). Original
/// ids make the colours independent of the numbering; ties along a Hilbert curve would need a third more colours.
/// Splitting nodes only removes sharing, so a colouring of the intact mesh stays valid through any insertion.
Colouring colour_elements(const Mesh& mesh);

/// Welsh-Powell whatever the mesh.
Colouring welsh_powell(const Mesh& mesh);

/// True when no two elements of one colour share a node.
bool is_valid(const Colouring& colouring, const Mesh& mesh);

/// The largest number of elements at one node: no colouring has fewer colours.
int max_incidence(const Mesh& mesh);

}  // namespace cleave
