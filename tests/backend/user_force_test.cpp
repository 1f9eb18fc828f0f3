/// Forces of a user's own: the kernel with the forces of the examples against numbers worked out by hand.
#include <catch2/catch.hpp>

#include "backend/backend.hpp"
#include "backend/device_mesh.hpp"
#include "laws/user_force_example.hpp"
#include "terms/forces/user_forces.hpp"

namespace cleave::test {
namespace {

/// Two nodes: one at (3, 0) m that has moved by (0, 4) m, and one that only the second entry acts on. Positions are
/// counted from (1, 1) m.
struct TwoNodes {
  static constexpr Index count = 2;
  Backend backend;
  Buffer<LiveCounts> live = upload(std::vector{LiveCounts{.nodes = count, .row = 2, .first_input = 10}});
  Buffer<NodeAssembly> assembly = upload(std::vector<NodeAssembly>(count));
  Buffer<std::uint8_t> acts = upload(std::vector<std::uint8_t>{3, 2});
  Buffer<Real> inverse_mass = upload(std::vector<Real>{Real(0.5), Real(0.25)});
  Buffer<Vec2> position = upload(std::vector<Vec2>{{2, -1}, {-1, 5}}),
               displacement = upload(std::vector<Vec2>{{0, 4}, {0, 2}}),
               velocity = upload(std::vector<Vec2>{{1, 2}, {3, 0}}),
               force = upload(std::vector<Vec2>{{10, 20}, {0, 0}});
  Buffer<Vec2> sum = filled(count, Vec2{99, 99});
  Buffer<Index> pending = upload(std::vector<Index>{0});
  Buffer<double> works = upload(std::vector<double>(ForceWorks::extent(count), 1.0));

  template <class Law>
  void add(const ForceCase& c, int entry, int entries, bool start = false) {
    backend.launch(UserForce<Law>{.law = Law::make(c),
                                  .bit = static_cast<std::uint8_t>(1 << entry),
                                  .is_first = entry == 0,
                                  .is_last = entry + 1 == entries,
                                  .number = 3,
                                  .dt = 0.5,
                                  .start = start,
                                  .capacity = count,
                                  .live = live.data(),
                                  .assembly = assembly.data(),
                                  .acts = acts.data(),
                                  .inverse_mass = inverse_mass.data(),
                                  .centre = {1, 1},
                                  .position = position.data(),
                                  .displacement = displacement.data(),
                                  .velocity = velocity.data(),
                                  .insertion_pending = pending.data(),
                                  .sum = sum.data(),
                                  .force = force.data(),
                                  .works = {{works.data()}}});
  }
  Vec2 on(Index n) const { return force.download(count)[n]; }
  double work(Index n) {
    auto all = works.download(ForceWorks::extent(count));
    return ForceWorks{{all.data()}}.at(n, Quantity::external_work);
  }
};

/// 8 1/s^2 and 3 1/s.
const ForceCase bed{.law = "spring_bed", .on = "", .values = {8, 3}};
/// At the origin, 80 m^3/s^2, with a gap of 5 m, grown within 15 s: in step 15 of 0.5 s half of it is there.
const ForceCase magnet{.law = "magnet", .on = "", .values = {0, 0, 80, 5, 15}};

}  // namespace

TEST_CASE("forces of several entries add up and do work by the mean of a step", "[forces]") {
  TwoNodes nodes;
  const bool start = GENERATE(false, true);
  nodes.add<SpringBed>(bed, 0, 2, start);
  nodes.add<Magnet>(magnet, 1, 2, start);
  // Springs: -2 kg (8 (0, 4) + 3 (1, 2)) = (-6, -76) N. The magnet is 5 m away, along (-0.6, -0.8): half of
  // 2 kg 80 / 10^2 = 0.8 N.
  const Vec2 first = nodes.on(0), second = nodes.on(1);
  CHECK(first.x == Approx(-6 - 0.48).epsilon(1e-6));
  CHECK(first.y == Approx(-76 - 0.64).epsilon(1e-6));
  // The second node is 8 m away, along (0, -1), and has no springs: half of 4 kg 80 / 13^2.
  CHECK(second.x == 0);
  CHECK(second.y == Approx(-160.0 / 169).epsilon(1e-6));
  // Work of the mean of the forces before and now along 0.5 s times the velocity.
  const double of_first = 0.5 * 0.5 * ((10 - 6.48) * 1 + (20 - 76.64) * 2);
  CHECK(nodes.work(0) == Approx(start ? 1 : 1 + of_first).epsilon(1e-6));
  CHECK(nodes.work(1) == 1);  // it moves across its force
}

TEST_CASE("a force waits while facets wait to be cut", "[forces]") {
  TwoNodes nodes;
  nodes.pending.upload({1});
  nodes.add<SpringBed>(bed, 0, 1);
  CHECK(nodes.on(0).x == 10);
  CHECK(nodes.work(0) == 1);
  nodes.pending.upload({0});
  nodes.add<SpringBed>(bed, 0, 1);
  CHECK(nodes.on(0).x == Approx(-6));
}

}  // namespace cleave::test
