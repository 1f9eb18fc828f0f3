/// Internal forces and pressure against plain loops.
#include <catch2/catch.hpp>

#include "backend/backend.hpp"
#include "backend/device_mesh.hpp"
#include "published/internal_force.hpp"
#include "published/pressure.hpp"

namespace cleave::test {

TEMPLATE_TEST_CASE("internal forces are K u, by colour and atomically, for lists of any length", "[force]", T3, T6) {
  Backend backend;
  DeviceMesh<TestType> device(large_mesh(TestType::type));
  const Mesh& mesh = device.mesh;
  constexpr int dofs = TestType::dofs;
  // The kernel multiplies whatever matrix it is given; an unsymmetric one shows a swap of rows and columns.
  const auto matrix = random_numbers(StiffnessTable<TestType>::extent(mesh.element_count()), -1, 1, 4);
  const auto u = random_vectors(mesh.nodes.size(), 1, 5);
  auto k = upload(matrix);
  auto displacement = upload(u);
  for (const Index size : {0, 1, 15, 16, 17, 31, 33, 4000})
    for (const bool coloured : {true, false}) {
      auto force = upload(std::vector<Vec2>(mesh.nodes.size(), Vec2{0.5, -0.5}));
      std::vector<Vec2> expected(mesh.nodes.size(), Vec2{0.5, -0.5});
      for (const auto& list : random_lists(mesh, device.colouring, size, coloured, 100 + size)) {
        auto ids = upload(list);
        const ElementList elements{ids.data(), static_cast<Index>(list.size())};
        if (coloured)
          backend.launch(InternalForce<TestType, ColouredScatter>{
              device.table(), elements, {k.data()}, displacement.data(), force.data()});
        else
          backend.launch(InternalForce<TestType, AtomicScatter>{
              device.table(), elements, {k.data()}, displacement.data(), force.data()});
        for (const Index e : list) {
          const auto at = gathered(mesh, e, u);
          for (int r = 0; r < dofs; ++r) {
            double sum = 0;
            for (int c = 0; c < dofs; ++c)
              sum += matrix[static_cast<std::size_t>(e) * dofs * dofs + c * dofs + r] * at[c / 2][c % 2];
            Vec2& f = expected[mesh.node(e, r / 2)];
            (r % 2 == 0 ? f.x : f.y) += sum;
          }
        }
      }
      CHECK(difference(flat(force.download(mesh.nodes.size())), flat(expected)) < 1e-14);
    }
}

TEMPLATE_TEST_CASE("a linear displacement has no internal force inside", "[force]", T3, T6) {
  Backend backend;
  const PlaneType plane = GENERATE(PlaneType::stress, PlaneType::strain);
  Mesh mesh = rectangle(TestType::type, {8, 6}, {2, 1.5});
  perturb(mesh, 0.25, 2);
  DeviceMesh<TestType> device(mesh);
  ElasticParameters material;
  material.young_modulus = 1;
  material.poisson_ratio = 0.3;
  material.density = 1;
  material.plane = plane;
  Buffer<Real> k;
  k.resize(StiffnessTable<TestType>::extent(mesh.element_count()));
  backend.launch(Stiffness<TestType>{
      device.table(), device.position.data(), OfAllElements(LinearElastic::make(material)), 1.0, {k.data()}});
  std::vector<Vec2> u;
  for (const Point& p : mesh.nodes) u.push_back({0.3 + 1e-3 * p.x - 2e-3 * p.y, -0.1 + 3e-3 * p.x + 4e-3 * p.y});
  auto displacement = upload(u);
  auto force = filled<Vec2>(mesh.nodes.size(), Vec2{});
  auto ids = upload(device.colouring.order);
  backend.launch(InternalForce<TestType, AtomicScatter>{
      device.table(), {ids.data(), mesh.element_count()}, {k.data()}, displacement.data(), force.data()});
  const auto f = force.download(mesh.nodes.size());
  double inside = 0, outside = 0;
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
    const Point p = mesh.nodes[n];
    const bool edge = p.x == 0 || p.x == 2 || p.y == 0 || p.y == 1.5;
    double& largest = edge ? outside : inside;
    largest = std::max(largest, std::hypot(f[n].x, f[n].y));
  }
  CHECK(outside > 1e-4);
  CHECK(inside < 1e-14);  // rounding of K u with u about 0.3
}

namespace {

/// The inputs of a step with one load.
class StepPressure {
 public:
  explicit StepPressure(double line_pressure)
      : values_(upload(std::vector<Real>{0, 0, line_pressure})), row_(upload(std::vector<Index>{0})) {}
  StepInput input() const { return {values_.data(), row_.data(), 0, 1, 1}; }

 private:
  Buffer<Real> values_;
  Buffer<Index> row_;
};

/// Launches the pressure kernel one facet at a time, so that no two facets of a launch share a node.
template <class Element>
std::vector<Vec2> pressure(DeviceMesh<Element>& device, const std::vector<Index>& facets, double line_pressure) {
  Backend backend;
  auto force = filled<Vec2>(device.nodes(), Vec2{});
  StepPressure load(line_pressure);
  for (const Index code : facets) {
    auto codes = upload(std::vector<Index>{code});
    backend.launch(
        Pressure<Element>{device.table(), codes.data(), 1, device.position.data(), load.input(), 0, force.data()});
  }
  return force.download(device.nodes());
}

template <class Element>
std::vector<Index> boundary(const Mesh& mesh) {
  std::vector<Index> codes;
  for (Index e = 0; e < mesh.element_count(); ++e)
    for (int k = 0; k < 3; ++k)
      if (mesh.neighbour(e, k) == boundary_facet) codes.push_back(facet_code(e, k));
  return codes;
}

}  // namespace

TEMPLATE_TEST_CASE("pressure on a straight edge pushes inwards with the published shares", "[force]", T3, T6) {
  DeviceMesh<TestType> device(rectangle(TestType::type, {1, 1}, {3, 2}));
  const Mesh& mesh = device.mesh;
  for (const Index code : boundary<TestType>(mesh)) {
    const auto f = pressure(device, {code}, 7);
    const auto slots = reference::facet_slots(TestType::nodes, facet_of(code));
    const Point a = mesh.nodes[mesh.node(element_of(code), slots.front())];
    const Point b = mesh.nodes[mesh.node(element_of(code), slots.back())];
    const auto weights = reference::facet_weights(TestType::facet_nodes);
    for (std::size_t i = 0; i < slots.size(); ++i) {
      const Vec2 at = f[mesh.node(element_of(code), slots[i])];
      CHECK(std::abs(at.x - weights[i] * -7 * (b.y - a.y)) < 1e-14);
      CHECK(std::abs(at.y - weights[i] * -7 * -(b.x - a.x)) < 1e-14);
    }
    Vec2 sum{};
    for (const Vec2& at : f) sum += at;
    // Bottom is pushed up, and so on round the square.
    if (a.y == 0 && b.y == 0) CHECK((std::abs(sum.x) < 1e-14 && sum.y == Approx(21)));
    if (a.x == 0 && b.x == 0) CHECK((std::abs(sum.y) < 1e-14 && sum.x == Approx(14)));
    if (a.y == 2 && b.y == 2) CHECK((std::abs(sum.x) < 1e-14 && sum.y == Approx(-21)));
    if (a.x == 3 && b.x == 3) CHECK((std::abs(sum.y) < 1e-14 && sum.x == Approx(-14)));
  }
}

TEMPLATE_TEST_CASE("pressure on many curved facets, and none in sum on a closed loop", "[force]", T3, T6) {
  DeviceMesh<TestType> device(large_mesh(TestType::type));
  const Mesh& mesh = device.mesh;
  const auto codes = boundary<TestType>(mesh);
  const auto f = pressure(device, codes, 3);
  std::vector<Vec2> expected(mesh.nodes.size());
  Vec2 sum{};
  double scale = 0;
  for (const Index code : codes) {
    const auto slots = reference::facet_slots(TestType::nodes, facet_of(code));
    std::vector<reference::Vec> x;
    for (const int slot : slots) x.push_back(reference::positions(mesh, element_of(code))[slot]);
    const auto forces = reference::pressure_forces(x, 3, 1);
    for (std::size_t i = 0; i < slots.size(); ++i)
      expected[mesh.node(element_of(code), slots[i])] += Vec2{forces[i][0], forces[i][1]};
  }
  CHECK(difference(flat(f), flat(expected)) < 1e-13);
  for (const Vec2& at : f) {
    sum += at;
    scale += std::hypot(at.x, at.y);
  }
  CHECK(std::hypot(sum.x, sum.y) < 1e-14 * scale);
}

TEMPLATE_TEST_CASE("pressure launches of any size give the same forces", "[force]", T3, T6) {
  Backend backend;
  DeviceMesh<TestType> device(large_mesh(TestType::type));
  const Mesh& mesh = device.mesh;
  // Facet 0 of the elements of one colour share no node, on the boundary or not.
  std::vector<Index> codes;
  for (Index e = 0; e < mesh.element_count(); ++e)
    if (device.colouring.colour[e] == 0) codes.push_back(facet_code(e, e % 3));
  REQUIRE(codes.size() > 500);
  StepPressure load(5);
  for (const Index size : {0, 1, 31, 33, 500}) {
    auto list = upload(codes);
    auto force = filled<Vec2>(mesh.nodes.size(), Vec2{1, 2});
    std::vector<Vec2> expected(mesh.nodes.size(), Vec2{1, 2});
    backend.launch(
        Pressure<TestType>{device.table(), list.data(), size, device.position.data(), load.input(), 0, force.data()});
    for (Index i = 0; i < size; ++i) {
      const auto slots = reference::facet_slots(TestType::nodes, facet_of(codes[i]));
      std::vector<reference::Vec> x;
      for (const int slot : slots) x.push_back(reference::positions(mesh, element_of(codes[i]))[slot]);
      const auto forces = reference::pressure_forces(x, 5, 1);
      for (std::size_t j = 0; j < slots.size(); ++j)
        expected[mesh.node(element_of(codes[i]), slots[j])] += Vec2{forces[j][0], forces[j][1]};
    }
    CHECK(difference(flat(force.download(mesh.nodes.size())), flat(expected)) < 1e-14);
  }
}

}  // namespace cleave::test
