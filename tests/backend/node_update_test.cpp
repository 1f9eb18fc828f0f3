/// Displacement, velocity and boundary update with the work of every force, against plain loops.
#include "published/node_update.hpp"

#include <catch2/catch.hpp>

#include "backend/backend.hpp"
#include "backend/device_mesh.hpp"
#include "cleave/material/linear_elastic.hpp"
#include "published/energies.hpp"

namespace cleave::test {
namespace {

/// Nodes in solver memory and their copy on the host.
struct Nodes {
  Index count;
  std::vector<Vec2> u, v, a, internal, cohesive, external;
  std::vector<double> mass;
  std::vector<std::uint8_t> mx, my;
  Buffer<Vec2> u_, v_, a_, internal_, cohesive_, external_;
  Buffer<Real> mass_, work_;
  Buffer<std::uint8_t> mx_, my_;
  Buffer<Index> in_use_;

  explicit Nodes(Index n)
      : count(n),
        u(random_vectors(n + 1, 1e-3, 1)),
        v(random_vectors(n + 1, 2, 2)),
        a(random_vectors(n + 1, 3, 3)),
        internal(random_vectors(n + 1, 4, 4)),
        cohesive(random_vectors(n + 1, 5, 5)),
        external(random_vectors(n + 1, 6, 6)),
        mass(random_numbers(n + 1, 0.5, 2, 7)) {
    std::mt19937 random(8);
    for (Index i = 0; i <= n; ++i) {
      mx.push_back(static_cast<std::uint8_t>(random() % 4 == 0 ? 1 + random() % 63 : 0));
      my.push_back(static_cast<std::uint8_t>(random() % 3 == 0 ? 1 + random() % 63 : 0));
    }
    u_.upload(u);
    v_.upload(v);
    a_.upload(a);
    internal_.upload(internal);
    cohesive_.upload(cohesive);
    external_.upload(external);
    mass_.upload(mass);
    in_use_.upload({n});
    mx_.upload(mx);
    my_.upload(my);
    work_.upload(std::vector<Real>(4 * (node_blocks(n) + 1), 0.25));  // not zero: works are added
  }
  /// With room for more than there are.
  NodeTable table() {
    return {{count + 1, u_.data(), v_.data(), mx_.data(), my_.data()},
            a_.data(),
            mass_.data(),
            internal_.data(),
            cohesive_.data(),
            external_.data()};
  }
  const Index* in_use() { return in_use_.data(); }
  WorkLedger ledger() { return {{work_.data()}}; }
  Vec2 total(Index n) const { return external[n] - internal[n] - cohesive[n]; }
  Vec2 reaction(Index n) const {
    const Vec2 r = mass[n] * a[n] - total(n);
    return {mx[n] ? r.x : 0, my[n] ? r.y : 0};
  }
  Vec2 increment(Index n, double dt) const { return dt * v[n] + 0.5 * dt * dt * a[n]; }
  void same(Buffer<Vec2>& device, const std::vector<Vec2>& expected) {
    CHECK(difference(flat(device.download(count + 1)), flat(expected)) < 1e-15);
  }
  /// Checks what the ledger gained, block by block, and that the row after the last is untouched.
  void gained(const std::vector<std::array<double, 4>>& halves) {
    const auto work = work_.download(4 * (node_blocks(count) + 1));
    for (Index b = 0; b < node_blocks(count); ++b)
      for (int kind = 0; kind < 4; ++kind) {
        double expected = 0.25;
        for (Index n = 256 * b; n < std::min(count, 256 * (b + 1)); ++n) expected += halves[n][kind];
        CHECK(std::abs(work[4 * b + kind] - expected) < 1e-12);
      }
    for (int kind = 0; kind < 4; ++kind) CHECK(work[4 * node_blocks(count) + kind] == 0.25);
  }
};

const Index sizes[] = {0, 1, 31, 33, 255, 256, 257, 4000};

}  // namespace

TEST_CASE("displacements advance, forces are cleared and their first half of work is booked", "[nodes]") {
  Backend backend;
  const double dt = 0.01;
  for (const Index size : sizes) {
    Nodes n(size);
    backend.launch(DisplacementUpdate{n.table(), n.in_use(), n.ledger(), dt});
    std::vector<std::array<double, 4>> halves;
    for (Index i = 0; i < size; ++i) {
      const Vec2 du = n.increment(i, dt);
      halves.push_back({dot(n.internal[i], du) / 2, dot(n.cohesive[i], du) / 2, dot(n.external[i], du) / 2,
                        dot(n.reaction(i), du) / 2});
    }
    for (Index i = 0; i < size; ++i) {
      n.u[i] += n.increment(i, dt);
      n.internal[i] = n.cohesive[i] = n.external[i] = Vec2{};
    }
    n.same(n.u_, n.u);
    n.same(n.v_, n.v);
    n.same(n.a_, n.a);
    n.same(n.internal_, n.internal);
    n.same(n.cohesive_, n.cohesive);
    n.same(n.external_, n.external);
    n.gained(halves);
  }
}

TEST_CASE("velocities advance by the mean acceleration and the second half of work is booked", "[nodes]") {
  Backend backend;
  for (const double dt : {0.01, 0.0})
    for (const Index size : sizes) {
      Nodes n(size);
      backend.launch(VelocityUpdate{n.table(), n.in_use(), n.ledger(), dt});
      std::vector<std::array<double, 4>> halves;
      for (Index i = 0; i < size; ++i) {
        const Vec2 du = n.increment(i, dt);
        halves.push_back({dot(n.internal[i], du) / 2, dot(n.cohesive[i], du) / 2, dot(n.external[i], du) / 2, 0});
      }
      for (Index i = 0; i < size; ++i) {
        const Vec2 fresh = 1 / n.mass[i] * n.total(i);
        n.v[i] += dt / 2 * (n.a[i] + fresh);
        n.a[i] = fresh;
      }
      n.same(n.u_, n.u);
      n.same(n.v_, n.v);
      n.same(n.a_, n.a);
      n.same(n.internal_, n.internal);
      n.gained(halves);
    }
}

TEST_CASE("the end of a step and the beginning of the next one at once leave the bits of one after the other",
          "[nodes]") {
  Backend backend;
  const double dt = 0.01;
  for (const Index size : sizes) {
    Nodes apart(size), at_once(size);
    for (Nodes* n : {&apart, &at_once}) {  // where motions are prescribed, conditions come between
      n->mx_.upload(std::vector<std::uint8_t>(size + 1));
      n->my_.upload(std::vector<std::uint8_t>(size + 1));
    }
    backend.launch(VelocityUpdate{apart.table(), apart.in_use(), apart.ledger(), dt});
    backend.launch(DisplacementUpdate{apart.table(), apart.in_use(), apart.ledger(), dt});
    backend.launch(NodeUpdate<true, true>{at_once.table(), at_once.in_use(), at_once.ledger(), dt});
    const auto same = [&](Buffer<Vec2> Nodes::*array) {
      CHECK(flat((apart.*array).download(size + 1)) == flat((at_once.*array).download(size + 1)));
    };
    for (const auto array :
         {&Nodes::u_, &Nodes::v_, &Nodes::a_, &Nodes::internal_, &Nodes::cohesive_, &Nodes::external_})
      same(array);
    const std::size_t works = 4 * (node_blocks(size) + 1);
    CHECK(apart.work_.download(works) == at_once.work_.download(works));
  }
}

TEST_CASE("absent forces equal zero forces", "[nodes]") {
  Backend backend;
  const double dt = 0.01;
  const Index size = 4000;
  Nodes with(size), without(size);
  with.cohesive_.upload(std::vector<Vec2>(size + 1));
  with.external_.upload(std::vector<Vec2>(size + 1));
  NodeTable table = without.table();
  table.cohesive_force = table.external_force = nullptr;
  backend.launch(VelocityUpdate{with.table(), with.in_use(), with.ledger(), dt});
  backend.launch(VelocityUpdate{table, without.in_use(), without.ledger(), dt});
  backend.launch(DisplacementUpdate{with.table(), with.in_use(), with.ledger(), dt});
  backend.launch(DisplacementUpdate{table, without.in_use(), without.ledger(), dt});
  without.same(without.u_, with.u_.download(size + 1));
  without.same(without.v_, with.v_.download(size + 1));
  without.same(without.a_, with.a_.download(size + 1));
  const std::size_t works = 4 * node_blocks(size);
  CHECK(without.work_.download(works) == with.work_.download(works));
  without.same(without.cohesive_, without.cohesive);  // untouched
  without.same(without.external_, without.external);
}

TEST_CASE("prescribed directions take their motion and the second half of reaction work is booked", "[nodes]") {
  Backend backend;
  const double dt = 0.01;
  // Two rows of velocities, accelerations and pressures of three loads: the step before, and this one.
  constexpr int motions = 64, loads = 3, width = StepInput::width(motions, loads);
  const auto values = random_numbers(2 * width, -1, 1, 9);
  const auto velocity = [&](int row, int m) { return values[row * width + m]; };
  const auto acceleration = [&](int row, int m) { return values[row * width + motions + m]; };
  auto inputs = upload(values);
  auto row = upload(std::vector<Index>{0});
  const StepInput input{inputs.data(), row.data(), 1, motions, loads};
  for (const Index size : sizes) {
    Nodes n(size);
    backend.launch(BoundaryConditions{n.table(), n.in_use(), n.ledger(), input, dt});
    std::vector<std::array<double, 4>> halves;
    for (Index i = 0; i < size; ++i) {
      if (n.mx[i]) {
        n.v[i].x = velocity(1, n.mx[i]);
        n.a[i].x = acceleration(1, n.mx[i]);
      }
      if (n.my[i]) {
        n.v[i].y = velocity(1, n.my[i]);
        n.a[i].y = acceleration(1, n.my[i]);
      }
      const double dx = dt * velocity(0, n.mx[i]) + dt * dt / 2 * acceleration(0, n.mx[i]);
      const double dy = dt * velocity(0, n.my[i]) + dt * dt / 2 * acceleration(0, n.my[i]);
      const Vec2 r = n.reaction(i);
      halves.push_back({0, 0, 0, ((n.mx[i] ? r.x * dx : 0) + (n.my[i] ? r.y * dy : 0)) / 2});
    }
    n.same(n.u_, n.u);
    n.same(n.v_, n.v);
    n.same(n.a_, n.a);
    n.gained(halves);
  }
}

TEST_CASE("kinetic energy and its correction are those of the formula", "[energies]") {
  Backend backend;
  const double dt = 0.3;
  for (const Index size : sizes) {
    Nodes n(size);
    const Index room = size + 300;  // for nodes that there are not yet
    auto sums = filled<Real>(2 * node_blocks(room) + 2, -5);
    NodeTable table = n.table();
    table.count = room;
    auto in_use = upload(std::vector<Index>{size});
    const KineticEnergy energy{table, in_use.data(), dt, {{sums.data()}}};
    backend.launch(energy);
    const QuantityTotals total = totals_of(backend, energy.sums, node_blocks(room));
    double kinetic = 0, correction = 0;
    for (Index i = 0; i < size; ++i) {
      kinetic += 0.5 * n.mass[i] * dot(n.v[i], n.v[i]);
      correction += dt * dt / 8 * n.mass[i] * dot(n.a[i], n.a[i]);
    }
    CHECK(total[Quantity::kinetic_energy] == Approx(kinetic).epsilon(1e-13));
    CHECK(total[Quantity::kinetic_correction] == Approx(correction).epsilon(1e-13));
    CHECK(total[Quantity::strain_energy] == 0);
    CHECK(sums.download(2 * node_blocks(room) + 2)[2 * node_blocks(room)] == -5);
  }
}

TEMPLATE_TEST_CASE("strain energy is half of u K u", "[energies]", T3, T6) {
  Backend backend;
  DeviceMesh<TestType> device(large_mesh(TestType::type));
  const Mesh& mesh = device.mesh;
  const PlaneType plane = GENERATE(PlaneType::stress, PlaneType::strain);
  ElasticParameters material;
  material.young_modulus = 3;
  material.poisson_ratio = 0.3;
  material.density = 1;
  material.plane = plane;
  const auto d = reference::elasticity(3, 0.3, plane);
  const auto u = random_vectors(mesh.nodes.size(), 1, 3);
  auto displacement = upload(u);
  for (const Index size : kernel_sizes) {
    const Index blocks = (size + 127) / 128;
    auto sums = filled<Real>(blocks + 1, -5);
    const OfAllElements<LinearElastic> elastic(LinearElastic::make(material));
    const StrainEnergy<TestType, LinearElastic> energy{
        device.table(size), device.position.data(), displacement.data(), elastic, 0.4, {{sums.data()}}};
    backend.launch(energy);
    double expected = 0;
    for (Index e = 0; e < size; ++e) {
      const auto k = reference::stiffness(reference::positions(mesh, e), d, 0.4);
      const auto at = gathered(mesh, e, u);
      for (int r = 0; r < TestType::dofs; ++r)
        for (int c = 0; c < TestType::dofs; ++c)
          expected += 0.5 * at[r / 2][r % 2] * k[r * TestType::dofs + c] * at[c / 2][c % 2];
    }
    CHECK(totals_of(backend, energy.sums, blocks)[Quantity::strain_energy] == Approx(expected).epsilon(1e-12));
    CHECK(sums.download(blocks + 1)[blocks] == -5);
  }
}

TEST_CASE("sums of blocks are exact for any number of rows", "[energies]") {
  Backend backend;
  using First = QuantityList<Quantity::crack_length, Quantity::internal_work, Quantity::reaction_work>;
  using Second = QuantityList<Quantity::internal_work, Quantity::strain_energy>;
  for (const Index rows : {0, 1, 31, 33, 255, 256, 257, 5000}) {
    const Index fewer = rows / 2;
    const auto values = random_numbers(3 * static_cast<std::size_t>(rows), -1, 1, 5);
    const auto others = random_numbers(2 * static_cast<std::size_t>(fewer), -1, 1, 6);
    auto first = upload(values), second = upload(others);
    double length = 0, internal = 0, reaction = 0, strain = 0;
    for (Index r = 0; r < rows; ++r) {
      length += values[3 * r];
      internal += values[3 * r + 1];
      reaction += values[3 * r + 2];
    }
    for (Index r = 0; r < fewer; ++r) {
      internal += others[2 * r];
      strain += others[2 * r + 1];
    }
    SumTables sums;
    sums.add(SumRows<First>{{first.data()}}, rows);
    sums.add(SumRows<Second>{{second.data()}}, fewer);
    const QuantityTotals total = totals_of(backend, sums);
    CHECK(std::abs(total[Quantity::crack_length] - length) < 1e-12);
    CHECK(std::abs(total[Quantity::internal_work] - internal) < 1e-12);
    CHECK(std::abs(total[Quantity::reaction_work] - reaction) < 1e-12);
    CHECK(std::abs(total[Quantity::strain_energy] - strain) < 1e-12);
    // Nobody adds to these.
    CHECK(total[Quantity::kinetic_energy] == 0);
    CHECK(total[Quantity::step] == 0);
  }
}

}  // namespace cleave::test
