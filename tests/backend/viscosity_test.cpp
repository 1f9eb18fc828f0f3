/// Artificial viscosity: kernels against quadrature of the shape functions by a host loop.
#include <catch2/catch.hpp>
#include <cmath>

#include "backend/backend.hpp"
#include "backend/device_mesh.hpp"
#include "reference/triangle.hpp"
#include "terms/viscosity/viscous_forces.hpp"

namespace cleave::test {

TEMPLATE_TEST_CASE("viscous pressures push nodes as the stress -p I would", "[viscosity]", T3, T6) {
  Backend backend;
  Mesh mesh = ring(TestType::type, {3, 24}, 1, 1.3);
  const bool moved = GENERATE(false, true);
  CAPTURE(moved);
  const Index elements = mesh.element_count(), nodes = mesh.node_count();
  DeviceMesh<TestType> device(mesh, 1);
  const double thickness = 0.3, linear = 2.5, quadratic = 0.7;
  std::vector<Vec2> v = random_vectors(nodes, 1, 3), u(nodes, Vec2{});
  if (moved)  // so that sides stay straight: a change of shape that is the same everywhere
    for (Index n = 0; n < nodes; ++n) {
      const Point x = mesh.nodes[n];
      u[n] = {static_cast<Real>(0.1 * x.x + 0.05 * x.y), static_cast<Real>(-0.04 * x.x - 0.07 * x.y)};
    }
  // By the definition, with the shape functions' gradients at the Gauss points.
  std::vector<double> expected_p(elements);
  std::vector<Point> expected(nodes);
  int pressed = 0;
  for (Index e = 0; e < elements; ++e) {
    Vec2 x[TestType::nodes];
    for (int i = 0; i < TestType::nodes; ++i) {
      const Index n = mesh.node(e, i);
      x[i] = {static_cast<Real>(mesh.nodes[n].x) + u[n].x, static_cast<Real>(mesh.nodes[n].y) + u[n].y};
    }
    double area = 0, closing = 0;
    for (int q = 0; q < TestType::gauss_points; ++q) {
      const auto g = TestType::gradients(x, q);
      area += g.area;
      for (int i = 0; i < TestType::nodes; ++i) {
        const Vec2 speed = v[mesh.node(e, i)];
        closing -= g.area * (g.x[i] * speed.x + g.y[i] * speed.y);
      }
    }
    const double h = std::sqrt(area), speed = h * std::max(0.0, closing / area);
    const double p = expected_p[e] = speed * (linear + quadratic * speed);
    pressed += p > 0;
    for (int q = 0; q < TestType::gauss_points; ++q) {
      const auto g = TestType::gradients(x, q);
      for (int i = 0; i < TestType::nodes; ++i) {
        expected[mesh.node(e, i)].x += p * thickness * g.area * g.x[i];
        expected[mesh.node(e, i)].y += p * thickness * g.area * g.y[i];
      }
    }
  }
  REQUIRE(pressed > elements / 4);
  REQUIRE(pressed < 3 * elements / 4);

  auto velocity = upload(v), displacement = upload(u);
  auto push = filled<Vec2>(3 * static_cast<std::size_t>(elements), Vec2{9, 9});
  const OfAllElements<Viscosity> viscosity({Real(linear), Real(quadratic)});
  const Vec2* moves = moved ? displacement.data() : nullptr;
  std::vector<std::uint8_t> of_elements(elements, 0);
  for (Index e = 0; e < elements; e += 5) {
    of_elements[e] |= ElementFlag::eroded;
    for (int q = 0; q < TestType::gauss_points; ++q) {
      Vec2 x[TestType::nodes];
      for (int i = 0; i < TestType::nodes; ++i) {
        const Index n = mesh.node(e, i);
        x[i] = {static_cast<Real>(mesh.nodes[n].x) + u[n].x, static_cast<Real>(mesh.nodes[n].y) + u[n].y};
      }
      const auto g = TestType::gradients(x, q);
      for (int i = 0; i < TestType::nodes; ++i) {
        expected[mesh.node(e, i)].x -= expected_p[e] * thickness * g.area * g.x[i];
        expected[mesh.node(e, i)].y -= expected_p[e] * thickness * g.area * g.y[i];
      }
    }
    expected_p[e] = 0;
  }
  auto flags = upload(of_elements);
  backend.launch(ViscousPush<TestType>{device.table(),
                                       device.position.data(),
                                       moves,
                                       velocity.data(),
                                       viscosity,
                                       flags.data(),
                                       Real(thickness),
                                       {push.data()}});
  const double close = sizeof(Real) == 8 ? 1e-11 : 2e-4;

  // All nodes as interface nodes, their elements in the order of their ids.
  std::vector<std::vector<Index>> of(nodes);
  for (Index e = 0; e < elements; ++e)
    for (int i = 0; i < TestType::nodes; ++i) of[mesh.node(e, i)].push_back(incidence_entry(e, i));
  std::vector<NodeAssembly> assembly(nodes);
  std::vector<Index> entries;
  for (Index n = 0; n < nodes; ++n) {
    const auto begin = static_cast<Index>(entries.size());
    entries.insert(entries.end(), of[n].begin(), of[n].end());
    assembly[n].set_range({begin, static_cast<Index>(entries.size())});
  }
  auto list = upload(entries);
  auto own = upload(assembly);
  auto present = filled<Index>(1, nodes);
  auto force = filled<Vec2>(static_cast<std::size_t>(nodes) + 1, Vec2{7, -3});
  auto work = filled<double>(ViscousWorks::Sums::count * static_cast<std::size_t>(nodes), 0.0);
  auto pending = filled<Index>(1, 1);
  ViscousForce<TestType> kernel{{nullptr, list.data(), 0}, own.data(), nodes + 1,      present.data(), {push.data()},
                                velocity.data(),           Real(0.01), pending.data(), force.data(),   {{work.data()}}};
  backend.launch(kernel);  // a step that an insertion stops
  CHECK(force.download(1)[0].x == 7);
  pending.upload({0});
  backend.launch(kernel);
  const auto f = force.download(force.size());
  const auto done = work.download(work.size());
  const ViscousWorks works{{const_cast<double*>(done.data())}};
  Point sum;
  for (Index n = 0; n < nodes; ++n) {
    REQUIRE(f[n].x == Approx(expected[n].x).epsilon(close).margin(10 * close));
    REQUIRE(f[n].y == Approx(expected[n].y).epsilon(close).margin(10 * close));
    // The mean of the forces before and after along the way of the step.
    const double w = -0.5 * 0.01 * ((7 + expected[n].x) * v[n].x + (-3 + expected[n].y) * v[n].y);
    CHECK(works.at(n, Quantity::viscous_energy) == Approx(w).epsilon(100 * close).margin(close));
    CHECK(works.at(n, Quantity::internal_work) == works.at(n, Quantity::viscous_energy));
    sum.x += f[n].x;
    sum.y += f[n].y;
  }
  CHECK(std::abs(sum.x) + std::abs(sum.y) < 1000 * close);
  CHECK(f[nodes].x == 7);  // not in use
}

}  // namespace cleave::test
