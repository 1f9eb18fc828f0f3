/// Strains of a body at one instant, from its displacements, and scalars of stress and strain in three dimensions; z is
/// a principal direction. Computed on the host, and only for frames that contain them.
#pragma once

#include <algorithm>
#include <cmath>
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

/// The principal values of a tensor.
struct PrincipalValues {
  double largest = 0;
  double smallest = 0;
};

inline PrincipalValues principal_values(double xx, double yy, double xy, double zz) {
  const double mean = (xx + yy) / 2, half = (xx - yy) / 2, radius = std::sqrt(half * half + xy * xy);
  return {std::max(mean + radius, zz), std::min(mean - radius, zz)};
}
inline PrincipalValues principal_values(const StressTensor& s) { return principal_values(s.xx, s.yy, s.xy, s.zz); }
/// The strain across the plane counts as zero, as in the written tensor.
inline PrincipalValues principal_values(const StrainTensor& e) { return principal_values(e.xx, e.yy, e.xy, 0); }

/// Von Mises stress sqrt(3/2 s:s) with the deviator s, Pa.
inline double von_mises(const StressTensor& s) {
  const double a = s.xx - s.yy, b = s.yy - s.zz, c = s.zz - s.xx;
  return std::sqrt((a * a + b * b + c * c) / 2 + 3 * s.xy * s.xy);
}

/// Pressure, minus a third of the trace, Pa: positive in compression.
inline double pressure(const StressTensor& s) { return -(s.xx + s.yy + s.zz) / 3; }

/// Largest shear stress (Tresca), half the difference of the largest and the smallest principal stress, Pa.
inline double largest_shear(const StressTensor& s) {
  const PrincipalValues p = principal_values(s);
  return (p.largest - p.smallest) / 2;
}

/// Equivalent strain sqrt(2/3 e:e) with the deviator e of the strain, zz as zero: γ/√3 for a shear γ.
inline double equivalent_strain(const StrainTensor& e) {
  const double a = e.xx - e.yy, b = e.yy, c = e.xx;
  return std::sqrt(2 * (a * a + b * b + c * c) + 12 * e.xy * e.xy) / 3;
}

}  // namespace cleave
