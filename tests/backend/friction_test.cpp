/// Friction at Gauss points of failed cohesive elements, against a spring and a slider worked out by hand.
#include <catch2/catch.hpp>
#include <cmath>

#include "backend/backend.hpp"
#include "cleave/material/effective_opening.hpp"
#include "terms/cohesive/cohesive_step.hpp"

namespace cleave::test {
namespace {

constexpr int points = FacetGauss::points;
constexpr double thickness = 2e-3, half_length = 0.5e-3, coefficient = 0.3, contact = 4e12, stick = contact / 4;
constexpr double tangent_x = 0.6, tangent_y = 0.8;

/// One cohesive element of T3, whose nodes are those of side a, which rest, then those of side b.
struct Faces {
  static constexpr int nodes = 2 * T3::facet_nodes;
  using Law = LinearIrreversible;
  Law law = Law::make({{10e6, 80, 2}, {8e6, 60, 2}});
  Backend backend;
  Backend::Buffer<CohesiveRow<T3>> rows;
  Backend::Buffer<LiveCounts> live;
  Backend::Buffer<Vec2> displacement, stiffness, offset, opening, traction, sides;
  Backend::Buffer<Real> frame, account;
  Backend::Buffer<FacetFactors> factors;
  Backend::Buffer<Law::State> state;
  Backend::Buffer<double> dissipated, law_work, work;
  Backend::Buffer<FrictionPoint> spring;
  Backend::Buffer<Index> pending;
  Backend::Buffer<Step> insertion;

  explicit Faces(bool failed) {
    rows.upload({{{{0, 1}, {2, 3}}, {0, 3}}});
    LiveCounts counts{};
    counts.nodes = nodes;
    counts.cohesive = 1;
    live.upload({counts});
    frame.upload({Real(tangent_x), Real(tangent_y), Real(half_length)});
    stiffness.upload({{Real(2 * contact), Real(contact)}});
    offset.upload(std::vector<Vec2>(points, Vec2{Real(1e-9), Real(2e-9)}));
    state.upload(std::vector<Law::State>(points, {Real(1e-4), 0, Real(10e6), failed ? Real(0) : Real(1e12)}));
    spring.upload(std::vector<FrictionPoint>(points, FrictionPoint{}));
    for (auto* of_points : {&law_work, &work, &dissipated}) of_points->upload(std::vector<double>(points, 0));
    pending.upload({0});
    opening.upload(std::vector<Vec2>(points, Vec2{}));
    traction.upload(std::vector<Vec2>(points, Vec2{}));
    sides.upload(std::vector<Vec2>(nodes, Vec2{}));
    account.upload(std::vector<Real>(points, 0));
    factors.upload({{1, 1}});
    insertion.upload({0});
  }
  /// Leads all points to an opening. Returns the tangential traction of the middle one, Pa.
  double lead(double normal, double tangential) {
    const Vec2 apart{Real(normal * tangent_y + tangential * tangent_x),
                     Real(-normal * tangent_x + tangential * tangent_y)};
    displacement.upload({{}, {}, apart, apart});
    const CohesiveTable<Law> table{{frame.data()},    {stiffness.data()}, {offset.data()},  {opening.data()},
                                   {traction.data()}, {state.data()},     {account.data()}, {dissipated.data()},
                                   insertion.data(),  factors.data()};
    backend.launch(CohesiveStep<T3, Law, FixedFaces, false>{
        .rows = rows.data(),
        .capacity = 1,
        .live = live.data(),
        .displacement = displacement.data(),
        .law = law,
        .cohesive = table,
        .faces = {.forces = {.friction = {Real(coefficient), spring.data(), work.data()}},
                  .input = {},
                  .thickness = Real(thickness),
                  .work = law_work.data()},
        .sides = {sides.data()},
        .insertion_pending = pending.data()});
    const auto at = spring.download(points);
    for (const int q : {0, 2}) CHECK(at[q].traction == Approx(at[1].traction).epsilon(1e-6).margin(1e-3));
    if (pending.download(1)[0] == 0) check_sides(traction.download(points)[1], at[1].traction);
    return at[1].traction;
  }
  /// Forces on the nodes are those of the law's traction and of friction.
  void check_sides(Vec2 of_law, double friction) {
    const double pressed = of_law.x, along = of_law.y + friction;
    const auto f = sides.download(nodes);
    const double of_node = half_length * thickness;
    for (int i = 0; i < nodes; ++i) {
      const double sign = i < T3::facet_nodes ? -1 : 1, margin = 1e-6 * of_node * contact * 11e-9;
      CHECK(f[i].x * tangent_x + f[i].y * tangent_y == Approx(sign * of_node * along).epsilon(1e-6).margin(margin));
      CHECK(f[i].x * tangent_y - f[i].y * tangent_x == Approx(sign * of_node * pressed).epsilon(1e-6).margin(margin));
    }
  }
};

constexpr double rounding = sizeof(Real) == 8 ? 1e-9 : 1e-4;
const Approx nothing = Approx(0).margin(rounding * stick * 1e-9);

}  // namespace

TEST_CASE("failed faces that overlap stick, slip and stick again", "[friction]") {
  Faces faces(true);
  // Pressed by contact * 10 nm of overlap beyond the offset: 0.04 MPa, of which friction bears 12 kPa, at 12 nm.
  const double normal = -11e-9, most = coefficient * contact * 10e-9, give = most / stick;
  REQUIRE(give == Approx(12e-9));
  double at = 0, work = 0, before = 0;
  CHECK(faces.lead(normal, 0) == nothing);
  const auto go = [&](double to, double expected) {
    CAPTURE(to);
    const double traction = faces.lead(normal, to);
    CHECK(traction == Approx(expected).epsilon(rounding).margin(rounding * most));
    work += 0.5 * (before + expected) * (to - at);
    at = to;
    before = expected;
  };
  go(1e-9, stick * 1e-9);
  go(12e-9, most);
  go(30e-9, most);
  const double forth = work;
  go(18e-9, 0);     // springs back ...
  go(6e-9, -most);  // ... and slips the other way
  go(-30e-9, -most);
  go(-6e-9, most);
  go(30e-9, most);
  CHECK(work - forth == Approx(4 * most * (30e-9 - give)).epsilon(1e-9));  // the area of the loop
  for (int q = 0; q < points; ++q) {
    const double weight = (q == 1 ? 8.0 : 5.0) / 9 * half_length * thickness;
    CHECK(faces.work.download(points)[q] == Approx(weight * work).epsilon(10 * rounding));
  }
}

TEST_CASE("faces that are apart do not rub, and stick where they meet again", "[friction]") {
  Faces faces(true);
  CHECK(faces.lead(-11e-9, 0) == nothing);
  CHECK(faces.lead(-11e-9, 2e-9) == Approx(stick * 2e-9).epsilon(rounding));
  CHECK(faces.lead(5e-9, 2e-9) == 0);
  CHECK(faces.lead(5e-9, 50e-9) == 0);
  const double work = faces.work.download(points)[1];
  CHECK(faces.lead(-11e-9, 50e-9) == nothing);
  CHECK(faces.lead(-11e-9, 51e-9) == Approx(stick * 1e-9).epsilon(100 * rounding));
  CHECK(faces.work.download(points)[1] > work);
}

TEST_CASE("faces that have not failed do not rub", "[friction]") {
  Faces faces(false);
  for (const double tangential : {0.0, 2e-9, 20e-9, -5e-9}) CHECK(faces.lead(-11e-9, tangential) == 0);
  for (const double done : faces.work.download(points)) CHECK(done == 0);
}

TEST_CASE("friction is skipped while facets are to be cut", "[friction]") {
  Faces faces(true);
  faces.lead(-11e-9, 0);
  faces.pending.upload({1});
  CHECK(faces.lead(-11e-9, 2e-9) == nothing);
  faces.pending.upload({0});
  CHECK(faces.lead(-11e-9, 2e-9) == Approx(stick * 2e-9).epsilon(rounding));
}

}  // namespace cleave::test
