/// Element colours: elements of one colour share no node, so they can write to their nodes at the same time.
#pragma once

#include <vector>

#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// How colours are assigned.
enum class ColouringMethod {
  automatic,     ///< `structured` if the mesh has structured colours, else `welsh_powell`
  structured,    ///< the exact formula of a structured mesh: 8 colours
  welsh_powell,  ///< elements with the most neighbours first; each takes the smallest free colour
  by_id,         ///< in the order of element ids; each takes the smallest free colour
  balanced,      ///< Welsh-Powell, then elements change colours until the colours are about equal in size
};

struct Colouring {
  int count = 0;
  std::vector<int> colour;     ///< [element] 0 .. count - 1
  std::vector<Index> order;    ///< [element] element ids grouped by colour, ascending within a colour
  std::vector<Index> offsets;  ///< [count + 1] range of each colour in `order`
  ColouringMethod method = ColouringMethod::welsh_powell;  ///< the method used; never automatic

  Index size(int c) const { return offsets[c + 1] - offsets[c]; }
};

/// Colours a connected mesh; elements that share a node (neighbours) get different colours. Welsh-Powell takes elements
/// by descending degree, ties by original element id (D. J. A. Welsh, M. B. Powell, 1967). Original ids make the
/// colours independent of the numbering; ties along a Hilbert curve would need a third more colours. Splitting nodes
/// only removes sharing, so a colouring of the intact mesh stays valid through any insertion. Throws InputError for
/// `structured` if the mesh has no structured colours, see has_structured_colours.
Colouring colour_elements(const Mesh& mesh, ColouringMethod method = ColouringMethod::automatic);

/// True for generated meshes of crossed quads, except rings with an odd number of quads around.
bool has_structured_colours(const Mesh& mesh);

/// Greedy colouring in a given order: each element takes the smallest colour that none of its neighbours has.
/// @param order  every element once
std::vector<int> greedy_colours(const Mesh& mesh, const std::vector<Index>& order);

/// True if no two elements of one colour share a node.
bool is_valid(const Colouring& colouring, const Mesh& mesh);

/// The largest number of elements at one node, a lower bound of the number of colours.
int max_incidence(const Mesh& mesh);

}  // namespace cleave
