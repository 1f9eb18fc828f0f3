/// Gap of a point that has left a part: distances of an independent library (ipctk_distances.py).
#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>

#include "terms/contact/tracking.hpp"

namespace cleave::test {
namespace {

/// A single straight part without neighbours.
struct Segment {
  Vec2 ends[2];
  Index node(Index, int end) const { return end; }
  Index beside(Index, int) const { return -1; }
  Index joined(Index, int) const { return -1; }
  bool is_sharp(Index, int) const { return false; }
  Vec2 position(Index n) const { return ends[n]; }
  PartSpan span(Index part) const { return span_between_nodes(*this, part); }
  double limit(Index) const { return 1; }
};

TEST_CASE("The gap of a point to a part is the distance of an independent library", "[contact]") {
  std::ifstream table(CLEAVE_SOURCE_DIR "/tests/unit/contact/ipctk_distances.csv");
  REQUIRE(table);
  std::string line;
  std::getline(table, line);
  int cases = 0;
  for (; std::getline(table, line); ++cases) {
    std::istringstream in(line);
    double v[7];
    char comma;
    for (double& value : v) in >> value >> comma;
    const Segment segment{{{v[2], v[3]}, {v[4], v[5]}}};
    const Vec2 point{v[0], v[1]};
    const Stencil s = nearest_place(depth_below(segment, 0, OwnParts{{-1, -1}}, point), point);
    const double size = std::abs(v[0]) + std::abs(v[1]) + std::abs(v[2]) + std::abs(v[3]);
    // The library expands the cross product of a point and a segment, so that short segments lose digits: exact
    // arithmetic shows that the errors are its own.
    CHECK(std::abs(-s.depth - v[6]) < 1e-15 * size + 2e-16 * size * size / s.line.length);
    // The forces on the point and the segment have no resultant.
    const Vec2 sum = s.at_point + s.at_start + s.at_end;
    CHECK(dot(sum, sum) < 1e-28);
  }
  CHECK(cases == 200);
}

}  // namespace
}  // namespace cleave::test
