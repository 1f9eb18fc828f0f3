/// Which of the facets above their strength break.
#include <algorithm>
#include <array>
#include <bit>
#include <catch2/catch.hpp>
#include <map>
#include <random>

#include "backend/backend.hpp"
#include "backend/device_mesh.hpp"
#include "backend/models.hpp"
#include "fracture/fracture_filter.hpp"
#include "reference/same_bits.hpp"

namespace cleave::test {
namespace {

/// Random stresses of nodes, about as large as the strength, in a table of sums.
std::vector<Real> random_stresses(std::size_t nodes, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Real> sums;
  for (std::size_t n = 0; n < nodes; ++n) {
    for (int c = 0; c < 3; ++c) sums.push_back(static_cast<Real>(uniform(random, -3, 3)));
    sums.push_back(1);
  }
  return sums;
}

double value_of(LoadBits bits) { return std::bit_cast<double>(bits); }

}  // namespace

TEMPLATE_TEST_CASE("the most loaded one of the facets at a corner breaks", "[fracture]", T3, T6) {
  Backend backend;
  DeviceMesh<TestType> device(large_mesh(TestType::type, Sides::straight));
  const Mesh& mesh = device.mesh;
  const Index elements = mesh.element_count();
  const bool random_strength = GENERATE(false, true);
  const bool all_alike = GENERATE(false, true);  // then ids decide
  auto sums = random_stresses(mesh.nodes.size(), 4);
  if (all_alike)
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = i % 4 < 2 ? Real(3) : i % 4 == 2 ? Real(0) : Real(1);
  auto stress = upload(sums);
  std::mt19937 random(8);
  std::vector<Real> scales(3 * static_cast<std::size_t>(elements), 1);
  for (Index f = 0; f < 3 * elements; ++f)
    if (mesh.neighbours[f] > f)
      scales[f] = scales[mesh.neighbours[f]] = all_alike ? Real(0.5) : static_cast<Real>(uniform(random, 0.5, 2));
  auto scale = upload(scales);
  auto flagged = filled<std::uint8_t>(static_cast<Index>(mesh.nodes.size()), 1);
  auto some = filled<Index>(1, 1);
  FractureCriterion criterion;
  criterion.strength_n = 2;
  criterion.strength_t = Real(1.5);
  if (random_strength) criterion.scale = scale.data();
  const FacetJudge<TestType> judge{device.table(elements),
                                   {0, elements},
                                   device.position.data(),
                                   {{stress.data()}},
                                   flagged.data(),
                                   some.data(),
                                   criterion};
  auto bits = filled<std::uint8_t>(elements, 99);
  auto facets = filled<Index>(1, 0), owners = filled<Index>(1, 0);
  auto most_loaded = filled<LoadRank>(static_cast<Index>(mesh.nodes.size()), 0);
  auto largest_load = filled<LoadBits>(1, 0);
  const FracturedFacets fractured{
      .bits = bits.data(), .facets = facets.data(), .elements = owners.data(), .largest_load = largest_load.data()};
  backend.launch(FacetFilter<TestType>{judge, fractured});
  const auto above = bits.download(elements);
  const Index all_above = facets.download(1)[0];
  const LoadBits largest_above = largest_load.download(1)[0];
  largest_load.upload({0});
  facets.upload({0});
  owners.upload({0});
  backend.launch(RankFacets<TestType>{judge, bits.data(), most_loaded.data()});
  CHECK(bits.download(elements) == above);
  backend.launch(MostLoadedFacets<TestType>{judge, fractured, most_loaded.data()});
  const auto chosen = bits.download(elements);

  // By the definition: higher load first, then the smaller code.
  struct Loaded {
    float load;
    Index code;
    Real exact;
  };
  std::vector<Loaded> loaded;
  Real largest = 0;
  for (Index e = 0; e < elements; ++e)
    for (int k = 0; k < 3; ++k) {
      if (!(above[e] >> k & 1)) continue;
      const auto node = [&](int i) { return mesh.node(e, TestType::facet_slot(k, i)); };
      const Point p = mesh.nodes[node(0)], q = mesh.nodes[node(TestType::facet_nodes - 1)];
      const FacetFrame frame = facet_frame({Real(p.x), Real(p.y)}, {Real(q.x), Real(q.y)});
      Vec2 mean{};
      for (int i = 0; i < TestType::facet_nodes; ++i) {
        const Real* s = &sums[4 * static_cast<std::size_t>(node(i))];
        mean += TestType::facet_weight(i) * traction_on({s[0], s[1], s[2]}, frame);
      }
      Real load = criterion.ratio(mean.x, mean.y);
      if (random_strength) load = load / scales[facet_code(e, k)];
      loaded.push_back({static_cast<float>(load), facet_code(e, k), load});
      largest = std::max(largest, load);
    }
  REQUIRE(static_cast<Index>(loaded.size()) == all_above);
  CHECK(value_of(largest_above) == Approx(largest).epsilon(1e-6));
  largest = 0;
  std::map<Index, Loaded> first;  // by corner
  const auto before = [](const Loaded& a, const Loaded& b) {
    return a.load > b.load || (a.load == b.load && a.code < b.code);
  };
  const auto corners = [&](Index code) {
    const Index e = element_of(code);
    const int k = facet_of(code);
    return std::array{mesh.node(e, (k + 1) % 3), mesh.node(e, (k + 2) % 3)};
  };
  for (const Loaded& f : loaded)
    for (const Index n : corners(f.code)) {
      const auto [at, fresh] = first.insert({n, f});
      if (!fresh && before(f, at->second)) at->second = f;
    }
  std::vector<std::uint8_t> expected(static_cast<std::size_t>(elements), 0);
  Index count = 0;
  for (const Loaded& f : loaded) {
    const auto ends = corners(f.code);
    if (first.at(ends[0]).code != f.code || first.at(ends[1]).code != f.code) continue;
    expected[element_of(f.code)] |= static_cast<std::uint8_t>(1 << facet_of(f.code));
    largest = std::max(largest, f.exact);
    ++count;
  }
  CHECK(chosen == expected);
  CHECK(value_of(largest_load.download(1)[0]) == Approx(largest).epsilon(1e-6));
  CHECK(facets.download(1)[0] == count);
  CHECK(owners.download(1)[0] ==
        static_cast<Index>(std::count_if(expected.begin(), expected.end(), [](auto b) { return b != 0; })));
  CHECK((count > 0 && count < all_above / 2));
}

TEST_CASE("facets that share a corner do not break in one check", "[fracture][solver]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  Model m = busy_plate(type);
  m.assembly = GENERATE(Assembly::gather, Assembly::coloured);
  m.cohesive->law = GENERATE(std::string("ppr"), std::string("linear"));
  m.cohesive->insertion.selection = Selection::local_maximum;
  const auto solver = make_solver(m, 1);
  solver->advance(300);
  const Snapshot s = solver->snapshot();
  REQUIRE(s.cohesive.size() > 20);
  // Corners of the mesh at the start, which facets share until the first of them breaks there.
  std::map<Index, std::map<Step, int>> cuts;  // by corner and step
  for (const auto& c : s.cohesive)
    for (int i = 1; i <= 2; ++i)
      ++cuts[m.mesh.node(element_of(c.facet_a), (facet_of(c.facet_a) + i) % 3)][c.insertion_step];
  for (const auto& [corner, steps] : cuts) CHECK(steps.begin()->second == 1);
  CHECK(std::abs(solver->history().balance_error) < 1e-11);
  // Another number of threads, the same bits.
  const auto again = make_solver(m, 2);
  again->advance(300);
  CHECK(reference::same_bits(s, again->snapshot()));
}

}  // namespace cleave::test
