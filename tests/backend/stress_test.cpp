/// Stresses at Gauss points and nodes, and the filters that decide which facets break.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>

#include "backend/backend.hpp"
#include "backend/packed_mesh.hpp"
#include "cleave/material/linear_elastic.hpp"
#include "fracture/fracture_filter.hpp"
#include "fracture/nodal_stress.hpp"
#include "published/coloured_stress.hpp"
#include "published/material_places.hpp"

namespace cleave::test {
namespace {

LinearElastic steel(PlaneType plane) {
  ElasticParameters material;
  material.young_modulus = 2.1e11;
  material.poisson_ratio = 0.3;
  material.density = 7850;
  material.plane = plane;
  return LinearElastic::make(material);
}

/// A large mesh of one material in blocks, with its slots.
template <class Element>
struct BlocksOfSteel {
  Backend backend;
  DeviceMesh<Element> device{numbered_by_blocks(large_mesh(Element::type, Sides::straight))};
  Fields<Backend> fields;
  GatherState<Backend, Element> gather;
  LinearElastic material = steel(PlaneType::strain);
  BlockMaterials<LinearElastic> materials{{material, material}, {{0, device.mesh.element_count(), 0}, {}}, 1};

  BlocksOfSteel() { list_slots(backend, device, gather, fields, device.mesh.node_count()); }
  ElementStress<Element, LinearElastic> stress(Buffer<Vec2>& displacement, Buffer<FaultRecord>& fault) {
    return {device.table(), device.position.data(), displacement.data(), {}, 0, nullptr, fault.data()};
  }
};

}  // namespace

TEMPLATE_TEST_CASE("curved elements have the stress of the reference at their Gauss points", "[stress]", T3, T6) {
  Backend backend;
  const PlaneType plane = GENERATE(PlaneType::stress, PlaneType::strain);
  DeviceMesh<TestType> device(large_mesh(TestType::type));
  const Mesh& mesh = device.mesh;
  const auto u = random_vectors(mesh.nodes.size(), 1e-4, 6);
  auto displacement = upload(u);
  const auto d = reference::elasticity(2.1e11, 0.3, plane);
  constexpr int fields = 3 * TestType::gauss_points;
  for (const Index size : kernel_sizes) {
    auto stress = filled<Real>(fields * (size + 1), -5);
    auto fault = upload(std::vector<FaultRecord>{FaultRecord{}});
    auto live = upload(std::vector<LiveCounts>(1));
    backend.launch(GaussStress<TestType, LinearElastic>{device.table(size),
                                                        device.position.data(),
                                                        displacement.data(),
                                                        OfAllElements(steel(plane)),
                                                        {stress.data()},
                                                        fault.data(),
                                                        live.data(),
                                                        3});
    auto host = stress.download(fields * (size + 1));
    for (int f = 0; f < fields; ++f) CHECK(host[fields * size + f] == -5);
    host.resize(fields * size);
    std::vector<double> expected;
    for (Index e = 0; e < size; ++e)
      for (const auto& at : reference::gauss_points(TestType::nodes)) {
        const auto s = reference::stress(d, reference::strain(reference::positions(mesh, e), gathered(mesh, e, u), at));
        expected.insert(expected.end(), s.begin(), s.end());
      }
    CHECK(difference(host, expected) < 1e-12);
    CHECK(fault.download(1)[0].code == 0);
  }
}

TEMPLATE_TEST_CASE("an element turned inside out, or without numbers, is reported with the step", "[stress]", T3, T6) {
  Backend backend;
  DeviceMesh<TestType> device(large_mesh(TestType::type));
  const Mesh& mesh = device.mesh;
  const double bad = GENERATE(-1.5, std::numeric_limits<double>::quiet_NaN());
  std::vector<Vec2> u(mesh.nodes.size());
  const Index victim = 1234;
  // Squash one element in x about its first corner: only its neighbours feel it too.
  const Point p = mesh.nodes[mesh.node(victim, 0)];
  for (int i = 0; i < TestType::nodes; ++i) {
    const Index n = mesh.node(victim, i);
    u[n].x = bad * (mesh.nodes[n].x - p.x);
  }
  auto displacement = upload(u);
  Buffer<Real> stress;
  stress.resize(static_cast<std::size_t>(3 * TestType::gauss_points) * mesh.element_count());
  auto fault = upload(std::vector<FaultRecord>{FaultRecord{}});
  LiveCounts present;
  present.row = 10;
  present.first_input = 30;
  auto live = upload(std::vector<LiveCounts>{present});
  backend.launch(GaussStress<TestType, LinearElastic>{device.table(),
                                                      device.position.data(),
                                                      displacement.data(),
                                                      OfAllElements(steel(PlaneType::strain)),
                                                      {stress.data()},
                                                      fault.data(),
                                                      live.data(),
                                                      2});
  const FaultRecord record = fault.download(1)[0];
  CHECK(record.code == static_cast<Index>(FaultCode::inverted_element));
  CHECK(record.step == 42);
  bool shares = false;
  for (int i = 0; i < TestType::nodes; ++i)
    for (int j = 0; j < TestType::nodes; ++j) shares = shares || mesh.node(record.element, i) == mesh.node(victim, j);
  CHECK(shares);
}

TEMPLATE_TEST_CASE("nodal stress is the mean of extrapolated values, by colour and atomically", "[stress]", T3, T6) {
  Backend backend;
  DeviceMesh<TestType> device(large_mesh(TestType::type));
  const Mesh& mesh = device.mesh;
  constexpr int points = TestType::gauss_points;
  const auto values = random_numbers(static_cast<std::size_t>(3 * points) * mesh.element_count(), -1, 1, 8);
  auto stress = upload(values);
  for (const Index size : {0, 1, 15, 16, 17, 31, 33, 4000})
    for (const bool coloured : {true, false}) {
      auto sum = filled<Real>(NodalStressTable::extent(static_cast<Index>(mesh.nodes.size())), 0);
      std::vector<double> expected(4 * mesh.nodes.size(), 0);
      for (const auto& list : random_lists(mesh, device.colouring, size, coloured, 200 + size)) {
        auto ids = upload(list);
        const ElementList elements{ids.data(), static_cast<Index>(list.size())};
        if (coloured)
          backend.launch(
              NodalStress<TestType, ColouredScatter>{device.table(), elements, {stress.data()}, {sum.data()}});
        else
          backend.launch(NodalStress<TestType, AtomicScatter>{device.table(), elements, {stress.data()}, {sum.data()}});
        for (const Index e : list) {
          std::vector<std::array<double, 3>> at;
          for (int q = 0; q < points; ++q) {
            const double* s = &values[static_cast<std::size_t>(3) * (e * points + q)];
            at.push_back({s[0], s[1], s[2]});
          }
          const auto nodal = reference::to_nodes(TestType::nodes, at);
          for (int i = 0; i < TestType::nodes; ++i) {
            for (int c = 0; c < 3; ++c) expected[4 * mesh.node(e, i) + c] += nodal[i][c];
            ++expected[4 * mesh.node(e, i) + 3];
          }
        }
      }
      auto host = sum.download(expected.size());
      CHECK(difference(host, expected) < 1e-15);
      for (std::size_t n = 0; n < mesh.nodes.size(); ++n)
        if (expected[4 * n + 3] > 0) {
          const Sym2 mean = mean_stress({host.data()}, static_cast<Index>(n));
          CHECK(std::abs(mean.xx - expected[4 * n] / expected[4 * n + 3]) < 1e-14);
          CHECK(std::abs(mean.yy - expected[4 * n + 1] / expected[4 * n + 3]) < 1e-14);
          CHECK(std::abs(mean.xy - expected[4 * n + 2] / expected[4 * n + 3]) < 1e-14);
        }
    }
}

TEMPLATE_TEST_CASE("a node has a mean stress for each material, and passes the filter if any of them may break",
                   "[stress][materials]", T3, T6) {
  Backend backend;
  DeviceMesh<TestType> device(large_mesh(TestType::type));
  const Mesh& mesh = device.mesh;
  constexpr int points = TestType::gauss_points, materials = 40;
  std::vector<Index> material;  // in stripes of any width: two to a few meet at a node
  std::mt19937 random(9);
  while (material.size() < static_cast<std::size_t>(mesh.element_count()))
    material.insert(material.end(), 1 + random() % 150, static_cast<Index>(random() % materials));
  material.resize(mesh.element_count());
  const std::vector<Index> places = material_places(mesh, material, materials);
  const Index rows = 1 + *std::max_element(places.begin(), places.end());
  CHECK(rows < materials);
  const auto values = random_numbers(static_cast<std::size_t>(3 * points) * mesh.element_count(), -1, 1, 8);
  auto stress = upload(values);
  auto of_element = upload(material), place = upload(places);
  const NodalStressRows row{rows, {place.data(), of_element.data()}};
  const auto nodes = static_cast<Index>(mesh.nodes.size());
  auto sum = filled<Real>(rows * NodalStressTable::extent(nodes), 0);
  for (const auto& list : random_lists(mesh, device.colouring, mesh.element_count(), true, 3)) {
    auto ids = upload(list);
    const ElementList elements{ids.data(), static_cast<Index>(list.size())};
    backend.launch(
        NodalStress<TestType, ColouredScatter>{device.table(), elements, {stress.data()}, {sum.data()}, row});
  }
  std::map<std::pair<Index, Index>, std::array<double, 4>> expected;  // by node and material
  for (Index e = 0; e < mesh.element_count(); ++e) {
    std::vector<std::array<double, 3>> at;
    for (int q = 0; q < points; ++q) {
      const double* s = &values[static_cast<std::size_t>(3) * (e * points + q)];
      at.push_back({s[0], s[1], s[2]});
    }
    const auto nodal = reference::to_nodes(TestType::nodes, at);
    for (int i = 0; i < TestType::nodes; ++i) {
      auto& here = expected[{mesh.node(e, i), material[e]}];
      for (int c = 0; c < 3; ++c) here[c] += nodal[i][c];
      ++here[3];
    }
  }
  FractureCriterion criterion;
  criterion.strength_n = criterion.strength_t = 0.8;
  auto flagged = filled<std::uint8_t>(nodes, 9);
  auto any = filled<Index>(1, 0);
  auto present = upload(std::vector<Index>{nodes});
  backend.launch(NodeFilter{
      nodes, present.data(), {sum.data()}, criterion, flagged.data(), any.data(), DeviceGate::always(), rows});
  auto host = sum.download(rows * NodalStressTable::extent(nodes));
  std::vector<int> passes(nodes, 0);
  Index mixed = 0, last = -1;
  for (const auto& [key, total] : expected) {
    const auto [node, m] = key;
    mixed += node == last;
    last = node;
    const Sym2 mean = mean_stress({host.data()}, rows * node + places[m]);
    REQUIRE(std::abs(mean.xx - total[0] / total[3]) < 1e-14);
    REQUIRE(std::abs(mean.yy - total[1] / total[3]) < 1e-14);
    REQUIRE(std::abs(mean.xy - total[2] / total[3]) < 1e-14);
    passes[node] |= criterion.may_break(mean);
  }
  CHECK(mixed > 100);
  const auto result = flagged.download(nodes);
  for (Index n = 0; n < nodes; ++n) REQUIRE(result[n] == passes[n]);
  const auto all = std::count(passes.begin(), passes.end(), 1);
  CHECK((all > nodes / 20 && all < nodes - nodes / 20));
}

namespace {

/// Traction of a stress on a line with unit normal n and tangent s, and what it is of the strengths.
double ratio_on(const std::array<double, 3>& s, double angle, double sigma, double tau, Criterion criterion) {
  const double nx = std::cos(angle), ny = std::sin(angle), sx = -ny, sy = nx;
  const double tx = s[0] * nx + s[2] * ny, ty = s[2] * nx + s[1] * ny;
  const double n = std::max(0.0, tx * nx + ty * ny) / sigma, t = (tx * sx + ty * sy) / tau;
  return criterion == Criterion::max ? std::max(n, std::abs(t)) : std::sqrt(n * n + t * t);
}

/// Random stresses as the sums of 1 to 8 elements.
std::vector<double> random_sums(Index nodes, double scale, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<double> sums;
  for (Index n = 0; n < nodes; ++n) {
    const double count = static_cast<double>(1 + random() % 8);
    for (int c = 0; c < 3; ++c) sums.push_back(count * uniform(random, -scale, scale));
    sums.push_back(count);
  }
  return sums;
}

}  // namespace

TEST_CASE("the node filter is the written bound, and lets no direction pass that breaks", "[fracture]") {
  Backend backend;
  const double sigma = 2, tau = GENERATE(1.2, 2., 5.);
  FractureCriterion criterion;
  criterion.strength_n = sigma;
  criterion.strength_t = tau;
  criterion.criterion = GENERATE(Criterion::ellipse, Criterion::max);
  for (const Index size : kernel_sizes) {
    const auto sums = random_sums(size, 2.5, size);
    auto device = upload(sums);
    auto flagged = filled<std::uint8_t>(size + 1, 9);
    auto any = filled<Index>(1, 0);
    auto present = upload(std::vector<Index>{size});
    backend.launch(NodeFilter{size, present.data(), {device.data()}, criterion, flagged.data(), any.data()});
    const auto result = flagged.download(size + 1);
    int yes = 0;
    for (Index n = 0; n < size; ++n) {
      const double c = sums[4 * n + 3];
      const std::array<double, 3> s{sums[4 * n] / c, sums[4 * n + 1] / c, sums[4 * n + 2] / c};
      const double mean = (s[0] + s[1]) / 2, radius = std::hypot((s[0] - s[1]) / 2, s[2]);
      const double p1 = mean + radius, p2 = mean - radius;
      const double n_bound = std::max(p1, 0.0) / sigma, t_bound = (p1 - p2) / (2 * tau);
      const double bound =
          criterion.criterion == Criterion::max ? std::max(n_bound, t_bound) : std::hypot(n_bound, t_bound);
      if (std::abs(bound - 1) > 1e-12) REQUIRE((result[n] != 0) == (bound >= 1));
      yes += result[n] != 0;
      if (result[n] == 0)
        for (int i = 0; i < 60; ++i) REQUIRE(ratio_on(s, i * 3.14159265 / 60, sigma, tau, criterion.criterion) < 1);
    }
    CHECK(result[size] == 9);
    CHECK((any.download(1)[0] != 0) == (yes > 0));
    if (size > 1000) CHECK((yes > size / 20 && yes < size - size / 20));
  }
}

TEST_CASE("stresses that may break are near the strength, and a mean of others may not break", "[fracture]") {
  FractureCriterion criterion;
  criterion.strength_n = 2;
  criterion.strength_t = GENERATE(1.2, 2., 5.);
  criterion.least_scale = GENERATE(1., 0.3);
  criterion.criterion = GENERATE(Criterion::ellipse, Criterion::max);
  const Real limit = criterion.least_scale, slightly = Real(1e-3);
  std::mt19937 random(3);
  const auto stress = [&](double scale) {
    return Sym2{Real(uniform(random, -scale, scale)), Real(uniform(random, -scale, scale)),
                Real(uniform(random, -scale, scale))};
  };
  const auto load = [&](Sym2 s) {
    const double radius = std::hypot((s.xx - s.yy) / 2, s.xy);
    return static_cast<double>(criterion.ratio(Real((s.xx + s.yy) / 2 + radius), Real(radius)));
  };
  int near = 0;
  for (int i = 0; i < 20000; ++i) {
    const Sym2 s = stress(1.5 * limit);
    if (criterion.may_break(s)) REQUIRE(criterion.is_near(s));
    if (load(s) < (1 - slightly) * limit) REQUIRE(!criterion.is_near(s));
    near += criterion.is_near(s);
  }
  CHECK((near > 1000 && near < 19000));
  // As close to the strength as rounding allows: the same stress many times, within some units in the last place.
  int above = 0;
  for (int i = 0; i < 20000; ++i) {
    const Sym2 drawn = stress(1.5 * limit);
    const double last_place = std::numeric_limits<Real>::epsilon();
    const auto factor = static_cast<Real>(limit / load(drawn) * (1 - static_cast<double>(random() % 5) * last_place));
    const Sym2 s{factor * drawn.xx, factor * drawn.yy, factor * drawn.xy};
    Sym2 sum{};
    const int count = 1 + static_cast<int>(random() % 32);
    for (int n = 0; n < count; ++n) sum = {sum.xx + s.xx, sum.yy + s.yy, sum.xy + s.xy};
    const auto of = static_cast<Real>(count);
    const Sym2 mean{sum.xx / of, sum.yy / of, sum.xy / of};
    above += criterion.may_break(mean) && !criterion.may_break(s);  // what the room for rounding is for
    REQUIRE((criterion.is_near(s) || !criterion.may_break(mean)));
  }
  CHECK(above > 100);
}

TEMPLATE_TEST_CASE("a stress near the strength is found in any element, and none where none is", "[fracture]", T3, T6) {
  Backend backend;
  DeviceMesh<TestType> device(large_mesh(TestType::type, Sides::straight));
  const Mesh& mesh = device.mesh;
  const Index elements = mesh.element_count();
  const LinearElastic material = steel(PlaneType::strain);
  // The same everywhere; below, more in the elements at the nodes of one.
  const auto d = reference::elasticity(2.1e11, 0.3, PlaneType::strain);
  const double strain = 1e-4, load = strain * std::hypot(d[0][0], (d[0][0] - d[0][1]) / 2);
  std::vector<Vec2> u(mesh.nodes.size());
  for (std::size_t n = 0; n < u.size(); ++n) u[n].x = Real(strain * mesh.nodes[n].x);
  BlockMaterials<LinearElastic> materials{{material, material}, {{0, elements, 0}, {}}, 1};
  Buffer<Real> gauss_stress;
  gauss_stress.resize(static_cast<std::size_t>(3 * TestType::gauss_points) * elements);
  auto live = upload(std::vector<LiveCounts>(1));
  const auto found_by = [&](double strength, bool by_blocks) {
    FractureCriterion criterion;
    criterion.strength_n = criterion.strength_t = Real(strength);
    auto displacement = upload(u);
    auto fault = upload(std::vector<FaultRecord>{FaultRecord{}});
    auto found = filled<Index>(1, 0);
    const NearStrength near{criterion, found.data()};
    if (by_blocks)
      backend.launch(FindNearStrength<TestType, LinearElastic>{
          {device.table(), device.position.data(), displacement.data(), {}, 0, nullptr, fault.data()},
          materials,
          near});
    else
      backend.launch(GaussStress<TestType, LinearElastic>{device.table(),
                                                          device.position.data(),
                                                          displacement.data(),
                                                          OfAllElements(material),
                                                          {gauss_stress.data()},
                                                          fault.data(),
                                                          live.data(),
                                                          0,
                                                          near});
    CHECK(fault.download(1)[0].code == 0);
    return found.download(1)[0];
  };
  for (const bool by_blocks : {false, true}) {
    CHECK(found_by(load * (1 + 1e-6), by_blocks) == 0);
    CHECK(found_by(load * (1 - 1e-6), by_blocks) == 1);
  }
  const Index victim = GENERATE_COPY(Index{0}, Index{1234}, elements - 1);
  for (int i = 0; i < TestType::nodes; ++i) u[mesh.node(victim, i)].x *= Real(1.3);
  for (const bool by_blocks : {false, true}) {
    CHECK(found_by(2 * load, by_blocks) == 1);
    CHECK(found_by(1000 * load, by_blocks) == 0);
  }
}

TEMPLATE_TEST_CASE("nodal stresses do not depend on the number of blocks that a launch starts", "[stress]", T3, T6) {
  BlocksOfSteel<TestType> body;
  auto& backend = body.backend;
  auto& device = body.device;
  auto& gather = body.gather;
  const auto& materials = body.materials;
  const Mesh& mesh = device.mesh;
  auto displacement = upload(random_vectors(mesh.nodes.size(), 1e-4, 6));
  const auto with = [&](Index launched) {
    auto sum = filled<Real>(NodalStressTable::extent(mesh.node_count()), -5);
    auto slots = filled<Sym2>(static_cast<std::size_t>(gather.interface_slots), Sym2{});
    auto flagged = filled<std::uint8_t>(mesh.nodes.size(), 0);
    auto flagged_nodes = filled<Index>(1, 0);
    auto fault = upload(std::vector<FaultRecord>{FaultRecord{}});
    FractureCriterion criterion;
    criterion.strength_n = criterion.strength_t = Real(1e9);
    backend.launch(BlockStress<TestType, LinearElastic>{
        .stress = body.stress(displacement, fault),
        .blocks_of = gather.block_table(),
        .materials = materials,
        .node = {gather.assembly.data(), {sum.data()}, criterion, flagged.data(), flagged_nodes.data()},
        .slot_stress = slots.data(),
        .gauss_stress = {},
        .near_strength = nullptr,
        .gate = DeviceGate::always(),
        .launched = launched});
    auto found = sum.download(sum.size());
    for (const Sym2& s : slots.download(slots.size())) found.insert(found.end(), {s.xx, s.yy, s.xy});
    found.push_back(static_cast<Real>(flagged_nodes.download(1)[0]));
    return found;
  };
  const auto expected = with(materials.blocks());
  CHECK((expected.back() > 100 && expected.back() < static_cast<Real>(mesh.nodes.size())));
  for (const Index launched : {1, 3, materials.blocks() - 1}) CHECK((with(launched) == expected));
}

TEMPLATE_TEST_CASE("facets between elements far from the strength are left out, and none of them breaks", "[fracture]",
                   T3, T6) {
  BlocksOfSteel<TestType> body;
  auto& backend = body.backend;
  auto& device = body.device;
  auto& gather = body.gather;
  const auto& materials = body.materials;
  const Index elements = device.mesh.element_count(), nodes = device.mesh.node_count();
  FractureCriterion criterion;
  criterion.strength_n = Real(1e9);
  criterion.strength_t = Real(2e9);
  criterion.aggregate = GENERATE(Aggregate::mean, Aggregate::max);
  auto moved = random_vectors(device.mesh.nodes.size(), 1e-4, 6);
  for (Index n = 0; n < nodes; ++n)
    if (device.mesh.nodes[n].x < 0.5) moved[n] = Real(1e-6) * moved[n];
  auto displacement = upload(moved);
  auto sum = filled<Real>(NodalStressTable::extent(nodes), 0);
  auto slots = filled<Sym2>(static_cast<std::size_t>(gather.interface_slots), Sym2{});
  auto flagged = filled<std::uint8_t>(nodes, 0), near_strength = filled<std::uint8_t>(elements, 99);
  auto flagged_nodes = filled<Index>(1, 0);
  auto fault = upload(std::vector<FaultRecord>{FaultRecord{}});
  Buffer<Real> gauss_stress;
  gauss_stress.resize(static_cast<std::size_t>(3 * TestType::gauss_points) * elements);
  backend.launch(BlockStress<TestType, LinearElastic>{
      .stress = body.stress(displacement, fault),
      .blocks_of = gather.block_table(),
      .materials = materials,
      .node = {gather.assembly.data(), {sum.data()}, criterion, flagged.data(), flagged_nodes.data()},
      .slot_stress = slots.data(),
      .gauss_stress = {gauss_stress.data()},
      .near_strength = near_strength.data(),
      .gate = DeviceGate::always(),
      .launched = materials.blocks()});

  auto points = gauss_stress.download(gauss_stress.size());
  const Table<Real, 3 * TestType::gauss_points> point_of{points.data()};
  const auto near = near_strength.download(elements);
  Index differing = 0;
  for (Index e = 0; e < elements; ++e) {
    Sym2 at[TestType::gauss_points];
    for (int q = 0; q < TestType::gauss_points; ++q)
      at[q] = {point_of(e, 3 * q), point_of(e, 3 * q + 1), point_of(e, 3 * q + 2)};
    bool any = false;
    for (int k = 0; k < 3; ++k) any = any || criterion.may_be_near(extrapolated<TestType>(at, k));
    differing += near[e] == (any ? 1 : 0) ? 0 : 1;
  }
  CHECK(differing == 0);
  CHECK((std::count(near.begin(), near.end(), 1) > 100 && std::count(near.begin(), near.end(), 0) > 100));

  const auto broken_by = [&](const ElementTraction<TestType>& traction) {
    auto bits = filled<std::uint8_t>(elements, 99);
    auto facets = filled<Index>(1, 0), owners = filled<Index>(1, 0);
    backend.launch(FacetFilter<TestType, ElementTraction<TestType>>{
        {device.table(), {0, elements}, device.position.data(), traction, nullptr, nullptr, criterion},
        {bits.data(), facets.data(), owners.data()}});
    return bits.download(elements);
  };
  const auto of_all = broken_by({{gauss_stress.data()}});
  CHECK(std::count_if(of_all.begin(), of_all.end(), [](auto bits) { return bits != 0; }) > 100);
  CHECK((broken_by({{gauss_stress.data()}, near_strength.data()}) == of_all));
  auto none = filled<std::uint8_t>(elements, 0);
  CHECK((broken_by({{gauss_stress.data()}, none.data()}) == std::vector<std::uint8_t>(elements, 0)));
}

TEMPLATE_TEST_CASE("the facet filter breaks what the rule breaks", "[fracture]", T3, T6) {
  Backend backend;
  DeviceMesh<TestType> device(large_mesh(TestType::type, Sides::straight));
  Mesh& mesh = device.mesh;
  const Aggregate aggregate = GENERATE(Aggregate::mean, Aggregate::max);
  const Criterion of_modes = GENERATE(Criterion::ellipse, Criterion::max);
  const bool limited = GENERATE(false, true);
  constexpr int nodes = TestType::facet_nodes;
  // Some facets are cohesive already.
  auto rows = device.rows.download(mesh.element_count());
  const ElementTable<TestType> host = rows.table();
  std::mt19937 random(12);
  Index cohesive = 0;
  for (Index e = 0; e < mesh.element_count(); ++e)
    for (int k = 0; k < 3; ++k) {
      const Index other = host.neighbour(e, k);
      if (!is_intact(other) || element_of(other) < e || random() % 5 != 0) continue;
      host.neighbour(e, k) = cohesive_code(cohesive, 0);
      host.neighbour(element_of(other), facet_of(other)) = cohesive_code(cohesive++, 1);
    }
  device.rows.upload(rows);
  FractureCriterion criterion;
  criterion.strength_n = 2;
  criterion.strength_t = 1.5;
  criterion.criterion = of_modes;
  criterion.aggregate = aggregate;
  criterion.limited = limited;
  criterion.box_min = {0, 0.4};
  criterion.box_max = {0.8, 1.0};
  const auto sums = random_sums(static_cast<Index>(mesh.nodes.size()), 3, 5);
  auto stress = upload(sums);
  // All nodes but a few are flagged: a facet without any flagged node is left alone.
  std::vector<std::uint8_t> flags(mesh.nodes.size());
  for (auto& f : flags) f = random() % 4 == 0;
  auto flagged = upload(flags);
  for (const Index size : kernel_sizes) {
    auto fractured = filled<std::uint8_t>(size + 1, 99);
    auto count = filled<Index>(1, 0), elements_with = filled<Index>(1, 0), some = filled<Index>(1, 1);
    backend.launch(FacetFilter<TestType>{{device.table(size),
                                          {0, size},
                                          device.position.data(),
                                          {{.sum = {stress.data()}}},
                                          flagged.data(),
                                          some.data(),
                                          criterion},
                                         {fractured.data(), count.data(), elements_with.data()}});
    const auto result = fractured.download(size + 1);
    CHECK(elements_with.download(1)[0] ==
          static_cast<Index>(std::count_if(result.begin(), result.end() - 1, [](auto bits) { return bits != 0; })));
    CHECK(result[size] == 99);
    Index broken = 0, candidates = 0;
    for (Index e = 0; e < size; ++e) {
      int bits = 0;
      for (int k = 0; k < 3; ++k) {
        const Index other = host.neighbour(e, k);
        if (other < 0 || other / 3 < e) continue;
        const auto slots = reference::facet_slots(TestType::nodes, k);
        std::vector<reference::Vec> x;
        bool any = false;
        for (const int slot : slots) {
          x.push_back(reference::positions(mesh, e)[slot]);
          any = any || flags[mesh.node(e, slot)];
        }
        if (!any) continue;
        if (limited) {
          const auto mid = nodes == 3 ? x[1] : reference::Vec{(x[0][0] + x[1][0]) / 2, (x[0][1] + x[1][1]) / 2};
          if (mid[0] < 0 || mid[1] < 0.4 || mid[0] > 0.8 || mid[1] > 1.0) continue;
        }
        ++candidates;
        double tn = 0, tt = 0, largest = 0;
        const auto ratio = [&](double n, double t) {
          const double of_n = std::max(n, 0.0) / 2, of_t = std::abs(t) / 1.5;
          return of_modes == Criterion::max ? std::max(of_n, of_t) : std::hypot(of_n, of_t);
        };
        for (int i = 0; i < nodes; ++i) {
          const auto frame = reference::facet_frame(x, reference::facet_node_parents(nodes)[i]);
          const double* s = &sums[4 * static_cast<std::size_t>(mesh.node(e, slots[i]))];
          const double tx = (s[0] * frame.n[0] + s[2] * frame.n[1]) / s[3];
          const double ty = (s[2] * frame.n[0] + s[1] * frame.n[1]) / s[3];
          const double n = tx * frame.n[0] + ty * frame.n[1], t = tx * frame.s[0] + ty * frame.s[1];
          tn += reference::facet_weights(nodes)[i] * n;
          tt += reference::facet_weights(nodes)[i] * t;
          largest = std::max(largest, ratio(n, t));
        }
        const double r = aggregate == Aggregate::max ? largest : ratio(tn, tt);
        REQUIRE(std::abs(r - 1) > 1e-9);  // no decision hangs on rounding
        if (r >= 1) {
          bits |= 1 << k;
          ++broken;
        }
      }
      REQUIRE(result[e] == bits);
    }
    CHECK(count.download(1)[0] == broken);
    if (size > 1000) CHECK((broken > candidates / 50 && broken < candidates));
  }
}

}  // namespace cleave::test
