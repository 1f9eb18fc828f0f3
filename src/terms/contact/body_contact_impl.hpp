/// BodyContact: its launches.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "body/checkpoint_indices.hpp"
#include "cleave/mesh/contact_depth.hpp"
#include "terms/contact/body_contact.hpp"
#include "terms/contact/hand_over.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Stops steps when a search is due.
struct StopForSearch {
  static constexpr KernelTraits traits{.name = "contact search"};
  const LiveCounts* live;
  int number;          ///< see LaunchedStep
  SearchFlags* flags;  ///< set back
  Index* pending;      ///< see BlockStep
  Index value;         ///< that it gets
  Step* at;

  CLEAVE_HD Index size() const { return 1; }
  CLEAVE_HD void operator()(Index) const {
    if (flags->due != 0 && *pending == 0) {
      *pending = value;
      *at = live->step() + number;
    }
    *flags = {};
  }
};

/// Reports faults at the triangle of a point.
template <class Element>
struct ReportContactFault {
  Surface<Element> surface;
  FaultRecord* fault;
  FaultCode code;
  int number;  ///< see LaunchedStep

  CLEAVE_HD void operator()(Index point, Index /*part*/) const {
    fault->report(code, element_of(surface.facet(point / points_of_side)), surface.live->step() + number);
  }
};

/// The shortest facet of a mesh, m.
inline double shortest_facet(const Mesh& mesh) {
  double shortest = std::numeric_limits<double>::infinity();
  for (Index e = 0; e < mesh.element_count(); ++e)
    for (int i = 0; i < 3; ++i) {
      const Point a = mesh.nodes[mesh.node(e, i)], b = mesh.nodes[mesh.node(e, (i + 1) % 3)];
      shortest = std::min(shortest, std::hypot(b.x - a.x, b.y - a.y));
    }
  return shortest;
}

template <class Backend, class Element>
void BodyContact<Backend, Element>::declare(Fields<Backend>& fields, const Model& model) {
  if (!model.sides_touch) return;
  constexpr int contacts = points_of_side * contacts_of_point;
  const auto saved = [](On on, int width) {
    return FieldUse{.on = on, .width = width, .saved = true, .rows_of = RowsOf::all_ranks};
  };
  side_state_ = fields.add_filled("states of sides", saved(On::side, 1), SideState{});
  const FieldUse of_parts{.on = On::side, .width = Surface<Element>::parts_of_side};
  part_nodes_ = fields.template add<PartNodes>("nodes of parts", of_parts);
  part_ends_ = fields.template add<PartEnds>("ends of parts", of_parts);
  bearing_ = fields.template add<PartBearing>("bearing of parts", of_parts);
  spans_ = fields.template add<PartSpan>("spans of parts", of_parts);
  forced_ = fields.template add<Forced>("forced parts", of_parts);
  part_ = fields.add_filled("parts of contact points", saved(On::side, contacts), Index{-1});
  touching_points_ = fields.add_filled("touching contact points", saved(On::side, contacts), std::uint8_t{0});
  across_ = fields.add_filled("contact points across corners", saved(On::side, contacts), std::uint8_t{0});
  state_ = fields.add_filled("states of contacts", saved(On::side, contacts), PointState{});
  acting_ = fields.add_filled("forces of contacts", saved(On::side, contacts), PartForces{});
  work_ = fields.add_filled("works of contacts", saved(On::side, points_of_side * PointSums::count), 0.0);
  handed_ = fields.add_filled("works handed to contact", saved(On::cohesive, HandedSums::count), 0.0);
}

template <class Backend, class Element>
void BodyContact<Backend, Element>::upload(const Model& model) {
  if (!active()) return;
  friction_ = static_cast<Real>(model.contact.friction);
  // A wider skin makes the rows longer, a narrower one searches more often. With this one, rows have about twice as
  // many parts as without, and a node with 0.01 of the wave speed moves for a hundred steps before a search.
  skin_ = static_cast<Real>(1.25 * shortest_facet(model.mesh) / PartSurface<Element>::parts_of_side);
  const std::vector<double> depths = contact_depths(model.mesh);
  limits_.upload(std::vector<Real>(depths.begin(), depths.end()));
  near_count_.upload({0});
  searched_.upload({0});
}

template <class Backend, class Element>
void BodyContact<Backend, Element>::make_room(Index sides) {
  if (!active()) return;
  search_.make_room(PartSurface<Element>::parts_of_side * sides, points_of_side * sides);
  near_point_.resize(static_cast<std::size_t>(points_of_side) * sides);
  near_parts_.resize(near_point_.size());
  failed_in_step_.resize(sides / 2);  // two sides each; those of the boundary do not fail
}

template <class Backend, class Element>
PartSurface<Element> BodyContact<Backend, Element>::surface_of(const ContactSurface<Element>& of, Index sides,
                                                               Real dt) {
  return {.of = of.surface,
          .sides = sides,
          .state = side_state_.data(),
          .table = {part_nodes_.data(), part_ends_.data(), bearing_.data(), spans_.data(), forced_.data()},
          .cap_factor = of.cap_factor,
          .thickness = of.thickness,
          .dt = dt};
}

template <class Backend, class Element>
ListParts<Element> BodyContact<Backend, Element>::parts_list(Body& body, const ContactSurface<Element>& of,
                                                             const Index* linked) {
  const Index sides = body.terms.contact.sides(body.cohesive.capacity());
  return {of, sides, linked, side_state_.data(), limits_.data(), surface_of(of, sides, 0).table};
}

template <class Backend, class Element>
void BodyContact<Backend, Element>::list_parts(Body& body, const ContactSurface<Element>& of, const Index* linked) {
  if (active()) body.backend.launch(parts_list(body, of, linked));
}

template <class Backend, class Element>
void BodyContact<Backend, Element>::launch_failure_check(Body& body, const ContactSurface<Element>& of, DeviceGate gate,
                                                         SearchFlags* flags) {
  if (body.cohesive.count == 0) return;
  const bool alone = body.halo.is_alone();
  body.cohesive.with_law([&]<class Law>(const Law&, const CohesiveTable<Law>& table) {
    body.backend.launch(
        ExposeFailed<Element, FailedElements<Element, Law>>{.surface = of.surface,
                                                            .capacity = body.cohesive.capacity(),
                                                            .failed = failed(body, of, table),
                                                            .searched = alone ? searched_.data() : nullptr,
                                                            .state = side_state_.data(),
                                                            .forced = forced_.data(),
                                                            .gate = gate,
                                                            .in_step = failed_in_step(flags)});
  });
  if (alone) body.backend.launch(ListNewParts<Element>{parts_list(body, of, nullptr), failed_in_step(flags)});
}

template <class Backend, class Element>
void BodyContact<Backend, Element>::place_parts(Body& body, const ContactSurface<Element>& of, const LaunchedStep& step,
                                                DeviceGate gate, SearchFlags* flags) {
  const PartSurface<Element> surface =
      surface_of(of, body.terms.contact.sides(body.cohesive.capacity()), Real(step.start ? 0 : body.dt));
  search_.place_parts(body.backend, surface, skin_, gate, &flags->due);
  if (body.cohesive.count > 0 && body.halo.is_alone()) hand_over(body, surface, failed_in_step(flags));
}

template <class Backend, class Element>
std::vector<Index> BodyContact<Backend, Element>::expose(Body& body, const ContactSurface<Element>& of, Index sides) {
  const bool alone = body.halo.is_alone();
  const std::vector<SideState> before = alone ? std::vector<SideState>{} : side_state_.download(sides);
  body.cohesive.with_law([&]<class Law>(const Law&, const CohesiveTable<Law>& table) {
    body.backend.launch(ExposeSides<Element, FailedElements<Element, Law>>{of.surface, sides, failed(body, of, table),
                                                                           side_state_.data()});
  });
  std::vector<Index> exposed;
  if (alone) return exposed;
  body.halo.unite(side_state_);
  const std::vector<SideState> now = side_state_.download(sides);
  for (Index side = of.surface.boundary_sides; side < sides; side += 2)
    if (now[side].exposed != before[side].exposed) exposed.push_back((side - of.surface.boundary_sides) / 2);
  return exposed;
}

/// The ranks that step a cohesive element have handed it over; they tell the others.
template <class Backend, class Element>
void BodyContact<Backend, Element>::share_handed(Body& body, const std::vector<Index>& elements) {
  const auto count = static_cast<Index>(elements.size());
  if (count == 0) return;
  newly_exposed_.upload(elements);
  told_.resize(elements.size());
  TellHanded<Element> tell{.count = count,
                           .first_side = body.terms.contact.sides(0),
                           .listed = newly_exposed_.data(),
                           .rows = body.elements.cohesive_rows.data(),
                           .own = body.halo.own_elements(),
                           .points = points(),
                           .works = {{work_.data()}},
                           .handed = {{handed_.data()}},
                           .told = told_.data()};
  body.backend.launch(tell);
  std::vector<HandedElement> own = told_.download(elements.size());
  std::erase_if(own, [](const HandedElement& of) { return of.cohesive < 0; });
  told_.upload(body.halo.records_of_all(own));
  body.backend.launch(TakeHanded<Element>{tell});
}

template <class Backend, class Element>
template <class Law, class Faces>
void BodyContact<Backend, Element>::launch_hand_over(Body& body, const PartSurface<Element>& surface, const Law& law,
                                                     const CohesiveTable<Law>& table, const Faces& faces,
                                                     const FailedInStep& failed) {
  body.backend.launch(HandOver<Element, Law, Faces>{.surface = surface,
                                                    .failed = failed,
                                                    .capacity = body.cohesive.capacity(),
                                                    .rows = body.elements.cohesive_rows.data(),
                                                    .law = law,
                                                    .cohesive = table,
                                                    .faces = faces,
                                                    .forces = FaceForces::of(body.terms),
                                                    .own = body.halo.own_elements(),
                                                    .points = points(),
                                                    .works = {{work_.data()}},
                                                    .handed = {{handed_.data()}}});
}

template <class Backend, class Element>
void BodyContact<Backend, Element>::search(Body& body, const ContactSurface<Element>& of) {
  const PartSurface<Element> surface = surface_of(of, body.terms.contact.sides(body.cohesive.count), 0);
  const std::vector<Index> exposed = expose(body, of, surface.sides);
  list_parts(body, of, nullptr);
  search_.place_parts(body.backend, surface, skin_, DeviceGate::always(), nullptr);
  if (body.cohesive.count > 0) hand_over(body, surface, {});
  if (!body.halo.is_alone()) share_handed(body, exposed);
  list_candidates(body, of);
  body.backend.launch(CheckCrossings<PartSurface<Element>, ReportContactFault<Element>>{
      surface, search_.candidates().rows, {of.surface, &body.report.data()->fault, FaultCode::crossed_corners, 0}});
}

template <class Backend, class Element>
void BodyContact<Backend, Element>::hand_over(Body& body, const PartSurface<Element>& surface,
                                              const FailedInStep& failed) {
  body.cohesive.with_law([&]<class Law>(const Law& law, const CohesiveTable<Law>& table) {
    if (body.finite)
      launch_hand_over(body, surface, law, table, body.terms.cohesive.turning_faces(body), failed);
    else
      launch_hand_over(body, surface, law, table, body.terms.cohesive.fixed_faces(body, 0), failed);
  });
}

template <class Backend, class Element>
void BodyContact<Backend, Element>::list_candidates(Body& body, const ContactSurface<Element>& of) {
  search_.build(body.backend, surface_of(of, body.terms.contact.sides(body.cohesive.count), 0), skin_);
  searched_.upload({body.cohesive.count});
}

template <class Backend, class Element>
void BodyContact<Backend, Element>::launch_forces(Body& body, const ContactSurface<Element>& of,
                                                  const LaunchedStep& step, bool adds, Vec2* force) {
  if (!active()) return;
  using Parts = PartSurface<Element>;
  const Parts surface =
      surface_of(of, body.terms.contact.sides(body.cohesive.capacity()), Real(step.start ? 0 : body.dt));
  const DeviceGate gate = DeviceGate::closed_if(body.insertion_pending());
  const NearPoints near{near_count_.data(), near_point_.data(), near_parts_.data()};
  body.backend.launch(
      ListNearPoints<Parts>{surface, search_.candidates(), points(), gate, search_.close_state(), near});
  body.backend.launch(ContactPointStep<Parts, ReportContactFault<Element>>{
      .surface = surface,
      .candidates = search_.candidates(),
      .near = near,
      .points = points(),
      .works = {{work_.data()}},
      .friction = friction_,
      .gate = gate,
      .fault = {of.surface, &body.report.data()->fault, FaultCode::deep_overlap, step.number}});
  body.backend.launch(
      ContactNodeForces<Parts>{surface, search_.points_of_parts(), points(), near_count_.data(), gate, adds, force});
}

template <class Backend, class Element>
void BodyContact<Backend, Element>::add_sums(Body& body, SumTables& sums) {
  if (!active()) return;
  sums.add(SumRows<PointSums>{{work_.data()}}, points_of_side * body.terms.contact.sides(body.cohesive.capacity()));
  sums.add(SumRows<HandedSums>{{handed_.data()}}, body.cohesive.capacity());
}

template <class Backend, class Element>
ContactCounts BodyContact<Backend, Element>::counts(Index sides) const {
  if (!active()) return {};
  ContactCounts counts{.candidates = search_.pairs()};
  const Index contacts = points_of_side * contacts_of_point * sides;
  const std::vector<Index> part = part_.download(contacts);
  for (Index first = 0; first < contacts; first += contacts_of_point)
    counts.engaged += std::any_of(&part[first], &part[first] + contacts_of_point, [](Index p) { return p >= 0; });
  return counts;
}

template <class Backend, class Element>
void BodyContact<Backend, Element>::copy_shown(Index sides, ShowContact<Element>& show, HostCopy<Backend>& copy,
                                               ContactCopy<Backend>& to) {
  if (!active()) return;
  show.points_of_parts = search_.points_of_parts();
  show.points = points();
  const auto contacts = static_cast<std::size_t>(sides) * points_of_side * contacts_of_point;
  to.of_body = true;
  to.part = copy.add(part_.buffer(), contacts);
  to.touching = copy.add(touching_points_.buffer(), contacts);
}

template <class Backend, class Element>
void BodyContact<Backend, Element>::check_loaded(Body& body) {
  if (!active()) return;
  const Index sides = body.terms.contact.sides(body.cohesive.count);
  for (const Index part : part_.download(static_cast<std::size_t>(points_of_side * contacts_of_point) * sides))
    require_in(part, -1, PartSurface<Element>::parts_of_side * sides - 1, "the side that a contact point tracks");
}

}  // namespace cleave::inline CLEAVE_PRECISION
