/// Contact as probes see it.
#pragma once

#include "terms/contact/shown_contact.hpp"
#include "terms/probes/probes.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// The pressure of contact at each probe on a facet, after the forces of the step.
template <class Element>
struct SampleContact {
  static constexpr KernelTraits traits{.name = "contact at probes"};
  ElementTable<Element> elements;
  const Probe<Element>* probes;
  ContactTraction<Element> traction;
  ProbeRing ring;

  CLEAVE_HD Index size() const { return ring.probes; }
  CLEAVE_HD void operator()(Index p) const {
    const Probe<Element>& probe = probes[p];
    if (!ring.gate.is_open() || probe.facet < 0) return;
    Vec2 sum{};
    for (int i = 0; i < Element::facet_nodes; ++i) {
      const int k = Element::facet_slot(probe.facet, i);
      sum += probe.shape[k] * traction.at(elements.node(probe.element, k));
    }
    ProbeSample& sample = ring.at(p);
    sample.contact_pressure = 0 - dot(sum, sample.outward);
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
