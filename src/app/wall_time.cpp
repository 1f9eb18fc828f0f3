#include <algorithm>
#include <cmath>
#include <vector>

#include "app/estimates.hpp"
#include "app/measure.hpp"
#include "cleave/mesh/topology.hpp"
#include "cleave/partition/ranks.hpp"

namespace cleave {
namespace {

/// The case on a square of about so many elements of the same size, without loads.
Case square_at_rest(const Case& c, const Model& model, Index elements) {
  Case square = c;
  const double area = quality(model.mesh).area / model.mesh.element_count();
  const int quads = std::max(1, static_cast<int>(std::lround(std::sqrt(elements / 4.0))));
  const double side = quads * std::sqrt(4 * area);
  square.mesh = {};
  square.mesh.element = model.mesh.type;
  square.mesh.divisions = {quads, quads};
  square.mesh.size = {side, side};
  square.mesh.thickness = c.mesh.thickness;
  square.mesh.numbering = c.mesh.numbering;
  square.material.resize(1);
  square.material.front().on.clear();
  if (square.cohesive) {
    square.cohesive->facets = {};
    square.cohesive->others.clear();
    square.cohesive->insertion.box.reset();
  }
  square.time = {};
  square.boundary.clear();
  square.support.clear();
  square.forces.clear();
  square.processes.clear();
  square.contact.reset();
  square.obstacles.clear();
  square.body_force = {};
  square.initial = {};
  square.initial_groups.clear();
  square.output.probes.clear();
  square.output.lines.clear();
  return square;
}

std::vector<Index> interior_facets(const Mesh& mesh) {
  std::vector<Index> facets;
  for (Index e = 0; e < mesh.element_count(); ++e)
    for (int k = 0; k < 3; ++k)
      if (const Index other = mesh.neighbour(e, k); is_intact(other) && element_of(other) > e)
        facets.push_back(3 * e + k);
  return facets;
}

}  // namespace

MeasuredRates measure_rates(const Case& c, const Model& model, const Backend& backend, int threads) {
  constexpr double least = 0.02;  // s, for each of some repeats
  const Index enough = backend.cuda ? 1'000'000 : 40'000;
  const Model square = make_model(square_at_rest(c, model, std::min(model.mesh.element_count(), enough)));
  const auto solver = make_solver(backend, square, threads, one_rank());
  const Index elements = square.mesh.element_count();
  const auto rate = [&] { return elements / benchmark::time_steps([&](Step n) { solver->advance(n); }, least).median; };
  MeasuredRates rates{elements, rate(), 0};
  if (square.cohesive) solver->insert_cohesive(interior_facets(square.mesh));
  rates.broken = square.cohesive ? rate() : rates.intact;
  return rates;
}

}  // namespace cleave
