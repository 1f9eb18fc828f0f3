/// Pressure in cracks as a term.
#pragma once

#include <vector>

#include "parts/failed_cohesive.hpp"
#include "terms/bulk/material_set.hpp"
#include "terms/cracks/crack_pressure_state.hpp"
#include "terms/cracks/turning_cracks.hpp"
#include "terms/term.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Finds the cracks that loads reach, before facets are cut: it holds until the next check.
/// @tparam Body  GatherBody or ColouredBody
template <class Body, class State>
void launch_crack_reach(Body& body, State& cracks) {
  using Element = typename Body::Element;
  if (!cracks.active() || body.cohesive.count == 0) return;
  body.cohesive.with_law([&]<class Law>(const Law&, const CohesiveTable<Law>& table) {
    const CrackReach<Element, Law> reach{.elements = body.elements.table(),
                                         .mouths = cracks.mouths.data(),
                                         .mouth_count = static_cast<Index>(cracks.mouths.size()),
                                         .capacity = body.cohesive.capacity(),
                                         .live = body.live(),
                                         .cohesive = table,
                                         .parent = cracks.parent.data(),
                                         .first_load = cracks.first_load.data(),
                                         .load = cracks.load.data(),
                                         .flags = body.eroded_flags()};
    body.backend.launch(StartCrackReach<Element, Law>{reach});
    body.backend.launch(ConnectCracks<Element, Law>{reach});
    body.backend.launch(EnterCracks<Element, Law>{reach});
    body.backend.launch(NoteCrackLoads<Element, Law>{reach});
  });
}

template <class Backend, class Element>
class CrackTerm final : public Term<Backend, Element> {
 public:
  using typename Term<Backend, Element>::Body;

  CrackPressure view() { return {.load = cracks_.load.data(), .push = push_.data(), .work = work_.data()}; }
  const double* work() const { return work_.data(); }
  /// Pushes on faces that turn, which element blocks add up; null: there are none.
  const FacePush* pushes() const { return faces_.data(); }

  void declare(Body& body, const Model& model) override {
    cracks_.list_mouths(model.loads);
    cracks_.declare(body.fields);
    if (!cracks_.active()) return;
    FieldUse of_points{.on = On::cohesive, .width = FacetGauss::points, .saved = true};
    if (body.thickness_changes)
      thickness_change_ =
          body.fields.template add<Real>("thickness changes", {.on = On::cohesive, .width = 2 * Element::facet_nodes});
    if (body.finite)
      faces_ = body.fields.add_filled("pressures on faces", of_points, FacePush{});
    else
      push_ = body.fields.add_filled("pressures in cracks", of_points, Real(0));
    of_points.summed = Summed::all;
    work_ = body.fields.add_filled("works in cracks", of_points, 0.0);
  }
  /// Pressure between faces that turn; others take theirs from CohesiveStep.
  void launch_forces(Body& body, const LaunchedStep& step) override {
    if (!faces_ || body.cohesive.count == 0) return;
    if (body.thickness_changes) launch_thickness(body);
    body.cohesive.with_law([&]<class Law>(const Law&, const CohesiveTable<Law>& table) {
      body.backend.launch(PushTurningFaces<Element, Law>{.rows = body.elements.cohesive_rows.data(),
                                                         .capacity = body.cohesive.capacity(),
                                                         .live = body.live(),
                                                         .displacement = body.nodes.displacement.data(),
                                                         .cohesive = table,
                                                         .cracks = view(),
                                                         .input = body.inputs.at(body.live(), step.number),
                                                         .faces = faces_.data(),
                                                         .insertion_pending = body.insertion_pending(),
                                                         .own = body.halo.own_elements(),
                                                         .thickness_change = thickness_change_.data()});
    });
  }
  void launch_check(Body& body) override {
    if (!cracks_.active()) return;
    failed_.share(body);
    launch_crack_reach(body, cracks_);
  }

  void check_loaded(Body& body) override { cracks_.check_loaded(body.cohesive.count, body.inputs.loads().size()); }

 private:
  /// Present thickness at the faces that a load reaches.
  void launch_thickness(Body& body) {
    body.materials.for_each_law([&]<class Material>(const MaterialsOfLaw<Material>& of, ByMaterial<Material>,
                                                    MaterialStates<Element, Material> states) {
      if constexpr (Material::finite) launch_thickness_of(body, of, states);
    });
  }
  template <class Material>
  void launch_thickness_of(Body& body, const MaterialsOfLaw<Material>& of, MaterialStates<Element, Material> states) {
    for (const auto& member : of.members)
      body.backend.launch(FaceThickness<Element, Material>{.elements = body.elements.table(),
                                                           .begin = member.begin,
                                                           .end = member.end,
                                                           .material = member.material,
                                                           .states = states,
                                                           .geometry = body.geometry(),
                                                           .dt = Real(body.dt),
                                                           .displacement = body.nodes.displacement.data(),
                                                           .capacity = body.cohesive.capacity(),
                                                           .live = body.live(),
                                                           .load = cracks_.load.data(),
                                                           .change = thickness_change_.data(),
                                                           .insertion_pending = body.insertion_pending()});
  }

  CrackPressureState<Backend> cracks_;
  FailedEverywhere failed_;
  Field<Backend, Real> push_;              ///< [cohesive][q] see CrackPressure; where faces do not turn
  Field<Backend, FacePush> faces_;         ///< [cohesive][q] where they do
  Field<Backend, Real> thickness_change_;  ///< see FaceThickness; found anew in each step, none where it is 0
  Field<Backend, double> work_;            ///< [cohesive][q]
};

}  // namespace cleave::inline CLEAVE_PRECISION
