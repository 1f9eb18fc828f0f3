/// The largest step of central differences on a mesh.
#pragma once

#include "cleave/material/linear_elastic.hpp"
#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// Smallest 2 / omega_max(K_e, m_e) over the elements, s: a lower bound of the critical step of the assembled mesh, and
/// of every mesh that splitting its nodes makes (Rayleigh quotient element by element).
double critical_step(const Mesh& mesh, const LinearElastic& material);

}  // namespace cleave
