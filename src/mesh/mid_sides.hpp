/// Mid-side nodes of quadratic triangles.
#pragma once

#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// Turns a connected T3 mesh into T6: adds one node in the middle of every facet, numbered after the corners in the
/// order in which elements first meet them. Boundary facets get separate nodes, so that a notch stays open.
void add_mid_sides(Mesh& mesh);

/// Moves the mid-side nodes of curved sides to the middle of their corners and records the change in mesh.straightened.
/// A node off by more than a quarter of its side is not its mid-side node and stays. Node ids must be in range;
/// neighbours are not needed.
void straighten(Mesh& mesh);

/// The middle of a facet's corners.
Point facet_middle(const Mesh& mesh, Index element, int facet);

}  // namespace cleave
