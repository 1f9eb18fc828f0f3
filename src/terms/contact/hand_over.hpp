/// Cohesive elements hand their faces over to the contact of sides when they have failed.
///
/// Until then a cohesive element presses its faces itself. From then on it bears nothing: the points of both sides go
/// on with its pressure, the force along its faces and its energy, each against the face that lies opposite. Half of
/// the force comes from the points of each side.
///
/// The contact of sides is stiffer or softer than the cohesive element. Force and energy go on: the allowance of the
/// points takes the difference of the depths, and is negative where contact is softer, their account that of the
/// energies.
#pragma once

#include "terms/cohesive/cohesive_faces.hpp"
#include "terms/contact/handed_element.hpp"
#include "terms/contact/part_surface.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Faces that have turned against each other by more than this angle let go. cos 26 degrees.
inline constexpr Real turned_cosine = Real(0.9);

/// Whether a cohesive element has failed, of those that a rank steps: at all its Gauss points, or at some of them while
/// its faces have turned against each other. Faces that turn about the last Gauss point do not part there any more, and
/// behind it one sinks into the other, where no Gauss point presses.
template <class Element, class Law>
struct FailedElements {
  Surface<Element> surface;
  CohesiveTable<Law> cohesive;
  const CohesiveRow<Element>* rows;  ///< [cohesive]
  ElementRange own;                  ///< see CohesiveStep

  CLEAVE_HD bool operator()(Index c) const {
    if (!rows[c].touches(own)) return false;
    int failed = 0;
    for (int q = 0; q < FacetGauss::points; ++q) failed += Law::failed(read_record(cohesive.state(c, q)));
    return failed == FacetGauss::points || (failed > 0 && have_turned(c));
  }

 private:
  CLEAVE_HD bool have_turned(Index c) const {
    const Vec2 one = span(rows[c].nodes[0]), other = span(rows[c].nodes[1]);
    return dot(one, other) < turned_cosine * length_of(one) * length_of(other);
  }
  CLEAVE_HD Vec2 span(const Index* nodes) const {
    const Index last = nodes[Surface<Element>::last];
    return surface.position[last] + surface.displacement[last] -
           (surface.position[nodes[0]] + surface.displacement[nodes[0]]);
  }
};

/// Hands over the faces of cohesive elements whose sides are exposed, in front of the step at whose displacements they
/// are.
/// @tparam Faces  see CohesiveStep
template <class Element, class Law, class Faces>
struct HandOver {
  static constexpr KernelTraits traits{.name = "hand-over", .most_blocks = 528, .has_in_use = true};
  PartSurface<Element> surface;
  FailedInStep failed;               ///< those that hand over; without flags: all that have failed
  Index capacity;                    ///< of cohesive elements
  const CohesiveRow<Element>* rows;  ///< [cohesive]
  Law law;
  CohesiveTable<Law> cohesive;
  Faces faces;
  FaceForces forces;
  ElementRange own;  ///< see CohesiveStep
  ContactPointTable points;
  SumRows<PointSums> works;    ///< [point] until now, J
  SumRows<HandedSums> handed;  ///< [cohesive] likewise

  CLEAVE_HD Index size() const { return capacity; }
  CLEAVE_HD Index in_use() const { return failed.flags != nullptr ? failed.count() : surface.of.live->cohesive; }
  CLEAVE_HD void operator()(Index i) const {
    const Index c = failed.flags != nullptr ? failed.elements[i] : i;
    if (surface.state[first_side(c)].exposed == 0 || !rows[c].touches(own)) return;
    Pressed pressed;
    bool any = false;
    for (int q = 0; q < FacetGauss::points; ++q) {
      // Faces that have parted press each other no more.
      if (cohesive.offset(c, q).x < handed_over_offset) any = take(c, q, pressed) || any;
    }
    if (!any) return;
    double stored = 0;
    for (int side = 0; side < 2; ++side)
      for (int j = 0; j < points_of_side; ++j) stored += pressing(c, side, j, pressed).energy();
    for (int q = 0; q < FacetGauss::points; ++q)
      if (cohesive.offset(c, q).x < handed_over_offset) leave(c, q, stored > 0);
    if (!(stored > 0)) return;
    const double normal = pressed.energy, rubbed = pressed.rubbed;
    for (int side = 0; side < 2; ++side)
      for (int j = 0; j < points_of_side; ++j) {
        const Pressing point = pressing(c, side, j, pressed);
        begin(point, point.energy() / stored * (normal + rubbed));
      }
    handed.at(c, Quantity::cohesive_work) -= normal;
    handed.at(c, Quantity::friction_energy) -= rubbed;
  }

 private:
  /// How the faces press each other at the Gauss points, before the element lets go.
  struct Pressed {
    Real normal[FacetGauss::points] = {};   ///< force over the coordinate r of the facet, N
    Real tangent[FacetGauss::points] = {};  ///< likewise, along the first face
    double energy = 0;                      ///< that the element held, with what its forces take in this step, J
    double rubbed = 0;                      ///< likewise of forces along the faces

    /// Value at r, by the parabola through the Gauss points.
    CLEAVE_HD static Real at(const Real (&value)[FacetGauss::points], Real r) {
      Real sum = 0;
      for (int q = 0; q < FacetGauss::points; ++q) {
        Real share = 1;
        for (int other = 0; other < FacetGauss::points; ++other)
          if (other != q) share *= (r - FacetGauss::point(other)) / (FacetGauss::point(q) - FacetGauss::point(other));
        sum += share * value[q];
      }
      return sum;
    }
  };
  /// A contact point that goes on pressing.
  struct Pressing {
    Index point = -1, part = -1;
    Real stiffness = 0, depth = 0, closing = 0, stretch = 0;

    CLEAVE_HD double energy() const { return 0.5 * stiffness * closing * closing; }
  };

  CLEAVE_HD Index first_side(Index c) const { return surface.of.boundary_sides + 2 * c; }
  /// Adds what a Gauss point holds. Returns true.
  CLEAVE_HD bool take(Index c, int q, Pressed& pressed) const {
    const Index i = FacetGauss::points * c + q;
    const FacetFrame frame = cohesive.frame_of(c);
    const auto place = faces.place(cohesive, c, q, frame, face_nodes(rows[c], surface.of.displacement));
    const CohesivePoint point = cohesive.point(c, q);
    const typename Law::State state = read_record(cohesive.state(c, q));
    const Vec2 before = cohesive.opening(c, q), moved = place.opening - before;
    const Real per_r = frame.jacobian * surface.thickness, area = FacetGauss::weight(q) * per_r;
    const Real scale = length_of(place.frame.normal());
    pressed.normal[q] = -per_r * scale * law.respond(place.opening, point, state).traction.x;
    const double held = law.respond(before, point, state).stored + cohesive.account(c, q);
    pressed.energy += area * (held + Real(0.5) * dot(cohesive.traction(c, q), moved));
    const Rubbed along = forces.held(i, point, place.opening.y);
    pressed.tangent[q] = per_r * scale * along.traction;
    pressed.rubbed += area * along.work;
    return true;
  }
  /// The Gauss point lets go. With what its last traction does in this step, its account comes to zero.
  /// @param handed_on  else the account keeps its energy
  CLEAVE_HD void leave(Index c, int q, bool handed_on) const {
    const auto place = faces.place(cohesive, c, q, cohesive.frame_of(c), face_nodes(rows[c], surface.of.displacement));
    const Vec2 before = cohesive.opening(c, q);
    const CohesivePoint point = cohesive.point(c, q);
    typename Law::State state = read_record(cohesive.state(c, q));
    if (handed_on)
      cohesive.account(c, q) = -Real(0.5) * dot(cohesive.traction(c, q), place.opening - before);
    else
      cohesive.account(c, q) += law.respond(before, point, state).stored;
    // The last Gauss points of faces that have turned are let go before they have failed.
    if (!Law::failed(state) && lead(law, {handed_over_offset, 0}, point, state))
      write_record(cohesive.state(c, q), state);
    cohesive.offset(c, q).x = handed_over_offset;
  }
  /// A point of a side, against the face that lies opposite.
  CLEAVE_HD Pressing pressing(Index c, int side, int j, const Pressed& pressed) const {
    constexpr int parts = PartSurface<Element>::parts_of_side;
    Pressing p;
    p.point = points_of_side * (first_side(c) + side) + j;
    const PointPlace place = surface.place(p.point);
    const Index opposite = parts * (first_side(c) + 1 - side) + (j == 0 ? parts - 1 : 0);
    const Vec2 now = place.position(surface);
    const Stencil s = track(surface, opposite, place.own, now);
    const Real r = Real(side == 0 ? j - 1 : 1 - j), weight = point_weight(j);
    const Real force = weight * Pressed::at(pressed.normal, r);
    if (!(force > 0) || !(s.depth >= 0) || place.is_barred_from(surface, s.part)) return p;
    p.part = s.part;
    p.stiffness = surface.stiffness(p.point, s.part);
    p.depth = s.depth;
    p.closing = force / p.stiffness;
    p.stretch = weight * Pressed::at(pressed.tangent, r) / (stick_stiffness * p.stiffness);
    return p;
  }
  CLEAVE_HD void begin(const Pressing& p, double energy) const {
    if (p.part < 0) return;
    const Index i = ContactPointTable::at(p.point, 0);
    ContactPoint contact = points.read(i);
    take_over_contact(contact.state, p.stiffness, p.depth, p.closing, p.stretch, energy);
    contact.part = p.part;
    contact.touching = true;
    points.write(i, contact);
    surface.press(p.point, p.part);
    works.at(p.point, Quantity::contact_energy) += energy;
  }
};

/// Writes down what listed cohesive elements have handed over, each by the rank that owns its first triangle.
template <class Element>
struct TellHanded {
  static constexpr KernelTraits traits{.name = "told hand-over"};
  Index count;
  Index first_side;                  ///< of cohesive elements
  const Index* listed;               ///< cohesive elements
  const CohesiveRow<Element>* rows;  ///< [cohesive]
  ElementRange own;
  ContactPointTable points;
  SumRows<PointSums> works;    ///< see HandOver
  SumRows<HandedSums> handed;  ///< likewise
  HandedElement* told;         ///< [count]

  CLEAVE_HD Index size() const { return count; }
  CLEAVE_HD Index first_point(Index c) const { return points_of_side * (first_side + 2 * c); }
  CLEAVE_HD void operator()(Index i) const {
    const Index c = listed[i];
    HandedElement& of = told[i];
    of.cohesive = own.has(element_of(rows[c].facets[0])) ? c : -1;
    for (int p = 0; p < HandedElement::points; ++p) {
      of.contact[p] = points.read(ContactPointTable::at(first_point(c) + p, 0));
      of.energy[p] = works.at(first_point(c) + p, Quantity::contact_energy);
    }
    of.handed[0] = handed.at(c, Quantity::cohesive_work);
    of.handed[1] = handed.at(c, Quantity::friction_energy);
  }
};

/// Takes what all ranks have told.
template <class Element>
struct TakeHanded {
  static constexpr KernelTraits traits{.name = "taken hand-over"};
  TellHanded<Element> from;

  CLEAVE_HD Index size() const { return from.count; }
  CLEAVE_HD void operator()(Index i) const {
    const HandedElement& of = from.told[i];
    const Index first = from.first_point(of.cohesive);
    for (int p = 0; p < HandedElement::points; ++p) {
      from.points.write(ContactPointTable::at(first + p, 0), of.contact[p]);
      from.works.at(first + p, Quantity::contact_energy) = of.energy[p];
    }
    from.handed.at(of.cohesive, Quantity::cohesive_work) = of.handed[0];
    from.handed.at(of.cohesive, Quantity::friction_energy) = of.handed[1];
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
