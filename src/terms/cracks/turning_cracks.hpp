/// Pressure in cracks whose faces turn: it pushes each face along its own normal as the face lies now.
#pragma once

#include "body/material_states.hpp"
#include "cleave/core/table.hpp"
#include "terms/cohesive/cohesive_faces.hpp"
#include "terms/loads/facet_loads.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Thickness at the faces of cracks that a load reaches, of the elements of one material.
template <class Element, class Material>
struct FaceThickness {
  static constexpr KernelTraits traits{.name = "thickness at crack faces", .has_in_use = true};
  ElementTable<Element> elements;
  Index begin, end;  ///< elements of the material
  Material material;
  MaterialStates<Element, Material> states;
  GeometryTable geometry;
  Real dt;                   ///< from the step that the states belong to, s
  const Vec2* displacement;  ///< [node], m
  Index capacity;            ///< of cohesive elements
  const LiveCounts* live;
  const Index* load;               ///< [cohesive], see CrackReach
  Real* change;                    ///< [cohesive][side][facet node] ThicknessChange
  const Index* insertion_pending;  ///< see BlockStep

  CLEAVE_HD Index size() const { return 2 * capacity; }
  CLEAVE_HD Index in_use() const { return 2 * live->cohesive; }
  CLEAVE_HD void operator()(Index i) const {
    constexpr int nodes = Element::facet_nodes;
    const Index c = i / 2;
    const int side = static_cast<int>(i % 2);
    const Index code = elements.cohesive_facet(c, side), e = element_of(code);
    if (*insertion_pending != 0 || load[c] == no_load || e < begin || e >= end) return;
    const ThicknessChange<Element> of_element = thickness_change<Element>(
        material, geometry.gradients_of(e), [&](int k) { return displacement[elements.node(e, k)]; }, states.of(e), dt);
    for (int k = 0; k < nodes; ++k)  // nodes of side b face those of side a
      change[nodes * i + k] = of_element.at_node(Element::facet_slot(facet_of(code), side == 0 ? k : nodes - 1 - k));
  }
};

/// The push on the faces of every failed cohesive element that a load reaches, with its work since the last step. Faces
/// that have parted (CorotationalFaces) are free of it. After CohesiveStep, to whose forces on the sides it adds.
template <class Element, class Law>
struct PushTurningFaces {
  static constexpr KernelTraits traits{.name = "pressure in turning cracks", .has_in_use = true};
  const CohesiveRow<Element>* rows;  ///< [cohesive]
  Index capacity;                    ///< of cohesive elements
  const LiveCounts* live;
  const Vec2* displacement;  ///< [node], m
  CohesiveTable<Law> cohesive;
  CrackPressure cracks;
  StepInput input;
  FacePush* faces;  ///< [cohesive][q]; rows not in use are zero
  SideTable<Element> sides;
  const Index* insertion_pending;          ///< see BlockStep
  ElementRange own = all_elements;         ///< see CohesiveStep
  const Real* thickness_change = nullptr;  ///< see FaceThickness; null: 0

  CLEAVE_HD Index size() const { return capacity; }
  CLEAVE_HD Index in_use() const { return live->cohesive; }
  CLEAVE_HD void operator()(Index c) const {
    if (*insertion_pending != 0) return;
    const CohesiveRow<Element> row = read_record(rows[c]);
    if (!row.touches(own)) return;
    FacePush now[FacetGauss::points];
    CLEAVE_UNROLL
    for (int q = 0; q < FacetGauss::points; ++q) now[q] = push_at(c, q, row);
    CLEAVE_UNROLL
    for (int k = 0; k < Element::facet_nodes; ++k) {
      NodePair force = sides.at(c, k);
      CLEAVE_UNROLL
      for (int q = 0; q < FacetGauss::points; ++q) {
        const Real share = Element::facet_shape(k, FacetGauss::point(q));
        force.a += share * now[q].force[0];
        force.b += share * now[q].force[1];
      }
      sides.set(c, k, force);
    }
  }

 private:
  /// Leads a Gauss point to the end of the step. Returns its push from then on.
  CLEAVE_HD FacePush push_at(Index c, int q, const CohesiveRow<Element>& row) const {
    const Index i = FacetGauss::points * c + q;
    const Real r = FacetGauss::point(q);
    const FacetFrame reference = cohesive.frame_of(c);
    const FacetFactors of = cohesive.factors[c];
    const bool parted = cohesive.offset(c, q).x == parted_offset;
    const Real push = parted ? Real(0) : FacetGauss::weight(q) * cracks.line_pressure(c, input);  // N/m
    const FacePush before = read_record(faces[i]);
    FacePush now;
    Real done = 0;
    for (int side = 0; side < 2; ++side) {
      Vec2 u{}, along = reference.jacobian / (of.energy * of.opening) * reference.tangent;  // dx/dr of the face
      Real thickness_ratio = 1;
      for (int k = 0; k < Element::facet_nodes; ++k) {
        const Vec2 at = displacement[row.nodes[side][k]];
        u += Element::facet_shape(k, r) * at;
        along += Element::facet_derivative(k, r) * at;
        if (thickness_change != nullptr && push != 0)
          thickness_ratio += Element::facet_shape(k, r) * thickness_change[Element::facet_nodes * (2 * c + side) + k];
      }
      now.force[side] = (side == 0 ? push : -push) * thickness_ratio * Vec2{along.y, -along.x};
      now.displacement[side] = u;
      done += Real(-0.5) * dot(before.force[side] + now.force[side], u - before.displacement[side]);
    }
    write_record(faces[i], now);
    cracks.work[i] += done;
    return now;
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
