#include <algorithm>
#include <cmath>

#include "cleave/material/linear_elastic.hpp"
#include "model/nodal_masses.hpp"
#include "model/supports.hpp"

namespace cleave {
namespace {

template <class Element>
std::vector<PlaneTensor> rates(const Model& model, const std::vector<Index>& facets) {
  const Mesh& mesh = model.mesh;
  const std::vector<double> mass = nodal_masses<Element>(model);
  std::vector<PlaneTensor> rate(mesh.nodes.size());
  for (const Index facet : facets) {
    const Index e = element_of(facet);
    const auto node = [&](int i) { return mesh.node(e, Element::facet_slot(facet_of(facet), i)); };
    const Point a = mesh.nodes[node(0)], b = mesh.nodes[node(Element::facet_nodes - 1)];
    const double length = std::hypot(b.x - a.x, b.y - a.y), x = (b.x - a.x) / length, y = (b.y - a.y) / length;
    const LinearElastic material = LinearElastic::make(model.materials[model.element_material[e]].parameters);
    const double across = std::sqrt(material.density * material.d11),
                 along = std::sqrt(material.density * material.d33);
    for (int i = 0; i < Element::facet_nodes; ++i) {
      const double share = Element::facet_weight(i) * length / mass[node(i)];
      PlaneTensor& r = rate[node(i)];
      r.xx += share * (across * y * y + along * x * x);
      r.yy += share * (across * x * x + along * y * y);
      r.xy += share * (along - across) * x * y;
    }
  }
  return rate;
}

}  // namespace

std::vector<PlaneTensor> damping_rates(const Model& model, std::vector<Index> facets) {
  if (facets.empty()) return {};
  std::sort(facets.begin(), facets.end());
  facets.erase(std::unique(facets.begin(), facets.end()), facets.end());
  return model.mesh.type == ElementType::t3 ? rates<T3>(model, facets) : rates<T6>(model, facets);
}

}  // namespace cleave
