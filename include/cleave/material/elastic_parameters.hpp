/// Parameters of an isotropic elastic material from the case file. SI units.
#pragma once

namespace cleave {

/// Plane stress or plane strain: the component across the plane that is zero.
enum class PlaneType { stress, strain };

struct ElasticParameters {
  double young_modulus = 0;  ///< Pa
  double poisson_ratio = 0;
  double density = 0;  ///< kg/m^3
  PlaneType plane = PlaneType::strain;

  bool operator==(const ElasticParameters&) const = default;
};

}  // namespace cleave
