/// Cohesive elements whose faces turn: their forces are the derivative of their energy, and a turn changes nothing.
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "backend/backend.hpp"
#include "backend/device_mesh.hpp"
#include "cleave/material/effective_opening.hpp"
#include "cleave/material/ppr.hpp"
#include "terms/cohesive/cohesive_step.hpp"
#include "terms/cracks/turning_cracks.hpp"

namespace cleave::test {
namespace {

constexpr int points = FacetGauss::points;
constexpr double thickness = 2e-3, stiffness = 1e13, scale = 0.8, energy = 1.3;
constexpr double tangent_x = 0.6, tangent_y = 0.8, half_length = 0.5e-3;

/// One cohesive element by itself, whose nodes are those of side a, then those of side b.
template <class Element>
struct Lone {
  static constexpr int nodes = 2 * Element::facet_nodes;
  using Law = Ppr;
  Law law = Ppr::make({{10e6, 80, 2}, {8e6, 60, 2}});
  Backend backend;
  std::vector<Vec2> u = std::vector<Vec2>(nodes, Vec2{});
  Backend::Buffer<CohesiveRow<Element>> rows;
  Backend::Buffer<LiveCounts> live;
  Backend::Buffer<Vec2> displacement, stiffness_cap, offset, opening, traction, force, couple, sides;
  Backend::Buffer<Real> frame, account;
  Backend::Buffer<FacetFactors> factors;
  Backend::Buffer<typename Law::State> state;
  Backend::Buffer<double> dissipated, work;
  Backend::Buffer<FaceMotion> last;
  Real pressure = 0;  ///< in the crack, Pa
  Backend::Buffer<Index> load, first_row;
  Backend::Buffer<Real> outside;
  Backend::Buffer<FacePush> faces;
  std::vector<Vec2> without_push;  ///< internal forces on the nodes, N
  Backend::Buffer<double> push_work;
  Real coefficient = 0;  ///< of friction
  Backend::Buffer<FrictionPoint> spring;
  Backend::Buffer<double> rubbed;
  Backend::Buffer<Index> pending;
  Backend::Buffer<Step> insertion;

  Lone() {
    CohesiveRow<Element> row{};
    for (int i = 0; i < nodes; ++i) row.nodes[i / Element::facet_nodes][i % Element::facet_nodes] = i;
    rows.upload({row});
    LiveCounts counts{};
    counts.nodes = nodes;
    counts.cohesive = 1;
    live.upload({counts});
    frame.upload({Real(scale * tangent_x), Real(scale * tangent_y), Real(energy * half_length)});
    factors.upload({{Real(scale), Real(energy)}});
    stiffness_cap.upload({{Real(stiffness), Real(stiffness / 2)}});
    const CohesivePoint point{Real(stiffness), Real(stiffness / 2),
                              law.offset({Real(6e6), Real(2e6)}, Real(stiffness))};
    const auto start = law.start({Real(6e6), Real(2e6)}, point);
    offset.upload(std::vector<Vec2>(points, point.offset));
    opening.upload(std::vector<Vec2>(points, Vec2{}));
    traction.upload(std::vector<Vec2>(points, law.respond({0, 0}, point, start).traction));
    state.upload(std::vector<typename Law::State>(points, start));
    account.upload(std::vector<Real>(points, -law.respond({0, 0}, point, start).stored));
    dissipated.upload(std::vector<double>(points, 0));
    work.upload(std::vector<double>(points, 0));
    force.upload(std::vector<Vec2>(points, Vec2{}));
    couple.upload(std::vector<Vec2>(points, Vec2{}));
    sides.upload(std::vector<Vec2>(nodes, Vec2{}));
    last.upload(std::vector<FaceMotion>(points, FaceMotion{}));
    spring.upload(std::vector<FrictionPoint>(points, FrictionPoint{}));
    rubbed.upload(std::vector<double>(points, 0));
    load.upload({0});
    first_row.upload({0});
    faces.upload(std::vector<FacePush>(points, FacePush{}));
    push_work.upload(std::vector<double>(points, 0));
    pending.upload({0});
    insertion.upload({0});
  }
  CohesiveTable<Law> table() {
    return {{frame.data()}, {stiffness_cap.data()}, {offset.data()},     {opening.data()}, {traction.data()},
            {state.data()}, {account.data()},       {dissipated.data()}, insertion.data(), factors.data()};
  }
  Friction friction() { return coefficient > 0 ? Friction{coefficient, spring.data(), rubbed.data()} : Friction{}; }
  void step() {
    displacement.upload(u);
    backend.launch(CohesiveStep<Element, Law, CorotationalFaces, false>{.rows = rows.data(),
                                                                        .capacity = 1,
                                                                        .live = live.data(),
                                                                        .displacement = displacement.data(),
                                                                        .law = law,
                                                                        .cohesive = table(),
                                                                        .faces = {.forces = {.friction = friction()},
                                                                                  .thickness = Real(thickness),
                                                                                  .force = force.data(),
                                                                                  .couple = couple.data(),
                                                                                  .last = last.data(),
                                                                                  .work = work.data()},
                                                                        .sides = {sides.data()},
                                                                        .insertion_pending = pending.data()});
  }
  /// The pressure on the faces; one load, and no motions but that of free nodes.
  void push() {
    without_push = nodal();
    outside.upload({0, 0, pressure * Real(thickness), 0, 0});
    backend.launch(PushTurningFaces<Element, Law>{.rows = rows.data(),
                                                  .capacity = 1,
                                                  .live = live.data(),
                                                  .displacement = displacement.data(),
                                                  .cohesive = table(),
                                                  .cracks = {load.data(), nullptr, push_work.data()},
                                                  .input = {outside.data(), first_row.data(), 0, 1, 1},
                                                  .faces = faces.data(),
                                                  .sides = {sides.data()},
                                                  .insertion_pending = pending.data()});
  }
  /// What the pressure does to the nodes, N.
  std::vector<Vec2> pushes() {
    std::vector<Vec2> out = nodal();
    for (int i = 0; i < nodes; ++i) out[i] = without_push[i] - out[i];
    return out;
  }
  /// The same by the definition: the integral of N times the pressure along the normal of the face, by many short
  /// pieces.
  std::vector<Vec2> expected_pushes() const {
    constexpr int pieces = 2000, facet_nodes = Element::facet_nodes;
    const auto shape = [](int k, double r) {
      return facet_nodes == 2 ? (1 + (2 * k - 1) * r) / 2 : (k == 1 ? 1 - r * r : r * (r + (k - 1)) / 2);
    };
    std::vector<Vec2> out(nodes, Vec2{});
    for (int side = 0; side < 2; ++side) {
      const auto point = [&](double r) {
        double x = 0, y = 0;
        for (int k = 0; k < facet_nodes; ++k) {
          const Vec2 moved = reference(k) + u[k + side * facet_nodes];
          x += shape(k, r) * moved.x;
          y += shape(k, r) * moved.y;
        }
        return std::array<double, 2>{x, y};
      };
      for (int p = 0; p < pieces; ++p) {
        const double r = 2.0 * p / pieces - 1, s = 2.0 * (p + 1) / pieces - 1;
        const auto a = point(r), b = point(s);
        const double outward = side == 0 ? -1 : 1;  // side b lies to the right of side a, and is pushed there
        for (int k = 0; k < facet_nodes; ++k) {
          const double share = shape(k, (r + s) / 2) * outward * pressure * thickness;
          out[k + side * facet_nodes] += Vec2{Real(share * (b[1] - a[1])), Real(-share * (b[0] - a[0]))};
        }
      }
    }
    return out;
  }
  /// Internal forces on the nodes, N.
  std::vector<Vec2> nodal() { return sides.download(nodes); }
  /// Energy of the law at the present openings, without the account, J.
  double stored() {
    const auto at = opening.download(points);
    const auto states = state.download(points);
    const auto shift = offset.download(points);
    double sum = 0;
    for (int q = 0; q < points; ++q)
      sum += energy * FacetGauss::weight(q) * half_length * thickness *
             law.respond(at[q], {Real(stiffness), Real(stiffness / 2), shift[q]}, states[q]).stored;
    return sum;
  }
  double sum_of(Backend::Buffer<double>& buffer) {
    double sum = 0;
    for (const double value : buffer.download(points)) sum += value;
    return sum;
  }
  Vec2 reference(int i) const {
    const int k = i % Element::facet_nodes;
    const double r = Element::facet_nodes == 2 ? 2 * k - 1 : k - 1;
    return {Real(half_length * r * tangent_x), Real(half_length * r * tangent_y)};
  }
  Vec2 mid_surface_tangent() const {
    const auto end = [&](int k) { return reference(k) + Real(0.5) * (u[k] + u[k + Element::facet_nodes]); };
    const Vec2 along = end(Element::facet_nodes - 1) - end(0);
    return 1 / std::sqrt(dot(along, along)) * along;
  }
  /// Opens the faces by (normal, tangential) in m, more at one end.
  void open(double normal, double tangential) {
    for (int i = Element::facet_nodes; i < nodes; ++i) {
      const double more = 1 + 0.3 * (i - Element::facet_nodes);
      u[i] = {Real(more * (normal * tangent_y + tangential * tangent_x)),
              Real(more * (-normal * tangent_x + tangential * tangent_y))};
    }
  }
  void turn(double angle, const std::vector<Vec2>& from) {
    for (int i = 0; i < nodes; ++i) {
      const Vec2 x = reference(i);
      const double px = x.x + from[i].x, py = x.y + from[i].y;
      u[i] = {Real(std::cos(angle) * px - std::sin(angle) * py - x.x),
              Real(std::sin(angle) * px + std::cos(angle) * py - x.y)};
    }
  }
};

/// A failed element whose faces overlap, and have slid over each other with friction.
template <class Element>
void press_and_slide(Lone<Element>& lone) {
  lone.coefficient = Real(0.3);
  for (int i = 1; i <= 100; ++i) {
    lone.open(60e-6 * i / 100, 0);
    lone.step();
  }
  for (int i = 99; i >= 0; --i) {
    lone.open(62e-6 * i / 100 - 2e-6, 0);
    lone.step();
  }
  for (int i = 1; i <= 50; ++i) {
    lone.open(-2e-6, 3e-6 * i / 50);
    lone.step();
  }
  for (int i = 0; i < 400; ++i) lone.step();  // the account comes to rest
}

}  // namespace

TEMPLATE_TEST_CASE("a turn changes neither traction, opening nor energy", "[cohesive][finite]", T3, T6) {
  Lone<TestType> lone;
  for (int i = 1; i <= 50; ++i) {  // half open, then it rests
    lone.open(8e-6 * i / 50, 3e-6 * i / 50);
    lone.step();
  }
  for (int i = 0; i < 20; ++i) lone.step();  // the account comes to rest
  const auto opened = lone.u;
  const auto opening = lone.opening.download(points), traction = lone.traction.download(points);
  const double stored = lone.stored(), dissipated = lone.sum_of(lone.dissipated), work = lone.sum_of(lone.work);
  const double pi = std::acos(-1.0);
  for (int i = 1; i <= 2000; ++i) {
    lone.turn(pi / 2 * i / 2000, opened);
    lone.step();
  }
  const auto opening_now = lone.opening.download(points), traction_now = lone.traction.download(points);
  for (int q = 0; q < points; ++q) {
    CHECK(std::abs(opening_now[q].x - opening[q].x) < 1e-9 * opening[q].x);
    CHECK(std::abs(opening_now[q].y - opening[q].y) < 1e-9 * opening[q].x);
    CHECK(std::abs(traction_now[q].x - traction[q].x) < 1e-9 * traction[q].x);
    CHECK(std::abs(traction_now[q].y - traction[q].y) < 1e-9 * traction[q].x);
  }
  CHECK(std::abs(lone.stored() - stored) < 1e-9 * stored);
  CHECK(std::abs(lone.sum_of(lone.dissipated) - dissipated) < 1e-9 * dissipated);
  CHECK(std::abs(lone.sum_of(lone.work) - work) < 1e-9 * stored);
}

TEMPLATE_TEST_CASE("forces on faces that turn are the derivative of the energy", "[cohesive][finite]", T3, T6) {
  Lone<TestType> lone;
  lone.open(10e-6, 4e-6);
  lone.step();  // its history: from here on it unloads, and is elastic
  lone.open(7e-6, 2e-6);
  lone.turn(0.7, lone.u);
  std::mt19937 engine(4);
  std::uniform_real_distribution<double> any(-1e-6, 1e-6);
  for (Vec2& u : lone.u) u = u + Vec2{Real(any(engine)), Real(any(engine))};
  const auto at = lone.u;
  lone.step();
  // The law's own traction: without what the account adds.
  const auto now = lone.opening.download(points), shift = lone.offset.download(points);
  const auto states = lone.state.download(points);
  for (int i = 0; i < 400; ++i) lone.step();  // it rests: nothing moves, so nothing is added
  std::vector<Real> zero(points, 0);
  lone.account.upload(zero);
  lone.step();
  const auto f = lone.nodal();
  double largest = 0;
  Vec2 sum{};
  double torque = 0;
  for (int i = 0; i < lone.nodes; ++i) {
    largest = std::max(largest, std::hypot(double(f[i].x), double(f[i].y)));
    sum += f[i];
    const Vec2 x = lone.reference(i) + at[i];
    torque += x.x * f[i].y - x.y * f[i].x;
  }
  CHECK(std::hypot(double(sum.x), double(sum.y)) < 1e-12 * largest);
  CHECK(std::abs(torque) < 1e-12 * largest * half_length);
  const double h = 1e-10;
  for (int i = 0; i < lone.nodes; ++i)
    for (const bool along_y : {false, true}) {
      const auto energy_at = [&](double by) {
        lone.u = at;
        (along_y ? lone.u[i].y : lone.u[i].x) += Real(by);
        lone.state.upload(states);
        lone.step();
        return lone.stored();
      };
      const double slope = (energy_at(h) - energy_at(-h)) / (2 * h);
      CHECK(std::abs(slope - (along_y ? f[i].y : f[i].x)) < 1e-6 * largest);
    }
}

TEMPLATE_TEST_CASE("work of faces that open and turn is stored or dissipated", "[cohesive][finite]", T3, T6) {
  Lone<TestType> lone;
  std::mt19937 engine(8);
  std::uniform_real_distribution<double> any(-0.2e-6, 0.2e-6);
  double largest = 0;
  for (int i = 1; i <= 300; ++i) {
    lone.open(6e-6 * std::sin(0.02 * i), 4e-6 * std::sin(0.031 * i));
    lone.turn(0.01 * i, lone.u);
    for (Vec2& u : lone.u) u = u + Vec2{Real(any(engine)), Real(any(engine))};
    lone.step();
    double account = 0;
    const auto accounts = lone.account.download(points);
    for (int q = 0; q < points; ++q) account += energy * FacetGauss::weight(q) * half_length * thickness * accounts[q];
    double lost = 0;
    const auto dissipated = lone.dissipated.download(points);
    for (int q = 0; q < points; ++q) lost += energy * FacetGauss::weight(q) * half_length * thickness * dissipated[q];
    largest = std::max(largest, lone.stored() + lost);
    REQUIRE(std::abs(lone.sum_of(lone.work) - lone.stored() - account - lost) < 1e-12 * largest);
  }
}

TEMPLATE_TEST_CASE("a pressure pushes each of two faces along its own normal", "[cohesive][cracks][finite]", T3, T6) {
  Lone<TestType> lone;
  lone.pressure = Real(2e6);
  std::mt19937 engine(5);
  std::uniform_real_distribution<double> any(-30e-6, 30e-6);
  lone.open(70e-6, 20e-6);
  lone.turn(0.9, lone.u);
  for (Vec2& u : lone.u) u = u + Vec2{Real(any(engine)), Real(any(engine))};
  lone.step();
  lone.push();
  const auto found = lone.pushes(), expected = lone.expected_pushes();
  const double scale = 2e6 * half_length * thickness;
  for (int i = 0; i < lone.nodes; ++i) {
    CHECK(std::abs(found[i].x - expected[i].x) < 1e-6 * scale);
    CHECK(std::abs(found[i].y - expected[i].y) < 1e-6 * scale);
  }
}

TEMPLATE_TEST_CASE("a pressure on faces that turn does the work of its nodal forces, until they part",
                   "[cohesive][cracks][finite]", T3, T6) {
  Lone<TestType> lone;
  const auto move = [&](int i) {
    std::fill(lone.u.begin(), lone.u.end(), Vec2{});
    lone.open(60e-6 * i / 100, 10e-6 * i / 100);
    lone.turn(0.02 * i, lone.u);
    lone.step();
    lone.push();
  };
  move(0);
  auto at = lone.u;
  auto forces = lone.pushes();
  double done = 0;
  for (int i = 1; i <= 100; ++i) {
    lone.pressure = Real(i < 50 ? 4e4 * i : 2e6);  // comes up, then stays
    move(i);
    const auto now = lone.pushes();
    for (int n = 0; n < lone.nodes; ++n) done += 0.5 * dot(forces[n] + now[n], lone.u[n] - at[n]);
    forces = now;
    at = lone.u;
  }
  REQUIRE(done > 0);
  CHECK(lone.sum_of(lone.push_work) == Approx(done).epsilon(1e-11));
  // Faces that have slid past each other let the gas out.
  std::fill(lone.u.begin(), lone.u.end(), Vec2{});
  lone.open(60e-6, 3 * half_length);
  lone.step();
  lone.push();
  for (const Vec2& push : lone.pushes()) CHECK(std::abs(push.x) + std::abs(push.y) == 0);
  const double last = lone.sum_of(lone.push_work);
  lone.open(90e-6, 3 * half_length);
  lone.step();
  lone.push();
  CHECK(lone.sum_of(lone.push_work) == last);
}

TEMPLATE_TEST_CASE("friction acts along faces that turn", "[cohesive][friction][finite]", T3, T6) {
  Lone<TestType> lone;
  press_and_slide(lone);
  const auto slid = lone.u;
  const auto pressed = lone.traction.download(points);
  const auto before = lone.spring.download(points);
  const double rubbed = lone.sum_of(lone.rubbed), work = lone.sum_of(lone.work);
  REQUIRE(rubbed > 0);
  const double pi = std::acos(-1.0);
  for (int i = 1; i <= 2000; ++i) {
    lone.turn(pi / 2 * i / 2000, slid);
    lone.step();
  }
  const auto now = lone.spring.download(points);
  const auto force = lone.force.download(points);
  const Vec2 tangent = lone.mid_surface_tangent(), normal{tangent.y, -tangent.x};
  CHECK(std::abs(tangent.x + 0.8) < 1e-3);  // the mid-surface is a little off the reference facet
  for (int q = 0; q < points; ++q) {
    REQUIRE(pressed[q].x < -1e5);
    CHECK(before[q].traction == Approx(-0.3 * pressed[q].x).epsilon(1e-6));
    CHECK(now[q].traction == Approx(before[q].traction).epsilon(1e-6));
    const double weight = FacetGauss::weight(q) * energy * half_length * thickness;
    const Vec2 expected = weight * scale * (pressed[q].x * normal + before[q].traction * tangent);
    CHECK(force[q].x == Approx(expected.x).epsilon(1e-6));
    CHECK(force[q].y == Approx(expected.y).epsilon(1e-6));
  }
  CHECK(std::abs(lone.sum_of(lone.rubbed) - rubbed) < 1e-9 * rubbed);
  CHECK(std::abs(lone.sum_of(lone.work) - work) < 1e-9 * rubbed);
}

TEMPLATE_TEST_CASE("work of faces that rub and turn is that of their nodes", "[cohesive][friction][finite]", T3, T6) {
  Lone<TestType> lone;
  press_and_slide(lone);
  const double began = lone.sum_of(lone.work) + lone.sum_of(lone.rubbed);
  const auto slid = lone.u;
  std::mt19937 engine(8);
  std::uniform_real_distribution<double> any(-0.2e-6, 0.2e-6);
  double done = 0, largest = 0;
  auto forces = lone.nodal();
  auto at = lone.u;
  for (int i = 1; i <= 200; ++i) {
    lone.open(-2e-6, 3e-6 * std::cos(0.05 * i));
    lone.turn(0.01 * i, lone.u);
    for (Vec2& u : lone.u) u = u + Vec2{Real(any(engine)), Real(any(engine))};
    lone.step();
    const auto after = lone.nodal();
    for (int n = 0; n < lone.nodes; ++n) done += 0.5 * dot(forces[n] + after[n], lone.u[n] - at[n]);
    forces = after;
    at = lone.u;
    largest = std::max(largest, lone.sum_of(lone.rubbed));
    REQUIRE(std::abs(lone.sum_of(lone.work) + lone.sum_of(lone.rubbed) - began - done) < 1e-10 * largest);
  }
}

}  // namespace cleave::test
