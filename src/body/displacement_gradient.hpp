/// How the displacement of an element changes from place to place.
#pragma once

#include "cleave/material/material_point.hpp"
#include "cleave/mesh/element.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Displacement gradient of an element at one Gauss point.
template <int Nodes>
CLEAVE_HD Gradient displacement_gradient(const ShapeGradients<Nodes>& g, const Vec2 (&u)[Nodes]) {
  Gradient d;
  for (int i = 0; i < Nodes; ++i) {
    d.xx += g.x[i] * u[i].x;
    d.xy += g.y[i] * u[i].x;
    d.yx += g.x[i] * u[i].y;
    d.yy += g.y[i] * u[i].y;
  }
  return d;
}

}  // namespace cleave::inline CLEAVE_PRECISION
