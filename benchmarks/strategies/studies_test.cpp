/// The ways of a study leave the same result, and the ladder loads what it is said to load.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>

#include "backend/backend.hpp"
#include "backend/device_mesh.hpp"
#include "reference/triangle.hpp"
#include "strategies/study.hpp"

namespace cleave::test {
namespace {

std::unique_ptr<KernelStudy> make_ladder(const Model& model) {
#if defined(__CUDACC__)
  return make_cuda_ladder(model);
#else
  return make_cpu_ladder(model, 2);
#endif
}
std::unique_ptr<KernelStudy> make_colouring_study(const Model& model) {
#if defined(__CUDACC__)
  return make_cuda_colouring_study(model);
#else
  return make_cpu_colouring_study(model, 2);
#endif
}

/// 1040 elements, which no block divides; random displacements.
Model plate() {
  Case c;
  c.file = "studies";
  c.mesh.divisions = {20, 13};
  c.mesh.size = {0.02, 0.012};
  c.mesh.perturbation_amplitude = 0.15;
  c.material = {{"", {"linear_elastic", {3e9, 0.3, 1200, PlaneType::strain}}}};
  c.run.assembly = Assembly::coloured;
  Model model = make_model(c);
  const auto u = random_vectors(model.mesh.nodes.size(), 1e-4, 3);
  for (std::size_t n = 0; n < u.size(); ++n) model.displacement[n] = {u[n].x, u[n].y};
  return model;
}

std::vector<double> plain_forces(const Model& model) {
  const Mesh& mesh = model.mesh;
  const ElasticParameters& p = model.materials.front().parameters;
  const auto d = reference::elasticity(p.young_modulus, p.poisson_ratio, p.plane);
  std::vector<double> f(2 * mesh.nodes.size(), 0.0);
  for (Index e = 0; e < mesh.element_count(); ++e) {
    const auto k = reference::stiffness(reference::positions(mesh, e), d, model.thickness);
    for (int i = 0; i < 12; ++i)
      for (int j = 0; j < 12; ++j) {
        const Point u = model.displacement[mesh.node(e, j / 2)];
        f[2 * mesh.node(e, i / 2) + i % 2] += k[12 * i + j] * (j % 2 == 0 ? u.x : u.y);
      }
  }
  return f;
}

std::vector<double> plain_masses(const Model& model) {
  const Mesh& mesh = model.mesh;
  const double areal = model.materials.front().parameters.density * model.thickness;
  std::vector<double> mass(mesh.nodes.size(), 0.0);
  for (Index e = 0; e < mesh.element_count(); ++e)
    for (int i = 0; i < 6; ++i)
      mass[mesh.node(e, i)] += areal * reference::area(reference::positions(mesh, e)) * reference::mass_share(6, i);
  return mass;
}

/// Mean over a node's elements of what they extrapolate to it, node by node: the strain (xx, yy and half the
/// engineering shear), then the stress over d11.
std::vector<double> plain_means(const Model& model) {
  const Mesh& mesh = model.mesh;
  const ElasticParameters& p = model.materials.front().parameters;
  const auto d = reference::elasticity(p.young_modulus, p.poisson_ratio, p.plane);
  std::vector<double> sum(6 * mesh.nodes.size(), 0.0), elements(mesh.nodes.size(), 0.0);
  for (Index e = 0; e < mesh.element_count(); ++e) {
    const auto x = reference::positions(mesh, e);
    std::vector<reference::Vec> u;
    for (int i = 0; i < 6; ++i)
      u.push_back({model.displacement[mesh.node(e, i)].x, model.displacement[mesh.node(e, i)].y});
    std::vector<std::array<double, 3>> strains, stresses;
    for (const auto& point : reference::gauss_points(6)) {
      strains.push_back(reference::strain(x, u, point));
      stresses.push_back(reference::stress(d, strains.back()));
    }
    const auto strain = reference::to_nodes(6, strains), stress = reference::to_nodes(6, stresses);
    for (int i = 0; i < 6; ++i) {
      const Index n = mesh.node(e, i);
      elements[n] += 1;
      for (int c = 0; c < 3; ++c) {
        sum[6 * n + c] += strain[i][c] / (c == 2 ? 2 : 1);
        sum[6 * n + 3 + c] += stress[i][c] / d[0][0];
      }
    }
  }
  for (std::size_t at = 0; at < sum.size(); ++at) sum[at] /= elements[at / 6];
  return sum;
}

/// The displacement of the study that has strains of every direction.
void make_swirl(Model& model) {
  double low = model.mesh.nodes.front().x, high = low;
  for (const Point& p : model.mesh.nodes) low = std::min(low, p.x), high = std::max(high, p.x);
  const double k = 2 * 3.14159265358979 * 12 / (high - low);
  for (std::size_t n = 0; n < model.mesh.nodes.size(); ++n) {
    const auto [x, y] = model.mesh.nodes[n];
    model.displacement[n] = {1e-3 / k * std::sin(k * (x + 2 * y)), 1e-3 / k * std::cos(k * (y - x))};
  }
}

}  // namespace

TEST_CASE("every rung of the ladder leaves the forces of plain loops, all the same bits", "[studies]") {
  const Model model = plate();
  const auto study = make_ladder(model);
  const std::vector<Way> rungs = study->ways();
#if defined(__CUDACC__)
  REQUIRE(rungs.size() == 6);
#else
  REQUIRE(rungs.size() == 5);
#endif
  const std::vector<double> expected = plain_forces(model), first = rungs.front().result();
  for (const Way& rung : rungs) {
    CAPTURE(rung.name);
    rung.run(20);
    const std::vector<double> forces = rung.result();
    CHECK(difference(forces, expected) < 1e-12);
    CHECK(forces == first);
    CHECK(rung.same_bits);
  }
}

TEST_CASE("a rung loads no more than the one below it, each thread less and less", "[studies]") {
  const Model model = plate();
  const auto study = make_ladder(model);
  const std::vector<Way> rungs = study->ways();
  constexpr double matrix = 12 * 12, displacements = 12;
  CHECK(rungs[0].loads == 2 * matrix);              // an entry and a displacement for every product
  CHECK(rungs[1].loads == matrix + displacements);  // each value once: 156
  CHECK(rungs[1].threads == 1);
  for (std::size_t i = 2; i < rungs.size(); ++i) {
    CHECK(rungs[i].loads == rungs[1].loads);
    CHECK(rungs[i].loads / rungs[i].threads == 13);  // a row and one displacement
  }
}

TEST_CASE("masses, forces, checks, strains, work for few and new numbers are the same in every way", "[studies]") {
  Model model = plate();
  make_swirl(model);
  const auto study = make_colouring_study(model);
  std::map<std::string, std::vector<double>> first;
  std::map<std::string, int> ways;
  for (const Way& way : study->ways()) {
    CAPTURE(way.task, way.name);
    way.run(10);
    const std::vector<double> result = way.result();
    const auto [task, is_first] = first.try_emplace(way.task, result);
    ++ways[way.task];
    CHECK(difference(result, task->second) < 1e-14);
    if (way.same_bits) CHECK(result == task->second);
  }
  CHECK(ways["nodal mass"] == 6);  // four colourings, atomic adds, gather
  CHECK(ways["internal force"] == 5);
  CHECK(ways["fracture check"] == 2);
  CHECK(ways["nodal stresses and strains"] == 3);
  CHECK(difference(first["nodal stresses and strains"], plain_means(model)) < 1e-13);
  CHECK(ways["work for 1 element in 10"] == 3);
  CHECK(ways["new numbers"] == 3);
  CHECK(difference(first["nodal mass"], plain_masses(model)) < 1e-14);
  // Elements ask for 0, 1, 2, 0, 1, ... numbers.
  CHECK(first["new numbers"] == std::vector<double>(static_cast<std::size_t>(model.mesh.element_count()) - 1, 1.0));
  const auto& fractured = first["fracture check"];
  const auto broken = std::count_if(fractured.begin(), fractured.end(), [](double bits) { return bits != 0; });
  CHECK(broken > 10);
  CHECK(broken < model.mesh.element_count() / 2);
  const auto& work = first["work for 1 element in 10"];
  const auto touched = static_cast<double>(std::count_if(work.begin(), work.end(), [](double v) { return v != 0; }));
  CHECK(touched > 0.05 * static_cast<double>(work.size()));
  CHECK(touched < 0.15 * static_cast<double>(work.size()));
}

}  // namespace cleave::test
