/// Contact between the faces of a slit that has been pressed shut, on the tables of a body.
#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "backend/device_mesh.hpp"
#include "cleave/mesh/altitude.hpp"
#include "terms/contact/candidate_search.hpp"
#include "terms/contact/part_surface.hpp"
#include "terms/contact/surface_steps.hpp"

namespace cleave::contact_surface_test {

/// Cohesive elements that have failed.
struct FailedAs {
  const std::uint8_t* failed;  ///< [cohesive]
  CLEAVE_HD bool operator()(Index c) const { return failed[c] != 0; }
};
/// No point sinks too far.
struct NoFault {
  Index* faults;
  CLEAVE_HD void operator()(Index, Index) const { atomic_write(*faults, 1); }
};

/// Copies what a part says about itself: nodes, parts beside, sharp ends, parts that share a node.
template <class Element>
struct DescribeParts {
  static constexpr KernelTraits traits{.name = "parts"};
  PartSurface<Element> surface;
  static constexpr int values = 8;
  Index* out;  ///< [part][value]

  CLEAVE_HD Index size() const { return surface.parts(); }
  CLEAVE_HD void operator()(Index part) const {
    for (int end = 0; end < 2; ++end) {
      out[values * part + end] = surface.node(part, end);
      out[values * part + 2 + end] = surface.is_exposed(part) ? surface.beside(part, end) : -2;
      out[values * part + 4 + end] = surface.is_sharp(part, end);
      out[values * part + 6 + end] = surface.is_exposed(part) ? surface.joined(part, end) : -2;
    }
  }
};

/// Copies the stiffness of each point against a part far from it.
template <class Element>
struct DescribeStiffness {
  static constexpr KernelTraits traits{.name = "stiffness"};
  PartSurface<Element> surface;
  Real* out;  ///< [point], N/m

  CLEAVE_HD Index size() const { return surface.points(); }
  CLEAVE_HD void operator()(Index p) const { out[p] = surface.stiffness(p, 7 * p % surface.parts()); }
};

/// Notes the points that a surface visits at the ends of parts.
template <class Element>
struct DescribePointsAtEnds {
  static constexpr KernelTraits traits{.name = "points at ends"};
  PartSurface<Element> surface;
  std::uint8_t* visited;  ///< [part][point]

  CLEAVE_HD Index size() const { return surface.parts(); }
  CLEAVE_HD void operator()(Index part) const {
    const Index row = part * surface.points();
    surface.for_each_point_at_ends(part, [&](Index point) { visited[row + point] = 1; });
  }
};

}  // namespace cleave::contact_surface_test

namespace cleave::test {
namespace {

using namespace contact_surface_test;
constexpr double slit_side = 0.25, slit_shut = 0.02, slit_thickness = 2e-3, slit_modulus = 3e9;

/// A plate with a slit from the left, whose faces are those of cohesive elements.
template <class Element>
struct SlitPlate {
  static constexpr ElementType type = Element::facet_nodes == 3 ? ElementType::t6 : ElementType::t3;
  static constexpr int parts_of_side = PartSurface<Element>::parts_of_side;
  DeviceMesh<Element> mesh{rectangle(type, {12, 6}, {3, 1.5}, {0, 0}, 1.5), 6};
  std::vector<Index> boundary;
  std::vector<Index> upper;  ///< nodes of the upper face that are doubled
  Backend backend;
  Buffer<Index> boundary_there, linked, faults, due;
  Buffer<LiveCounts> live;
  Buffer<NodeSides> at_node;
  Buffer<NodeAssembly> assembly;
  Buffer<Vec2> displacement, velocity, force;
  Buffer<SideState> state;
  Buffer<std::uint8_t> failed, touching_points, across;
  Buffer<Real> limits, modulus, inverse_mass;
  Buffer<PartNodes> part_nodes;
  Buffer<PartEnds> ends;
  Buffer<PartBearing> bearing;
  Buffer<PartSpan> spans;
  Buffer<Forced> forced;
  Buffer<Index> part, near_count, near_point;
  Buffer<std::uint64_t> near_parts;
  Buffer<PointState> point_state;
  Buffer<PartForces> acting;
  Buffer<double> works;
  CandidateSearch<Backend> search;

  SlitPlate() {
    const Mesh& m = mesh.mesh;
    const auto at = [&](Index code, int i) {
      return m.nodes[m.node(element_of(code), Element::facet_slot(facet_of(code), i))];
    };
    const auto below = [&](Index code) { return m.nodes[m.node(element_of(code), facet_of(code))].y < at(code, 0).y; };
    std::vector<Index> lower_faces, upper_faces;
    for (Index code = 0; code < static_cast<Index>(m.neighbours.size()); ++code) {
      if (m.neighbours[code] != boundary_facet) continue;
      const Point a = at(code, 0), b = at(code, Element::facet_nodes - 1);
      const bool of_slit = std::abs(a.y - 0.75) < 1e-9 && std::abs(b.y - 0.75) < 1e-9;
      (!of_slit ? boundary : below(code) ? lower_faces : upper_faces).push_back(code);
    }
    REQUIRE(lower_faces.size() == 6);
    REQUIRE(upper_faces.size() == 6);
    auto rows = mesh.rows.download(m.element_count());
    for (Index c = 0; c < 6; ++c)
      for (const Index code : upper_faces)
        if (std::abs(at(code, 0).x - at(lower_faces[c], Element::facet_nodes - 1).x) < 1e-9) {
          rows.cohesive[c].facets[0] = lower_faces[c];
          rows.cohesive[c].facets[1] = code;
        }
    mesh.rows.upload(rows);
    for (const Index code : upper_faces)
      for (int i = 0; i < Element::facet_nodes; ++i)
        if (at(code, i).x < 1.5 - 1e-9)
          upper.push_back(m.node(element_of(code), Element::facet_slot(facet_of(code), i)));
    upload();
  }
  void upload() {
    const std::size_t nodes = mesh.nodes(), sides = boundary.size() + 12, points = 3 * sides;
    boundary_there.upload(boundary);
    linked.upload({-1});
    faults.upload({0});
    due.upload({0});
    live.upload({LiveCounts{.nodes = static_cast<Index>(nodes), .cohesive = 6}});
    at_node.upload(std::vector<NodeSides>(nodes));
    assembly.upload(std::vector<NodeAssembly>(nodes));
    inverse_mass.upload(std::vector<Real>(nodes, Real(1e-9)));
    std::vector<Vec2> moved(nodes, Vec2{0, 0});
    for (const Index n : upper) moved[n] = {0, Real(-slit_shut)};
    displacement.upload(moved);
    velocity.upload(moved);  // in a step of 1 s
    force.upload(std::vector<Vec2>(nodes, Vec2{0, 0}));
    state.upload(std::vector<SideState>(sides));
    limits.upload(std::vector<Real>(mesh.mesh.element_count(), Real(largest_contact_depth * slit_side / 2)));
    modulus.upload({Real(slit_modulus)});
    const std::size_t parts = parts_of_side * sides;
    part_nodes.resize(parts);
    ends.resize(parts);
    bearing.resize(parts);
    spans.resize(parts);
    forced.resize(parts);
    near_count.upload({0});
    near_point.resize(points);
    near_parts.resize(points);
    part.upload(std::vector<Index>(contacts_of_point * points, -1));
    touching_points.upload(std::vector<std::uint8_t>(contacts_of_point * points, 0));
    across.upload(std::vector<std::uint8_t>(contacts_of_point * points, 0));
    point_state.upload(std::vector<PointState>(contacts_of_point * points));
    acting.upload(std::vector<PartForces>(contacts_of_point * points));
    works.upload(std::vector<double>(PointSums::count * points, 0));
  }
  Index sides() const { return static_cast<Index>(boundary.size()) + 12; }
  PartSurface<Element> surface() {
    return {.of = {.elements = mesh.table(),
                   .boundary = boundary_there.data(),
                   .boundary_sides = static_cast<Index>(boundary.size()),
                   .live = live.data(),
                   .at_node = at_node.data(),
                   .inverse_mass = inverse_mass.data(),
                   .position = mesh.position.data(),
                   .displacement = displacement.data(),
                   .velocity = velocity.data(),
                   .touching = nullptr},
            .sides = sides(),
            .state = state.data(),
            .table = {part_nodes.data(), ends.data(), bearing.data(), spans.data(), forced.data()},
            .cap_factor = 1,
            .thickness = Real(slit_thickness),
            .dt = 1};
  }
  ListParts<Element> parts_list() {
    const ContactSurface<Element> of{surface().of, {modulus.data(), nullptr}, 1, Real(slit_thickness)};
    return {of, sides(), nullptr, state.data(), limits.data(), surface().table};
  }
  /// Exposes the sides of cohesive elements that have failed.
  void expose(const std::vector<std::uint8_t>& which) {
    failed.upload(which);
    backend.launch(LinkSides<Element>{surface().of, sides(), linked.data(), assembly.data(), nullptr});
    backend.launch(ExposeSides<Element, FailedAs>{surface().of, sides(), {failed.data()}, state.data()});
    backend.launch(parts_list());
    search.build(backend, surface(), Real(0.05));
  }
  /// The same in a step, where only the first `searched` elements have rows of candidates.
  SearchFlags fail(const std::vector<std::uint8_t>& which, Index searched, bool gate_is_open = true) {
    failed.upload(which);
    Buffer<Index> rows, closed, listed;
    Buffer<SearchFlags> flags;
    listed.resize(6);
    rows.upload({searched});
    closed.upload({gate_is_open ? 0 : 1});
    flags.upload({SearchFlags{}});
    backend.launch(ExposeFailed<Element, FailedAs>{.surface = surface().of,
                                                   .capacity = 6,
                                                   .failed = {failed.data()},
                                                   .searched = rows.data(),
                                                   .state = state.data(),
                                                   .forced = forced.data(),
                                                   .gate = DeviceGate::closed_if(closed.data()),
                                                   .in_step = {flags.data(), listed.data()}});
    backend.launch(ListNewParts<Element>{parts_list(), {flags.data(), listed.data()}});
    return flags.download(1).front();
  }
  /// Whether the sides of each cohesive element are exposed.
  std::vector<int> exposed() {
    const auto states = state.download(sides());
    std::vector<int> found;
    for (std::size_t side = boundary.size(); side < states.size(); side += 2) {
      CHECK(states[side].exposed == states[side + 1].exposed);
      found.push_back(states[side].exposed);
    }
    return found;
  }
  ContactPointTable points_there() {
    return {part.data(), touching_points.data(), across.data(), point_state.data(), acting.data()};
  }
  void step() {
    const PartSurface<Element> now = surface();
    const ContactPointTable table = points_there();
    search.place_parts(backend, now, Real(0.05), DeviceGate::always(), due.data());
    const NearPoints near{near_count.data(), near_point.data(), near_parts.data()};
    backend.launch(ListNearPoints<PartSurface<Element>>{now, search.candidates(), table, DeviceGate::always(),
                                                        search.close_state(), near});
    backend.launch(ContactPointStep<PartSurface<Element>, NoFault>{
        now, search.candidates(), near, table, {{works.data()}}, 0, DeviceGate::always(), {faults.data()}});
    backend.launch(ContactNodeForces<PartSurface<Element>>{now, search.points_of_parts(), table, near_count.data(),
                                                           DeviceGate::always(), false, force.data()});
  }
  /// Moves the upper face: so far down, by so much in this step.
  void move(double down, double by) {
    std::vector<Vec2> place(mesh.nodes(), Vec2{0, 0}), motion = place;
    for (const Index n : upper) {
      place[n] = {0, Real(-down)};
      motion[n] = {0, Real(-by)};
    }
    displacement.upload(place);
    velocity.upload(motion);
  }
  /// Forces on nodes, added up from all points.
  std::vector<Vec2> all_forces() {
    PartSurface<Element> now = surface();
    Buffer<Forced> all;
    all.upload(std::vector<Forced>(now.parts(), Forced::now));
    now.table.forced = all.data();
    Buffer<Vec2> sums;
    sums.upload(std::vector<Vec2>(mesh.nodes(), Vec2{0, 0}));
    backend.launch(ContactNodeForces<PartSurface<Element>>{
        now, search.points_of_parts(), points_there(), near_count.data(), DeviceGate::always(), false, sums.data()});
    return sums.download(mesh.nodes());
  }
  std::vector<Index> described() {
    Buffer<Index> out;
    const std::size_t size = DescribeParts<Element>::values * static_cast<std::size_t>(parts_of_side * sides());
    out.resize(size);
    backend.launch(DescribeParts<Element>{surface(), out.data()});
    return out.download(size);
  }
};

constexpr double slit_rounding = sizeof(Real) == 8 ? 1e-10 : 1e-3;

}  // namespace

TEMPLATE_TEST_CASE("parts of exposed sides follow each other around a body", "[contact]", T3, T6) {
  SlitPlate<TestType> plate;
  plate.expose({1, 1, 1, 0, 1, 1});
  const auto parts = plate.described();
  const int parts_of_side = SlitPlate<TestType>::parts_of_side;
  constexpr int values = DescribeParts<TestType>::values;
  const auto& places = plate.mesh.mesh.nodes;
  int across = 0, sharp_ends = 0, hidden = 0;
  for (Index p = 0; values * p < static_cast<Index>(parts.size()); ++p) {
    const Index* here = &parts[values * p];
    hidden += here[2] == -2;
    if (here[2] == -2) continue;
    for (const int end : {0, 1}) {
      const Index beside = here[2 + end], joined = here[6 + end];
      REQUIRE(beside >= 0);
      const Index* there = &parts[values * beside];
      sharp_ends += here[4 + end];
      across += joined < 0;
      if (joined >= 0) CHECK(there[1 - end] == here[end]);
      CHECK((joined == beside || joined == -1));
      CHECK(places[there[1 - end]].x == places[here[end]].x);
      CHECK(places[there[1 - end]].y == places[here[end]].y);
      CHECK(there[2 + 1 - end] == p);
      CHECK(there[4 + 1 - end] == here[4 + end]);
    }
  }
  CHECK(across == 4);  // at both ends of the one that holds, to the other face
  CHECK(sharp_ends == 0);
  CHECK(hidden == 2 * parts_of_side);
}

TEMPLATE_TEST_CASE("all contact points at the ends of a part are found, of all sides", "[contact]", T3, T6) {
  SlitPlate<TestType> plate;
  plate.expose({1, 1, 1, 0, 1, 1});
  const auto parts = plate.described();
  constexpr int values = DescribeParts<TestType>::values, of_side = SlitPlate<TestType>::parts_of_side;
  const Index points = points_of_side * plate.sides();
  Buffer<std::uint8_t> there;
  there.upload(std::vector<std::uint8_t>(static_cast<std::size_t>(of_side * plate.sides()) * points, 0));
  plate.backend.launch(DescribePointsAtEnds<TestType>{plate.surface(), there.data()});
  const auto visited = there.download(static_cast<std::size_t>(of_side * plate.sides()) * points);
  int at_ends = 0;
  for (Index part = 0; part < of_side * plate.sides(); ++part)
    for (Index point = 0; point < points; ++point) {
      const Index side = point / points_of_side, i = point % points_of_side;
      const bool is_visited = visited[static_cast<std::size_t>(part) * points + point] != 0;
      const Index node = parts[values * (of_side * side + (i == 2 ? of_side - 1 : 0)) + (i == 2 ? 1 : 0)];
      const bool at_end = i != 1 && (node == parts[values * part] || node == parts[values * part + 1]);
      at_ends += at_end;
      CAPTURE(part, point);
      CHECK((is_visited || !at_end));
      CHECK((at_end || !is_visited || (of_side == 2 && side == part / of_side)));  // about a mid-side node
    }
  CHECK(at_ends == (of_side == 1 ? 4 : 2) * of_side * plate.sides());
}

TEMPLATE_TEST_CASE("a contact is as stiff as the weakest of the nodes that it acts on bears", "[contact]", T3, T6) {
  SlitPlate<TestType> plate;
  const Mesh& m = plate.mesh.mesh;
  std::mt19937 random(1);
  std::vector<double> mass(m.nodes.size());
  std::vector<Real> inverse_mass(mass.size());
  for (std::size_t n = 0; n < mass.size(); ++n) {
    mass[n] = std::pow(10, std::uniform_real_distribution<>(5, 7)(random));
    inverse_mass[n] = static_cast<Real>(1 / mass[n]);
  }
  plate.inverse_mass.upload(inverse_mass);
  plate.expose({1, 1, 1, 1, 1, 1});
  const auto parts = plate.described();
  const int parts_of_side = SlitPlate<TestType>::parts_of_side;
  const auto node = [&](Index part, int end) { return parts[DescribeParts<TestType>::values * part + end]; };
  const auto length = [&](Index side) {
    const Point a = m.nodes[node(parts_of_side * side, 0)], b = m.nodes[node(parts_of_side * (side + 1) - 1, 1)];
    return std::hypot(b.x - a.x, b.y - a.y);
  };
  const auto of_side = [&](Index side, int i) {
    return i == 0 ? node(parts_of_side * side, 0) : node(parts_of_side * side + i - 1, 1);
  };
  std::vector<double> share(mass.size(), 0);  // of the lengths of sides
  for (Index side = 0; side < plate.sides(); ++side)
    for (int i = 0; i < TestType::facet_nodes; ++i) share[of_side(side, i)] += TestType::facet_weight(i) * length(side);
  Buffer<Real> out;
  const Index points = points_of_side * plate.sides();
  out.resize(points);
  plate.backend.launch(DescribeStiffness<TestType>{plate.surface(), out.data()});
  const auto stiffness = out.download(points);
  for (Index p = 0; p < points; ++p) {
    const Index side = p / 3, part = 7 * p % (parts_of_side * plate.sides());
    const int i = static_cast<int>(p % 3), last = TestType::facet_nodes - 1;
    std::vector<Index> nodes{node(part, 0), node(part, 1)};
    if (i == 0 || (i == 1 && last == 1)) nodes.push_back(of_side(side, 0));
    if (i == 1 && last == 2) nodes.push_back(of_side(side, 1));
    if (i == 2 || (i == 1 && last == 1)) nodes.push_back(of_side(side, last));
    double per_area = slit_modulus / length(side), lightest = mass[nodes[0]];
    for (const Index n : nodes) {
      per_area = std::min(per_area, mass[n] / (slit_thickness * share[n]));
      lightest = std::min(lightest, mass[n]);
    }
    const double whole = std::min(per_area * (i == 1 ? 4.0 : 1.0) / 6 * length(side) * slit_thickness, lightest);
    CAPTURE(p, part);
    CHECK(stiffness[p] == Approx(whole / 2).epsilon(sizeof(Real) == 8 ? 1e-12 : 1e-5));
  }
}

TEMPLATE_TEST_CASE("the faces of a slit that is pressed shut bear the penalty's force", "[contact]", T3, T6) {
  SlitPlate<TestType> plate;
  plate.expose({1, 1, 1, 1, 1, 1});
  plate.step();
  CHECK(plate.faults.download(1)[0] == 0);
  const auto force = plate.force.download(plate.mesh.nodes());
  const auto& nodes = plate.mesh.mesh.nodes;
  Vec2 sum{0, 0};
  double largest = 0;
  for (const Vec2 f : force) {
    sum += f;
    largest = std::max<double>(largest, std::abs(f.y));
  }
  const double of_side = slit_modulus / slit_side * slit_shut * slit_side * slit_thickness;  // k u L t
  CHECK(length_of(sum) < 10 * slit_rounding * largest);
  int inside = 0;
  for (const Index n : plate.upper) {
    if (nodes[n].x < 0.2 || nodes[n].x > 1.05) continue;  // not beside the edge or the tip
    ++inside;
    CAPTURE(nodes[n].x);
    const bool middle = std::abs(std::remainder(nodes[n].x, slit_side)) > 0.1;
    const double share = TestType::facet_nodes == 2 ? 1 : middle ? 4.0 / 6 : 2.0 / 6;
    CHECK(std::abs(force[n].x) < 10 * slit_rounding * of_side);
    CHECK(force[n].y == Approx(share * of_side).epsilon(slit_rounding));
  }
  CHECK(inside > 6);
}

TEMPLATE_TEST_CASE("faces of cohesive elements that have not failed do not touch", "[contact]", T3, T6) {
  SlitPlate<TestType> plate;
  plate.expose({0, 0, 0, 0, 0, 0});
  plate.step();
  for (const Vec2 f : plate.force.download(plate.mesh.nodes())) CHECK(length_of(f) == 0);
  plate.expose({0, 0, 1, 0, 0, 0});
  plate.step();
  double largest = 0;
  for (const Vec2 f : plate.force.download(plate.mesh.nodes())) largest = std::max<double>(largest, length_of(f));
  CHECK(largest > 0.1 * slit_modulus * slit_shut * slit_thickness);
}

TEMPLATE_TEST_CASE("faces of elements that fail touch in the same step, without a search", "[contact]", T3, T6) {
  SlitPlate<TestType> by_search, in_step;
  by_search.expose({0, 1, 1, 0, 0, 0});
  by_search.step();
  in_step.expose({0, 0, 0, 0, 0, 0});
  const SearchFlags found = in_step.fail({0, 1, 1, 0, 0, 0}, 6);
  CHECK(found.failed == 2);
  CHECK(found.due == 0);
  CHECK(in_step.described() == by_search.described());
  in_step.step();
  const auto expected = by_search.force.download(by_search.mesh.nodes()),
             force = in_step.force.download(in_step.mesh.nodes());
  double largest = 0;
  for (std::size_t n = 0; n < force.size(); ++n) {
    CHECK(force[n].x == expected[n].x);
    CHECK(force[n].y == expected[n].y);
    largest = std::max<double>(largest, length_of(force[n]));
  }
  CHECK(largest > 0.1 * slit_modulus * slit_shut * slit_thickness);
}

TEMPLATE_TEST_CASE("elements that fail in any order leave the parts that a search finds", "[contact]", T3, T6) {
  std::mt19937 random(4);
  for (int trial = 0; trial < 20; ++trial) {
    SlitPlate<TestType> in_step, by_search;
    std::vector<std::uint8_t> failed(6, 0);
    in_step.expose(failed);
    while (std::count(failed.begin(), failed.end(), 0) > 0) {
      for (std::uint8_t& element : failed) element |= random() % 3 == 0;
      in_step.fail(failed, 6);
      in_step.step();
      by_search.expose(failed);
      const auto parts = in_step.described(), expected = by_search.described();
      constexpr int values = DescribeParts<TestType>::values;
      for (std::size_t i = 0; i < parts.size(); ++i) {
        CAPTURE(trial, i / values, i % values);
        if (expected[i / values * values + 2] != -2) CHECK(parts[i] == expected[i]);
      }
    }
  }
}

TEMPLATE_TEST_CASE("nodes that bear no force of contact are left out, and no others", "[contact]", T3, T6) {
  std::mt19937 random(9);
  std::uniform_real_distribution<> down_to(-4 * slit_shut, slit_shut);
  int left_out = 0, bearing = 0, let_go = 0;
  for (int trial = 0; trial < 10; ++trial) {
    SlitPlate<TestType> plate;
    std::vector<std::uint8_t> failed(6, 0);
    plate.expose(failed);
    double down = 0;
    std::vector<Vec2> before;
    for (int step = 0; step < 12; ++step) {
      const double to = down_to(random);
      plate.move(to, to - down);
      down = to;
      if (step % 3 == 0) {
        for (std::uint8_t& element : failed) element |= random() % 4 == 0;
        plate.fail(failed, 6);
      }
      plate.step();
      const auto force = plate.force.download(plate.mesh.nodes()), expected = plate.all_forces();
      for (std::size_t n = 0; n < force.size(); ++n) {
        CAPTURE(trial, step, n);
        CHECK(force[n].x == expected[n].x);
        CHECK(force[n].y == expected[n].y);
        bearing += length_of(force[n]) > 0;
        let_go += !before.empty() && length_of(before[n]) > 0 && length_of(force[n]) == 0;
      }
      before = force;
      const auto forced = plate.forced.download(plate.surface().parts());
      left_out += static_cast<int>(std::count(forced.begin(), forced.end(), Forced::no));
    }
  }
  CAPTURE(left_out, bearing, let_go);
  CHECK(left_out > 1000);
  CHECK(bearing > 100);
  CHECK(let_go > 50);
}

TEMPLATE_TEST_CASE("an element that fails without rows of candidates asks for a search", "[contact]", T3, T6) {
  SlitPlate<TestType> plate;
  plate.expose({1, 0, 0, 0, 0, 0});
  const auto before = plate.described();
  SearchFlags found = plate.fail({1, 0, 1, 0, 1, 0}, 4, false);
  CHECK(found.failed + found.due == 0);
  CHECK(plate.exposed() == std::vector<int>{1, 0, 0, 0, 0, 0});
  found = plate.fail({1, 0, 0, 0, 1, 0}, 4);
  CHECK(found.failed == 0);
  CHECK(found.due == 1);
  CHECK(plate.exposed() == std::vector<int>{1, 0, 0, 0, 0, 0});
  CHECK(plate.described() == before);
  found = plate.fail({1, 1, 0, 0, 1, 0}, 4);
  CHECK(found.failed == 1);
  CHECK(found.due == 1);
  CHECK(plate.exposed() == std::vector<int>{1, 1, 0, 0, 0, 0});
  // The search lists the parts of both, so that their order makes no difference.
  constexpr int values = DescribeParts<TestType>::values;
  const auto is_as_before = [&] {
    const auto now = plate.described();
    for (std::size_t i = 0; i < now.size(); ++i)
      if (before[i / values * values + 2] != -2 && now[i] != before[i]) return false;
    return true;
  };
  CHECK(is_as_before());
  plate.backend.launch(plate.parts_list());
  CHECK(!is_as_before());
}

}  // namespace cleave::test
