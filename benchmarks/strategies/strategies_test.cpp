/// The strategies that `cleave_studies strategies` compares move the same body alike.
#include <catch2/catch.hpp>
#include <cmath>

#include "backend/backend.hpp"
#include "bench/stage_bytes.hpp"
#include "cleave/mesh/generators.hpp"
#include "reference/triangle.hpp"
#include "strategies/strategy.hpp"

namespace cleave::test {
namespace {

std::unique_ptr<StrategyRun> make_run(const Model& model, const Strategy& strategy) {
#if defined(__CUDACC__)
  return make_cuda_strategy(model, strategy);
#else
  return make_cpu_strategy(model, strategy, 2);
#endif
}

/// 1040 elements, neither a multiple of a block nor of a warp in any colour, stretched and let go.
Model stretched_plate() {
  Case c;
  c.file = "strategies";
  c.mesh.shape = MeshShape::rectangle;
  c.mesh.divisions = {20, 13};
  c.mesh.size = {0.02, 0.012};
  c.mesh.perturbation_amplitude = 0.15;
  c.mesh.numbering = Numbering::as_given;
  c.material = {{"", {"linear_elastic", {3e9, 0.3, 1200, PlaneType::strain}}}};
  c.initial.strain = {1e-3, -5e-4, 2e-4};
  c.run.assembly = Assembly::coloured;
  return make_model(c);
}

/// In the numbering of the generator, interleaved.
std::vector<double> original(const Model& model, const std::vector<Point>& u) {
  std::vector<double> flat(2 * u.size());
  for (std::size_t n = 0; n < u.size(); ++n) {
    flat[2 * model.mesh.original_nodes[n]] = u[n].x;
    flat[2 * model.mesh.original_nodes[n] + 1] = u[n].y;
  }
  return flat;
}

std::vector<double> positions_after(const Model& model, const Strategy& strategy, Step steps) {
  const Model m = numbered(model, strategy);
  const auto run = make_run(m, strategy);
  run->advance(steps);
  const auto once = original(m, run->displacement());
  run->restart();
  run->advance(steps);
  const auto again = original(m, run->displacement());
  if (strategy.repeats()) CHECK(once == again);
  return once;
}

/// The same steps in plain loops with stiffness matrices of their own.
std::vector<double> plain_loops(const Model& model, Step steps) {
  const Mesh& mesh = model.mesh;
  const std::size_t dofs = 2 * mesh.nodes.size();
  std::vector<double> u(dofs), v(dofs, 0.0), mass(dofs, 0.0);
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
    u[2 * n] = model.displacement[n].x;
    u[2 * n + 1] = model.displacement[n].y;
  }
  std::vector<std::vector<double>> k;
  const auto d =
      reference::elasticity(model.materials.front().parameters.young_modulus,
                            model.materials.front().parameters.poisson_ratio, model.materials.front().parameters.plane);
  for (Index e = 0; e < mesh.element_count(); ++e) {
    const auto x = reference::positions(mesh, e);
    k.push_back(reference::stiffness(x, d, model.thickness));
    const double whole = model.materials.front().parameters.density * model.thickness * reference::area(x);
    for (int i = 0; i < 12; ++i) mass[2 * mesh.node(e, i / 2) + i % 2] += whole * reference::mass_share(6, i / 2);
  }
  for (Step step = 0; step < steps; ++step) {
    std::vector<double> f(dofs, 0.0);
    for (Index e = 0; e < mesh.element_count(); ++e)
      for (int i = 0; i < 12; ++i)
        for (int j = 0; j < 12; ++j)
          f[2 * mesh.node(e, i / 2) + i % 2] += k[e][12 * i + j] * u[2 * mesh.node(e, j / 2) + j % 2];
    for (std::size_t i = 0; i < dofs; ++i) {
      v[i] -= (step == 0 ? 0.5 : 1.0) * model.step * f[i] / mass[i];
      u[i] += model.step * v[i];
    }
  }
  return u;
}

}  // namespace

TEST_CASE("all strategies move a body like plain loops", "[strategies]") {
  const Model model = stretched_plate();
  constexpr Step steps = 45;  // two recordings and some single steps
  const std::vector<double> expected = plain_loops(model, steps);
  double moved = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Point start = model.displacement[i / 2];
    moved = std::max(moved, std::abs(expected[i] - (i % 2 == 0 ? start.x : start.y)));
  }
  REQUIRE(moved > 1e-7);  // of 1e-5 at most
  for (const Strategy& strategy : studied_strategies()) {
#if !defined(__CUDACC__)
    if (strategy.needs_cuda()) continue;
#endif
    CAPTURE(word(strategy.sum), word(strategy.force), strategy.threads, word(strategy.layout), word(strategy.order),
            word(strategy.parameters));
    const std::vector<double> u = positions_after(model, strategy, steps);
    REQUIRE(u.size() == expected.size());
    double off = 0;
    for (std::size_t i = 0; i < u.size(); ++i) off = std::max(off, std::abs(u[i] - expected[i]));
    CHECK(off < 1e-12 * moved);
  }
}

TEST_CASE("the study has the reference first and each strategy once", "[strategies]") {
  const auto list = studied_strategies();
  CHECK(list.front() == Strategy{});
  for (std::size_t i = 0; i < list.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) CHECK(!(list[i] == list[j]));
}

TEST_CASE("bytes of a step, counted by hand", "[strategies]") {
  const Model model = stretched_plate();  // 1040 elements, 20 * 13 * 8 + 2 * 33 + 1 = 2147 nodes
  const double nodes = 2147.0 / 1040;
  Strategy s;
  CHECK(step_bytes(s, numbered(model, s).mesh) == Approx(48 + 4 + 1152 + 6 * 48 + nodes * 104));
  s.force = Strategy::Force::rebuilt;  // nodes and positions once more, and each matrix written
  CHECK(step_bytes(s, numbered(model, s).mesh) == Approx(48 + 4 + 48 + nodes * 16 + 2 * 1152 + 6 * 48 + nodes * 104));
  s.force = Strategy::Force::stored;
  s.sum = Strategy::Sum::atomic;
  CHECK(step_bytes(s, numbered(model, s).mesh) == Approx(48 + 4 + 1152 + nodes * (48 + 104)));
  s.force = Strategy::Force::matrix_free;
  s.sum = Strategy::Sum::fetched;
  CHECK(step_bytes(s, numbered(model, s).mesh) == Approx(48 + 4 + 32 + nodes * 16 + 6 * 36 + nodes * 76));
  s.sum = Strategy::Sum::node_order;  // where a force goes is the slot of its node
  CHECK(step_bytes(s, numbered(model, s).mesh) == Approx(48 + 4 + 32 + nodes * 16 + 6 * 32 + nodes * 76));
  // Packed nodes, a flag, half a corner's position; of a node motion both ways, 1/m and slots.
  CHECK(floor_bytes(ElementType::t6) == 16 + 1 + 8 + 2 * (64 + 8 + 2));
  CHECK(floor_bytes(ElementType::t3) == 8 + 1 + 8 + 0.5 * (64 + 8 + 2));
}

}  // namespace cleave::test
