/// Pipeline: the fields on the host.
#pragma once

#include "scheme/pipeline.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Element, class Law>
Snapshot Pipeline<Backend, Element, Law>::snapshot() {
  need_state();
  sum_nodal_stress();
  history();  // which elements have failed, and the fragments that follow
  constexpr int points = FacetGauss::points;
  const auto to_points = [](const std::vector<Vec2>& values) {
    std::vector<Point> out;
    out.reserve(values.size());
    for (const Vec2& v : values) out.push_back({v.x, v.y});
    return out;
  };

  Snapshot s;
  s.step = step_;
  s.time = step_ * dt_;
  s.type = Element::type;
  s.position = to_points(nodes_.position.download(nodes_.count));
  s.displacement = to_points(nodes_.displacement.download(nodes_.count));
  s.velocity = to_points(nodes_.velocity.download(nodes_.count));
  if (gathers()) {
    for (const NodeConstants& node : gather_.constants.download(nodes_.count)) s.mass.push_back(node.mass());
  } else {
    const auto mass = nodes_.mass.download(nodes_.count);
    s.mass.assign(mass.begin(), mass.end());
  }
  auto sums = nodes_.stress_sum.download(NodalStressTable::extent(nodes_.count));
  for (Index n = 0; n < nodes_.count; ++n) {
    const Sym2 mean = mean_stress({sums.data()}, n);
    s.nodal_stress.push_back({mean.xx, mean.yy, mean.xy});
  }

  using Rows = ElementTable<Element>;
  auto nodes = elements_.nodes.download(Rows::Nodes::extent(elements_.count));
  auto neighbours = elements_.neighbours.download(Rows::Neighbours::extent(elements_.count));
  auto cohesive_rows = elements_.cohesive_rows.download(cohesive_.count);
  const Rows table{{nodes.data()}, {neighbours.data()}, nullptr, cohesive_rows.data(), elements_.count};
  const auto reference = nodes_.position.download(nodes_.count);
  const auto moved = nodes_.displacement.download(nodes_.count);
  for (Index e = 0; e < elements_.count; ++e) {
    for (int i = 0; i < Element::nodes; ++i) s.elements.push_back(table.node(e, i));
    for (int k = 0; k < 3; ++k) s.neighbours.push_back(table.neighbour(e, k));
    Vec2 x[Element::nodes], u[Element::nodes];
    table.gather(e, reference.data(), x);
    table.gather(e, moved.data(), u);
    PlaneTensor mean;
    double energy = 0, area = 0;
    for (int q = 0; q < Element::gauss_points; ++q) {
      const auto g = Element::gradients(x, q);
      const auto d = displacement_gradient(g, u);
      const Sym2 stress = material_.stress(d.xx, d.yy, d.shear());
      mean.xx += stress.xx / Element::gauss_points;
      mean.yy += stress.yy / Element::gauss_points;
      mean.xy += stress.xy / Element::gauss_points;
      energy += g.area * energy_density(material_, d);
      area += g.area;
    }
    s.element_stress.push_back(mean);
    s.energy_density.push_back(energy / area);
  }
  s.fragment = elements_.fragment.download(elements_.count);

  const Index count = cohesive_.count;
  auto frame = cohesive_.frame.download(3 * static_cast<std::size_t>(count));
  auto opening = cohesive_.opening.download(points * static_cast<std::size_t>(count));
  auto traction = cohesive_.traction.download(points * static_cast<std::size_t>(count));
  auto history = cohesive_.history.download(Law::num_history * points * static_cast<std::size_t>(count));
  auto failed = cohesive_.failed.download(count);
  auto inserted = cohesive_.insertion_step.download(count);
  for (Index c = 0; c < count; ++c) {
    Snapshot::Cohesive row;
    row.facet_a = table.cohesive_facet(c, 0);
    row.facet_b = table.cohesive_facet(c, 1);
    for (int i = 0; i < 2 * Element::facet_nodes; ++i)
      row.nodes[i] = table.cohesive_node(c, i / Element::facet_nodes, i % Element::facet_nodes);
    row.failed = failed[c] != 0;
    row.insertion_step = inserted[c];
    row.length = 2 * frame[3 * static_cast<std::size_t>(c) + 2];
    for (int q = 0; q < points; ++q) {
      const std::size_t p = static_cast<std::size_t>(c) * points + q;
      row.opening_normal += opening[p].x / points;
      row.opening_tangential += opening[p].y / points;
      row.traction_normal += traction[p].x / points;
      row.traction_tangential += traction[p].y / points;
      row.damage += law_.damage(&history[p * Law::num_history]) / points;
    }
    s.cohesive.push_back(row);
  }
  read_report();
  throw_on_fault();
  return s;
}

}  // namespace cleave::inline CLEAVE_PRECISION
