/// Opening of facets of a mesh before the run.
#pragma once

#include <vector>

#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// Opens facets inside a connected mesh: both sides become boundary. Each node of them gets a copy for every sector of
/// elements around it but the first, which has the smallest element id; a tip inside the body therefore keeps its node.
/// Copies follow all nodes, in the order of the nodes and then of the sectors; their input numbers follow the largest
/// one. Groups of these facets have both sides afterwards, and groups with a single node all its copies.
/// @param facets  codes of interior facets; either code of a facet, repeats allowed
/// @return codes of facets that could not open, because both sides still have the same nodes: a crack of T3 that is one
/// facet long and ends inside at both ends
std::vector<Index> open_facets(Mesh& mesh, const std::vector<Index>& facets);

}  // namespace cleave
