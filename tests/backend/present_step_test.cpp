/// The steps that a body of finite strains bears in its present shape, against matrices of its elements.
#include <Eigen/Dense>
#include <catch2/catch.hpp>
#include <cmath>

#include "backend/models.hpp"
#include "backend/solver_backend.hpp"
#include "cleave/mesh/element.hpp"
#include "model/critical_step.hpp"

namespace cleave::test {
namespace {

using Matrix = Eigen::MatrixXd;

/// A plate of a neo-Hookean material whose nodes are displaced by a uniform gradient and somewhat against each other.
Model squeezed_plate(ElementType type, std::array<double, 4> gradient, double step, double wave = 3e-5) {
  Model m = model_of(plate_mesh(type, {6, 3}));
  MaterialCase material = m.materials.front();
  material.law = "neo_hookean";
  m.set_material(material);
  m.kinematics = Kinematics::finite;
  m.critical_step = m.stable_step = critical_step(m);
  m.step = step * m.critical_step;
  for (std::size_t n = 0; n < m.mesh.nodes.size(); ++n) {
    const Point p = m.mesh.nodes[n];
    const double here = wave * std::sin(900 * p.x + 400 * p.y);
    m.displacement[n] = {gradient[0] * p.x + gradient[1] * p.y + here, gradient[2] * p.x + gradient[3] * p.y - here};
  }
  return m;
}

/// dP/dF of the energy mu/2 (tr F^T F - 3) - mu ln J + lambda/2 (ln J)^2, by xx, xy, yx, yy.
Eigen::Matrix4d neo_hookean_tangent(const ElasticParameters& c, const Eigen::Matrix2d& f) {
  const double mu = c.young_modulus / (2 * (1 + c.poisson_ratio));
  const double lambda = 2 * mu * c.poisson_ratio / (1 - 2 * c.poisson_ratio);
  const Eigen::Matrix2d inverse = f.inverse();
  const double log = std::log(f.determinant());
  Eigen::Matrix4d a;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      for (int k = 0; k < 2; ++k)
        for (int l = 0; l < 2; ++l)
          a(2 * i + j, 2 * k + l) = (i == k && j == l ? mu : 0) + lambda * inverse(j, i) * inverse(l, k) +
                                    (mu - lambda * log) * inverse(j, k) * inverse(l, i);
  return a;
}

/// Tangent stiffness of an element in its present shape, over the thickness.
template <class Element>
Matrix stiffness(const Model& m, Index e) {
  Vec2 x[Element::nodes];
  for (int i = 0; i < Element::nodes; ++i) {
    const Point p = m.mesh.nodes[m.mesh.node(e, i)];
    x[i] = {p.x, p.y};
  }
  Matrix k = Matrix::Zero(Element::dofs, Element::dofs);
  for (int q = 0; q < Element::gauss_points; ++q) {
    const auto g = Element::gradients(x, q);
    Eigen::Matrix2d f = Eigen::Matrix2d::Identity();
    Matrix b = Matrix::Zero(4, Element::dofs);
    for (int i = 0; i < Element::nodes; ++i) {
      const Point u = m.displacement[m.mesh.node(e, i)];
      f += Eigen::Vector2d(u.x, u.y) * Eigen::RowVector2d(g.x[i], g.y[i]);
      b(0, 2 * i) = b(2, 2 * i + 1) = g.x[i];
      b(1, 2 * i) = b(3, 2 * i + 1) = g.y[i];
    }
    k += g.area * b.transpose() * neo_hookean_tangent(m.materials.front().parameters, f) * b;
  }
  return k;
}

/// The smallest 2 / omega of elements by themselves and with all mass of their nodes, and that of the body, s.
struct Steps {
  double alone, attached, of_body;
};
template <class Element>
Steps reference_steps(const Model& m) {
  const Index nodes = m.mesh.node_count();
  const double density = m.materials.front().parameters.density;
  std::vector<double> mass(nodes, 0);
  const auto own_mass = [&](Index e, int i) {
    const Point o = m.mesh.nodes[m.mesh.node(e, 0)], p = m.mesh.nodes[m.mesh.node(e, 1)],
                q = m.mesh.nodes[m.mesh.node(e, 2)];
    return density * Element::mass_fraction(i) * 0.5 * ((p.x - o.x) * (q.y - o.y) - (p.y - o.y) * (q.x - o.x));
  };
  for (Index e = 0; e < m.mesh.element_count(); ++e)
    for (int i = 0; i < Element::nodes; ++i) mass[m.mesh.node(e, i)] += own_mass(e, i);
  const auto largest = [](const Matrix& a) {
    return Eigen::SelfAdjointEigenSolver<Matrix>(a, Eigen::EigenvaluesOnly).eigenvalues().maxCoeff();
  };
  double alone = 0, attached = 0;
  Matrix body = Matrix::Zero(2 * nodes, 2 * nodes);
  for (Index e = 0; e < m.mesh.element_count(); ++e) {
    const Matrix k = stiffness<Element>(m, e);
    Eigen::VectorXd own(Element::dofs), all(Element::dofs);
    for (int d = 0; d < Element::dofs; ++d) {
      const Index n = m.mesh.node(e, d / 2);
      own[d] = 1 / std::sqrt(own_mass(e, d / 2));
      all[d] = (d % 2 == 0 ? m.motion_x : m.motion_y)[n] != 0 ? 0 : 1 / std::sqrt(mass[n]);
    }
    alone = std::max(alone, largest(own.asDiagonal() * k * own.asDiagonal()));
    const Matrix scaled = all.asDiagonal() * k * all.asDiagonal();
    attached = std::max(attached, largest(scaled));
    for (int c = 0; c < Element::dofs; ++c)
      for (int r = 0; r < Element::dofs; ++r)
        body(2 * m.mesh.node(e, r / 2) + r % 2, 2 * m.mesh.node(e, c / 2) + c % 2) += scaled(r, c);
  }
  return {2 / std::sqrt(alone), 2 / std::sqrt(attached), 2 / std::sqrt(largest(body))};
}
Steps reference_steps(const Model& m) {
  return m.mesh.type == ElementType::t3 ? reference_steps<T3>(m) : reference_steps<T6>(m);
}

}  // namespace

TEST_CASE("critical steps of a squeezed neo-Hookean plate are those of its elements' tangents", "[deformation]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const auto gradient = GENERATE(values<std::array<double, 4>>(
      {{-0.3, 0, 0, 0.1}, {-0.2, 0.1, -0.3, -0.35}, {-1.4, -0.3, 0.2, -1.5}}));  // the last one is turned, too
  Model m = squeezed_plate(type, gradient, 2);
  m.precision = GENERATE(Precision::double_precision, Precision::single_precision);
  if (GENERATE(false, true)) prescribe(m, "left", 3, 0);
  const Deformation d = make_solver(m, 1)->largest_deformation(), three = make_solver(m, 3)->largest_deformation();
  const Steps expected = reference_steps(m);
  // Frequencies come from below, and nearly equal ones are found slowly.
  const double close = tolerance(m, 1e-3, 3e-3);
  CHECK(d.critical_step == Approx(expected.alone).epsilon(close));
  CHECK(d.unstable_step == Approx(expected.attached).epsilon(close));
  CHECK(d.critical_step < expected.of_body);
  CHECK(d.unstable_step > expected.of_body);
  CHECK(d.critical_step == three.critical_step);
  CHECK(d.unstable_step == three.unstable_step);
  CHECK(d.critical_element == three.critical_element);
  CHECK(d.unstable_element == three.unstable_element);
}

TEST_CASE("a flattened element is found for any initial step", "[deformation]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const Model m = squeezed_plate(type, {-0.8, 0, 0, 0}, 0.3, 1e-6);
  const Deformation d = make_solver(m, 1)->largest_deformation();
  CHECK(d.critical_step == Approx(reference_steps(m).alone).epsilon(tolerance(m, 1e-3, 3e-3)));
  CHECK(d.critical_step < m.step);
}

TEST_CASE("hardly strained bodies keep their critical step in any rotation", "[deformation]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  for (const auto& gradient : {std::array<double, 4>{0, 0, 0, 0}, {0.005, 0, 0, -0.005}, {-1, -1, 1, -1}}) {
    const Deformation d = make_solver(squeezed_plate(type, gradient, 0.9, 5e-6), 1)->largest_deformation();
    CHECK(std::isinf(d.critical_step));
    CHECK(std::isinf(d.unstable_step));
  }
  Model small = squeezed_plate(type, {-0.3, 0, 0, 0}, 0.5);
  MaterialCase elastic = small.materials.front();
  elastic.law = "linear_elastic";
  small.set_material(elastic);
  small.kinematics = Kinematics::small;
  CHECK(std::isinf(make_solver(small, 1)->largest_deformation().critical_step));
}

}  // namespace cleave::test
