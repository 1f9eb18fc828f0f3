/// ContactTerm: its launches.
#pragma once

#include <vector>

#include "terms/contact/body_contact_impl.hpp"
#include "terms/contact/contact_term.hpp"
#include "terms/contact/obstacle_steps.hpp"
#include "terms/contact/surface_steps.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Element>
void ContactTerm<Backend, Element>::declare(Body& body, const Model& model) {
  obstacles_ = static_cast<Index>(model.obstacles.size());
  if (obstacles_ == 0 && !model.sides_touch) return;
  auto& fields = body.fields;
  const auto saved = [](On on, int width, Index rows = 0) {
    return FieldUse{
        .on = on, .width = width, .rows = rows, .rows_of_body = rows, .saved = true, .rows_of = RowsOf::all_ranks};
  };
  FieldUse of_nodes = saved(On::node, 1);
  of_nodes.split = Split::zero;
  force_ = fields.add_filled("contact forces", of_nodes, Vec2{});
  at_node_ = fields.add_filled("sides of nodes", {.on = On::node}, NodeSides{});
  of_body_.declare(fields, model);
  if (obstacles_ == 0) return;
  const int of_obstacles = points_of_side * obstacles_;
  point_force_ = fields.add_filled("forces of contact points", saved(On::side, points_of_side), Vec2{});
  point_work_ = fields.add_filled("works of contact points", saved(On::side, points_of_side * PointSums::count), 0.0);
  point_state_ = fields.add_filled("states of contact points", saved(On::side, of_obstacles), PointState{});
  point_phase_ = fields.add_filled("phases of contact points", saved(On::side, of_obstacles), PointPhase::free);
  point_obstacle_force_ = fields.add_filled("forces of obstacles", saved(On::side, of_obstacles), Vec2{});
  point_moment_ = fields.add_filled("moments on obstacles", saved(On::side, of_obstacles), Real(0));
  obstacle_ = fields.add_filled("obstacles", saved(On::work_row, 1, obstacles_), ObstacleState{});
  obstacle_work_ = fields.add_filled("works of obstacles", saved(On::work_row, ObstacleSums::count, obstacles_), 0.0);
}

template <class Backend, class Element>
void ContactTerm<Backend, Element>::upload(Body& body, const Model& model) {
  if (!active()) return;
  std::vector<Index> codes;
  for (Index code = 0; code < static_cast<Index>(model.mesh.neighbours.size()); ++code)
    if (model.mesh.neighbours[code] == boundary_facet) codes.push_back(code);
  boundary_sides_ = static_cast<Index>(codes.size());
  boundary_.upload(codes);
  linked_.upload({-1});
  listed_.upload({0});
  flags_.upload({SearchFlags{}});
  may_search_ = of_body_.active() || (!body.halo.is_alone() && body.cohesive_case);
  if (!model.touching.empty()) touching_.upload(model.touching);
  std::vector<Real> modulus;
  for (const MaterialCase& m : model.materials)
    modulus.push_back(static_cast<Real>(model.contact.penalty * m.parameters.young_modulus));
  modulus_.upload(modulus);
  cap_factor_ = static_cast<Real>(2 * contact_safety(model) / (model.step * model.step));
  of_body_.upload(model);
  std::vector<ObstacleShape> shapes;
  std::vector<ObstacleState> states;
  for (const Obstacle& o : model.obstacles) {
    shapes.push_back({.normal = {o.normal.x, o.normal.y},
                      .radius = o.radius,
                      .mass = o.mass,
                      .inertia = o.inertia,
                      .motion = {o.motion[0], o.motion[1]},
                      .friction = static_cast<Real>(o.friction)});
    states.push_back({.place = {o.place.x - body.centre.x, o.place.y - body.centre.y, 0},
                      .velocity = {o.velocity.x, o.velocity.y, 0}});
  }
  if (obstacles_ > 0) {
    shape_.upload(shapes);
    obstacle_.upload(states);
  }
  make_room(body);
}

template <class Backend, class Element>
ContactCounts ContactTerm<Backend, Element>::counts(const Body& body) const {
  return of_body_.counts(sides(body.cohesive.count));
}

template <class Backend, class Element>
void ContactTerm<Backend, Element>::make_room(Body& body) {
  if (!active()) return;
  const Index sides_there = sides(body.cohesive.capacity());
  body.fields.reserve(body.backend, On::side, sides_there);
  of_body_.make_room(sides_there);
  run_sum_.resize(static_cast<std::size_t>(SumObstacleForces::runs_of(sides_there)) * obstacles_);
}

template <class Backend, class Element>
Surface<Element> ContactTerm<Backend, Element>::surface_of(Body& body) {
  return {.elements = body.elements.table(),
          .boundary = boundary_.data(),
          .boundary_sides = boundary_sides_,
          .live = body.live(),
          .at_node = at_node_.data(),
          .inverse_mass = body.gather.inverse_mass.data(),
          .position = body.nodes.position.data(),
          .displacement = body.nodes.displacement.data(),
          .velocity = body.nodes.velocity.data(),
          .touching = touching_.size() > 0 ? touching_.data() : nullptr};
}

template <class Backend, class Element>
ContactSurface<Element> ContactTerm<Backend, Element>::contact_surface_of(Body& body) {
  return {.surface = surface_of(body),
          .modulus = {modulus_.data(), body.materials.of_element()},
          .cap_factor = cap_factor_,
          .thickness = body.thickness};
}

template <class Backend, class Element>
void ContactTerm<Backend, Element>::link_sides(Body& body, Vec2* force) {
  const Surface<Element> surface = surface_of(body);
  body.backend.launch(LinkSides<Element>{.surface = surface,
                                         .capacity = sides(body.cohesive.capacity()),
                                         .linked = linked_.data(),
                                         .assembly = body.gather.assembly.data(),
                                         .force = force});
  of_body_.list_parts(body, contact_surface_of(body), linked_.data());
  body.backend.launch(NoteLinked{body.live(), linked_.data()});
}

template <class Backend, class Element>
void ContactTerm<Backend, Element>::launch_inserted(Body& body) {
  if (active()) link_sides(body, force_.data());
}

template <class Backend, class Element>
void ContactTerm<Backend, Element>::launch_stop(Body& body, const LaunchedStep& step) {
  Counters& counters = body.report.data()->counters;
  body.backend.launch(StopForSearch{.live = body.live(),
                                    .number = step.number,
                                    .flags = flags_.data(),
                                    .pending = &counters.fractured_facets,
                                    .value = Counters::search_due,
                                    .at = &counters.search_step});
}

template <class Backend, class Element>
void ContactTerm<Backend, Element>::launch_search_check(Body& body, const LaunchedStep& step) {
  if (!active()) return;
  const DeviceGate gate = DeviceGate::closed_if(body.insertion_pending());
  const bool alone = body.halo.is_alone();
  SearchFlags* flags = flags_.data();
  if (!alone && may_search_) {
    body.backend.launch(SurfaceGrown{body.live(), listed_.data(), gate, &flags->due});
    launch_stop(body, step);
  }
  if (of_body_.active()) of_body_.launch_failure_check(body, contact_surface_of(body), gate, flags);
  if (!alone) motion_.exchange(body, &flags->due, gate);
  if (!of_body_.active()) return;
  of_body_.place_parts(body, contact_surface_of(body), step, gate, flags);
  launch_stop(body, step);
}

/// All ranks list the same nodes: those of all sides, of which some may touch an obstacle or be exposed later.
template <class Backend, class Element>
void ContactTerm<Backend, Element>::list_surface(Body& body) {
  link_sides(body, nullptr);
  HostRows at_node(at_node_);
  motion_.list(body, [&](Index n) { return at_node[n].begins >= 0 || at_node[n].ends >= 0; });
  listed_.upload({body.cohesive.count});
  listed_sides_ = sides(body.cohesive.count);
  motion_.exchange(body, &flags_.data()->due, DeviceGate::always());
}

template <class Backend, class Element>
void ContactTerm<Backend, Element>::search(Body& body) {
  if (!active()) return;
  const bool is_first = listed_sides_ < 0;
  if (!body.halo.is_alone() && listed_sides_ != sides(body.cohesive.count)) {
    list_surface(body);
    if (!is_first) return;
  }
  link_sides(body, force_.data());
  if (of_body_.active()) of_body_.search(body, contact_surface_of(body));
}

template <class Backend, class Element>
void ContactTerm<Backend, Element>::list_candidates(Body& body) {
  if (!active()) return;
  if (!body.halo.is_alone()) list_surface(body);
  link_sides(body, nullptr);  // the run goes on with the forces that it was stopped with
  if (of_body_.active()) of_body_.list_candidates(body, contact_surface_of(body));
}

template <class Backend, class Element>
void ContactTerm<Backend, Element>::check_loaded(Body& body) {
  if (!active()) return;
  linked_.upload({-1});
  of_body_.check_loaded(body);
}

template <class Backend, class Element>
void ContactTerm<Backend, Element>::launch_forces(Body& body, const LaunchedStep& step) {
  if (!active()) return;
  if (obstacles_ > 0) launch_obstacles(body, step);
  of_body_.launch_forces(body, contact_surface_of(body), step, obstacles_ > 0, force_.data());
}

template <class Backend, class Element>
void ContactTerm<Backend, Element>::launch_obstacles(Body& body, const LaunchedStep& step) {
  const Surface<Element> surface = surface_of(body);
  const Index capacity = sides(body.cohesive.capacity());
  const ObstaclePoints points = points_of();
  body.backend.launch(ObstaclePointStep<Element>{.surface = surface,
                                                 .capacity = capacity,
                                                 .shapes = shape_.data(),
                                                 .states = obstacle_.data(),
                                                 .points = points,
                                                 .modulus = {modulus_.data(), body.materials.of_element()},
                                                 .cap_factor = cap_factor_,
                                                 .thickness = body.thickness,
                                                 .dt = Real(step.start ? 0 : body.dt),
                                                 .number = step.number,
                                                 .insertion_pending = body.insertion_pending(),
                                                 .point_force = point_force_.data(),
                                                 .works = {{point_work_.data()}},
                                                 .fault = &body.report.data()->fault});
  body.backend.launch(SurfaceForces<Element>{.surface = surface,
                                             .capacity = capacity,
                                             .point_force = point_force_.data(),
                                             .insertion_pending = body.insertion_pending(),
                                             .force = force_.data()});
  body.backend.launch(SumObstacleForces{.capacity = capacity,
                                        .boundary_sides = boundary_sides_,
                                        .live = body.live(),
                                        .points = points,
                                        .insertion_pending = body.insertion_pending(),
                                        .sums = run_sum_.data()});
  body.backend.launch(MoveObstacles{.obstacles = obstacles_,
                                    .boundary_sides = boundary_sides_,
                                    .live = body.live(),
                                    .sums = run_sum_.data(),
                                    .shapes = shape_.data(),
                                    .states = obstacle_.data(),
                                    .input = body.inputs.at(body.live(), step.number),
                                    .dt = body.dt,
                                    .start = step.start,
                                    .centre = {body.centre.x, body.centre.y},
                                    .insertion_pending = body.insertion_pending(),
                                    .works = {{obstacle_work_.data()}},
                                    .shown = body.report.data()->obstacles});
}

template <class Backend, class Element>
void ContactTerm<Backend, Element>::add_sums(Body& body, SumTables& sums) {
  if (!body.halo.leads()) return;  // all ranks have the same
  of_body_.add_sums(body, sums);
  if (obstacles_ == 0) return;
  sums.add(SumRows<PointSums>{{point_work_.data()}}, points_of_side * sides(body.cohesive.capacity()));
  sums.add(SumRows<ObstacleSums>{{obstacle_work_.data()}}, obstacles_);
}

template <class Backend, class Element>
ContactTraction<Element> ContactTerm<Backend, Element>::traction(Body& body) {
  return {of_body_.surface_of(contact_surface_of(body), sides(body.cohesive.count), 0), force_.data()};
}

template <class Backend, class Element>
ContactCopy<Backend> ContactTerm<Backend, Element>::copy_shown(Body& body, HostCopy<Backend>& copy) {
  ContactCopy<Backend> to;
  if (!active()) return to;
  to.sides = sides(body.cohesive.count);
  to.boundary_sides = boundary_sides_;
  to.obstacles = obstacles_;
  ShowContact<Element> show{};
  show.traction = traction(body);
  of_body_.copy_shown(to.sides, show, copy, to);
  shown_.resize(show.size());
  show.obstacles = points_of();
  show.shown = shown_.data();
  body.backend.launch(show);
  to.boundary = copy.add(boundary_, boundary_sides_);
  to.shown = copy.add(shown_, show.size());
  const auto points = static_cast<std::size_t>(points_of_side) * to.sides;
  if (obstacles_ > 0) to.phase = copy.add(point_phase_.buffer(), points * obstacles_);
  return to;
}

}  // namespace cleave::inline CLEAVE_PRECISION
