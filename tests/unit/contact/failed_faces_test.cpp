/// Which cohesive elements hand their faces over to contact.
#include <catch2/catch.hpp>

#include "cleave/material/ppr.hpp"
#include "terms/contact/hand_over.hpp"

namespace cleave::test {
namespace {

/// A cohesive element whose upper face is turned by an angle about its left end.
bool hands_over(double degrees, int failed_points) {
  const double angle = degrees * M_PI / 180;
  Vec2 position[4] = {{0, 0}, {1, 0}, {0, 0}, {1, 0}};
  Vec2 displacement[4] = {{0, 0}, {0, 0}, {0, 0}, {std::cos(angle) - 1, std::sin(angle)}};
  CohesiveRow<T3> row;
  for (int side = 0; side < 2; ++side)
    for (int k = 0; k < 2; ++k) row.nodes[side][k] = 2 * side + k;
  row.facets[0] = row.facets[1] = 0;
  Ppr::State states[FacetGauss::points];
  for (int q = 0; q < FacetGauss::points; ++q) {
    states[q] = {};
    states[q].normal_stiffness = q < failed_points ? 0 : 1;
  }
  FailedElements<T3, Ppr> failed{.surface = {}, .cohesive = {}, .rows = &row, .own = all_elements};
  failed.surface.position = position;
  failed.surface.displacement = displacement;
  failed.cohesive.state.data = states;
  return failed(0);
}

}  // namespace

TEST_CASE("faces that turn about the last Gauss point that holds have failed", "[contact]") {
  CHECK(hands_over(0, FacetGauss::points));
  for (int failed = 0; failed < FacetGauss::points; ++failed) {
    CAPTURE(failed);
    CHECK_FALSE(hands_over(0, failed));
    CHECK_FALSE(hands_over(25, failed));
    for (const double degrees : {27.0, -27.0, 170.0}) CHECK(hands_over(degrees, failed) == (failed > 0));
  }
}

}  // namespace cleave::test
