/// Strains of a body at one instant, from its displacements. No kernel needs them: only frames that name them pay.
#pragma once

#include <vector>

#include "cleave/solver/snapshot.hpp"

namespace cleave {

/// Strain in the plane, components of a tensor: xy is half of the engineering shear.
struct StrainTensor {
  double xx = 0;
  double yy = 0;
  double xy = 0;
};

/// Total strains: plastic flow is in them. With finite kinematics Green's strain ½(FᵀF - I), else the symmetric part of
/// the displacement gradient.
struct Strains {
  std::vector<StrainTensor> nodal;    ///< [node] mean over the node's elements, extrapolated from their Gauss points
  std::vector<StrainTensor> element;  ///< [bulk element] mean over the Gauss points
};

Strains strains_of(const Snapshot& snapshot, int threads);

}  // namespace cleave
