/// Prescribed motions and pressures at one instant.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "body/step_input.hpp"
#include "cleave/solver/model.hpp"
#include "terms/loads/facet_loads.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Velocity and acceleration of every prescribed motion at one instant; entry 0 is unused.
struct MotionState {
  static constexpr int capacity = 64;
  Real velocity[capacity] = {};      ///< m/s
  Real acceleration[capacity] = {};  ///< m/s^2
};

/// Velocities and accelerations that make the displacement update reproduce every prescribed history exactly at
/// t_n = n dt: with w the mean velocity of a step, v = (w- + w+)/2 and a = (w+ - w-)/dt.
inline MotionState motion_at(const std::vector<PrescribedMotion>& motions, Step n, double dt) {
  const auto time = [&](Step step) { return static_cast<double>(step) * dt; };
  MotionState state;
  for (std::size_t i = 0; i < motions.size(); ++i) {
    const double before = motions[i].velocity * motions[i].curve.mean(time(n - 1), time(n));
    const double after = motions[i].velocity * motions[i].curve.mean(time(n), time(n + 1));
    state.velocity[i + 1] = static_cast<Real>((before + after) / 2);
    state.acceleration[i + 1] = static_cast<Real>((after - before) / dt);
  }
  return state;
}

/// The table of loaded facets (FacetLoads) as it is at t = 0, and the flags of their elements.
template <class Element>
struct LoadedFacetList {
  std::vector<Index> first_row;  ///< [element], if it has any
  std::vector<LoadedFacet> facets;
  std::vector<LastFacetStep<Element>> last;
  std::vector<std::uint8_t> flags;  ///< [element] ElementFlag
};
/// @param displacement  [node] at t = 0, m
template <class Element>
LoadedFacetList<Element> list_loaded_facets(const Mesh& mesh, const std::vector<PressureLoad>& loads,
                                            const std::vector<Point>& displacement) {
  std::vector<std::pair<Index, Index>> rows;  // facet, load
  for (std::size_t l = 0; l < loads.size(); ++l)
    for (const Index facet : loads[l].facets) rows.emplace_back(facet, static_cast<Index>(l));
  std::sort(rows.begin(), rows.end());

  LoadedFacetList<Element> list;
  list.first_row.assign(mesh.element_count(), 0);
  list.flags.assign(mesh.element_count(), 0);
  for (const auto& row : rows) {
    const Index facet = row.first, load = row.second;
    const Index e = element_of(facet);
    const auto node = [&](int i) { return mesh.node(e, Element::facet_slot(facet_of(facet), i)); };
    const Point from = mesh.nodes[node(0)], to = mesh.nodes[node(Element::facet_nodes - 1)];
    if (list.flags[e] & ElementFlag::loaded_facets)
      list.facets.back().more = 1;
    else
      list.first_row[e] = static_cast<Index>(list.facets.size());
    Vec2 along{Real(from.y - to.y), Real(to.x - from.x)};
    if (const auto& direction = loads[load].direction) {
      const double length = std::hypot(to.x - from.x, to.y - from.y);
      along = {Real(length * direction->x), Real(length * direction->y)};
    }
    list.facets.push_back({along, facet, load, 0, loads[load].follows});
    LastFacetStep<Element>& last = list.last.emplace_back();
    for (int i = 0; i < Element::facet_nodes; ++i)
      last.displacement[i] = {Real(displacement[node(i)].x), Real(displacement[node(i)].y)};
    list.flags[e] |= ElementFlag::loaded_facets;
  }
  return list;
}

}  // namespace cleave::inline CLEAVE_PRECISION
