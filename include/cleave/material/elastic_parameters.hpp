/// What the case file says of an isotropic elastic material. SI units.
#pragma once

namespace cleave {

/// The stress or the strain across the plane that is zero.
enum class PlaneType { stress, strain };

struct ElasticParameters {
  double young_modulus = 0;  ///< Pa
  double poisson_ratio = 0;
  double density = 0;  ///< kg/m^3
  PlaneType plane = PlaneType::strain;

  bool operator==(const ElasticParameters&) const = default;
};

}  // namespace cleave
