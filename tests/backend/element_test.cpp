/// Shape functions, matrices and masses of single elements, against published numbers and textbook formulas.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "backend/backend.hpp"
#include "backend/device_mesh.hpp"
#include "body/element_mass.hpp"
#include "body/incidence.hpp"
#include "published/stiffness.hpp"

namespace cleave::test {
namespace {

template <class Element>
Mesh one_element(const std::vector<Point>& corners) {
  Mesh mesh;
  mesh.type = Element::type;
  mesh.nodes = corners;
  if (Element::nodes == 6)
    for (int i = 0; i < 3; ++i)
      mesh.nodes.push_back({(corners[i].x + corners[(i + 1) % 3].x) / 2, (corners[i].y + corners[(i + 1) % 3].y) / 2});
  for (int i = 0; i < Element::nodes; ++i) mesh.elements.push_back(i);
  mesh.neighbours = {-1, -1, -1};
  return mesh;
}

/// A small square matrix.
struct Matrix {
  int size;
  std::vector<double> value;
  explicit Matrix(int n) : size(n), value(static_cast<std::size_t>(n) * n, 0.0) {}
  double& operator()(int r, int c) { return value[static_cast<std::size_t>(r) * size + c]; }
  double operator()(int r, int c) const { return value[static_cast<std::size_t>(r) * size + c]; }
  double trace() const {
    double sum = 0;
    for (int i = 0; i < size; ++i) sum += (*this)(i, i);
    return sum;
  }
  double largest() const {
    double m = 0;
    for (const double v : value) m = std::max(m, std::abs(v));
    return m;
  }
};

/// Eigenvalues of a symmetric matrix, ascending, by Jacobi rotations.
std::vector<double> eigenvalues(Matrix a) {
  const int n = a.size;
  for (int sweep = 0; sweep < 30; ++sweep)
    for (int p = 0; p < n; ++p)
      for (int q = p + 1; q < n; ++q) {
        if (std::abs(a(p, q)) < 1e-300) continue;
        const double theta = (a(q, q) - a(p, p)) / (2 * a(p, q));
        const double t = (theta >= 0 ? 1 : -1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
        const double c = 1 / std::sqrt(t * t + 1), s = t * c;
        for (int k = 0; k < n; ++k) {
          const double kp = a(k, p), kq = a(k, q);
          a(k, p) = c * kp - s * kq;
          a(k, q) = s * kp + c * kq;
        }
        for (int k = 0; k < n; ++k) {
          const double pk = a(p, k), qk = a(q, k);
          a(p, k) = c * pk - s * qk;
          a(q, k) = s * pk + c * qk;
        }
      }
  std::vector<double> values;
  for (int i = 0; i < n; ++i) values.push_back(a(i, i));
  std::sort(values.begin(), values.end());
  return values;
}

template <class Element>
Matrix stiffness_of(const Mesh& mesh, double e, double nu, PlaneType plane, double thickness) {
  Backend backend;
  DeviceMesh<Element> device(mesh);
  Buffer<Real> k;
  constexpr int dofs = Element::dofs;
  k.resize(StiffnessTable<Element>::extent(mesh.element_count()));
  ElasticParameters material;
  material.young_modulus = e;
  material.poisson_ratio = nu;
  material.density = 1;
  material.plane = plane;
  backend.launch(Stiffness<Element>{
      device.table(), device.position.data(), OfAllElements(LinearElastic::make(material)), thickness, {k.data()}});
  const auto host = k.download(dofs * dofs);
  Matrix m(dofs);
  for (int r = 0; r < dofs; ++r)
    for (int c = 0; c < dofs; ++c) m(r, c) = host[c * dofs + r];
  return m;
}

void check_row(const Matrix& k, int row, const std::vector<double>& expected) {
  for (int c = 0; c < k.size; ++c) {
    INFO("row " << row << " column " << c);
    CHECK(std::abs(k(row, c) - expected[c]) < 1e-14);
  }
}

const std::vector<Point> unit_triangle{{0, 0}, {1, 0}, {0, 1}};

}  // namespace

TEST_CASE("the stiffness of the unit triangle is known", "[element]") {
  const auto t6 = one_element<T6>(unit_triangle);
  const auto k6 = stiffness_of<T6>(t6, 1, 0.25, PlaneType::stress, 1);
  check_row(k6, 0,
            {11. / 15, 1. / 3, 8. / 45, 1. / 15, 1. / 15, 2. / 45, -32. / 45, -4. / 15, 0, 0, -4. / 15, -8. / 45});
  CHECK(k6.trace() == Approx(44. / 3).epsilon(1e-14));
  const auto k6e = stiffness_of<T6>(t6, 1, 0.25, PlaneType::strain, 1);
  check_row(k6e, 0, {.8, .4, .2, 1. / 15, 1. / 15, 1. / 15, -.8, -4. / 15, 0, 0, -4. / 15, -4. / 15});
  CHECK(k6e.trace() == Approx(16).epsilon(1e-14));
  const auto k3 = stiffness_of<T3>(one_element<T3>(unit_triangle), 1, 0.25, PlaneType::stress, 1);
  check_row(k3, 0, {11. / 15, 1. / 3, -8. / 15, -1. / 5, -1. / 5, -2. / 15});
  check_row(k3, 3, {-1. / 5, -1. / 5, 0, 1. / 5, 1. / 5, 0});
}

TEMPLATE_TEST_CASE("a stiffness is symmetric with exactly the three rigid modes free", "[element]", T3, T6) {
  const PlaneType plane = GENERATE(PlaneType::stress, PlaneType::strain);
  const Mesh mesh = one_element<TestType>({{0.3, -0.2}, {1.4, 0.1}, {0.6, 1.1}});
  const auto k = stiffness_of<TestType>(mesh, 2e11, 0.3, plane, 1e-3);
  const double scale = k.largest();
  for (int r = 0; r < k.size; ++r)
    for (int c = 0; c < k.size; ++c) CHECK(std::abs(k(r, c) - k(c, r)) < 1e-15 * scale);
  const auto values = eigenvalues(k);
  for (int i = 0; i < 3; ++i) CHECK(std::abs(values[i]) < 1e-14 * values.back());
  CHECK(values[3] > 1e-3 * values.back());
  for (int mode = 0; mode < 3; ++mode)
    for (int r = 0; r < k.size; ++r) {
      double f = 0;
      for (int i = 0; i < TestType::nodes; ++i) {
        const double ux = mode == 0 ? 1 : mode == 1 ? 0 : -mesh.nodes[i].y;
        const double uy = mode == 0 ? 0 : mode == 1 ? 1 : mesh.nodes[i].x;
        f += k(r, 2 * i) * ux + k(r, 2 * i + 1) * uy;
      }
      CHECK(std::abs(f) < 1e-14 * scale);
    }
}

TEMPLATE_TEST_CASE("many curved elements have the stiffness and mass of the reference", "[element]", T3, T6) {
  Backend backend;
  const PlaneType plane = GENERATE(PlaneType::stress, PlaneType::strain);
  DeviceMesh<TestType> device(large_mesh(TestType::type));
  const Mesh& mesh = device.mesh;
  ElasticParameters material;
  material.young_modulus = 7e10;
  material.poisson_ratio = 0.33;
  material.density = 2700;
  material.plane = plane;
  constexpr int dofs = TestType::dofs;
  for (const Index size : kernel_sizes) {
    const double untouched = -5;
    auto k = filled<Real>(StiffnessTable<TestType>::extent(size + 1), untouched);
    device.rows.mass.upload(std::vector<Real>(mesh.element_count(), untouched));
    backend.launch(Stiffness<TestType>{
        device.table(size), device.position.data(), OfAllElements(LinearElastic::make(material)), 2e-3, {k.data()}});
    backend.launch(ElementMass<TestType>{device.table(size), device.position.data(), OfAllElements<Real>(2700 * 2e-3)});
    const auto stiffness = k.download(StiffnessTable<TestType>::extent(size + 1));
    const auto mass = device.rows.mass.download(mesh.element_count());
    const auto d = reference::elasticity(7e10, 0.33, plane);
    double off = 0, off_mass = 0;
    for (Index e = 0; e < size; ++e) {
      const auto x = reference::positions(mesh, e);
      const auto expected = reference::stiffness(x, d, 2e-3);
      std::vector<double> transposed(dofs * dofs);
      for (int r = 0; r < dofs; ++r)
        for (int c = 0; c < dofs; ++c)
          transposed[r * dofs + c] = stiffness[static_cast<std::size_t>(e) * dofs * dofs + c * dofs + r];
      off = std::max(off, difference(transposed, expected));
      off_mass = std::max(off_mass, std::abs(mass[e] / (5.4 * reference::area(x)) - 1));
    }
    // Edges are 1/60 of the coordinates: gradients from differences are good to a hundred roundings.
    CHECK(off < 1e-12);
    CHECK(off_mass < 1e-12);
    CHECK(stiffness[static_cast<std::size_t>(size) * dofs * dofs] == untouched);
    CHECK((size == mesh.element_count() || mass[size] == untouched));
  }
}

TEMPLATE_TEST_CASE("nodal masses are equal by colour and atomically", "[element]", T3, T6) {
  Backend backend;
  DeviceMesh<TestType> device(large_mesh(TestType::type));
  const Mesh& mesh = device.mesh;
  const auto element_mass = random_numbers(mesh.element_count(), 0.5, 2, 3);
  device.rows.mass.upload(element_mass);
  for (const Index size : kernel_sizes)
    for (const bool coloured : {true, false}) {
      auto mass = filled<Real>(mesh.nodes.size(), 0.25);
      std::vector<double> expected(mesh.nodes.size(), 0.25);
      for (const auto& list : random_lists(mesh, device.colouring, size, coloured, size)) {
        auto ids = upload(list);
        const ElementList elements{ids.data(), static_cast<Index>(list.size())};
        if (coloured)
          backend.launch(NodalMass<TestType, ColouredScatter>{device.table(), elements, mass.data()});
        else
          backend.launch(NodalMass<TestType, AtomicScatter>{device.table(), elements, mass.data()});
        for (const Index e : list)
          for (int i = 0; i < TestType::nodes; ++i)
            expected[mesh.node(e, i)] += reference::mass_share(TestType::nodes, i) * element_mass[e];
      }
      CHECK(difference(mass.download(mesh.nodes.size()), expected) < 1e-15);
    }
}

TEST_CASE("lumped shares of an element's mass are known", "[element]") {
  CHECK(T6::mass_fraction(0) == Approx(0.0526315789).epsilon(1e-9));
  CHECK(T6::mass_fraction(3) == Approx(0.2807017544).epsilon(1e-9));
  for (int i = 0; i < 6; ++i) CHECK(T6::mass_fraction(i) == Approx(reference::mass_share(6, i)).epsilon(1e-15));
  for (int i = 0; i < 3; ++i) CHECK(T3::mass_fraction(i) == Approx(1. / 3).epsilon(1e-15));
}

TEST_CASE("extrapolation to the nodes reproduces a linear field and single Gauss values", "[element]") {
  const auto points = reference::gauss_points(6);
  const double parent[6][2] = {{0, 0}, {1, 0}, {0, 1}, {.5, 0}, {.5, .5}, {0, .5}};
  for (int i = 0; i < 6; ++i) {
    double one = 0, xi = 0, eta = 0;
    for (int q = 0; q < 3; ++q) {
      one += T6::extrapolation(i, q);
      xi += T6::extrapolation(i, q) * points[q].xi;
      eta += T6::extrapolation(i, q) * points[q].eta;
    }
    CHECK(one == Approx(1).epsilon(1e-15));
    CHECK(std::abs(xi - parent[i][0]) < 1e-15);
    CHECK(std::abs(eta - parent[i][1]) < 1e-15);
  }
  CHECK(T3::extrapolation(2, 0) == 1);
}

TEST_CASE("facet k lies opposite corner k", "[element]") {
  const int mid[3] = {4, 5, 3};
  for (int k = 0; k < 3; ++k) {
    const int expected[3] = {(k + 1) % 3, mid[k], (k + 2) % 3};
    for (int i = 0; i < 3; ++i) {
      CHECK(T6::facet_slot(k, i) == expected[i]);
      CHECK(facet_node_slot(ElementType::t6, k, i) == expected[i]);
    }
    CHECK(T3::facet_slot(k, 0) == (k + 1) % 3);
    CHECK(T3::facet_slot(k, 1) == (k + 2) % 3);
    CHECK(facet_node_slot(ElementType::t3, k, 0) == (k + 1) % 3);
    CHECK(facet_node_slot(ElementType::t3, k, 1) == (k + 2) % 3);
    for (int i = 0; i < 3; ++i) {
      CHECK(T6::facet_position(k, expected[i]) == i);
      const int n = i == 0 ? 1 : 0;  // facet k comes first at its end node, second at its start node
      CHECK(T6::facet_at(expected[i], n) == k);
      CHECK(T6::facets_at(expected[i]) == (i == 1 ? 1 : 2));
    }
    for (int i = 0; i < 2; ++i) {
      CHECK(T3::facet_position(k, T3::facet_slot(k, i)) == i);
      CHECK(T3::facet_at(T3::facet_slot(k, i), 1 - i) == k);
    }
    CHECK(element_of(facet_code(1234, k)) == 1234);
    CHECK(facet_of(facet_code(1234, k)) == k);
  }
  CHECK((!is_intact(boundary_facet) && !is_cohesive(boundary_facet)));
  for (const int side : {0, 1}) {
    const Index first = cohesive_code(0, side), later = cohesive_code(77, side);
    CHECK((is_cohesive(first) && !is_intact(first) && cohesive_of(first) == 0 && cohesive_side_of(first) == side));
    CHECK((is_cohesive(later) && cohesive_of(later) == 77 && cohesive_side_of(later) == side));
  }
}

TEST_CASE("an incidence encodes element and node, up to the largest element", "[element]") {
  for (const Index e : {0, 1, 268'435'455, 268'435'456, 536'870'911})
    for (int i = 0; i < 6; ++i) {
      const Index entry = incidence_entry(e, i);
      CHECK(element_of_entry(entry) == e);
      CHECK(node_of_entry(entry) == i);
    }
}

TEMPLATE_TEST_CASE("element rows keep every entry apart", "[element]", T3, T6) {
  constexpr Index rows = 70;
  auto host = HostRows<TestType>::make(rows, rows);
  const ElementTable<TestType> table = host.table();
  const auto for_each = [&](auto f) {
    Index value = 0;
    for (Index row = 0; row < rows; ++row) {
      for (int i = 0; i < TestType::nodes; ++i) {
        f(table.node(row, i), ++value);
        f(table.slot(row, i).code, ++value);
      }
      for (int k = 0; k < 3; ++k) f(table.neighbour(row, k), ++value);
      for (int side = 0; side < 2; ++side) {
        for (int i = 0; i < TestType::facet_nodes; ++i) f(table.cohesive_node(row, side, i), ++value);
        f(table.cohesive_facet(row, side), ++value);
      }
    }
  };
  for_each([](Index& entry, Index value) { entry = value; });
  for_each([](Index entry, Index value) { CHECK(entry == value); });
  CHECK(&table.entry(33, 1) - &table.entry(32, 1) == 1);          // nodes are interleaved ...
  CHECK(&table.neighbour(33, 2) - &table.neighbour(33, 0) == 2);  // ... neighbours lie together
}

TEMPLATE_TEST_CASE("facet shape functions, derivatives and weights are consistent", "[element]", T3, T6) {
  constexpr int nodes = TestType::facet_nodes;
  const auto gauss = reference::line_points();
  double weights[nodes] = {}, lengths = 0;
  for (int q = 0; q < 3; ++q) {
    CHECK(FacetGauss::point(q) == Approx(gauss[q].r).epsilon(1e-15));
    CHECK(FacetGauss::weight(q) == Approx(gauss[q].weight).epsilon(1e-15));
    lengths += FacetGauss::weight(q);
    const auto n = reference::facet_shape(nodes, gauss[q].r), d = reference::facet_derivative(nodes, gauss[q].r);
    for (int i = 0; i < nodes; ++i) {
      CHECK(std::abs(TestType::facet_shape(i, FacetGauss::point(q)) - n[i]) < 1e-15);
      CHECK(std::abs(TestType::facet_derivative(i, FacetGauss::point(q)) - d[i]) < 1e-15);
      weights[i] += 0.5 * FacetGauss::weight(q) * TestType::facet_shape(i, FacetGauss::point(q));
    }
  }
  CHECK(lengths == Approx(2).epsilon(1e-15));
  for (int i = 0; i < nodes; ++i) {
    CHECK(TestType::facet_weight(i) == Approx(weights[i]).epsilon(1e-14));
    for (int j = 0; j < nodes; ++j) CHECK(TestType::facet_shape(i, 2.0 * j / (nodes - 1) - 1) == (i == j ? 1 : 0));
  }
  // Counter-clockwise unit square seen from its bottom side: the tangent goes right, the normal down and out.
  const FacetFrame frame = facet_frame({0, 0}, {2, 0});
  CHECK((frame.tangent.x == 1 && frame.tangent.y == 0 && frame.jacobian == 1));
  CHECK((frame.normal().x == 0 && frame.normal().y == -1));
}

}  // namespace cleave::test
