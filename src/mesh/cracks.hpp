/// Parting a mesh along facets before the run.
#pragma once

#include <vector>

#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// Opens facets inside a connected mesh: both their sides become boundary. Each of their nodes gets a copy for every
/// sector of elements around it but the first, the one with the smallest element id; so a tip inside the body keeps its
/// node. Copies come behind all nodes, in the order of the nodes and then of the sectors; they are numbered from the
/// largest input number on. Groups of these facets hold both sides afterwards, and groups with a node by itself all
/// copies of it.
/// @param facets  codes of facets inside; either code of a facet, repeats allowed
/// @return codes of the facets that could not open, as both sides still have the same nodes: a crack of T3 that is one
/// facet long and ends inside at both ends
std::vector<Index> open_facets(Mesh& mesh, const std::vector<Index>& facets);

}  // namespace cleave
