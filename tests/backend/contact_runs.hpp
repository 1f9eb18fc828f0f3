/// Runs with contact that must agree to the last bit, however they are made.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <sstream>

#include "backend/models.hpp"
#include "backend/solver_backend.hpp"
#include "reference/same_bits.hpp"

namespace cleave::test {

inline bool same_contact_row(HistoryRow a, const HistoryRow& b) {
  a.balance_error = b.balance_error;  // relative to the largest energy of the rows that were asked for
  for (std::size_t o = 0; o < a.obstacles.size(); ++o)
    for (int q = 0; q < ObstacleValues::count; ++q)
      if (a.obstacles[o].value[q] != b.obstacles[o].value[q]) return false;
  return reference::same_bits(a, b);
}

/// Force of the contact that a frame shows on the surface of some elements, N: on the boundary and on the faces of
/// cohesive elements that have failed.
/// @param has  has(e): whether to count the element
template <class Has>
Point shown_force(const Snapshot& s, double thickness, Has has) {
  const int nodes = nodes_per_element(s.type);
  std::vector<Index> facets;
  for (Index code = 0; code < static_cast<Index>(s.neighbours.size()); ++code)
    if (s.neighbours[code] == boundary_facet) facets.push_back(code);
  for (const auto& c : s.cohesive)
    if (c.failed) facets.insert(facets.end(), {c.facet_a, c.facet_b});
  Point sum;
  for (const Index code : facets) {
    const Index* node = &s.elements[static_cast<std::size_t>(element_of(code)) * nodes];
    if (!has(element_of(code))) continue;
    const int first = (facet_of(code) + 1) % 3, last = (first + 1) % 3;
    const Point a = s.position[node[first]], b = s.position[node[last]];
    const double area = thickness * std::hypot(b.x - a.x, b.y - a.y);
    const auto add = [&](int i, double weight) {
      const Point t = s.contact_traction[node[i]];
      sum = {sum.x + weight * area * t.x, sum.y + weight * area * t.y};
    };
    const bool linear = s.type == ElementType::t3;
    add(first, linear ? 1.0 / 2 : 1.0 / 6);
    add(last, linear ? 1.0 / 2 : 1.0 / 6);
    if (!linear) add(3 + first, 4.0 / 6);
  }
  return sum;
}

/// One thread, two, stopped while points touch and resumed, and with rows on the way: the same bits and the identity.
inline HistoryRow check_contact_runs(const Model& m, Step steps) {
  const auto solver = make_solver(m, 1);
  solver->advance(steps / 2);
  while (solver->history().contact_points == 0 && solver->step() < steps) solver->advance(10);
  REQUIRE(solver->step() < steps);
  std::stringstream file;
  solver->save(file);
  const Step left = steps - solver->step();
  while (solver->step() < steps) {
    solver->advance(std::min<Step>(100, steps - solver->step()));
    CHECK(std::abs(solver->history().balance_error) < tolerance(m, 1e-12, 1e-4));
  }
  const HistoryRow row = solver->history();
  const auto resumed = make_solver(m, 2);
  resumed->load(file);
  resumed->advance(left);
  CHECK(same_contact_row(row, resumed->history()));
  CHECK(reference::same_bits(solver->snapshot(), resumed->snapshot()));
  const auto in_one = make_solver(m, 2);
  in_one->advance(steps);
  CHECK(reference::same_bits(solver->snapshot(), in_one->snapshot()));
  return row;
}

}  // namespace cleave::test
