/// Pieces of moving cohesive points, shared among the workers of a block, against one point after the other.
#include "terms/cohesive/shared_pieces.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <random>

#include "backend/backend.hpp"
#include "backend/device_mesh.hpp"
#include "cleave/material/effective_opening.hpp"
#include "cleave/material/energy_account.hpp"
#include "cleave/material/ppr.hpp"

namespace cleave::shared_pieces_test {

/// A motion of a point, what the law knew before, and what comes of it.
template <class Law>
struct Moved {
  CohesiveMotion motion;
  typename Law::State was, now;
  Real work;
};

/// Follows the points of a list, one of a block's points for each of its first workers.
template <class Law>
struct FollowTogether {
  static constexpr KernelTraits traits{.name = "pieces together"};
  static constexpr int workers = 128;
  using Shared = SharedPieces<Law, workers>;
  Law law;
  Moved<Law>* points;
  Index count;
  int of_block;

  CLEAVE_HD Index blocks() const { return (count + of_block - 1) / of_block; }
  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    const Index first = worker.block * of_block;
    ForEachIdx each{worker};
    only_master(worker, [&] { shared.count = 0; });
    worker.sync();
    const auto place = each([&](Idx i) {
      const bool inside = i < of_block && first + i < count;
      return inside ? shared.add(points[first + i].motion, points[first + i].was) : -1;
    });
    worker.sync();
    shared.follow(law, worker);
    each([&](Idx i) {
      if (place[i] < 0) return;
      points[first + i].now = shared.now[place[i]];
      points[first + i].work = shared.total_work(place[i]);
    });
  }
};

/// Points on their way between closing, opening and failing, each at a motion that changes its history.
template <class Law>
std::vector<Moved<Law>> moving_points(const Law& law, Vec2 width, Vec2 strength, std::size_t count) {
  std::mt19937 random(7);
  const auto uniform = [&](double low, double high) {
    return low + (high - low) * (static_cast<double>(random()) / 4294967295.0);
  };
  std::vector<Moved<Law>> points;
  while (points.size() < count) {
    const double cap = uniform(20, 2000) * strength.x / width.x;
    const Vec2 initial{uniform(-0.5, 1) * strength.x, uniform(-1, 1) * strength.y};
    const CohesivePoint point{cap, 0.3 * cap, law.offset(initial, cap)};
    typename Law::State state = law.start(initial, point);
    Vec2 at{0, 0};
    for (int step = 0; step < 6; ++step) {
      // The shortest: a few roundings, so that several pieces end at the same opening.
      const double kind = uniform(0, 1), length = kind < 0.3 ? 1e-16 : kind < 0.6 ? 0.02 : 0.7;
      const Vec2 to = at + Vec2{uniform(-0.5, 1) * length * width.x, uniform(-1, 1) * length * width.y};
      const typename Law::State was = state;
      if (lead(law, to, point, state)) points.push_back({{at, to, point}, was, {}, 0});
      at = to;
    }
  }
  return points;
}

}  // namespace cleave::shared_pieces_test

namespace cleave::test {

using namespace shared_pieces_test;

TEMPLATE_TEST_CASE("pieces followed together give the bits of pieces followed in turn", "[cohesive]", Ppr,
                   LinearIrreversible) {
  Backend backend;
  const CohesiveParameters modes{{40e6, 200, 2}, {30e6, 100, 3}};
  const TestType law = TestType::make(modes);
  const auto points = moving_points(law, {1e-5, 1e-5}, {40e6, 30e6}, 3000);
  int failed = 0, contact = 0;
  for (const int of_block : {1, 31, 33, 128}) {
    CAPTURE(of_block);
    auto device = upload(points);
    backend.launch(FollowTogether<TestType>{law, device.data(), static_cast<Index>(points.size()), of_block});
    const auto result = device.download(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Moved<TestType>& p = points[i];
      typename TestType::State state = p.was;
      REQUIRE(lead(law, p.motion.to, p.motion.point, state));
      REQUIRE(std::memcmp(&result[i].now, &state, sizeof state) == 0);
      REQUIRE(result[i].work == law_work(law, p.motion, p.was));
      failed += law.failed(state);
      contact += p.motion.point.from_zero_traction(p.motion.from).x < 0;
    }
  }
  CHECK(failed > 500);
  CHECK(contact > 500);
}

}  // namespace cleave::test
