/// Mid-side nodes of quadratic triangles.
#pragma once

#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// Turns a connected T3 mesh into T6: one node on the middle of every facet, numbered after the corners in the order
/// in which elements first meet them. Boundary facets get nodes of their own, so a notch stays open.
void add_mid_sides(Mesh& mesh);

/// The middle of a facet's two corners.
Point facet_middle(const Mesh& mesh, Index element, int facet);

}  // namespace cleave
