#include "app/facet_load.hpp"

#include <algorithm>
#include <array>

#include "cleave/material/strength_ratio.hpp"
#include "cleave/mesh/element.hpp"
#include "model/strength.hpp"

namespace cleave {
namespace {

/// Traction over strength of both modes of the law.
struct Modes {
  double normal = 0, tangential = 0;
};

/// Position of a node: in small kinematics that of the reference shape.
Point place(const Snapshot& s, Index node) {
  const Point x = s.position[node], u = s.displacement[node];
  return s.finite ? Point{x.x + u.x, x.y + u.y} : x;
}

}  // namespace

double LargestFacetLoad::ratio_at(const Snapshot& s, Index e, int k) const {
  const CohesiveCase& law = *model_.cohesive;
  const Mesh& mesh = model_.mesh;
  const int samples = nodes_per_facet(mesh.type);
  std::array<Index, 3> nodes{};
  for (int i = 0; i < samples; ++i) nodes[i] = mesh.node(e, facet_node_slot(mesh.type, k, i));
  const Point a = place(s, nodes[0]), b = place(s, nodes[samples - 1]);
  const double length = distance(a, b), tx = (b.x - a.x) / length, ty = (b.y - a.y) / length;
  const double scale = model_.strength_scale.empty() ? 1 : model_.strength_scale[3 * e + k];
  const double normal_strength = scale * law.parameters.normal.strength;
  const double tangential_strength = scale * law.parameters.tangential.strength;
  Modes mean;
  double largest = 0;
  for (int i = 0; i < samples; ++i) {
    const StressTensor& at = s.nodal_stress[nodes[i]];
    const double x = at.xx * ty - at.xy * tx, y = at.xy * ty - at.yy * tx;  // traction on the normal (ty, -tx)
    const Modes here{(x * ty - y * tx) / normal_strength, (x * tx + y * ty) / tangential_strength};
    const double weight = mesh.type == ElementType::t3 ? T3::facet_weight(i) : T6::facet_weight(i);
    mean = {mean.normal + weight * here.normal, mean.tangential + weight * here.tangential};
    largest = std::max<double>(largest, strength_ratio(law.insertion.criterion, here.normal, here.tangential));
  }
  return law.insertion.aggregate == Aggregate::max
             ? largest
             : strength_ratio(law.insertion.criterion, mean.normal, mean.tangential);
}

void LargestFacetLoad::look_at(const Snapshot& s) {
  if (!model_.cohesive || !s.cohesive.empty() || s.nodal_stress.empty()) return;
  const Mesh& mesh = model_.mesh;
  double largest = 0;
  for (Index e = 0; e < mesh.element_count(); ++e)
    for (int k = 0; k < 3; ++k)
      if (may_break(model_, e, k) && element_of(mesh.neighbour(e, k)) > e)
        largest = std::max(largest, ratio_at(s, e, k));
  const std::lock_guard lock(mutex_);
  ++found_.frames;
  if (largest > found_.ratio || (largest == found_.ratio && s.time < found_.time)) {
    found_.ratio = largest;
    found_.time = s.time;
  }
}

}  // namespace cleave
