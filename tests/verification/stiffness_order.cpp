/// Order of convergence of the elements' stiffness alone: statics with a manufactured load.
#include <Eigen/SparseCholesky>
#include <array>

#include "cleave/material/linear_elastic.hpp"
#include "cleave/mesh/element.hpp"
#include "modes.hpp"

namespace cleave::verification {
namespace {

/// Static displacement of the square with sliding sides under the body force rho omega^2 u of a standing wave, whose
/// exact solution is the wave's shape. Stiffness from the program's gradients and material, load and solution in double
/// precision from Eigen.
template <class Element>
std::vector<Point> solve(const Mesh& mesh, const StandingWave& wave) {
  const LinearElastic material = LinearElastic::make(wave.material);
  const double omega = 2 * M_PI / wave.period();
  const Index dofs = 2 * mesh.node_count();
  std::vector<Eigen::Triplet<double>> entries;
  Eigen::VectorXd load = Eigen::VectorXd::Zero(dofs);
  for (Index e = 0; e < mesh.element_count(); ++e) {
    Vec2 x[Element::nodes];
    for (int i = 0; i < Element::nodes; ++i) x[i] = {mesh.nodes[mesh.node(e, i)].x, mesh.nodes[mesh.node(e, i)].y};
    for (int q = 0; q < Element::gauss_points; ++q) {
      const auto g = Element::gradients(x, q);
      for (int j = 0; j < Element::nodes; ++j)
        for (int b = 0; b < 2; ++b) {
          const Sym2 s = b == 0 ? material.stress(g.x[j], 0, g.y[j]) : material.stress(0, g.y[j], g.x[j]);
          for (int i = 0; i < Element::nodes; ++i) {
            entries.emplace_back(2 * mesh.node(e, i), 2 * mesh.node(e, j) + b,
                                 g.area * (g.x[i] * s.xx + g.y[i] * s.xy));
            entries.emplace_back(2 * mesh.node(e, i) + 1, 2 * mesh.node(e, j) + b,
                                 g.area * (g.x[i] * s.xy + g.y[i] * s.yy));
          }
        }
    }
    wave.for_each_point(mesh, e, [&](Point at, double weight, const std::vector<double>& shape) {
      const Point u = wave.displacement(at, 0);
      for (int i = 0; i < Element::nodes; ++i) {
        load[2 * mesh.node(e, i)] += weight * shape[i] * material.density * omega * omega * u.x;
        load[2 * mesh.node(e, i) + 1] += weight * shape[i] * material.density * omega * omega * u.y;
      }
    });
  }
  std::vector<char> held(dofs, 0);
  for (const char* side : {"left", "right"})
    for (const Index n : mesh.find_group(side)->nodes) held[2 * n] = 1;
  for (const char* side : {"bottom", "top"})
    for (const Index n : mesh.find_group(side)->nodes) held[2 * n + 1] = 1;
  std::erase_if(entries, [&](const auto& t) { return held[t.row()] || held[t.col()]; });
  for (Index i = 0; i < dofs; ++i)
    if (held[i]) {
      entries.emplace_back(i, i, 1);
      load[i] = 0;
    }
  Eigen::SparseMatrix<double> k(dofs, dofs);
  k.setFromTriplets(entries.begin(), entries.end());
  const Eigen::VectorXd u = Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>>(k).solve(load);
  std::vector<Point> nodal;
  for (Index n = 0; n < mesh.node_count(); ++n) nodal.push_back({u[2 * n], u[2 * n + 1]});
  return nodal;
}

}  // namespace

TEST_CASE("order of convergence of the stiffness, statics, displacement in L2", "[elasticity]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  MaterialCase material = steel;
  material.plane = GENERATE(PlaneType::stress, PlaneType::strain);
  const StandingWave wave{StandingWave::Kind::longitudinal, 1, 1, 1e-4, material};
  std::vector<double> size, error;
  std::vector<std::vector<double>> rows;
  for (const int n : {4, 8, 16}) {
    const Mesh mesh = wave.model(type, n, 0.15).mesh;
    size.push_back(1.0 / n);
    error.push_back(wave.l2_error(mesh, type == ElementType::t3 ? solve<T3>(mesh, wave) : solve<T6>(mesh, wave), 0));
    rows.push_back({size.back(), error.back()});
  }
  const double p = order(size, error), expected = type == ElementType::t3 ? 2 : 3;
  CAPTURE(error);
  CHECK(p == Approx(expected).margin(0.15));
  const std::string plane = material.plane == PlaneType::stress ? "_stress" : "_strain";
  record("order in space, statics", std::string(name_of(type)) + " " + name_of(material.plane), expected, p, "",
         "0.15");
  write_series("statics_" + std::string(name_of(type)) + plane, "h,l2_error", rows);
}

}  // namespace cleave::verification
