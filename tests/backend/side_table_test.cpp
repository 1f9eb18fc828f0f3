/// Forces on cohesive sides reach the nodes of their elements: a facet of each side, by hand.
#include "body/side_table.hpp"

#include <catch2/catch.hpp>
#include <vector>

namespace cleave::test {
namespace {

/// The x of the forces that the nodes of an element get. Facet 0 is side a of cohesive element 3, facet 1 is whole,
/// facet 2 is side b of cohesive element 1. The x of node k in the rows is 10 + k and 100 + k.
template <class Element>
std::vector<double> names_at_nodes() {
  std::vector<Index> behind{cohesive_code(3, 0), 5, cohesive_code(1, 1)};
  ElementTable<Element> elements;
  elements.neighbours = {behind.data()};
  std::vector<Vec2> force(2 * 4 * Element::facet_nodes, Vec2{-1000, -1000});
  const SideTable<Element> sides{force.data()};
  for (int k = 0; k < Element::facet_nodes; ++k) {
    sides.set(3, k, {{Real(10 + k), 1}, {-1000, -1000}});
    sides.row(1, 1)[k] = {Real(100 + k), 1};
  }
  Vec2 f[Element::nodes]{};
  sides.add(elements, 0, f);
  std::vector<double> names;
  double of_y = 0;
  for (const Vec2& at : f) {
    names.push_back(at.x);
    of_y += at.y;
  }
  CHECK(of_y == 2 * Element::facet_nodes);
  CHECK(sides.at(3, 1).a.x == 11);
  return names;
}

}  // namespace

TEST_CASE("forces on sides reach the nodes of an element, those of side b in reverse order", "[cohesive]") {
  // Facet 0 goes from corner 1 to 2, facet 2 from corner 0 to 1; mid-sides are nodes 3 (0-1), 4 (1-2), 5 (2-0).
  CHECK(names_at_nodes<T3>() == std::vector<double>{101, 10 + 100, 11});
  CHECK(names_at_nodes<T6>() == std::vector<double>{102, 10 + 100, 12, 101, 11, 0});
}

}  // namespace cleave::test
