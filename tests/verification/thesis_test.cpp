/// Counts that the simulations of A. Alhadeff et al., IJNME 103 (2015) 859 must reproduce exactly.
#include <string>

#include "cleave/mesh/topology.hpp"
#include "support.hpp"

namespace cleave::verification {
namespace {

struct Sizes {
  const char* name;
  bool ring;
  std::array<int, 2> divisions;
  Index elements, nodes, interior;  ///< interior 0: not given
};

Mesh mesh_of(const Sizes& s) {
  return s.ring ? ring(ElementType::t6, s.divisions, 0.08, 0.15)
                : rectangle(ElementType::t6, s.divisions, {16e-3, 4e-3}, {0, 0}, 2e-3);
}

}  // namespace

TEST_CASE("the published simulations have their mesh sizes", "[thesis]") {
  const Sizes all[] = {{"notched strip", false, {192, 48}, 36864, 74257, 0},
                       {"notched strip", false, {384, 96}, 147456, 295969, 0},
                       {"ring", true, {20, 160}, 12800, 25920, 19040},
                       {"ring", true, {30, 240}, 28800, 58080, 42960},
                       {"ring", true, {40, 320}, 51200, 103040, 76480},
                       {"ring", true, {96, 768}, 294912, 591360, 441600},
                       {"ring", true, {115, 787}, 362020, 725614, 542243},
                       {"annulus of the insertion test", true, {100, 600}, 240000, 481200, 359400}};
  for (const Sizes& s : all) {
    const MeshCounts c = count(mesh_of(s));
    const std::string name =
        std::string(s.name) + " " + std::to_string(s.divisions[0]) + " x " + std::to_string(s.divisions[1]);
    INFO(name);
    CHECK(c.elements == s.elements);
    CHECK(c.nodes == s.nodes);
    if (s.interior > 0) CHECK(c.interior_facets == s.interior);
    record("published mesh sizes", name + ": elements", s.elements, c.elements, "", "0");
    record("published mesh sizes", name + ": nodes", s.nodes, c.nodes, "", "0");
    if (s.interior > 0)
      record("published mesh sizes", name + ": interior facets", s.interior, c.interior_facets, "", "0");
  }
}

TEST_CASE("the ring with all facets broken has the published counts", "[thesis]") {
  CLEAVE_ON_EVERY_BACKEND();
  const std::string law = GENERATE(std::string("ppr"), std::string("linear"));
  Model m = make_model(ring(ElementType::t6, {20, 160}, 0.08, 0.15), steel, 0.5, 1e-3);
  CohesiveCase c;
  c.law = law;
  c.parameters.normal = c.parameters.tangential = {1e5, 2000, 2};
  c.insertion.every = 1;
  m.cohesive = c;
  // All-round tension far above the strength: no facet of any direction holds.
  set_displacement(m, [](Point p) { return Point{1e-4 * p.x, 1e-4 * p.y}; });
  const auto solver = make_solver(m, backend, 2);
  solver->advance(1);
  const HistoryRow row = solver->history();
  const Index elements = m.mesh.element_count();
  CHECK(row.cohesive_elements == 19040);
  CHECK(row.nodes == 6 * elements);
  const Snapshot s = solver->snapshot();
  double mass = 0;
  for (const double each : s.mass) mass += each;
  CHECK(mass == Approx(quality(m.mesh).area * 1e-3 * steel.density).epsilon(1e-12));
  // New nodes = 2 * cohesive elements + change of Euler's number: from 0 of the annulus to one per loose element.
  CHECK(row.nodes - m.mesh.node_count() == 2 * row.cohesive_elements + elements);
  record("all facets of the ring 20 x 160", law + ": nodes", 6.0 * elements, row.nodes, "", "0");
  record("all facets of the ring 20 x 160", law + ": cohesive elements", 19040, row.cohesive_elements, "", "0");
}

}  // namespace cleave::verification
