/// Strains of a body at one instant, from its displacements. Computed on the host, and only for frames that contain
/// them.
#pragma once

#include <vector>

#include "cleave/solver/snapshot.hpp"

namespace cleave {

/// Strain in the plane with tensor components: xy is half of the engineering shear.
struct StrainTensor {
  double xx = 0;
  double yy = 0;
  double xy = 0;
};

/// Total strains, including plastic ones: with finite kinematics Green's strain ½(FᵀF - I), else the symmetric part of
/// the displacement gradient.
struct Strains {
  std::vector<StrainTensor> nodal;    ///< [node] mean over the node's elements of values extrapolated from Gauss points
  std::vector<StrainTensor> element;  ///< [bulk element] mean over the Gauss points
};

Strains strains_of(const Snapshot& snapshot, int threads);

}  // namespace cleave
