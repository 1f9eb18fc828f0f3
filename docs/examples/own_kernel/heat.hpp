/// Example of fields and kernels of your own: heat that plastic flow, viscosity and friction make, and that flows
/// between triangles. docs/user_processes.md builds it; the case file then has
///     processes:
///       - {law: heat, heat_capacity: 500, conductivity: 45}
#pragma once

#include "cleave/process/user_process.hpp"

namespace cleave::inline CLEAVE_PRECISION {

struct Heat {
  static constexpr const char* name = "heat";
  static constexpr LawParameter parameters[] = {
      {.key = "heat_capacity", .unit = "J/(kg K)", .meaning = "heat over mass and temperature", .above = 0},
      {.key = "conductivity", .unit = "W/(m K)", .meaning = "heat flow over temperature gradient", .at_least = 0},
      {.key = "share",
       .unit = "-",
       .meaning = "of dissipated energy that becomes heat",
       .at_least = 0,
       .at_most = 1,
       .otherwise = 1}};
  enum FieldNumber { temperature, heat, dissipated };
  static constexpr ProcessField fields[] = {
      {.name = "temperature_rise", .on = FieldOn::element, .unit = "K", .meaning = "above that at the start"},
      {.name = "heat", .on = FieldOn::element, .unit = "J", .meaning = "since the start", .column = "heat"},
      {.name = "heat_source", .on = FieldOn::element, .unit = "J", .meaning = "dissipated so far", .in_frames = false}};

  double heat_capacity = 0, conductivity = 0, share = 0;

  static Heat make(const ProcessCase& c) { return {c.values.at(0), c.values.at(1), c.values.at(2)}; }
  /// A triangle gives no more heat than it has while dt < h^2 / (9 diffusivity): the facet across altitude h has the
  /// length 2 area / h, and the centres on both sides of it are at least 2/3 of the least altitude apart.
  static double largest_step(const ProcessCase& c, const ProcessMesh& mesh) {
    return mesh.least_altitude * mesh.least_altitude * mesh.least_density * c.values.at(0) / (9 * c.values.at(1));
  }

  /// Heat of a triangle: the energy dissipated in it, half of the work of friction on its broken facets, and the flow
  /// through its intact facets. A kernel writes to its own row alone, so the temperatures of neighbours are those
  /// before the step.
  struct Gain {
    static constexpr const char* name = "heat";
    double conductivity, share;
    template <class Body>
    CLEAVE_HD void operator()(const Body& body, Index e) const {
      double made = body.dissipated(e), flow = 0;
      for (int k = 0; k < Body::Element::facets; ++k) {
        const Index behind = body.neighbour(e, k);
        if (is_cohesive(behind)) made += body.rubbed(cohesive_of(behind)) / 2;
        if (!is_intact(behind)) continue;
        const Vec2 facet = body.along(e, k), way = body.centre(element_of(behind)) - body.centre(e);
        const double length = std::sqrt(dot(facet, facet)), distance = std::sqrt(dot(way, way));
        flow += conductivity * body.thickness * length / distance *
                (body.field(temperature, element_of(behind)) - body.field(temperature, e));
      }
      body.field(heat, e) += share * (made - body.field(dissipated, e)) + body.dt * flow;
      body.field(dissipated, e) = made;
    }
  };
  struct Warm {
    static constexpr const char* name = "temperature";
    double heat_capacity;
    template <class Body>
    CLEAVE_HD void operator()(const Body& body, Index e) const {
      body.field(temperature, e) = body.field(heat, e) / (body.mass(e) * heat_capacity);
    }
  };

  /// The launches of a step.
  template <class Run>
  void step(Run& run) const {
    run.elements(Gain{conductivity, share});
    run.elements(Warm{heat_capacity});
    run.exchange(temperature);
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION

CLEAVE_USER_PROCESS(cleave::Heat);
