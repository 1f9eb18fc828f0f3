/// Energy and forces of two triangles in contact against numbers of an independent program.
#include <catch2/catch.hpp>

#include "unit/contact/bodies.hpp"

namespace cleave::test {
namespace {

struct Golden {
  Vec2 corner;           ///< of triangle (0,0) (1,0) corner
  Vec2 other[3], moved;  ///< the other triangle, and its motion into contact
  double energy;
  std::vector<std::pair<int, Vec2>> forces;  ///< node, force; zero on others
};

const std::vector<Golden>& golden_cases() {
  static const std::vector<Golden> cases{
      {{0, 1},
       {{.4, -.9}, {.6, -.9}, {.52, .03}},
       {0, .2},
       7.01679185554e-5,
       {{0, {0, .002245373394}}, {1, {0, .002432487843}}, {5, {0, -.004677861237}}}},
      {{.5, 1},
       {{.2, .01}, {.3, -1}, {.9, .02}},
       {0, .2},
       9.87961581079e-5,
       {{0, {-3.400666531e-5, .005412876575}},
        {1, {-3.400666531e-5, .007416682565}},
        {3, {3.888458526e-5, -.005901274403}},
        {5, {2.912874535e-5, -.006928284737}}}},
      {{1, .2},
       {{.1, -.5}, {.3, -.5}, {.12, .02}},
       {0, .2},
       1.7844285549e-5,
       {{0, {0, .001570297128}}, {1, {0, .0002141314266}}, {5, {0, -.001784428555}}}},
      {{1, .2},
       {{-.1, -.5}, {.1, -.5}, {-.004, .01}},
       {-.015, .02},
       4.3715868095e-6,
       {{0, {-.0004364924266, .0007069965592}},
        {1, {0, -7.276167941e-6}},
        {3, {1.674437251e-5, -3.151881885e-6}},
        {5, {.0004197480541, -.0006965685094}}}},
      {{0, 1},
       {{.02, -.03}, {.04, -1}, {0, .05}},
       {0, .2},
       1.36292705027e-5,
       {{0, {.002232909285, .0004901960784}},
        {2, {2.748737084e-6, 0}},
        {3, {-.001290839392, -.0002883506344}},
        {5, {-.0009448186304, -.0002018454441}}}}};
  return cases;
}

}  // namespace

TEST_CASE("two triangles in contact have the energy and forces of an independent program", "[contact]") {
  const std::size_t number = GENERATE(0, 1, 2, 3, 4);
  CAPTURE(number);
  const Golden& golden = golden_cases()[number];
  const bool clockwise = area_of(golden.other[0], golden.other[1], golden.other[2]) < 0;
  Bodies bodies({{0, 0}, {1, 0}, golden.corner, golden.other[0], golden.other[1], golden.other[2]},
                {{0, 1, 2}, clockwise ? Triangle{3, 5, 4} : Triangle{3, 4, 5}}, {0, 1});
  bodies.given_stiffness = 1;
  for (const Index n : {3, 4, 5}) bodies.surface.dx[n] = golden.moved;
  bodies.contact_step();
  double energy = 0;
  std::vector<Vec2> force(6, {0, 0});
  for (std::size_t i = 0; i < bodies.points.size(); ++i) {
    const ContactPoint& point = bodies.points[i];
    if (!point.touching) continue;
    const Stencil s = depth_below(bodies.surface, point.part, bodies.places[i / contacts_of_point].own,
                                  bodies.places[i / contacts_of_point].position(bodies.surface));
    const double normal = point.state.stiffness * s.depth;  // without an allowance
    energy += 0.5 * normal * s.depth;
    for (const Index n : bodies.places[i / contacts_of_point].node) force[n] += 0.5 * s.force_on_point(normal, 0);
    for (const int end : {0, 1})
      force[bodies.surface.node(s.part, end)] += end == 0 ? s.force_on_start(normal, 0) : s.force_on_end(normal, 0);
    UNSCOPED_INFO("point " << i << " part " << s.part << " D " << s.depth);
  }
  // 12 and 10 digits are given.
  CHECK(std::abs(energy / golden.energy - 1) < 1e-12 + 0.5e-11);
  std::vector<Vec2> expected(6, {0, 0});
  for (const auto& [node, f] : golden.forces) expected[node] = f;
  for (int n = 0; n < 6; ++n) {
    CAPTURE(n);
    CHECK(std::abs(force[n].x - expected[n].x) < 1e-12);
    CHECK(std::abs(force[n].y - expected[n].y) < 1e-12);
  }
}

}  // namespace cleave::test
