/// Linear and quadratic triangles for kernels: sizes, shape functions, quadrature.
///
/// Area coordinates L0 = 1 - xi - eta, L1 = xi, L2 = eta. Node and facet order: see mesh.hpp and facet.hpp.
#pragma once

#include <cmath>

#include "cleave/core/types.hpp"
#include "cleave/mesh/mesh.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Gradients of all shape functions at one Gauss point, and its weight.
template <int Nodes>
struct ShapeGradients {
  Real x[Nodes];  ///< dN_i/dx, 1/m
  Real y[Nodes];  ///< dN_i/dy, 1/m
  Real area;      ///< Gauss weight * det J, m^2
};

namespace detail {
/// Transforms parent gradients into gradients in the plane.
template <int Nodes>
CLEAVE_HD ShapeGradients<Nodes> map_gradients(const Real (&d_xi)[Nodes], const Real (&d_eta)[Nodes],
                                              const Vec2 (&position)[Nodes], Real weight) {
  Vec2 x_xi{}, x_eta{};
  for (int i = 0; i < Nodes; ++i) {
    x_xi += d_xi[i] * position[i];
    x_eta += d_eta[i] * position[i];
  }
  const Real det = x_xi.x * x_eta.y - x_xi.y * x_eta.x;
  const Real inverse = 1 / det;
  ShapeGradients<Nodes> g;
  for (int i = 0; i < Nodes; ++i) {
    g.x[i] = inverse * (d_xi[i] * x_eta.y - d_eta[i] * x_xi.y);
    g.y[i] = inverse * (d_eta[i] * x_xi.x - d_xi[i] * x_eta.x);
  }
  g.area = weight * det;
  return g;
}
}  // namespace detail

/// The linear triangle: constant strain, one Gauss point.
struct T3 {
  static constexpr ElementType type = ElementType::t3;
  static constexpr int dim = 2, corners = 3, facets = facets_per_element;
  static constexpr int stresses = Sym2::components;
  static constexpr int nodes = 3;
  static constexpr int dofs = dim * nodes;
  static constexpr int facet_nodes = 2;
  static constexpr int gauss_points = 1;

  CLEAVE_HD static ShapeGradients<3> gradients(const Vec2 (&position)[3], int /*gauss_point*/) {
    return detail::map_gradients<3>({-1, 1, 0}, {-1, 0, 1}, position, Real(0.5));
  }
  /// Share of node slot i in the element's mass.
  CLEAVE_HD static constexpr Real mass_fraction(int) { return Real(1) / 3; }
  /// Weight of Gauss point q in the value extrapolated to node slot i.
  CLEAVE_HD static constexpr Real extrapolation(int /*i*/, int /*q*/) { return 1; }

  CLEAVE_HD static constexpr int facet_slot(int k, int i) { return (k + 1 + i) % 3; }
  /// Position of node slot i on facet k, the inverse of facet_slot; the node must lie on the facet.
  CLEAVE_HD static constexpr int facet_position(int k, int i) { return (i + 2 - k) % 3; }
  /// The facets of node slot i, n = 0 .. facets_at - 1.
  CLEAVE_HD static constexpr int facets_at(int /*i*/) { return 2; }
  CLEAVE_HD static constexpr int facet_at(int i, int n) { return (i + 1 + n) % 3; }
  /// Facet shape functions at r in [-1, 1], and their derivatives by r.
  CLEAVE_HD static constexpr Real facet_shape(int i, Real r) { return i == 0 ? (1 - r) / 2 : (1 + r) / 2; }
  CLEAVE_HD static constexpr Real facet_derivative(int i, Real) { return i == 0 ? Real(-0.5) : Real(0.5); }
  /// Share of facet node i in a quantity that is uniform along the facet.
  CLEAVE_HD static constexpr Real facet_weight(int) { return Real(0.5); }
};

/// The quadratic triangle: linear strain, three Gauss points, point q nearest corner q. HRZ lumping: the diagonal of
/// the consistent mass scaled to the total (E. Hinton, T. Rock, O. C. Zienkiewicz, 1976): 1/19 a corner, 16/57 a
/// mid-side.
struct T6 {
  static constexpr ElementType type = ElementType::t6;
  static constexpr int dim = 2, corners = 3, facets = facets_per_element;
  static constexpr int stresses = Sym2::components;
  static constexpr int nodes = 6;
  static constexpr int dofs = dim * nodes;
  static constexpr int facet_nodes = 3;
  static constexpr int gauss_points = 3;

  CLEAVE_HD static ShapeGradients<6> gradients(const Vec2 (&position)[6], int gauss_point) {
    const Real sixth = Real(1) / 6;
    const Real l0 = gauss_point == 0 ? 1 - 2 * sixth : sixth;
    const Real l1 = gauss_point == 1 ? 1 - 2 * sixth : sixth;
    const Real l2 = gauss_point == 2 ? 1 - 2 * sixth : sixth;
    return detail::map_gradients<6>({1 - 4 * l0, 4 * l1 - 1, 0, 4 * (l0 - l1), 4 * l2, -4 * l2},
                                    {1 - 4 * l0, 0, 4 * l2 - 1, -4 * l1, 4 * l1, 4 * (l0 - l2)}, position, sixth);
  }
  CLEAVE_HD static constexpr Real mass_fraction(int i) { return i < 3 ? Real(1) / 19 : Real(16) / 57; }
  CLEAVE_HD static constexpr Real extrapolation(int i, int q) {
    if (i < 3) return i == q ? Real(5) / 3 : Real(-1) / 3;
    return (q == i - 3 || q == (i - 2) % 3) ? Real(2) / 3 : Real(-1) / 3;
  }

  CLEAVE_HD static constexpr int facet_slot(int k, int i) {
    if (i == 1) return k == 0 ? 4 : k == 1 ? 5 : 3;
    return i == 0 ? (k + 1) % 3 : (k + 2) % 3;
  }
  CLEAVE_HD static constexpr int facet_position(int k, int i) { return i >= 3 ? 1 : i == (k + 1) % 3 ? 0 : 2; }
  CLEAVE_HD static constexpr int facets_at(int i) { return i < 3 ? 2 : 1; }
  CLEAVE_HD static constexpr int facet_at(int i, int n) { return i < 3 ? (i + 1 + n) % 3 : (i - 1) % 3; }
  CLEAVE_HD static constexpr Real facet_shape(int i, Real r) {
    return i == 0 ? r * (r - 1) / 2 : i == 1 ? 1 - r * r : r * (r + 1) / 2;
  }
  CLEAVE_HD static constexpr Real facet_derivative(int i, Real r) {
    return i == 0 ? r - Real(0.5) : i == 1 ? -2 * r : r + Real(0.5);
  }
  CLEAVE_HD static constexpr Real facet_weight(int i) { return i == 1 ? Real(4) / 6 : Real(1) / 6; }
};

/// Three-point Gauss rule on [-1, 1], used along facets of both elements.
struct FacetGauss {
  static constexpr int points = 3;
  CLEAVE_HD static constexpr Real point(int q) { return Real(q - 1) * Real(0.77459666924148337704); }
  CLEAVE_HD static constexpr Real weight(int q) { return q == 1 ? Real(8) / 9 : Real(5) / 9; }
};

/// Local frame of a facet, constant along it, as sides are straight (check_mesh). The normal points out of the element
/// in whose counter-clockwise order the facet's nodes are given.
struct FacetFrame {
  static constexpr int numbers = 3;
  Vec2 tangent;   ///< s, unit
  Real jacobian;  ///< |dX/dr|, half of the length, m
  CLEAVE_HD_INLINE Vec2 normal() const { return {tangent.y, -tangent.x}; }
};

/// Frame of the facet between two corners.
CLEAVE_HD inline FacetFrame facet_frame(Vec2 start, Vec2 end) {
  const Vec2 d = Real(0.5) * (end - start);
  const Real jacobian = std::sqrt(dot(d, d));
  return {{d.x / jacobian, d.y / jacobian}, jacobian};
}

}  // namespace cleave::inline CLEAVE_PRECISION
