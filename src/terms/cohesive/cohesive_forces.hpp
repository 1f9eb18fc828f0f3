/// Forces of cohesive elements, as bulk elements fetch them for their own sides.
#pragma once

#include "terms/cracks/crack_pressure.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Forces that only faces that turn have, see CorotationalFaces and turning_cracks.hpp.
struct WithCouples {
  const Vec2* gauss_couple;    ///< [cohesive][q], N
  const FacePush* gauss_push;  ///< [cohesive][q]; null: no pressure enters cracks
};
struct WithoutCouples {};

/// Forces of cohesive elements as their bulk elements see them.
template <class Element, bool corotational = false>
struct CohesiveForces : std::conditional_t<corotational, WithCouples, WithoutCouples> {
  const Vec2* gauss_force;  ///< [cohesive][q] traction * Gauss weight * |dX/dr| * thickness, less the push of a
                            ///< pressure in the crack, global directions, N

  /// Prefetches the forces of a cohesive side.
  CLEAVE_HD void fetch_lines(Index code) const {
    const Vec2* const first = gauss_force + FacetGauss::points * cohesive_of(code);
    fetch_line(first[0]);
    fetch_line(first[FacetGauss::points - 1]);
  }
  /// Adds those of element e's cohesive facets to its nodal forces: side a gets -N T, side b +N T.
  CLEAVE_HD void add(const ElementTable<Element>& elements, Index e, Vec2 (&f)[Element::nodes]) const {
    constexpr int nodes = Element::facet_nodes;
    const Index behind[Element::facets] = {elements.neighbour(e, 0), elements.neighbour(e, 1),
                                           elements.neighbour(e, 2)};
    CLEAVE_UNROLL
    for (int k = 0; k < Element::facets; ++k) {
      const Index code = behind[k];
      if (!is_cohesive(code)) continue;
      const Index c = cohesive_of(code);
      const bool side_a = cohesive_side_of(code) == 0;
      for (int i = 0; i < nodes; ++i) {
        Vec2 sum{};
        for (int q = 0; q < FacetGauss::points; ++q)
          sum += Element::facet_shape(i, FacetGauss::point(q)) * gauss_force[FacetGauss::points * c + q];
        Vec2 of_a = Real(-1) * sum, of_b = sum;
        if constexpr (corotational)
          for (int q = 0; q < FacetGauss::points; ++q) {
            const Vec2 couple =
                Element::facet_derivative(i, FacetGauss::point(q)) * this->gauss_couple[FacetGauss::points * c + q];
            of_a += couple;
            of_b += couple;
          }
        if constexpr (corotational)
          for (int q = 0; q < FacetGauss::points && this->gauss_push != nullptr; ++q) {
            const Real share = Element::facet_shape(i, FacetGauss::point(q));
            of_a += share * this->gauss_push[FacetGauss::points * c + q].force[0];
            of_b += share * this->gauss_push[FacetGauss::points * c + q].force[1];
          }
        // Two lines with places that the compiler knows, so that f stays in registers.
        if (side_a)
          f[Element::facet_slot(k, i)] += of_a;
        else
          f[Element::facet_slot(k, nodes - 1 - i)] += of_b;
      }
    }
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
