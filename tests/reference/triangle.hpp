/// Textbook triangles for comparison: shape functions, B matrices and quadrature written out, nothing optimised.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "cleave/case/case.hpp"
#include "cleave/mesh/mesh.hpp"

namespace cleave::reference {

using Vec = std::array<double, 2>;
using Matrix3 = std::array<std::array<double, 3>, 3>;

inline double cross(Vec a, Vec b) { return a[0] * b[1] - a[1] * b[0]; }

/// Elasticity matrix for engineering shear strain.
inline Matrix3 elasticity(double e, double nu, PlaneType plane) {
  if (plane == PlaneType::stress) {
    const double c = e / (1 - nu * nu);
    return {{{c, c * nu, 0}, {c * nu, c, 0}, {0, 0, c * (1 - nu) / 2}}};
  }
  const double c = e / ((1 + nu) * (1 - 2 * nu));
  return {{{c * (1 - nu), c * nu, 0}, {c * nu, c * (1 - nu), 0}, {0, 0, c * (1 - 2 * nu) / 2}}};
}

struct GaussPoint {
  double xi, eta, weight;
};
inline std::vector<GaussPoint> gauss_points(int nodes) {
  if (nodes == 3) return {{1.0 / 3, 1.0 / 3, 0.5}};
  return {{1.0 / 6, 1.0 / 6, 1.0 / 6}, {2.0 / 3, 1.0 / 6, 1.0 / 6}, {1.0 / 6, 2.0 / 3, 1.0 / 6}};
}

inline std::vector<double> shape(int nodes, double xi, double eta) {
  const double l[3] = {1 - xi - eta, xi, eta};
  if (nodes == 3) return {l[0], l[1], l[2]};
  return {l[0] * (2 * l[0] - 1), l[1] * (2 * l[1] - 1), l[2] * (2 * l[2] - 1),
          4 * l[0] * l[1],       4 * l[1] * l[2],       4 * l[2] * l[0]};
}

/// dN/dxi and dN/deta by the chain rule over area coordinates.
inline std::vector<Vec> parent_gradients(int nodes, double xi, double eta) {
  const double l[3] = {1 - xi - eta, xi, eta};
  const Vec dl[3] = {{-1, -1}, {1, 0}, {0, 1}};
  std::vector<Vec> d(nodes);
  for (int a = 0; a < 2; ++a) {
    for (int i = 0; i < 3; ++i) d[i][a] = nodes == 3 ? dl[i][a] : (4 * l[i] - 1) * dl[i][a];
    if (nodes == 6)
      for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3;
        d[3 + i][a] = 4 * (dl[i][a] * l[j] + l[i] * dl[j][a]);
      }
  }
  return d;
}

/// B (3 x 2 nodes) and weight * det J at a Gauss point.
struct StrainMatrix {
  std::vector<double> b[3];
  double area = 0;
};
inline StrainMatrix strain_matrix(const std::vector<Vec>& x, const GaussPoint& at) {
  const int nodes = static_cast<int>(x.size());
  const auto d = parent_gradients(nodes, at.xi, at.eta);
  double j[2][2] = {};
  for (int i = 0; i < nodes; ++i)
    for (int row = 0; row < 2; ++row)
      for (int a = 0; a < 2; ++a) j[row][a] += d[i][a] * x[i][row];
  const double det = j[0][0] * j[1][1] - j[0][1] * j[1][0];
  // g = dN J^-1
  StrainMatrix m;
  for (auto& row : m.b) row.assign(2 * nodes, 0.0);
  for (int i = 0; i < nodes; ++i) {
    const double gx = (d[i][0] * j[1][1] - d[i][1] * j[1][0]) / det;
    const double gy = (d[i][1] * j[0][0] - d[i][0] * j[0][1]) / det;
    m.b[0][2 * i] = gx;
    m.b[1][2 * i + 1] = gy;
    m.b[2][2 * i] = gy;
    m.b[2][2 * i + 1] = gx;
  }
  m.area = at.weight * det;
  return m;
}

/// K = t sum_q w_q det J B^T D B, row by row.
inline std::vector<double> stiffness(const std::vector<Vec>& x, const Matrix3& d, double thickness) {
  const int nodes = static_cast<int>(x.size()), dofs = 2 * nodes;
  std::vector<double> k(static_cast<std::size_t>(dofs) * dofs, 0.0);
  for (const GaussPoint& at : gauss_points(nodes)) {
    const StrainMatrix m = strain_matrix(x, at);
    for (int r = 0; r < dofs; ++r)
      for (int c = 0; c < dofs; ++c)
        for (int p = 0; p < 3; ++p)
          for (int q = 0; q < 3; ++q) k[r * dofs + c] += thickness * m.area * m.b[p][r] * d[p][q] * m.b[q][c];
  }
  return k;
}

inline double area(const std::vector<Vec>& x) {
  double sum = 0;
  for (const GaussPoint& at : gauss_points(static_cast<int>(x.size()))) sum += strain_matrix(x, at).area;
  return sum;
}

/// Strain (exx, eyy, gxy) at a Gauss point.
inline std::array<double, 3> strain(const StrainMatrix& m, const std::vector<Vec>& u) {
  std::array<double, 3> e{};
  for (int p = 0; p < 3; ++p)
    for (std::size_t i = 0; i < u.size(); ++i) e[p] += m.b[p][2 * i] * u[i][0] + m.b[p][2 * i + 1] * u[i][1];
  return e;
}
inline std::array<double, 3> strain(const std::vector<Vec>& x, const std::vector<Vec>& u, const GaussPoint& at) {
  return strain(strain_matrix(x, at), u);
}
inline std::array<double, 3> stress(const Matrix3& d, const std::array<double, 3>& e) {
  std::array<double, 3> s{};
  for (int p = 0; p < 3; ++p)
    for (int q = 0; q < 3; ++q) s[p] += d[p][q] * e[q];
  return s;
}

/// Share of the element's mass at a node: T6 the diagonal 6 | 32 of the consistent matrix scaled to the sum 1.
inline double mass_share(int nodes, int slot) {
  if (nodes == 3) return 1.0 / 3;
  const double total = 3 * 6.0 + 3 * 32.0;
  return (slot < 3 ? 6.0 : 32.0) / total;
}

/// Stress at the nodes of an element from its Gauss-point values.
inline std::vector<std::array<double, 3>> to_nodes(int nodes, const std::vector<std::array<double, 3>>& s) {
  std::vector<std::array<double, 3>> out(nodes);
  for (int p = 0; p < 3; ++p) {
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      if (nodes == 3) {
        out[i][p] = s[0][p];
      } else {
        out[i][p] = (5 * s[i][p] - s[j][p] - s[k][p]) / 3;
        out[3 + i][p] = (2 * s[i][p] + 2 * s[j][p] - s[k][p]) / 3;
      }
    }
  }
  return out;
}

/// Slots of facet k (opposite corner k) in the element's counter-clockwise order.
inline std::vector<int> facet_slots(int nodes, int k) {
  const int mid[3] = {4, 5, 3};
  if (nodes == 3) return {(k + 1) % 3, (k + 2) % 3};
  return {(k + 1) % 3, mid[k], (k + 2) % 3};
}

// --- facets: parent coordinate r in [-1, 1] ---

inline std::vector<double> facet_shape(int nodes, double r) {
  if (nodes == 2) return {(1 - r) / 2, (1 + r) / 2};
  return {r * (r - 1) / 2, 1 - r * r, r * (r + 1) / 2};
}
inline std::vector<double> facet_derivative(int nodes, double r) {
  if (nodes == 2) return {-0.5, 0.5};
  return {r - 0.5, -2 * r, r + 0.5};
}
inline std::vector<double> facet_weights(int nodes) {
  if (nodes == 2) return {0.5, 0.5};
  return {1.0 / 6, 4.0 / 6, 1.0 / 6};
}
inline std::vector<double> facet_node_parents(int nodes) {
  if (nodes == 2) return {-1, 1};
  return {-1, 0, 1};
}
struct LinePoint {
  double r, weight;
};
inline std::array<LinePoint, 3> line_points() {
  return {{{-std::sqrt(0.6), 5.0 / 9}, {0, 8.0 / 9}, {std::sqrt(0.6), 5.0 / 9}}};
}
/// Unit tangent, normal out of the element whose counter-clockwise order x follows, and |dX/dr|.
struct Frame {
  Vec s, n;
  double jacobian;
};
inline Frame facet_frame(const std::vector<Vec>& x, double r) {
  Vec d{};
  const auto dn = facet_derivative(static_cast<int>(x.size()), r);
  for (std::size_t i = 0; i < x.size(); ++i)
    for (int a = 0; a < 2; ++a) d[a] += dn[i] * x[i][a];
  const double length = std::hypot(d[0], d[1]);
  const Vec s{d[0] / length, d[1] / length};
  return {s, {s[1], -s[0]}, length};
}

/// Nodal forces of pressure p on a boundary facet, per thickness t.
inline std::vector<Vec> pressure_forces(const std::vector<Vec>& x, double p, double t) {
  const int nodes = static_cast<int>(x.size());
  std::vector<Vec> f(nodes, Vec{});
  for (const LinePoint& at : line_points()) {
    const auto n = facet_shape(nodes, at.r), dn = facet_derivative(nodes, at.r);
    Vec d{};
    for (int i = 0; i < nodes; ++i)
      for (int a = 0; a < 2; ++a) d[a] += dn[i] * x[i][a];
    for (int i = 0; i < nodes; ++i) {
      f[i][0] += n[i] * (-p * t * at.weight) * d[1];
      f[i][1] += n[i] * (-p * t * at.weight) * -d[0];
    }
  }
  return f;
}

/// Positions of an element's nodes.
inline std::vector<Vec> positions(const Mesh& mesh, Index e) {
  std::vector<Vec> x;
  for (int i = 0; i < nodes_per_element(mesh.type); ++i) {
    const Point p = mesh.nodes[mesh.node(e, i)];
    x.push_back({p.x, p.y});
  }
  return x;
}

}  // namespace cleave::reference
