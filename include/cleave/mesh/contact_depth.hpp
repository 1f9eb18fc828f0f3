/// How deep parts of a mesh may lie in each other where they touch.
#pragma once

#include <vector>

#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// [element] How deep contact points of an element may sink, m: a quarter of the least altitude of the elements that
/// share a node with it. Points go over from one of them to the next.
std::vector<double> contact_depths(const Mesh& mesh);

/// The deepest overlap of elements; of depth 0: none.
struct ElementOverlap {
  double depth = 0;  ///< of a side below all sides of another element, m
  Point place;       ///< m
};
ElementOverlap deepest_element_overlap(const Mesh& mesh);

}  // namespace cleave
