/// Cohesive elements kernel by kernel: start, separation, traction and force, against plain loops.
#include <catch2/catch.hpp>

#include "backend/backend.hpp"
#include "backend/device_mesh.hpp"
#include "body/cohesive_rows.hpp"
#include "cleave/material/ppr.hpp"
#include "fracture/facet_list.hpp"
#include "published/cohesive_stages.hpp"
#include "reference/energy_account.hpp"
#include "reference/ppr.hpp"
#include "reference/topology.hpp"
#include "terms/cohesive/cohesive_energy.hpp"

namespace cleave::cohesive_test {

/// A law with one spring per direction: enough to see the geometry.
struct Springs {
  struct State {
    Real advances;
  };
  static constexpr FacetStress insertion_stress = FacetStress::nodes;
  Real normal = 0, tangential = 0;
  CLEAVE_HD static bool note(Vec2, const CohesivePoint&, State&) { return false; }
  CLEAVE_HD static void settle(const CohesivePoint&, State&) {}
  CLEAVE_HD static bool advance(Vec2, const CohesivePoint&, State& state) {
    state.advances += 1;
    return false;
  }
  CLEAVE_HD CohesiveResponse respond(Vec2 u, const CohesivePoint&, const State&) const {
    return {{normal * u.x, tangential * u.y}, Real(0.5) * (normal * u.x * u.x + tangential * u.y * u.y)};
  }
  CLEAVE_HD static bool failed(const State&) { return false; }
};

template <class Law>
struct Rows {
  static constexpr int q = FacetGauss::points;
  explicit Rows(Index n)
      : frame(test::filled<Real>(3 * n, -5)),
        account(test::filled<Real>(q * n, 0)),
        stiffness(test::filled(n, Vec2{-5, -5})),
        offset(test::filled(q * n, Vec2{-5, -5})),
        opening(test::filled(q * n, Vec2{0, 0})),
        traction(test::filled(q * n, Vec2{-5, -5})),
        state(test::filled(q * n, typename Law::State{})),
        dissipated(test::filled<double>(q * n, 0)),
        insertion_step(test::filled<Step>(n, -5)),
        factors(test::filled<FacetFactors>(n, {-5, -5})) {}
  CohesiveTable<Law> table() {
    return {{frame.data()}, {stiffness.data()}, {offset.data()},     {opening.data()},      {traction.data()},
            {state.data()}, {account.data()},   {dissipated.data()}, insertion_step.data(), factors.data()};
  }
  test::Buffer<Real> frame, account;
  test::Buffer<Vec2> stiffness, offset, opening, traction;
  test::Buffer<typename Law::State> state;
  test::Buffer<double> dissipated;
  test::Buffer<Step> insertion_step;
  test::Buffer<FacetFactors> factors;
};

}  // namespace cleave::cohesive_test

namespace cleave::test {

using namespace cohesive_test;

TEST_CASE("a cohesive element has the separation and forces computed by hand", "[cohesive]") {
  Backend backend;
  // Two quadratic triangles; side a below it (its normal points up), side b above.
  // Nodes 0..2 the facet of a, 3..5 the same places on b; the rest of both elements does not matter.
  const std::vector<Vec2> u{{0, 0}, {0, 0}, {0, 0}, {1e-3, 2e-3}, {2e-3, 1e-3}, {0, 3e-3}, {0, 0}, {0, 0}};
  auto rows = HostRows<T6>::make(2, 1);
  const ElementTable<T6> host = rows.table();
  for (int e = 0; e < 2; ++e)
    for (int i = 0; i < 6; ++i) host.node(e, i) = 6 + e;
  const int ka = 1, kb = 2;
  for (int i = 0; i < 3; ++i) {
    host.facet_node(0, ka, i) = i;
    host.facet_node(1, kb, 2 - i) = 3 + i;
    host.cohesive_node(0, 0, i) = i;
    host.cohesive_node(0, 1, i) = 3 + i;
  }
  host.cohesive_facet(0, 0) = facet_code(0, ka);
  host.cohesive_facet(0, 1) = facet_code(1, kb);
  host.neighbour(0, ka) = cohesive_code(0, 0);
  host.neighbour(1, kb) = cohesive_code(0, 1);
  DeviceRows<T6> device;
  device.upload(rows);
  const ElementTable<T6> table = device.table(2);

  Rows<Springs> data(1);
  const FacetFrame f = facet_frame({0, 0}, {2, 1});
  data.frame.upload({f.tangent.x, f.tangent.y, f.jacobian});
  data.stiffness.upload({{1, 1}});
  data.offset.upload({3, Vec2{0, 0}});
  data.opening.upload({3, Vec2{0, 0}});
  data.traction.upload({3, Vec2{0, 0}});
  auto displacement = upload(u);
  auto force = filled<Vec2>(8, Vec2{});
  auto ids = upload(std::vector<Index>{0, 1});
  // Springs waste nothing: the work of the step is what they store, and no account stands open.
  auto present = upload(std::vector<Index>{1});
  backend.launch(
      CohesiveTraction<T6, Springs>{table, 1, present.data(), displacement.data(), {1000, 400}, data.table()});
  backend.launch(CohesiveForce<T6, Springs, ColouredScatter>{table, {ids.data(), 2}, data.table(), 0.1, force.data()});

  const auto opening = data.opening.download(3);
  const double expected[6] = {-0.00068786, 0.00200678, 0, 0.00223607, -0.00172709, 0.00166037};
  for (int q = 0; q < 3; ++q) {  // printed with 8 decimals
    CHECK(std::abs(opening[q].x - expected[2 * q]) < 6e-9);
    CHECK(std::abs(opening[q].y - expected[2 * q + 1]) < 6e-9);
  }
  const auto given = force.download(8);
  const double fb[6] = {0.01848483, 0.03160309, 0.08526873, 0.1097164, -0.0098387, 0.07334303};
  for (int i = 0; i < 3; ++i) {
    CHECK(std::abs(given[3 + i].x - fb[2 * i]) < 6e-8);
    CHECK(std::abs(given[3 + i].y - fb[2 * i + 1]) < 6e-8);
    CHECK((given[i].x == -given[3 + i].x && given[i].y == -given[3 + i].y));
  }
  CHECK((given[6].x == 0 && given[7].x == 0));
}

namespace {

/// Every second interior facet of the large mesh is cohesive, with no node copied: rows that kernels can work on.
template <class Element>
struct CohesiveMesh {
  DeviceMesh<Element> device;
  std::vector<reference::InteriorFacet> facets;
  HostRows<Element> rows;

  CohesiveMesh() : device(large_mesh(Element::type), 12000) {
    const Mesh& mesh = device.mesh;
    const auto all = reference::interior_facets(mesh);
    for (std::size_t i = 0; i < all.size(); i += 2) facets.push_back(all[i]);
    rows = device.rows.download(mesh.element_count());
    for (std::size_t c = 0; c < facets.size(); ++c) {
      const auto& f = facets[c];
      const Index row = static_cast<Index>(c);
      host().cohesive_facet(row, 0) = facet_code(f.a, f.ka);
      host().cohesive_facet(row, 1) = facet_code(f.b, f.kb);
      const auto sa = reference::facet_slots(Element::nodes, f.ka), sb = reference::facet_slots(Element::nodes, f.kb);
      for (int i = 0; i < Element::facet_nodes; ++i) {
        host().cohesive_node(row, 0, i) = mesh.node(f.a, sa[i]);
        // Any node will do for side b; this one makes a jump.
        host().cohesive_node(row, 1, i) = (mesh.node(f.b, sb[Element::facet_nodes - 1 - i]) + 17) % mesh.node_count();
      }
      host().neighbour(f.a, f.ka) = cohesive_code(row, 0);
      host().neighbour(f.b, f.kb) = cohesive_code(row, 1);
    }
    device.rows.upload(rows);
  }
  ElementTable<Element> host() { return rows.table(); }
};

}  // namespace

TEMPLATE_TEST_CASE("many cohesive elements have the separation, traction and energy of the reference", "[cohesive]", T3,
                   T6) {
  Backend backend;
  CohesiveMesh<TestType> m;
  REQUIRE(m.facets.size() > 3000);
  const auto u = random_vectors(m.device.nodes(), 2e-6, 9);
  auto displacement = upload(u);
  const Ppr law = Ppr::make({{40e6, 100, 5}, {30e6, 200, 1.3}});
  const reference::PprCohesive expected({100, 200, 40e6, 30e6, 5, 1.3});
  for (const Index size : {0, 1, 31, 33, 3000}) {
    Rows<Ppr> data(size + 1);
    std::mt19937 random(20 + size);
    std::vector<Real> frame, account;
    std::vector<Vec2> stiffness, offset, acted, last;
    std::vector<Ppr::State> states;
    std::vector<reference::AccountedPoint> points;
    for (Index c = 0; c <= size; ++c) {
      stiffness.push_back({uniform(random, 1e12, 1e14), uniform(random, 1e11, 1e12)});
      const double angle = uniform(random, 0, 6);
      frame.insert(frame.end(), {std::cos(angle), std::sin(angle), uniform(random, 0.5, 1.5)});
      for (int q = 0; q < 3; ++q) {
        // A point that has been somewhere before; a few are dead.
        const Vec2 initial{uniform(random, 0, 40e6), uniform(random, -30e6, 30e6)};
        reference::AccountedPoint p =
            reference::insert_point(expected, stiffness[c].x, stiffness[c].y, {initial.x, initial.y});
        const bool dead = c % 5 == 0 && (q < 2 || c % 2 == 0);
        reference::move_point(expected, p,
                              {dead ? 1e-4 : uniform(random, 0, 4e-6), dead ? 1e-4 : uniform(random, 0, 4e-6)});
        const CohesivePoint point{stiffness[c].x, stiffness[c].y, law.offset(initial, stiffness[c].x)};
        Ppr::State state = law.start(initial, point);
        lead(law, {p.opening.normal, p.opening.tangential}, point, state);
        offset.push_back(point.offset);
        states.push_back(state);
        last.push_back({p.opening.normal, p.opening.tangential});
        acted.push_back({p.traction.normal, p.traction.tangential});
        account.push_back(p.account);
        points.push_back(p);
      }
    }
    data.frame.upload(frame);
    data.factors.upload(std::vector<FacetFactors>(size + 1, {1, 1}));
    data.stiffness.upload(stiffness);
    data.offset.upload(offset);
    data.state.upload(states);
    data.opening.upload(last);
    data.traction.upload(acted);
    data.account.upload(account);
    std::vector<std::uint8_t> failed_before(size + 1, 0);
    failed_before[size] = 9;
    auto failed = upload(failed_before);
    auto fault = filled<FaultRecord>(1, {});
    auto live = filled<Index>(1, size), failures = filled<Index>(1, 1);
    const auto work_done = random_numbers(3 * size, -1, 1, 77);
    auto work = upload(work_done);
    const auto rubbing_done = random_numbers(3 * size, 0, 1, 78);
    auto rubbing = upload(rubbing_done);
    backend.launch(CohesiveTraction<TestType, Ppr>{m.device.table(), size + 1, live.data(), displacement.data(), law,
                                                   data.table()});
    const auto totals_of_ranks = [&](const std::vector<ElementRange>& parts) {
      return totals_after(backend, [&](FixedSum* sums) {
        for (const ElementRange own : parts)
          backend.launch(CohesiveEnergy<TestType, Ppr>{.capacity = size,
                                                       .live = live.data(),
                                                       .rows = m.device.rows.cohesive.data(),
                                                       .own = own,
                                                       .law = law,
                                                       .cohesive = data.table(),
                                                       .thickness = 2e-3,
                                                       .work = work.data(),
                                                       .forces = {.friction = {.work = rubbing.data()}},
                                                       .failed = failed.data(),
                                                       .sums = sums,
                                                       .fault = fault.data(),
                                                       .failures = failures.data()});
      });
    };
    const QuantityTotals total = totals_of_ranks({all_elements});
    CHECK(failures.download(1)[0] == (size > 0 ? 0 : 1));
    const Index middle = m.device.mesh.element_count() / 3;
    const QuantityTotals of_ranks = totals_of_ranks({{middle, all_elements.end}, {0, middle}});
    for (int q = 0; q < quantity_count; ++q) CHECK(of_ranks.value[q] == total.value[q]);
    const auto opening = data.opening.download(3 * (size + 1)), traction = data.traction.download(3 * (size + 1));
    const auto dissipated = data.dissipated.download(3 * (size + 1));
    const auto dead = failed.download(size + 1);
    double stored = 0, open = 0, length = 0, count = 0, off = 0, off_traction = 0, off_dissipated = 0;
    for (Index c = 0; c < size; ++c) {
      bool all_dead = true;
      for (int q = 0; q < 3; ++q) {
        const Index p = 3 * c + q;
        const auto shape = reference::facet_shape(TestType::facet_nodes, reference::line_points()[q].r);
        Vec2 jump{};
        for (int i = 0; i < TestType::facet_nodes; ++i)
          jump += shape[i] * (u[m.host().cohesive_node(c, 1, i)] - u[m.host().cohesive_node(c, 0, i)]);
        const Vec2 s{frame[3 * c], frame[3 * c + 1]}, n{s.y, -s.x};
        off = std::max({off, std::abs(opening[p].x - dot(jump, n)), std::abs(opening[p].y - dot(jump, s))});
        const auto r = reference::move_point(expected, points[p], {opening[p].x, opening[p].y});
        off_traction = std::max({off_traction, std::abs(traction[p].x - r.traction.normal),
                                 std::abs(traction[p].y - r.traction.tangential)});
        off_dissipated = std::max(off_dissipated, std::abs(dissipated[p] - r.dissipated));
        const double w = reference::line_points()[q].weight * frame[3 * c + 2];
        stored += w * 2e-3 * (r.w + r.account);
        open += w * 2e-3 * r.account;
        length += w;
        all_dead = all_dead && r.failed;
      }
      count += all_dead;
      REQUIRE(dead[c] == (all_dead ? 1 : 0));
    }
    CHECK(off < 1e-15 * 8e-6);
    // Openings are 8e-6 at most, and contact answers with 1e12 Pa/m.
    CHECK(off_traction < 1e-12 * 40e6);
    CHECK(off_dissipated < 1e-12 * 200);
    CHECK(dead[size] == 9);
    CHECK(fault.download(1)[0].code == 0);
    if (count < size) {  // what had failed and says so no more is a fault of the law
      failed.upload(std::vector<std::uint8_t>(size + 1, 1));
      totals_of_ranks({all_elements});
      CHECK(fault.download(1)[0].code == static_cast<Index>(FaultCode::healed_facet));
    }
    CHECK((opening[3 * size].x == last[3 * size].x && opening[3 * size].y == last[3 * size].y));
    CHECK((traction[3 * size].x == acted[3 * size].x && traction[3 * size].y == acted[3 * size].y));
    CHECK(total[Quantity::recoverable_energy] == Approx(stored).epsilon(1e-12));
    CHECK(total[Quantity::failed_elements] == count);
    CHECK(total[Quantity::crack_length] == Approx(length).epsilon(1e-13));
    const double work_in_all = std::accumulate(work_done.begin(), work_done.end(), 0.0);
    CHECK(total[Quantity::cohesive_work] == Approx(work_in_all).margin(1e-10));
    const double rubbed = std::accumulate(rubbing_done.begin(), rubbing_done.end(), 0.0);
    CHECK(total[Quantity::friction_energy] == Approx(rubbed).margin(1e-10));
    CHECK(total[Quantity::internal_work] ==
          Approx(-work_in_all - rubbed).margin(1e-10));  // nodes have booked both there
    CHECK(total[Quantity::cohesive_account] == Approx(open).epsilon(1e-12));
    if (size == 3000) CHECK((count > 200 && count < 1000));
  }
}

TEMPLATE_TEST_CASE("cohesive forces go to both sides of every listed element", "[cohesive]", T3, T6) {
  Backend backend;
  CohesiveMesh<TestType> m;
  const Mesh& mesh = m.device.mesh;
  const Index count = static_cast<Index>(m.facets.size());
  Rows<Springs> data(count);
  const auto components = random_numbers(6 * static_cast<std::size_t>(count), -1, 1, 2);
  std::vector<Vec2> traction;
  for (std::size_t i = 0; i < components.size(); i += 2) traction.push_back({components[i], components[i + 1]});
  const auto frame = random_numbers(3 * static_cast<std::size_t>(count), -1, 1, 3);
  data.traction.upload(traction);
  data.frame.upload(frame);
  for (const Index size : {0, 1, 31, 33, 4000})
    for (const bool coloured : {true, false}) {
      auto force = filled<Vec2>(mesh.nodes.size(), Vec2{0.5, -0.5});
      std::vector<Vec2> expected(mesh.nodes.size(), Vec2{0.5, -0.5});
      for (const auto& list : random_lists(mesh, m.device.colouring, size, coloured, 300 + size)) {
        auto ids = upload(list);
        const ElementList elements{ids.data(), static_cast<Index>(list.size())};
        if (coloured)
          backend.launch(CohesiveForce<TestType, Springs, ColouredScatter>{m.device.table(), elements, data.table(),
                                                                           0.3, force.data()});
        else
          backend.launch(CohesiveForce<TestType, Springs, AtomicScatter>{m.device.table(), elements, data.table(), 0.3,
                                                                         force.data()});
        for (const Index e : list)
          for (int k = 0; k < 3; ++k) {
            const Index code = m.host().neighbour(e, k);
            if (code > -2) continue;
            const Index c = (-2 - code) / 2;
            const bool a = m.facets[c].a == e;
            const auto slots = reference::facet_slots(TestType::nodes, k);
            for (int q = 0; q < 3; ++q) {
              const Index p = 3 * c + q;
              const Vec2 s{frame[3 * c], frame[3 * c + 1]}, n{s.y, -s.x};
              const Vec2 t = traction[p].x * n + traction[p].y * s;
              const double w = reference::line_points()[q].weight * frame[3 * c + 2] * 0.3;
              const auto shape = reference::facet_shape(TestType::facet_nodes, reference::line_points()[q].r);
              for (int i = 0; i < TestType::facet_nodes; ++i) {
                const int slot = a ? slots[i] : slots[TestType::facet_nodes - 1 - i];
                expected[mesh.node(e, slot)] += (a ? -w : w) * shape[i] * t;
              }
            }
          }
      }
      CHECK(difference(flat(force.download(mesh.nodes.size())), flat(expected)) < 1e-14);
    }
}

TEMPLATE_TEST_CASE("a cohesive element starts with capped stiffness and the traction that was there", "[cohesive]", T3,
                   T6) {
  Backend backend;
  DeviceMesh<TestType> device(large_mesh(TestType::type, Sides::straight), 7600);
  const Mesh& mesh = device.mesh;
  constexpr int nodes = TestType::facet_nodes;
  const auto mass = random_numbers(mesh.element_count(), 0.5, 2, 30);  // any: which side is lighter varies
  device.rows.mass.upload(mass);
  std::mt19937 random(31);
  std::vector<double> sums;
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
    const double count = static_cast<double>(1 + random() % 8);
    for (int c = 0; c < 3; ++c) sums.push_back(count * uniform(random, -50e6, 50e6));
    sums.push_back(count);
  }
  auto stress = upload(sums);
  std::vector<Vec2> moves;  // in finite kinematics: facets are shorter and longer by up to a half, and turn
  for (const Point& p : mesh.nodes) moves.push_back({Real(0.5 * p.x - 0.3 * p.y + 1e-3), Real(0.2 * p.x - 0.4 * p.y)});
  auto displacement = upload(moves);
  const auto facets = reference::interior_facets(mesh);
  const Ppr law = Ppr::make({{40e6, 100, 5}, {30e6, 200, 1.3}});
  const double cap_factor = 3e11, contact_modulus = nodes == 2 ? 9e13 : 4.3e13, thickness = 2e-3, sigma = 40e6,
               tau = 30e6;
  for (const auto& [size, finite] : std::vector<std::pair<Index, bool>>{
           {0, false}, {1, false}, {31, false}, {33, true}, {2500, false}, {2500, true}}) {
    // The first `size` elements that own a facet, in a shuffled order; each breaks a random set of those it owns.
    std::map<Index, int> owned;
    std::map<std::pair<Index, int>, reference::InteriorFacet> facet_at;
    for (const auto& f : facets) {
      owned[f.a] |= 1 << f.ka;
      facet_at[{f.a, f.ka}] = f;
    }
    std::vector<Index> list;
    for (const auto& [e, bits] : owned)
      if (static_cast<Index>(list.size()) < size) list.push_back(e);
    for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[random() % i]);
    std::vector<std::uint8_t> bits(mesh.element_count(), 0);
    std::vector<Index> first;
    std::vector<reference::InteriorFacet> order;
    for (const Index e : list) {
      first.push_back(static_cast<Index>(order.size()));
      for (int k = 0; k < 3; ++k)
        if ((owned[e] >> k & 1) && random() % 3 != 0) {
          bits[e] |= static_cast<std::uint8_t>(1 << k);
          order.push_back(facet_at[{e, k}]);
        }
    }
    const Index before = 4, count = static_cast<Index>(order.size());
    Rows<Ppr> data(before + count + 1);
    auto ids = upload(list), first_facet = upload(first);
    auto fractured = upload(bits);
    std::vector<double> strengths, energies;  // of facets over those of the law
    for (std::size_t code = 0; code < mesh.neighbours.size(); ++code) {
      strengths.push_back(uniform(random, 0.6, 1.5));
      energies.push_back(uniform(random, 0.5, 2));
    }
    auto strength_scale = upload(strengths), energy_scale = upload(energies);
    backend.launch(ListFacets<TestType, FacetsOfList>{
        device.table(), {{ids.data(), size}, fractured.data()}, first_facet.data(), before});
    backend.launch(StartCohesive<TestType, Ppr>{device.table(),
                                                before,
                                                count,
                                                device.position.data(),
                                                {{.sum = {stress.data()}}},
                                                law,
                                                data.table(),
                                                thickness,
                                                cap_factor,
                                                OfAllElements<Real>(contact_modulus),
                                                17,
                                                strength_scale.data(),
                                                energy_scale.data(),
                                                finite ? displacement.data() : nullptr});
    const std::size_t rows = before + count + 1;
    const auto frame = data.frame.download(3 * rows);
    const auto stiffness = data.stiffness.download(rows);
    const auto offset = data.offset.download(3 * rows);
    const auto states = data.state.download(3 * rows);
    const auto account = data.account.download(3 * rows);
    const auto steps = data.insertion_step.download(rows);
    const auto factors = data.factors.download(rows);
    for (const std::size_t c : {std::size_t(before - 1), rows - 1}) {
      CHECK(stiffness[c].x == -5);
      CHECK(steps[c] == -5);
    }
    int clamped = 0, soft = 0;
    for (Index i = 0; i < count; ++i) {
      const Index c = before + i;
      const auto& f = order[i];
      const auto slots = reference::facet_slots(TestType::nodes, f.ka);
      const auto slots_b = reference::facet_slots(TestType::nodes, f.kb);
      std::vector<reference::Vec> x;
      for (const int slot : slots) x.push_back(reference::positions(mesh, f.a)[slot]);
      double length = 0, lightest = 1e300;
      for (const auto& at : reference::line_points()) length += at.weight * reference::facet_frame(x, at.r).jacobian;
      for (int j = 0; j < nodes; ++j) {
        const double share = reference::facet_weights(nodes)[j] * length * thickness;
        lightest = std::min({lightest, reference::mass_share(TestType::nodes, slots[j]) * mass[f.a] / share,
                             reference::mass_share(TestType::nodes, slots_b[j]) * mass[f.b] / share});
      }
      const Index code = facet_code(f.a, f.ka);
      std::vector<reference::Vec> ends{x.front(), x.back()};
      const double reference_length = 2 * reference::facet_frame(ends, 0).jacobian;
      for (int end = 0; end < 2 && finite; ++end) {
        const Vec2 u = moves[mesh.node(f.a, end == 0 ? slots.front() : slots.back())];
        ends[end] = {ends[end][0] + u.x, ends[end][1] + u.y};
      }
      const reference::Frame present = reference::facet_frame(ends, 0);
      const double strength = strengths[code] * 2 * present.jacobian / reference_length;
      const double energy = energies[code], scale = strength / energy;
      const double cap = cap_factor * lightest, stiffer = strength * strength / energy;
      const double kc = cap / stiffer, kp = std::min(cap, contact_modulus / length) / stiffer;
      soft += kp < kc;
      REQUIRE(stiffness[c].x == Approx(kc).epsilon(1e-12));
      REQUIRE(stiffness[c].y == Approx(kp).epsilon(1e-12));
      REQUIRE(steps[c] == 17);
      for (int q = 0; q < 3; ++q) {
        const double r = reference::line_points()[q].r;
        const auto at = reference::facet_frame(x, r);
        REQUIRE(std::abs(frame[3 * c] - scale * at.s[0]) < 1e-12 * scale);
        REQUIRE(std::abs(frame[3 * c + 1] - scale * at.s[1]) < 1e-12 * scale);
        REQUIRE(frame[3 * c + 2] == Approx(energy * at.jacobian).epsilon(1e-12));
        REQUIRE(factors[c].opening == Approx(scale).epsilon(1e-14));
        REQUIRE(factors[c].energy == energy);
        double tn = 0, tt = 0;
        for (int j = 0; j < nodes; ++j) {
          const double* s = &sums[4 * static_cast<std::size_t>(mesh.node(f.a, slots[j]))];
          const double tx = (s[0] * present.n[0] + s[2] * present.n[1]) / s[3];
          const double ty = (s[2] * present.n[0] + s[1] * present.n[1]) / s[3];
          const double w = reference::facet_shape(nodes, r)[j];
          tn += w * (tx * present.n[0] + ty * present.n[1]);
          tt += w * (tx * present.s[0] + ty * present.s[1]);
        }
        // True tractions and strengths change alike where the facet changes its length.
        tn /= strengths[code];
        tt /= strengths[code];
        clamped += std::abs(tt) > tau;
        const double x0 = std::clamp(tn, 0.0, sigma) / kc, y0 = std::clamp(tt, -tau, tau) / kc;
        REQUIRE(std::abs(offset[3 * c + q].x - x0) < 1e-12 * sigma / kc);
        REQUIRE(std::abs(offset[3 * c + q].y - y0) < 1e-12 * tau / kc);
        const Ppr::State& state = states[3 * c + q];
        REQUIRE((state.largest_normal == 0 && state.largest_tangential == std::abs(offset[3 * c + q].y)));
        const Vec2 start = offset[3 * c + q];
        const double stored =
            0.5 * (state.normal_stiffness * start.x * start.x + state.tangential_stiffness * start.y * start.y);
        REQUIRE(account[3 * c + q] == Approx(-stored).epsilon(1e-11).margin(1e-20));
      }
    }
    if (size == 2500) {
      CHECK(count > 2000);
      CHECK(clamped > 100);
      CHECK((soft > 100 && soft < count - 100));
    }
  }
}

}  // namespace cleave::test
