/// Internal force of one straight-sided element without its stiffness matrix.
#pragma once

#include <cmath>

#include "body/displacement_gradient.hpp"
#include "body/element_table.hpp"
#include "cleave/core/table.hpp"
#include "cleave/lockstep/kernel.hpp"
#include "cleave/material/material_point.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Gradients of the area coordinates L1 and L2 of a triangle, 1/m (L0's is minus their sum).
struct AreaGradients {
  Vec2 g1, g2;

  /// Displacement gradient d1 (x) g1 + d2 (x) g2.
  CLEAVE_HD_INLINE Gradient gradient(Vec2 d1, Vec2 d2) const {
    return {std::fma(d1.x, g1.x, d2.x * g2.x), std::fma(d1.x, g1.y, d2.x * g2.y), std::fma(d1.y, g1.x, d2.y * g2.x),
            std::fma(d1.y, g1.y, d2.y * g2.y)};
  }
};
/// @param a, b  corners 1 and 2 from corner 0, m
CLEAVE_HD_INLINE AreaGradients area_gradients(Vec2 a, Vec2 b) {
  const Real inverse = 1 / (a.x * b.y - a.y * b.x);
  return {{inverse * b.y, -inverse * b.x}, {-inverse * a.y, inverse * a.x}};
}

/// Geometry of a straight-sided element: its gradients, and the weight of each Gauss point, thickness * area / Gauss
/// points, m^3.
struct ElementGeometry : AreaGradients {
  Real weight;
};
/// @param depth  thickness / (2 Gauss points), m: the gradients' cross product is 1 / (2 area)
CLEAVE_HD_INLINE ElementGeometry element_geometry(const AreaGradients& g, Real depth) {
  return {g, depth / (g.g1.x * g.g2.y - g.g1.y * g.g2.x)};
}

namespace detail {

/// s * a + b, rounded once.
CLEAVE_HD_INLINE Vec2 fused(Real s, Vec2 a, Vec2 b) { return {std::fma(s, a.x, b.x), std::fma(s, a.y, b.y)}; }

}  // namespace detail

/// Node of corner k and Gauss point q of a T6: corner k itself for q = k, else the mid-side between corners k and q.
CLEAVE_HD constexpr int node_between(int k, int q) { return k == q ? k : k + q == 1 ? 3 : k + q == 3 ? 4 : 5; }

/// Vectors that make the displacement gradient of a straight-sided element at Gauss point q:
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

/// Energies of an element, J.
struct MaterialEnergy {
  Real stored;
  Real dissipated;  ///< in this step
};

/// Internal force of a T3, N.
/// @param states  of its Gauss points: at(q), and set(q, state) and share_flag(), by which they are updated
template <class Material, class States>
CLEAVE_HD_INLINE MaterialEnergy element_force(const Material& material, const ElementGeometry& at, const Vec2 (&u)[3],
                                              const States& states, Real dt, Vec2 (&f)[3]) {
  const auto [d1, d2] = corner_differences(u, 0);
  auto state = states.at(0);
  const Response r = material.update(at.gradient(d1, d2), state, dt);
  states.set(0, state);
  f[1] = at.weight * (r.stress * at.g1);
  f[2] = at.weight * (r.stress * at.g2);
  f[0] = Real(-1) * (f[1] + f[2]);
  return {at.weight * r.stored, at.weight * r.dissipated};
}

/// The same of a T6: the transpose of corner_differences applied to the stresses.
template <class Material, class States>
CLEAVE_HD_INLINE MaterialEnergy element_force(const Material& material, const ElementGeometry& at, const Vec2 (&u)[6],
                                              const States& states, Real dt, Vec2 (&f)[6]) {
  using detail::fused;
  const Real third = Real(1) / 3 * at.weight;
  Real stored = 0, dissipated = 0;
  Vec2 t[3][3];  // of Gauss point q, for the gradient of corner k
  CLEAVE_UNROLL
  for (int q = 0; q < 3; ++q) {
    const auto [d1, d2] = corner_differences(u, q);
    auto state = states.at(q);
    const Response r = material.update(at.gradient(d1, d2), state, dt);
    states.set(q, state);
    t[q][1] = r.stress * at.g1;
    t[q][2] = r.stress * at.g2;
    t[q][0] = Real(-1) * (t[q][1] + t[q][2]);
    stored += r.stored;
    dissipated += r.dissipated;
  }
  states.share_flag();
  Vec2 sum[3];
  CLEAVE_UNROLL
  for (int k = 0; k < 3; ++k) sum[k] = t[0][k] + t[1][k] + t[2][k];
  CLEAVE_UNROLL
  for (int k = 0; k < 3; ++k) {
    const int l = (k + 1) % 3;
    f[k] = fused(2 * at.weight, t[k][k], -third * sum[k]);
    f[3 + k] = fused(2 * at.weight, t[k][l] + t[l][k], 2 * third * (sum[k] + sum[l]));
  }
  return {at.weight * stored, at.weight * dissipated};
}

/// Whether an element has turned inside out at one of its Gauss points.
template <int Nodes>
CLEAVE_HD_INLINE bool is_inside_out(const ElementGeometry& at, const Vec2 (&u)[Nodes], int gauss_points) {
  bool right = true;
  for (int q = 0; q < gauss_points; ++q) {
    const auto [d1, d2] = corner_differences(u, q);
    right = right & (at.gradient(d1, d2).jacobian() > 0);  // no branch, which lanes would not share
  }
  return !right;
}

/// Geometry of all elements: g1 x, y, g2 x, y. Weights follow from these, as a division takes less time than a read.
struct GeometryTable {
  template <class Value>
  using Rows = Table<Value, 4, 32>;
  Rows<const Real> rows;
  Real depth;  ///< see element_geometry

  CLEAVE_HD_INLINE AreaGradients gradients_of(Index e) const {
    return {{rows(e, 0), rows(e, 1)}, {rows(e, 2), rows(e, 3)}};
  }
  CLEAVE_HD_INLINE ElementGeometry of(Index e) const { return element_geometry(gradients_of(e), depth); }
};

/// Stores the geometry of every bulk element.
template <class Element>
struct StoreGeometry {
  static constexpr KernelTraits traits{.name = "element geometry"};
  ElementTable<Element> elements;
  const Vec2* position;  ///< [node], m
  GeometryTable::Rows<Real> rows;

  CLEAVE_HD Index size() const { return elements.bulk; }
  CLEAVE_HD void operator()(Index e) const {
    const Vec2 x0 = position[elements.node(e, 0)];
    const Vec2 a = position[elements.node(e, 1)] - x0, b = position[elements.node(e, 2)] - x0;
    const AreaGradients g = area_gradients(a, b);
    rows(e, 0) = g.g1.x;
    rows(e, 1) = g.g1.y;
    rows(e, 2) = g.g2.x;
    rows(e, 3) = g.g2.y;
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
