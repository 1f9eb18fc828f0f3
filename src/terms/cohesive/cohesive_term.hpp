/// Cohesive elements as a term: tractions of a step, and the energies of all that acts between their faces.
#pragma once

#include "body/fields.hpp"
#include "terms/cohesive/cohesive_energy.hpp"
#include "terms/cohesive/cohesive_forces.hpp"
#include "terms/cohesive/cohesive_step.hpp"
#include "terms/term.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Sums of all cohesive elements.
/// @tparam Body  GatherBody or ColouredBody
/// @param works  of their Gauss points, where they keep them
template <class Body, class Law>
CohesiveEnergy<Law> cohesive_energy(Body& body, const Law& law, const CohesiveTable<Law>& table,
                                    const CohesiveWorks& works) {
  return {.capacity = body.cohesive.capacity(),
          .live = &body.live()->cohesive,
          .law = law,
          .cohesive = table,
          .thickness = body.thickness,
          .works = works,
          .failed = body.cohesive.failed.data(),
          .sums = {{body.cohesive.sums.data()}},
          .fault = &body.report.data()->fault};
}
/// Launches them, where there are any.
template <class Body>
void add_cohesive_sums(Body& body, SumTables& sums, const CohesiveWorks& works) {
  body.cohesive.with_law([&](const auto& law, const auto& table) {
    const auto energy = cohesive_energy(body, law, table, works);
    if (body.cohesive.count > 0) body.backend.launch(energy);
    sums.add(energy.sums, body.cohesive.count > 0 ? energy.blocks() : 0);
  });
}

template <class Backend, class Element>
class CohesiveTerm final : public Term<Backend, Element> {
 public:
  using typename Term<Backend, Element>::Body;

  /// Forces of Gauss points on the faces, see CohesiveForces.
  Vec2* force() { return force_.data(); }
  /// @tparam may_turn  the kinematics of the elements' material
  template <bool may_turn>
  CohesiveForces<Element, may_turn> forces(const FacePush* pushes) {
    CohesiveForces<Element, may_turn> forces{};
    forces.gauss_force = force_.data();
    if constexpr (may_turn) {
      forces.gauss_couple = couple_.data();
      forces.gauss_push = pushes;
    }
    return forces;
  }

  /// Forces of points where faces turn are part of the state, as the work of a step needs those of the last.
  void declare(Body& body, const Model&) override {
    FieldUse of_points{.on = On::cohesive, .width = FacetGauss::points, .saved = true};
    FieldUse summed = of_points;
    summed.summed = Summed::all;
    work_ = body.fields.add_filled("cohesive works", summed, 0.0);
    if (body.finite) {
      force_ = body.fields.add_filled("cohesive forces", of_points, Vec2{});
      couple_ = body.fields.add_filled("cohesive couples", of_points, Vec2{});
      last_motion_ = body.fields.add_filled("last face motions", of_points, FaceMotion{});
    } else {
      of_points.saved = false;
      force_ = body.fields.template add<Vec2>("cohesive forces", of_points);
    }
  }
  /// Tractions of a step.
  void launch_forces(Body& body, const LaunchedStep& step) override {
    if (body.cohesive.count == 0) return;
    if (body.finite)
      launch<false>(body, CorotationalFaces{.friction = body.terms.friction.view(),
                                            .thickness = body.thickness,
                                            .force = force_.data(),
                                            .couple = couple_.data(),
                                            .last = last_motion_.data(),
                                            .work = work_.data()});
    else if (step.reads_early)
      launch<true>(body, fixed_faces(body, step));
    else
      launch<false>(body, fixed_faces(body, step));
  }
  void add_sums(Body& body, SumTables& sums) override {
    add_cohesive_sums(
        body, sums,
        {.cohesive = work_.data(), .cracks = body.terms.cracks.work(), .friction = body.terms.friction.view().work});
  }

 private:
  FixedFaces fixed_faces(Body& body, const LaunchedStep& step) {
    return {.cracks = body.terms.cracks.view(),
            .input = body.inputs.at(body.live(), step.number),
            .thickness = body.thickness,
            .force = force_.data(),
            .work = work_.data()};
  }
  template <bool reads_early, class Faces>
  void launch(Body& body, const Faces& faces) {
    body.cohesive.with_law([&]<class Law>(const Law& law, const CohesiveTable<Law>& table) {
      body.backend.launch(CohesiveStep<Element, Law, Faces, reads_early>{.rows = body.elements.cohesive_rows.data(),
                                                                         .capacity = body.cohesive.capacity(),
                                                                         .live = body.live(),
                                                                         .displacement = body.nodes.displacement.data(),
                                                                         .law = law,
                                                                         .cohesive = table,
                                                                         .faces = faces,
                                                                         .insertion_pending = body.insertion_pending(),
                                                                         .own = body.halo.own_elements()});
    });
  }

  Field<Backend, Vec2> force_;              ///< [cohesive][q]
  Field<Backend, Vec2> couple_;             ///< [cohesive][q] see CorotationalFaces; none when nothing turns
  Field<Backend, FaceMotion> last_motion_;  ///< likewise
  Field<Backend, double> work_;             ///< [cohesive][q] J
};

}  // namespace cleave::inline CLEAVE_PRECISION
