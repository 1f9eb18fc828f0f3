/// Blocks of a GPU, computed worker by worker, have the bits that a CPU computes in lanes.
#include <catch2/catch.hpp>
#include <memory>
#include <string>

#include "backend/models.hpp"
#include "backend/solver_backend.hpp"
#include "solvers/make_solver.hpp"
#include "threadwise/threadwise_backend.hpp"

namespace cleave::test {
namespace {

std::unique_ptr<Solver> make_threadwise_solver(const Model& model) {
  const bool is_t3 = model.mesh.type == ElementType::t3;
  return (is_t3 ? make_gather_solver<ThreadwiseBackend, T3> : make_gather_solver<ThreadwiseBackend, T6>)(model, 1,
                                                                                                         one_rank());
}

/// Several blocks of elements with a notch, which breaks all over.
Model shattering_plate(ElementType type) {
  Model m = model_of(plate_mesh(type, {16, 8}, true));
  m.cohesive = brittle(5);
  add_velocity(m, {1, -0.5}, {2500, 300, -200, 1500}, {8e-3, 4e-3});
  prescribe(m, "left", 1, -4);
  prescribe(m, "right", 3, 6);
  m.loads.push_back({5e6, Curve::exponential(8e-6), m.mesh.find_group("top")->facets});
  return m;
}

/// Advances both solvers, and compares what they have saved and their rows of history. Returns the last row.
HistoryRow compare(const Model& model, int rows, int steps_of_row) {
  const auto cpu = make_solver(model, 1), threadwise = make_threadwise_solver(model);
  HistoryRow found;
  for (int row = 0; row < rows; ++row) {
    CAPTURE(row);
    cpu->advance(steps_of_row);
    threadwise->advance(steps_of_row);
    found = threadwise->history();
    const HistoryRow expected = cpu->history();
    REQUIRE(found.balance_error == expected.balance_error);
    REQUIRE(found.cohesive_elements == expected.cohesive_elements);
    const bool same = state_of(*threadwise) == state_of(*cpu);
    REQUIRE(same);
  }
  return found;
}

}  // namespace

TEST_CASE("a body computed worker by worker has the bits of one computed in lanes", "[threadwise]") {
  ThreadwiseBackend::backwards = GENERATE(false, true);
  ThreadwiseBackend::resident = false;
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  CAPTURE(type, ThreadwiseBackend::backwards);
  SECTION("while it breaks") {
    const Model model = shattering_plate(type);
    CHECK(compare(model, 3, 30).cohesive_elements > 100);
  }
  SECTION("with springs, which push all nodes") {
    Model model = shattering_plate(type);
    model.support.assign(model.mesh.nodes.size(), 1e10);
    compare(model, 2, 15);
  }
  SECTION("with two materials") { compare(breaking_plate(type, true), 2, 15); }
  SECTION("intact") {
    Model model = shattering_plate(type);
    model.cohesive.reset();
    ThreadwiseBackend::block_kernels = 0;
    compare(model, 2, 10);
    const std::size_t in_launches = ThreadwiseBackend::block_kernels;
    ThreadwiseBackend::resident = true;
    compare(model, 2, 10);
    CHECK(ThreadwiseBackend::block_kernels - in_launches < in_launches);  // several steps a launch
  }
}

}  // namespace cleave::test
