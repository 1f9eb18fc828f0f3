/// Random strengths of facets. SI units.
#pragma once

#include <cstdint>
#include <optional>

namespace cleave {

/// Distribution of the strengths of facets. A facet has one factor s for both modes: its strengths are s times those of
/// the case, and its traction over opening is T(delta) = s T0(s delta), so that the fracture energy stays the same.
struct StrengthDistribution {
  /// weibull: P(strength < x) = 1 - exp(-(L / reference length) (x / scale)^modulus) on a facet of length L.
  enum class Kind { weibull, uniform };
  Kind kind = Kind::weibull;
  double scale = 0;                        ///< weibull, Pa
  double modulus = 0;                      ///< weibull
  std::optional<double> reference_length;  ///< weibull, m; empty: strengths do not depend on the length
  double from = 0, to = 0;                 ///< uniform, Pa
  std::uint64_t seed = 1;

  bool operator==(const StrengthDistribution&) const = default;

  /// Strength to which factors are relative, Pa: the scale, or the mean of a uniform distribution.
  double nominal() const { return kind == Kind::weibull ? scale : (from + to) / 2; }
  /// Strength of a facet over the nominal one.
  /// @param part    fraction of all facets that are weaker, in (0, 1)
  /// @param length  length of the facet, m
  double factor(double part, double length) const;
};

/// A random number in (0, 1) for a facet: a hash of nothing but the seed and the original ids of its corners, in either
/// order.
double part_of_facet(std::uint64_t seed, std::int32_t corner, std::int32_t other_corner);

}  // namespace cleave
