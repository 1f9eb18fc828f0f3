/// Probes: points of the body that are sampled during the run.
///
/// Rows lie in a ring in solver memory, by step, so that the host fetches many at once. A step that is launched again
/// writes its row again.
#pragma once

#include "body/by_material.hpp"
#include "body/displacement_gradient.hpp"
#include "body/gather_table.hpp"
#include "body/material_states.hpp"
#include "cleave/lockstep/kernel.hpp"
#include "terms/bulk/element_force.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Place of a probe in its element.
template <class Element>
struct Probe {
  Index element = 0;
  int law = 0;     ///< of its material, as in MaterialSet
  int facet = -1;  ///< see ProbePoint
  Real shape[Element::nodes];
  ShapeGradients<Element::nodes> gradients;
  Real gauss_weight[Element::gauss_points];  ///< of Gauss points in the field through their values
};

/// Values at a probe.
struct ProbeSample {
  Vec2 displacement;      ///< m
  Vec2 velocity;          ///< m/s
  Sym2 stress;            ///< Pa
  Vec2 outward;           ///< normal of its facet now, if it has one
  Real contact_pressure;  ///< Pa
};

/// The row of a step: of the `later`-th from the one that solver memory says is present.
struct ProbeRing {
  ProbeSample* samples = nullptr;  ///< [row][probe]
  Index probes = 0;
  Index rows = 0;
  Step every = 1;  ///< steps from row to row
  const LiveCounts* live = nullptr;
  Step later = 0;
  DeviceGate gate{};  ///< closed where the step does nothing and will be launched again

  CLEAVE_HD ProbeSample& at(Index probe) const {
    const Step step = live->step() + later;
    return samples[static_cast<std::size_t>(step / every % rows) * probes + probe];
  }
};

/// Displacement, velocity and stress at each probe in a material of one law.
template <class Element, class Material>
struct SampleProbes {
  static constexpr KernelTraits traits{.name = "probes"};
  ElementTable<Element> elements;
  const Probe<Element>* probes;
  const Vec2* position;      ///< [node], m
  const Vec2* displacement;  ///< [node], m
  const Vec2* velocity;      ///< [node], m/s
  int law;
  ByMaterial<Material> materials;
  MaterialStates<Element, Material> states;
  Real dt;  ///< from the step that the states belong to, s
  ProbeRing ring;
  CLEAVE_HD Index size() const { return ring.probes; }
  CLEAVE_HD void operator()(Index p) const {
    if (!ring.gate.is_open()) return;
    const Probe<Element>& probe = probes[p];
    if (probe.law != law) return;
    Vec2 u[Element::nodes], v[Element::nodes];
    elements.gather(probe.element, displacement, u);
    elements.gather(probe.element, velocity, v);
    ProbeSample sample{};
    for (int i = 0; i < Element::nodes; ++i) {
      sample.displacement += probe.shape[i] * u[i];
      sample.velocity += probe.shape[i] * v[i];
    }
    sample.stress = stress(probe, u);
    if (probe.facet >= 0) sample.outward = outward(probe, u);
    ring.at(p) = sample;
  }

 private:
  CLEAVE_HD Vec2 outward(const Probe<Element>& probe, const Vec2 (&u)[Element::nodes]) const {
    const int a = Element::facet_slot(probe.facet, 0), b = Element::facet_slot(probe.facet, Element::facet_nodes - 1);
    const Vec2 span =
        position[elements.node(probe.element, b)] + u[b] - position[elements.node(probe.element, a)] - u[a];
    return 1 / std::sqrt(dot(span, span)) * Vec2{span.y, -span.x};
  }
  /// The law of a material without a history gives the stress at the point itself. A history belongs to a Gauss point:
  /// there the stress at other points is the linear field through the stresses of the Gauss points.
  CLEAVE_HD Sym2 stress(const Probe<Element>& probe, const Vec2 (&u)[Element::nodes]) const {
    const Index e = probe.element;
    if constexpr (!MaterialStates<Element, Material>::kept || Element::gauss_points == 1) {
      return stress_at(e, 0, displacement_gradient(probe.gradients, u));
    } else {
      const Vec2 x0 = position[elements.node(e, 0)];
      const AreaGradients here = area_gradients(position[elements.node(e, 1)] - x0, position[elements.node(e, 2)] - x0);
      Sym2 sum{0, 0, 0};
      for (int q = 0; q < Element::gauss_points; ++q) {
        const auto [d1, d2] = corner_differences(u, q);
        const Sym2 at = stress_at(e, q, here.gradient(d1, d2));
        const Real weight = probe.gauss_weight[q];
        sum = {sum.xx + weight * at.xx, sum.yy + weight * at.yy, sum.xy + weight * at.xy};
      }
      return sum;
    }
  }
  /// With the state of a Gauss point, Pa.
  CLEAVE_HD Sym2 stress_at(Index e, int q, const Gradient& d) const {
    typename Material::State state = states.at(e, q);  // a copy: nothing has happened
    return true_stress<Material>(materials.of(e).update(d, state, dt), d);
  }
};

/// The velocity v(n) of a row that was sampled with v(n-1/2), once there is v(n+1/2): their mean.
template <class Element>
struct CentreProbeVelocity {
  static constexpr KernelTraits traits{.name = "probe velocities"};
  ElementTable<Element> elements;
  const Probe<Element>* probes;
  const Vec2* half_velocity;  ///< [node] v(n+1/2), m/s
  ProbeRing ring;

  CLEAVE_HD Index size() const { return ring.probes; }
  CLEAVE_HD void operator()(Index p) const {
    if (!ring.gate.is_open()) return;
    const Probe<Element>& probe = probes[p];
    Vec2 after{};
    for (int i = 0; i < Element::nodes; ++i) after += probe.shape[i] * half_velocity[elements.node(probe.element, i)];
    Vec2& velocity = ring.at(p).velocity;
    velocity = Real(0.5) * (velocity + after);
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
