/// Runs with contact that must agree to the last bit, however they are made.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>

#include "backend/models.hpp"
#include "backend/solver_backend.hpp"
#include "reference/same_bits.hpp"

namespace cleave::test {

inline bool same_row(HistoryRow a, const HistoryRow& b) {
  a.balance_error = b.balance_error;  // relative to the largest energy of the rows that were asked for
  for (std::size_t o = 0; o < a.obstacles.size(); ++o)
    for (int q = 0; q < ObstacleValues::count; ++q)
      if (a.obstacles[o].value[q] != b.obstacles[o].value[q]) return false;
  return reference::same_bits(a, b);
}

/// One thread, two, stopped while points touch and resumed, and with rows on the way: the same bits and the identity.
inline HistoryRow check_runs(const Model& m, Step steps) {
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
  CHECK(same_row(row, resumed->history()));
  CHECK(reference::same_bits(solver->snapshot(), resumed->snapshot()));
  const auto in_one = make_solver(m, 2);
  in_one->advance(steps);
  CHECK(reference::same_bits(solver->snapshot(), in_one->snapshot()));
  return row;
}

}  // namespace cleave::test
