/// Whether two runs gave the same, to the last bit.
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "cleave/solver/snapshot.hpp"

namespace cleave::reference {

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

/// Every field; cohesive elements by their numbers, as records have padding.
inline bool same_bits(const Snapshot& a, const Snapshot& b) {
  if (a.cohesive.size() != b.cohesive.size()) return false;
  for (std::size_t i = 0; i < a.cohesive.size(); ++i) {
    const auto &p = a.cohesive[i], &q = b.cohesive[i];
    const double x[] = {p.opening_normal, p.opening_tangential, p.traction_normal, p.traction_tangential, p.damage,
                        p.length,         p.strength_scale};
    const double y[] = {q.opening_normal, q.opening_tangential, q.traction_normal, q.traction_tangential, q.damage,
                        q.length,         q.strength_scale};
    if (std::memcmp(x, y, sizeof x) != 0) return false;
    if (p.facet_a != q.facet_a || p.facet_b != q.facet_b || p.failed != q.failed) return false;
    if (p.insertion_step != q.insertion_step) return false;
    const int nodes = 2 * nodes_per_facet(a.type);
    if (!std::equal(p.nodes.begin(), p.nodes.begin() + nodes, q.nodes.begin())) return false;
  }
  return a.step == b.step && a.time == b.time && a.finite == b.finite && same_bits(a.position, b.position) &&
         same_bits(a.displacement, b.displacement) && same_bits(a.velocity, b.velocity) && same_bits(a.mass, b.mass) &&
         same_bits(a.nodal_stress, b.nodal_stress) && same_bits(a.elements, b.elements) &&
         same_bits(a.neighbours, b.neighbours) && same_bits(a.element_stress, b.element_stress) &&
         same_bits(a.energy_density, b.energy_density) && same_bits(a.fragment, b.fragment) &&
         same_bits(a.contact_traction, b.contact_traction) && same_bits(a.contact_depth, b.contact_depth) &&
         same_bits(a.touches, b.touches) &&
         std::equal(a.state_fields.begin(), a.state_fields.end(), b.state_fields.begin(), b.state_fields.end(),
                    [](const auto& p, const auto& q) { return p.name == q.name && same_bits(p.mean, q.mean); });
}

inline bool same_bits(const HistoryRow& a, const HistoryRow& b) {
  std::vector<double> x, y;
  for_each_quantity(a, [&](Quantity, auto value) { x.push_back(static_cast<double>(value)); });
  for_each_quantity(b, [&](Quantity, auto value) { y.push_back(static_cast<double>(value)); });
  return same_bits(x, y);
}

}  // namespace cleave::reference
