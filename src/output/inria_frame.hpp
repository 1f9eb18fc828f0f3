/// Files of a frame in INRIA's formats: the present mesh, and fields at its nodes beside it.
#pragma once

#include <string>
#include <vector>

#include "cleave/case/case.hpp"
#include "cleave/output/grid.hpp"
#include "cleave/output/output_directory.hpp"
#include "cleave/solver/snapshot.hpp"

namespace cleave {

/// Writes bulk_%06d.mesh and .sol, or .meshb and .solb. Nodes are at their places at the start; references of edges and
/// triangles stand for groups as in files of `cleave mesh`.
/// @param mesh  the mesh at the start of the run
void write_inria_frame(const OutputDirectory& directory, std::int64_t number, const Snapshot& snapshot,
                       const Mesh& mesh, const FrameChoice& choice);

}  // namespace cleave
