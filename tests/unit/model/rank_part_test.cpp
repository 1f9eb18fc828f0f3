/// The rows of a model that a rank keeps.
#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "cleave/mesh/blocks.hpp"
#include "cleave/partition/part.hpp"
#include "cleave/solver/model.hpp"
#include "model/part_message.hpp"

using namespace cleave;

namespace {

/// A plate of two materials that is loaded, held, probed and random: each array has different rows.
Case plate_of_ranks(ElementType type) {
  Case c;
  c.file = "case.yaml";
  c.mesh.element = type;
  c.mesh.divisions = {40, 20};
  c.mesh.size = {4, 2};
  c.mesh.perturbation_amplitude = 0.2;
  c.mesh.regions = {{"right_half", {2, -1, 5, 3}, 1}};
  const MaterialCase steel{"linear_elastic", {210e9, 0.3, 7850, PlaneType::strain}},
      soft{"linear_elastic", {70e9, 0.3, 2700, PlaneType::strain}};
  c.material = {{"", steel, 1}, {"right_half", soft, 2}};
  c.cohesive.emplace();
  c.cohesive->parameters.normal = c.cohesive->parameters.tangential = {4e6, 100, 2};
  StrengthDistribution& random = c.cohesive->distribution.emplace();
  random.kind = StrengthDistribution::Kind::uniform;
  random.from = 3e6;
  random.to = 5e6;
  BoundaryCase pressure, velocity, absorbing;
  pressure.on = "left";
  pressure.kind = BoundaryCase::Kind::pressure;
  pressure.pressure = 1e6;
  velocity.on = "right";
  velocity.kind = BoundaryCase::Kind::velocity;
  velocity.x = true;
  velocity.velocity = {1, 0};
  absorbing.on = "bottom";
  absorbing.kind = BoundaryCase::Kind::absorb;
  c.boundary = {pressure, velocity, absorbing};
  c.support = {{"top", 1e9, 3}};
  c.initial.velocity_gradient = {1, 2, 3, 4};
  c.output.probes = {{"near", {0.1, 0.1}, 1, 4}, {"far", {3.9, 1.9}, 1, 5}};
  c.time.steps = 1;
  return c;
}

}  // namespace

TEST_CASE("a rank keeps the rows of its part of a model") {
  Model whole = make_model(plate_of_ranks(GENERATE(ElementType::t3, ElementType::t6)));
  const int ranks = 4, rank = GENERATE(1, 3);
  const Model model = model_from(message_to_rank(whole, rank, ranks));
  REQUIRE(model.part);
  CHECK(model.step == whole.step);
  CHECK(model.thickness == whole.thickness);
  CHECK(model.materials == whole.materials);
  REQUIRE(model.cohesive);
  CHECK(model.cohesive->parameters == whole.cohesive->parameters);
  CHECK(model.cohesive->distribution == whole.cohesive->distribution);
  REQUIRE(model.motions.size() == whole.motions.size());
  for (std::size_t m = 0; m < whole.motions.size(); ++m) {
    CHECK(model.motions[m].velocity == whole.motions[m].velocity);
    for (const double t : {0.0, 0.3e-6, 1.0}) CHECK(model.motions[m].curve.value(t) == whole.motions[m].curve.value(t));
  }
  const PartIds elements = model.part->elements.ids(), nodes = model.part->nodes.ids();
  REQUIRE(model.mesh.element_count() < whole.mesh.element_count());
  for (Index n = 0; n < model.mesh.node_count(); ++n) {
    const Index at = nodes.body_id(n);
    CHECK(model.velocity[n].x == whole.velocity[at].x);
    CHECK(model.velocity[n].y == whole.velocity[at].y);
    CHECK(model.displacement[n].x == whole.displacement[at].x);
    CHECK(model.motion_x[n] == whole.motion_x[at]);
    CHECK(model.motion_y[n] == whole.motion_y[at]);
    CHECK(model.support[n] == whole.support[at]);
    CHECK(model.damping[n].xy == whole.damping[at].xy);
    CHECK(model.damping[n].xx == whole.damping[at].xx);
  }
  REQUIRE(model.material_ranges.size() == whole.material_ranges.size());
  for (Index e = 0; e < model.mesh.element_count(); ++e) {
    const Index at = elements.body_id(e), material = model.element_material[e];
    CHECK(material == whole.element_material[at]);
    CHECK(e >= model.material_ranges[material]);
    CHECK(e < model.material_ranges[material + 1]);
    CHECK(model.element_strength_scale[e] == whole.element_strength_scale[at]);
    for (int k = 0; k < 3; ++k)
      CHECK(model.strength_scale[facet_code(e, k)] == whole.strength_scale[facet_code(at, k)]);
  }
  REQUIRE(model.loads.size() == whole.loads.size());
  std::vector<Index> loaded;
  for (const Index code : model.loads[0].facets)
    loaded.push_back(facet_code(elements.body_id(element_of(code)), facet_of(code)));
  std::vector<Index> expected;
  for (const Index code : whole.loads[0].facets)
    if (elements.own_id(element_of(code)) >= 0) expected.push_back(code);
  CHECK(loaded == expected);
  REQUIRE(model.held_groups.size() == whole.held_groups.size());
  for (std::size_t g = 0; g < whole.held_groups.size(); ++g) {
    const HeldGroup &own = model.held_groups[g], &all = whole.held_groups[g];
    REQUIRE(own.nodes.size() == own.directions.size());
    std::size_t at = 0;
    for (std::size_t i = 0; i < all.nodes.size(); ++i) {
      if (nodes.own_id(all.nodes[i]) < 0) continue;
      REQUIRE(at < own.nodes.size());
      CHECK(nodes.body_id(own.nodes[at]) == all.nodes[i]);
      CHECK(own.directions[at++] == all.directions[i]);
    }
    CHECK(at == own.nodes.size());
  }
  for (std::size_t p = 0; p < whole.probes.size(); ++p) {
    const bool there = elements.own_id(whole.probes[p].element) >= 0;
    CHECK(model.probes[p].elsewhere == !there);
    if (there) CHECK(elements.body_id(model.probes[p].element) == whole.probes[p].element);
  }
  CHECK(std::any_of(model.probes.begin(), model.probes.end(), [](const ProbePoint& p) { return p.elsewhere; }));
}

TEST_CASE("all kinds of curves come to another rank") {
  Case c = plate_of_ranks(ElementType::t3);
  const Curve curve = GENERATE(Curve{}, Curve::exponential(2e-6), Curve::linear_decay(2e-6), Curve::half_sine(2e-6),
                               Curve::table({{0, 0}, {1e-6, 1}, {3e-6, 0.5}}));
  c.curves["curve"] = curve;
  c.boundary[0].curve = "curve";
  const Model model = model_from(message_to_rank(make_model(c), 1, 2));
  CHECK(model.loads[0].curve.kind() == curve.kind());
  for (const double t : {0.0, 0.5e-6, 1.5e-6, 2.5e-6, 1.0}) CHECK(model.loads[0].curve.value(t) == curve.value(t));
}

TEST_CASE("contact, pressure in cracks and processes need the whole body on each rank") {
  Case c = plate_of_ranks(ElementType::t3);
  CHECK(!needs_whole_body(c));
  SECTION("contact") { c.contact.emplace(); }
  SECTION("obstacles") { c.obstacles.emplace_back(); }
  SECTION("pressure in cracks") { c.boundary[0].in_cracks = true; }
  SECTION("processes") { c.processes.emplace_back(); }
  CHECK(needs_whole_body(c));
}
