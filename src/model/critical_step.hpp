/// The largest step of central differences on a mesh.
#pragma once

#include "cleave/solver/model.hpp"

namespace cleave {

/// Smallest 2 / omega_max(K_e, m_e) over the elements, each of its own material, s: a lower bound of the critical step
/// of the assembled mesh, and of every mesh that splitting its nodes makes (Rayleigh quotient element by element).
/// Needs the model's mesh and materials only.
double critical_step(const Model& model);

}  // namespace cleave
