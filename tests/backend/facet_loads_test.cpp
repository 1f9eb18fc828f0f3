/// Loads on facets: forces and works of the table against plain loops, and a ring whose pressed nodes split.
#include "terms/loads/facet_loads.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <set>
#include <sstream>

#include "backend/backend.hpp"
#include "backend/device_mesh.hpp"
#include "backend/models.hpp"
#include "terms/loads/loading.hpp"

namespace cleave::test {
namespace {

/// What each element gives to its nodes at one step.
/// @tparam may_follow  see FacetLoads
template <class Element, bool may_follow>
struct GiveLoads {
  static constexpr KernelTraits traits{.name = "loads of elements"};
  ElementTable<Element> elements;
  FacetLoads<Element> loads;
  const std::uint8_t* flags;      ///< [element]
  const Real* line_pressure;      ///< [load], N/m
  const Vec2* displacement;       ///< [node]
  Table<Vec2, Element::nodes> f;  ///< [element][node]
  Real thinner = 0;               ///< the same for all elements

  CLEAVE_HD Index size() const { return elements.bulk; }
  CLEAVE_HD void operator()(Index e) const {
    Vec2 u[Element::nodes], force[Element::nodes] = {};
    elements.gather(e, displacement, u);
    if (flags[e] & ElementFlag::loaded_facets)
      loads.template add<may_follow>(
          loads.first_row[e], [&](Index load) { return line_pressure[load]; }, [&](int k) { return u[k]; },
          [&] {
            ThicknessChange<Element> change;
            for (Real& at : change.at_point) at = -thinner;
            return change;
          },
          [&](int k, Vec2 more) { force[k] += more; });
    for (int i = 0; i < Element::nodes; ++i) f(e, i) = force[i];
  }
};

std::vector<Index> boundary_of(const Mesh& mesh) {
  std::vector<Index> codes;
  for (Index e = 0; e < mesh.element_count(); ++e)
    for (int k = 0; k < 3; ++k)
      if (mesh.neighbour(e, k) == boundary_facet) codes.push_back(facet_code(e, k));
  return codes;
}

/// Facets around the elements whose first corner lies in a disc: a closed loop inside the plate of large_mesh, of
/// facets in all directions, seen from within.
std::vector<Index> loop_inside(const Mesh& mesh) {
  const auto is_inside = [&](Index e) {
    const Point at = mesh.nodes[mesh.node(e, 0)];
    return std::hypot(at.x - 0.3, at.y - 0.7) < 0.35;
  };
  std::vector<Index> codes;
  for (Index e = 0; e < mesh.element_count(); ++e)
    for (int k = 0; k < 3; ++k)
      if (is_inside(e) && !is_inside(element_of(mesh.neighbour(e, k)))) codes.push_back(facet_code(e, k));
  return codes;
}

/// The forces of a pressure on facets that are straight, at the positions of nodes, as GiveLoads gives them.
template <class Element>
std::vector<Vec2> pressure_forces(const Mesh& mesh, const std::vector<Index>& facets, const std::vector<Vec2>& at,
                                  Real line_pressure) {
  std::vector<Vec2> forces(static_cast<std::size_t>(Element::nodes) * mesh.element_count(), Vec2{});
  for (const Index code : facets) {
    const Index e = element_of(code);
    const auto slot = [&](int i) { return Element::facet_slot(facet_of(code), i); };
    const Vec2 along = at[mesh.node(e, slot(Element::facet_nodes - 1))] - at[mesh.node(e, slot(0))];
    const Vec2 inward{-along.y, along.x};  // the body is on the left
    for (int i = 0; i < Element::facet_nodes; ++i)
      forces[Element::nodes * e + slot(i)] += -line_pressure * Element::facet_weight(i) * inward;
  }
  return forces;
}

/// A ring at rest with a constant pressure on those facets of its inner wall that lie right of the centre. It breaks
/// through there.
Model half_pressed_ring(ElementType type) {
  Mesh mesh = ring(type, {4, 32}, 8e-3, 14e-3);
  perturb(mesh, 0.1, 3);
  Model m = model_of(mesh);
  m.cohesive = brittle(5);
  std::vector<Index> facets;
  for (const Index code : m.mesh.find_group("inner")->facets) {
    const auto at = [&](int i) { return m.mesh.nodes[m.mesh.node(element_of(code), (facet_of(code) + i) % 3)]; };
    if (at(1).x + at(2).x > 0) facets.push_back(code);
  }
  m.loads.push_back({6e6, Curve{}, facets});
  return m;
}

struct Resultant {
  double x = 0, y = 0;
};
/// Of the pressure on the reference geometry.
Resultant resultant(const Model& m) {
  Resultant f;
  for (const Index code : m.loads[0].facets) {
    const auto at = [&](int i) { return m.mesh.nodes[m.mesh.node(element_of(code), (facet_of(code) + i) % 3)]; };
    f.x += m.loads[0].pressure * m.thickness * (at(1).y - at(2).y);
    f.y += m.loads[0].pressure * m.thickness * (at(2).x - at(1).x);
  }
  return f;
}
Resultant momentum_of(const Snapshot& s) {
  Resultant p;
  for (std::size_t n = 0; n < s.mass.size(); ++n) {
    p.x += s.mass[n] * s.velocity[n].x;
    p.y += s.mass[n] * s.velocity[n].y;
  }
  return p;
}
/// How many places of the pressed wall have more than one node of a pressed facet.
int split_places(const Model& m, const Snapshot& s) {
  const int nodes = nodes_per_element(s.type);
  std::map<std::pair<double, double>, std::set<Index>> at;
  for (const Index code : m.loads[0].facets)
    for (int i = 1; i <= 2; ++i) {
      const Index n = s.elements[nodes * element_of(code) + (facet_of(code) + i) % 3];
      at[{s.position[n].x, s.position[n].y}].insert(n);
    }
  return static_cast<int>(
      std::count_if(at.begin(), at.end(), [](const auto& place) { return place.second.size() > 1; }));
}

}  // namespace

TEMPLATE_TEST_CASE("loaded facets give their elements the force of the pressure, and book its work", "[loads]", T3,
                   T6) {
  constexpr int nodes = TestType::nodes;
  Backend backend;
  DeviceMesh<TestType> device(large_mesh(TestType::type, Sides::straight));
  const Mesh& mesh = device.mesh;
  // Every facet of the boundary has one load or, every third one, both; corner elements have two facets there.
  const auto all = boundary_of(mesh);
  std::vector<PressureLoad> loads(2);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i % 3 != 1) loads[0].facets.push_back(all[i]);
    if (i % 3 != 2) loads[1].facets.push_back(all[i]);
  }
  std::reverse(loads[0].facets.begin(), loads[0].facets.end());  // the table sorts them
  const std::size_t count = mesh.nodes.size(), rows = loads[0].facets.size() + loads[1].facets.size();
  std::vector<std::vector<Vec2>> u;
  for (unsigned seed = 0; seed < 4; ++seed) u.push_back(random_vectors(count, 1e-3, 20 + seed));
  std::vector<Point> start;
  for (const Vec2& at : u[0]) start.push_back({at.x, at.y});
  const std::vector<std::vector<Real>> pressure{{3, -2}, {5, 0.5}, {0, 7}, {-1, 4}};

  const LoadedFacetList<TestType> list = list_loaded_facets<TestType>(mesh, loads, start);
  REQUIRE(list.facets.size() == rows);
  auto first_row = upload(list.first_row);
  auto facets = upload(list.facets);
  auto last = upload(list.last);
  auto flags = upload(list.flags);
  auto work = filled<double>(rows + 1, 0.0);
  Buffer<Vec2> force;
  force.resize(static_cast<std::size_t>(nodes) * mesh.element_count());
  double expected_work = 0, work_scale = 0;
  std::vector<Vec2> before(count);  // the nodal forces of the last step
  for (std::size_t n = 0; n < u.size(); ++n) {
    auto displacement = upload(u[n]);
    auto line_pressure = upload(pressure[n]);
    backend.launch(GiveLoads<TestType, false>{device.table(),
                                              {first_row.data(), facets.data(), last.data(), work.data()},
                                              flags.data(),
                                              line_pressure.data(),
                                              displacement.data(),
                                              {force.data()}});
    std::vector<Vec2> expected(static_cast<std::size_t>(nodes) * mesh.element_count(), Vec2{}), now(count, Vec2{});
    for (int l = 0; l < 2; ++l)
      for (const Index code : loads[l].facets) {
        const auto slots = reference::facet_slots(nodes, facet_of(code));
        std::vector<reference::Vec> x;
        for (const int slot : slots) x.push_back(reference::positions(mesh, element_of(code))[slot]);
        const auto f = reference::pressure_forces(x, pressure[n][l], 1);
        for (std::size_t i = 0; i < slots.size(); ++i) {
          const Vec2 at{f[i][0], f[i][1]};
          expected[nodes * element_of(code) + slots[i]] += -1 * at;
          now[mesh.node(element_of(code), slots[i])] += at;
        }
      }
    CHECK(difference(flat(force.download(expected.size())), flat(expected)) < 1e-14);
    if (n > 0)
      for (std::size_t i = 0; i < count; ++i) {
        const double step = 0.5 * dot(before[i] + now[i], u[n][i] - u[n - 1][i]);
        expected_work += step;
        work_scale += std::abs(step);
      }
    before = now;
    double total = 0;
    const auto works = work.download(rows + 1);
    for (std::size_t r = 0; r < rows; ++r) total += works[r];
    CHECK(std::abs(total - expected_work) <= 1e-14 * work_scale);
    CHECK(works[rows] == 0);
  }
  CHECK(work_scale > 0);
}

TEMPLATE_TEST_CASE(
    "a pressure that follows a loop of facets pushes along their normals as they lie now, and sums to zero", "[loads]",
    T3, T6) {
  Backend backend;
  DeviceMesh<TestType> device(large_mesh(TestType::type, Sides::straight));
  const Mesh& mesh = device.mesh;
  std::vector<PressureLoad> loads(1);
  loads[0].facets = loop_inside(mesh);
  loads[0].follows = true;
  REQUIRE(loads[0].facets.size() > 60);
  const std::size_t count = mesh.nodes.size(), slots = static_cast<std::size_t>(TestType::nodes) * mesh.element_count();
  const auto list = list_loaded_facets<TestType>(mesh, loads, std::vector<Point>(count));
  auto first_row = upload(list.first_row);
  auto facets = upload(list.facets);
  auto last = upload(list.last);
  auto flags = upload(list.flags);
  auto work = filled<double>(list.facets.size(), 0.0);
  const Real pressure = 5;  // times thickness, N/m
  auto line_pressure = upload(std::vector<Real>{pressure});

  // A body that is thinner now has a smaller side, if the loads know of it.
  const Real thinner = GENERATE(Real(0), Real(0.125));
  const bool thickness_changes = GENERATE(false, true);
  // Turned by 90 degrees, then also stretched by half along y.
  const Real stretch = GENERATE(Real(1), Real(1.5));
  std::vector<Vec2> now, u;
  for (const Point& at : mesh.nodes) {
    now.push_back({Real(0.4 - at.y), stretch * Real(at.x - 0.1)});
    u.push_back(now.back() - Vec2{Real(at.x), Real(at.y)});
  }
  auto displacement = upload(u);
  Buffer<Vec2> given;
  given.resize(slots);
  backend.launch(
      GiveLoads<TestType, true>{device.table(),
                                {first_row.data(), facets.data(), last.data(), work.data(), thickness_changes},
                                flags.data(),
                                line_pressure.data(),
                                displacement.data(),
                                {given.data()},
                                thinner});
  // Forces go with differences of displacements and coordinates of some 2 m, each rounded to 2e-16 m: 3e-16 m was seen.
  const double rounding = 1e-15 * pressure;
  const std::vector<Vec2> force = given.download(slots);
  const std::vector<Vec2> expected =
      pressure_forces<TestType>(mesh, loads[0].facets, now, thickness_changes ? (1 - thinner) * pressure : pressure);
  Vec2 sum{};
  double sizes = 0, worst = 0;
  for (std::size_t i = 0; i < slots; ++i) {
    const Vec2 off = force[i] - expected[i];
    worst = std::max(worst, std::sqrt(dot(off, off)));
    sum += force[i];
    sizes += std::sqrt(dot(force[i], force[i]));
  }
  CHECK(worst < rounding);
  CHECK(std::sqrt(dot(sum, sum)) < 1e-15 * sizes);
  CHECK(sizes > pressure * 2);  // the loop is some 2.2 m long
}

TEST_CASE("a pressed wall keeps its load exactly when its nodes split", "[loads][solver]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  Model m = half_pressed_ring(type);
  m.assembly = GENERATE(Assembly::gather, Assembly::coloured);
  const Resultant force = resultant(m);
  const double scale = std::hypot(force.x, force.y);
  const auto solver = make_solver(m, 1);
  Snapshot before = solver->snapshot();
  int most_split = 0;
  for (int i = 0; i < 120; ++i) {
    // With a constant load, momentum grows by force times time, whatever splits in between.
    constexpr Step steps = 5;
    solver->advance(steps);
    const Snapshot now = solver->snapshot();
    const Resultant p = momentum_of(before), q = momentum_of(now);
    const double time = steps * m.step;
    REQUIRE(std::abs((q.x - p.x) / time - force.x) < 1e-10 * scale);
    REQUIRE(std::abs((q.y - p.y) / time - force.y) < 1e-10 * scale);
    const HistoryRow row = solver->history();
    REQUIRE(std::abs(row.balance_error) < 1e-12);
    REQUIRE(std::abs(row.internal_work - row.strain_energy) < 1e-12 * (row.external_work + row.cohesive_work));
    most_split = std::max(most_split, split_places(m, now));
    before = now;
  }
  CHECK(most_split >= 4);
  CHECK(solver->history().failed_elements > 20);
  CHECK(solver->history().fragments > 2);
}

TEST_CASE("a ring with a splitting pressed wall has the same bits for any threads, output and resuming",
          "[loads][solver]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  Model m = half_pressed_ring(type);
  m.loads[0].curve = Curve::exponential(1000 * m.step);
  m.precision = GENERATE(Precision::double_precision, Precision::single_precision);
  const auto one = make_solver(m, 1), two = make_solver(m, 2);
  one->advance(450);
  for (int i = 0; i < 150; ++i) two->advance(3, i % 2 == 0 ? Output::history : Output::state);
  REQUIRE(split_places(m, one->snapshot()) > 0);  // and more to come
  const HistoryRow a = one->history(), b = two->history();
  CHECK(a.external_work == b.external_work);
  CHECK(a.internal_work == b.internal_work);
  CHECK(a.kinetic_energy == b.kinetic_energy);
  const auto resumed = make_solver(m, 2);
  std::stringstream file(state_of(*one));
  resumed->load(file);
  CHECK(state_of(*resumed) == state_of(*one));
  one->advance(300);
  resumed->advance(300);
  CHECK(one->history().external_work == resumed->history().external_work);
  CHECK(state_of(*resumed) == state_of(*one));
}

}  // namespace cleave::test
