/// A ring that bursts while it turns: the strain energy of fragments in free flight does not know how far they turn.
#include <algorithm>
#include <cmath>
#include <map>

#include "support.hpp"

namespace cleave::verification {
namespace {

constexpr double inner = 9.5e-3, outer = 10.5e-3, expansion = 5e3, spin = 2e4;

Model turning_ring(const char* law) {
  Mesh mesh = ring(ElementType::t6, {2, 160}, inner, outer);
  perturb(mesh, 0.1, 1);
  Model m = make_model(mesh, MaterialCase{law, {275e9, 0.22, 2750, PlaneType::stress}, {}, {}}, 0.4, 1e-3);
  CohesiveCase c;
  c.parameters.normal = c.parameters.tangential = {300e6, 100, 2};
  c.insertion.every = 5;
  m.cohesive = c;
  set_velocity(m, [](Point p) { return Point{expansion * p.x - spin * p.y, expansion * p.y + spin * p.x}; });
  return m;
}

/// Of each fragment, by the number that it has in the end.
struct Fragment {
  double energy = 0;  ///< of strain, J
  double angle = 0;   ///< turned so far, from the middle of its nodes, rad
};

std::map<Index, Fragment> fragments_of(const Model& m, const Snapshot& s, const std::vector<Index>& fragment) {
  struct Sums {
    double n = 0, x = 0, y = 0, u = 0, v = 0, same = 0, across = 0;
  };
  std::map<Index, Sums> sums;
  std::map<Index, Fragment> out;
  for (const bool second : {false, true})
    for (Index e = 0; e < m.mesh.element_count(); ++e) {
      Sums& of = sums[fragment[e]];
      for (int i = 0; i < 6; ++i) {
        const Index node = s.elements[static_cast<std::size_t>(e) * 6 + i];
        const Point x = s.position[node], u = s.displacement[node];
        if (second) {
          const double dx = x.x - of.x / of.n, dy = x.y - of.y / of.n;
          const double nx = x.x + u.x - of.u / of.n, ny = x.y + u.y - of.v / of.n;
          of.same += dx * nx + dy * ny;
          of.across += dx * ny - dy * nx;
        } else {
          of.n += 1;
          of.x += x.x;
          of.y += x.y;
          of.u += x.x + u.x;
          of.v += x.y + u.y;
        }
      }
      if (second) {
        const Point a = m.mesh.nodes[m.mesh.node(e, 0)], b = m.mesh.nodes[m.mesh.node(e, 1)],
                    c = m.mesh.nodes[m.mesh.node(e, 2)];
        const double area = 0.5 * ((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x));
        out[fragment[e]].energy += s.energy_density[e] * area * m.thickness;
      }
    }
  for (auto& [id, f] : out) f.angle = std::atan2(sums[id].across, sums[id].same);
  return out;
}

}  // namespace

TEST_CASE("fragments keep their strain energy while they turn", "[material][finite]") {
  CLEAVE_ON_EVERY_DEVICE();
  const Model m = turning_ring("st_venant_kirchhoff");
  const auto solver = make_solver(m, backend);
  advance_to(*solver, m, 60e-6);
  const Snapshot last = solver->snapshot();
  const Index cracks = solver->history().cohesive_elements;
  // Again, with the fragments known: strain energies over a microsecond, at the start and at the end of the flight.
  const auto again = make_solver(m, backend);
  const auto mean_from = [&](double t) {
    constexpr int looks = 40;
    std::map<Index, Fragment> mean;
    for (int i = 0; i < looks; ++i) {
      advance_to(*again, m, t + i * 2e-6 / looks);
      for (const auto& [id, f] : fragments_of(m, again->snapshot(), last.fragment)) {
        mean[id].energy += f.energy / looks;
        mean[id].angle += f.angle / looks;
      }
    }
    return mean;
  };
  const auto early = mean_from(8e-6), late = mean_from(57e-6);
  CHECK(again->history().cohesive_elements == cracks);
  REQUIRE(early.size() > 20);
  double first = 0, second = 0, scatter = 0, least_turn = 10;
  for (const auto& [id, f] : early) {
    const Fragment& then = late.at(id);
    first += f.energy;
    second += then.energy;
    scatter += std::pow(then.energy / f.energy - 1, 2) / static_cast<double>(early.size());
    least_turn = std::min(least_turn, std::abs(then.angle - f.angle));
  }
  CHECK(least_turn > 0.5);
  CHECK(second / first == Approx(1).margin(0.1));
  CHECK(std::sqrt(scatter) < 0.5);
  record("a turning ring bursts", "strain energy of all fragments, after a turn of 60 degrees over before", 1,
         second / first, "-", "10 %");
  record("a turning ring bursts", "scatter of the same by fragment", 0, std::sqrt(scatter), "-", "0.5");
  CHECK(std::abs(again->history().balance_error) < 1e-11);
}

}  // namespace cleave::verification
