/// Facets by their ends, for lines of mesh files.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// A facet between each pair of nodes, in either order; empty for a pair without one.
std::vector<std::optional<Index>> facets_between(const Mesh& mesh, const std::vector<std::pair<Index, Index>>& ends);

}  // namespace cleave
