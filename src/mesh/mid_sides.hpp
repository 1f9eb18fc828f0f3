/// Mid-side nodes of quadratic triangles.
#pragma once

#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// Turns a connected T3 mesh into T6: one node on the middle of every facet, numbered after the corners in the order
/// in which elements first meet them. Boundary facets get nodes of their own, so a notch stays open.
void add_mid_sides(Mesh& mesh);

/// Puts the mid-side nodes of curved sides on the middle of their corners, and notes in mesh.straightened what that
/// changed. A node that is off by more than a quarter of its side is no mid-side node of it and stays. Node ids must be
/// in range; neighbours are not needed.
void straighten(Mesh& mesh);

/// The middle of a facet's two corners.
Point facet_middle(const Mesh& mesh, Index element, int facet);

}  // namespace cleave
