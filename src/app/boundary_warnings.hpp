/// Warnings about entries of `boundary` that have no effect.
#pragma once

#include "app/warnings.hpp"
#include "cleave/case/case.hpp"
#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// Warns, with file, line and key of both, if entries that come later prescribe all nodes of a `fix` or a `velocity`
/// in a direction in another way, and if a load or an absorbing side acts in prescribed directions only.
void warn_of_overridden(const Case& c, const Mesh& mesh, Warnings& warnings);

}  // namespace cleave
