/// Internal force of one straight-sided element without its stiffness matrix.
#pragma once

#include <cmath>

#include "cleave/material/linear_elastic.hpp"
#include "kernels/stress.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Gradients of the area coordinates L1 and L2 times the square root of (thickness * area / Gauss points), so that
/// sums over Gauss points need no weight; L0's is minus their sum.
struct ScaledGradients {
  Vec2 g1, g2;
};

namespace detail {

/// s * a + b, rounded once.
CLEAVE_HD_INLINE Vec2 fused(Real s, Vec2 a, Vec2 b) { return {std::fma(s, a.x, b.x), std::fma(s, a.y, b.y)}; }

/// Stress of the displacement gradient d1 (x) g1 + d2 (x) g2, applied to g1 and g2.
struct FacetTractions {
  Vec2 t1, t2;
};
CLEAVE_HD_INLINE FacetTractions tractions(const LinearElastic& m, const ScaledGradients& g, Vec2 d1, Vec2 d2) {
  const Real exx = std::fma(d1.x, g.g1.x, d2.x * g.g2.x);
  const Real eyy = std::fma(d1.y, g.g1.y, d2.y * g.g2.y);
  const Real gxy = std::fma(d1.x, g.g1.y, std::fma(d2.x, g.g2.y, std::fma(d1.y, g.g1.x, d2.y * g.g2.x)));
  const Real sxx = std::fma(m.d11, exx, m.d12 * eyy);
  const Real syy = std::fma(m.d12, exx, m.d11 * eyy);
  const Real sxy = m.d33 * gxy;
  return {{std::fma(sxx, g.g1.x, sxy * g.g1.y), std::fma(sxy, g.g1.x, syy * g.g1.y)},
          {std::fma(sxx, g.g2.x, sxy * g.g2.y), std::fma(sxy, g.g2.x, syy * g.g2.y)}};
}

}  // namespace detail

/// f = K u of a T3, N. Returns the strain energy, J.
CLEAVE_HD_INLINE Real element_force(const LinearElastic& material, const ScaledGradients& g, const Vec2 (&u)[3],
                                    Vec2 (&f)[3]) {
  const Vec2 d1 = u[1] - u[0], d2 = u[2] - u[0];
  const auto t = detail::tractions(material, g, d1, d2);
  f[0] = Real(-1) * (t.t1 + t.t2);
  f[1] = t.t1;
  f[2] = t.t2;
  return Real(0.5) * (dot(t.t1, d1) + dot(t.t2, d2));
}

/// Node of corner k and Gauss point q of a T6: corner k itself for q = k, else the mid-side between corners k and q.
CLEAVE_HD constexpr int node_between(int k, int q) { return k == q ? k : k + q == 1 ? 3 : k + q == 3 ? 4 : 5; }

/// What the displacement gradient of a straight-sided element at Gauss point q is made of:
/// grad u = d1 (x) grad L1 + d2 (x) grad L2.
struct CornerDifferences {
  Vec2 d1, d2;
};
CLEAVE_HD_INLINE CornerDifferences corner_differences(const Vec2 (&u)[3], int /*q*/) {
  return {u[1] - u[0], u[2] - u[0]};
}
/// T6: grad u = sum_k c_k(q) (x) grad L_k with c_k(q) = s_k + 2 u(node between k and q),
/// s_k = 2/3 (mid-sides next to k) - 1/3 u_k.
CLEAVE_HD_INLINE Vec2 corner_part(const Vec2 (&u)[6], int k) {
  constexpr Real third = Real(1) / 3;
  return detail::fused(2 * third, u[3 + k] + u[3 + (k + 2) % 3], -third * u[k]);
}
CLEAVE_HD_INLINE CornerDifferences corner_differences(const Vec2 (&u)[6], int q) {
  const Vec2 c0 = detail::fused(2, u[node_between(0, q)], corner_part(u, 0));
  return {detail::fused(2, u[node_between(1, q)], corner_part(u, 1)) - c0,
          detail::fused(2, u[node_between(2, q)], corner_part(u, 2)) - c0};
}

/// f = K u of a T6, N: the transpose of corner_differences applied to the stresses. Returns the strain energy, J.
CLEAVE_HD_INLINE Real element_force(const LinearElastic& material, const ScaledGradients& g, const Vec2 (&u)[6],
                                    Vec2 (&f)[6]) {
  using detail::fused;
  constexpr Real third = Real(1) / 3;
  Real energy = 0;
  Vec2 sum[3];
  for (int i = 0; i < 6; ++i) f[i] = Vec2{};
  for (int k = 0; k < 3; ++k) sum[k] = Vec2{};
  CLEAVE_UNROLL
  for (int q = 0; q < 3; ++q) {
    const auto [d1, d2] = corner_differences(u, q);
    const auto t = detail::tractions(material, g, d1, d2);
    const Vec2 t0 = Real(-1) * (t.t1 + t.t2);
    energy += dot(t.t1, d1) + dot(t.t2, d2);
    f[node_between(0, q)] += t0;
    f[node_between(1, q)] += t.t1;
    f[node_between(2, q)] += t.t2;
    sum[0] += t0;
    sum[1] += t.t1;
    sum[2] += t.t2;
  }
  for (int k = 0; k < 3; ++k) {
    f[k] = fused(2, f[k], -third * sum[k]);
    f[3 + k] = fused(2, f[3 + k], 2 * third * (sum[k] + sum[(k + 1) % 3]));
  }
  return Real(0.5) * energy;
}

/// Whether an element has turned inside out at one of its Gauss points.
/// @param inverse_scale  what turns scaled gradients into gradients
template <int Nodes>
CLEAVE_HD bool is_inside_out(const ScaledGradients& g, const Vec2 (&u)[Nodes], Real inverse_scale, int gauss_points) {
  for (int q = 0; q < gauss_points; ++q) {
    const auto [d1, d2] = corner_differences(u, q);
    const DisplacementGradient d{
        inverse_scale * (d1.x * g.g1.x + d2.x * g.g2.x), inverse_scale * (d1.x * g.g1.y + d2.x * g.g2.y),
        inverse_scale * (d1.y * g.g1.x + d2.y * g.g2.x), inverse_scale * (d1.y * g.g1.y + d2.y * g.g2.y)};
    if (!(d.jacobian() > 0)) return true;
  }
  return false;
}

/// Scaled gradients of all elements.
using GradientTable = Table<Real, 4, 32>;

/// Stores the scaled gradients of every bulk element: g1 x, y, g2 x, y.
template <class Element>
struct StoreGradients {
  static constexpr const char* name = "gradients";
  ElementTable<Element> elements;
  const Vec2* position;  ///< [node], m
  Real thickness;        ///< m
  GradientTable table;

  CLEAVE_HD Index size() const { return elements.bulk; }
  CLEAVE_HD void operator()(Index e) const {
    Vec2 x[Element::nodes];
    elements.gather(e, position, x);
    const Vec2 a = x[1] - x[0], b = x[2] - x[0];
    const Real twice_area = a.x * b.y - a.y * b.x;
    const Real scale = std::sqrt(thickness * Real(0.5) * twice_area / Element::gauss_points) / twice_area;
    table(e, 0) = scale * b.y;
    table(e, 1) = -scale * b.x;
    table(e, 2) = -scale * a.y;
    table(e, 3) = scale * a.x;
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
