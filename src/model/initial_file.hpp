/// Initial displacements and velocities in files (`initial.file`).
#pragma once

#include <vector>

#include "cleave/case/case.hpp"
#include "cleave/case/case_report.hpp"
#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// Reads the vectors of the file of an initial state. Values come in the order of the input numbering: one for each
/// node of the mesh file, or of the mesh without one. Nodes that cracks have doubled take the value of their node, or
/// their own if the file goes on with them.
/// @return [field][node]; empty if the file cannot be used, which is reported
std::vector<std::vector<Point>> initial_vectors(const InitialCase& state, const Mesh& mesh, CaseReport& report);

}  // namespace cleave
