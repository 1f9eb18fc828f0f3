/// Strengths that differ from facet to facet: a number by chance for each. SI units.
#pragma once

#include <cstdint>
#include <optional>

namespace cleave {

/// How the strengths of facets are distributed. A facet has one factor for both modes, by which its strengths are those
/// of the case; its traction over opening is T(delta) = s T0(s delta) with that factor s, so that the fracture energy
/// stays.
struct StrengthDistribution {
  /// weibull: P(strength < x) = 1 - exp(-(L / reference length) (x / scale)^modulus) on a facet of length L.
  enum class Kind { weibull, uniform };
  Kind kind = Kind::weibull;
  double scale = 0;                        ///< weibull, Pa
  double modulus = 0;                      ///< weibull
  std::optional<double> reference_length;  ///< weibull, m; empty: the length of a facet makes no difference
  double from = 0, to = 0;                 ///< uniform, Pa
  std::uint64_t seed = 1;

  bool operator==(const StrengthDistribution&) const = default;

  /// What factors are relative to, Pa: the scale, or the mean of a uniform distribution.
  double nominal() const { return kind == Kind::weibull ? scale : (from + to) / 2; }
  /// Strength over the nominal one of a facet of that length, m.
  /// @param part  of all facets that are weaker, in (0, 1)
  double factor(double part, double length) const;
};

/// A number in (0, 1) for a facet: a hash of the seed and of the original ids of its corners, whose order makes no
/// difference. It depends on nothing else.
double part_of_facet(std::uint64_t seed, std::int32_t corner, std::int32_t other_corner);

}  // namespace cleave
