#include "cleave/partition/fragment_borders.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>
#include <vector>

using namespace cleave;

namespace {

using Facets = std::vector<std::vector<BorderFacet>>;
using Labels = std::vector<std::vector<Index>>;
using Names = std::vector<FragmentName>;

}  // namespace

TEST_CASE("a facet that holds joins fragments of two ranks") {
  FragmentBorders borders(Facets{{{3, 12}, {10, 18}}, {{12, 3}, {18, 10}}});
  CHECK(borders.join({{2, 0, 3}, {1, 4, -1}}) == 2);
  CHECK(borders.names(0).empty());
  CHECK(borders.names(1) == Names{{4, 0}});
  // Both facets hold: elements 0 and 3 belong together through rank 1.
  CHECK(borders.join({{2, 0, 3}, {1, 4, 4}}) == 1);
  CHECK(borders.names(0) == Names{{3, 0}});
  CHECK(borders.names(1) == Names{{4, 0}});
  // Nothing holds any more, and no name of before is left.
  CHECK(borders.join({{2, -1, -1}, {2, -1, 5}}) == 4);
  CHECK(borders.names(0).empty());
  CHECK(borders.names(1).empty());
}

TEST_CASE("fragments of three ranks have the smallest id of all") {
  // Rank 2 touches rank 0 through rank 1 alone, and lists facets in another order.
  FragmentBorders borders(Facets{{{2, 30}}, {{33, 62}, {30, 2}}, {{62, 33}}});
  CHECK(borders.join({{1, 0}, {1, 10, 10}, {2, 20}}) == 2);
  CHECK(borders.names(0).empty());
  CHECK(borders.names(1) == Names{{10, 0}});
  CHECK(borders.names(2) == Names{{20, 0}});
}

TEST_CASE("both ranks of a facet list it") {
  CHECK_THROWS_AS(FragmentBorders(Facets{{{3, 12}}, {}}), std::logic_error);
}

TEST_CASE("without borders fragments are added up") {
  FragmentBorders none;
  CHECK(none.join({}) == 0);
  FragmentBorders apart(Facets{{}, {}});
  CHECK(apart.join({{3}, {4}}) == 7);
}
