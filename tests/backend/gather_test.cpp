/// The gather assembly against the coloured one on meshes of many blocks: the same numbers by different kernels.
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "backend/solver_backend.hpp"
#include "cleave/mesh/blocks.hpp"
#include "cleave/mesh/generators.hpp"
#include "cleave/mesh/topology.hpp"
#include "reference/triangle.hpp"

using namespace cleave;

namespace {

/// A plate of 1024 elements (8 blocks) that is pulled, pushed on and breaks.
Case plate(ElementType type, Assembly assembly) {
  Case c;
  c.file = "plate";
  c.mesh.shape = MeshShape::rectangle;
  c.mesh.element = type;
  c.mesh.divisions = {16, 16};
  c.mesh.size = {0.02, 0.02};
  c.mesh.perturbation_amplitude = 0.15;
  c.material = {{"", {"linear_elastic", {3e9, 0.3, 1200, PlaneType::strain}}}};
  c.cohesive.emplace();
  c.cohesive->parameters.normal = c.cohesive->parameters.tangential = {30e6, 100, 2};
  c.cohesive->insertion.every = 5;
  c.initial.velocity_gradient = {1.5e4, 0, 0, 1.0e4};
  BoundaryCase held, pressed, pulled;
  held.on = "left";
  held.kind = BoundaryCase::Kind::fix;
  held.y = true;
  pressed.on = "top";
  pressed.kind = BoundaryCase::Kind::pressure;
  pressed.pressure = 5e6;
  pressed.curve = "pulse";
  pulled.on = "right";
  pulled.kind = BoundaryCase::Kind::velocity;
  pulled.x = true;
  pulled.velocity = {20, 0};
  c.boundary = {held, pressed, pulled};
  c.curves.emplace("pulse", Curve::exponential(2e-6));
  c.run.assembly = assembly;
  return c;
}

/// Until something breaks the assemblies differ by rounding only; a thousand fragments that rattle then amplify that
/// like any small change, by e in some 25 steps (measured: 2e-16 at step 45, 1e-9 at 360).
void check_close(double a, double b, double scale, bool broken) {
  CHECK(std::abs(a - b) <= (broken ? 1e-5 : 1e-12) * scale);
}

}  // namespace

TEST_CASE("interior nodes of a block belong to it alone and are consecutive", "[gather]") {
  const Model model = make_model(plate(ElementType::t6, Assembly::gather));
  const Mesh& mesh = model.mesh;
  const std::vector<Index> first = first_nodes_of_blocks(mesh, cut_blocks(model.material_ranges));
  REQUIRE(first.size() == 9);
  std::vector<std::set<Index>> blocks_at(mesh.nodes.size());
  for (Index e = 0; e < mesh.element_count(); ++e)
    for (int i = 0; i < 6; ++i) blocks_at[mesh.node(e, i)].insert(e / elements_per_block);
  for (Index n = 0; n < mesh.node_count(); ++n) {
    if (n < first.back()) {
      REQUIRE(blocks_at[n].size() == 1);
      const Index block = *blocks_at[n].begin();
      CHECK((first[block] <= n && n < first[block + 1]));
    } else {
      CHECK(blocks_at[n].size() > 1);
    }
  }
}

TEST_CASE("gather and coloured assemblies break the same body alike", "[gather][solver]") {
  for (const ElementType type : {ElementType::t3, ElementType::t6}) {
    const auto gather = test::make_solver(make_model(plate(type, Assembly::gather)), 2);
    const auto coloured = test::make_solver(make_model(plate(type, Assembly::coloured)), 2);
    Index cohesive = 0;
    for (int part = 0; part < 28; ++part) {
      gather->advance(15);
      coloured->advance(15);
      const HistoryRow g = gather->history(), c = coloured->history();
      const double scale = c.kinetic_energy + c.strain_energy;
      const bool broken = c.cohesive_elements > 0;
      check_close(g.kinetic_energy, c.kinetic_energy, scale, broken);
      check_close(g.strain_energy, c.strain_energy, scale, broken);
      check_close(g.internal_work, c.internal_work, scale, broken);
      check_close(g.cohesive_work, c.cohesive_work, scale, broken);
      check_close(g.external_work, c.external_work, scale, broken);
      check_close(g.reaction_work, c.reaction_work, scale, broken);
      CHECK(std::abs(g.internal_work - g.strain_energy) <= 1e-12 * scale);
      CHECK(std::abs(g.balance_error) < 1e-12);
      REQUIRE(g.nodes == c.nodes);
      REQUIRE(g.cohesive_elements == c.cohesive_elements);
      CHECK(g.fragments == c.fragments);
      cohesive = g.cohesive_elements;
    }
    CHECK(cohesive > 100);  // the comparison went through fracture
  }
}

TEST_CASE("a gathered run does not depend on the steps of output", "[gather][solver]") {
  Model model = make_model(plate(ElementType::t6, Assembly::gather));
  model.precision = GENERATE(Precision::double_precision, Precision::single_precision);
  model.cohesive->law = GENERATE(std::string("ppr"), std::string("linear"), std::string("exponential"));
  model.cohesive->parameters.values = {0.01};  // of `exponential`
  const auto often = test::make_solver(model, 1);
  const auto seldom = test::make_solver(model, 2);
  const auto rows = test::make_solver(model, 2);
  for (int i = 0; i < 40; ++i) {
    often->advance(7);
    rows->advance(3, Output::none);
    rows->advance(4, Output::history);
    // Not balance_error, which is relative to the largest energy that was seen.
    const HistoryRow a = often->history(), b = rows->history();
    REQUIRE((a.kinetic_energy == b.kinetic_energy && a.kinetic_correction == b.kinetic_correction &&
             a.strain_energy == b.strain_energy && a.internal_work == b.internal_work &&
             a.cohesive_work == b.cohesive_work && a.recoverable_energy == b.recoverable_energy &&
             a.external_work == b.external_work && a.reaction_work == b.reaction_work && a.nodes == b.nodes &&
             a.failed_elements == b.failed_elements && a.fragments == b.fragments));
  }
  CHECK_THROWS_AS(rows->snapshot(), std::logic_error);
  rows->advance(1);
  often->advance(1);
  seldom->advance(281);
  const Snapshot a = often->snapshot(), b = seldom->snapshot(), c = rows->snapshot();
  REQUIRE(a.cohesive.size() > 0);
  REQUIRE(a.displacement.size() == b.displacement.size());
  REQUIRE(a.displacement.size() == c.displacement.size());
  const auto same = [](Point p, Point q) { return p.x == q.x && p.y == q.y; };
  for (std::size_t n = 0; n < a.displacement.size(); ++n) {
    REQUIRE((same(a.displacement[n], b.displacement[n]) && same(a.displacement[n], c.displacement[n])));
    REQUIRE((same(a.velocity[n], b.velocity[n]) && same(a.velocity[n], c.velocity[n])));
  }
  seldom->advance(1, Output::none);
  CHECK_THROWS_AS(seldom->history(), std::logic_error);
}

TEST_CASE("rows during an advance are those of a run that stops for them", "[gather][solver]") {
  Model model = make_model(plate(ElementType::t6, GENERATE(Assembly::gather, Assembly::coloured)));
  const auto stops = test::make_solver(model, 1), goes_on = test::make_solver(model, 2);
  for (const Step n : {1, 7, 8, 150, 151, 83}) {
    std::vector<HistoryRow> rows;
    const Step first = goes_on->step(), last = first + n;
    goes_on->advance(n, Output::history, {8, [&](const HistoryRow& row) { rows.push_back(row); }});
    rows.push_back(goes_on->history());
    for (const HistoryRow& row : rows) {
      stops->advance(row.step - stops->step(), Output::history);
      const HistoryRow expected = stops->history();
      REQUIRE((row.step == expected.step && row.kinetic_energy == expected.kinetic_energy &&
               row.strain_energy == expected.strain_energy && row.internal_work == expected.internal_work &&
               row.cohesive_work == expected.cohesive_work && row.external_work == expected.external_work &&
               row.reaction_work == expected.reaction_work && row.balance_error == expected.balance_error &&
               row.nodes == expected.nodes && row.cohesive_elements == expected.cohesive_elements &&
               row.failed_elements == expected.failed_elements && row.fragments == expected.fragments));
    }
    CHECK(static_cast<Step>(rows.size()) == (last - 1) / 8 - first / 8 + 1);
  }
  CHECK(stops->history().failed_elements > 0);
  CHECK(stops->history().fragments > 1);
}

TEST_CASE("a gathered run has no colours, and its nodes have their shares of the masses of elements", "[gather]") {
  for (const ElementType type : {ElementType::t3, ElementType::t6}) {
    const Model model = make_model(plate(type, Assembly::gather));
    CHECK(model.colouring.count == 0);
    CHECK(model.colouring.order.empty());
    CHECK(make_model(plate(type, Assembly::coloured)).colouring.count > 0);
    const int width = nodes_per_element(type);
    const double by_area = model.materials.front().parameters.density * model.thickness;
    std::vector<double> expected(model.mesh.nodes.size());
    for (Index e = 0; e < model.mesh.element_count(); ++e)
      for (int i = 0; i < width; ++i)
        expected[model.mesh.node(e, i)] +=
            by_area * reference::mass_share(width, i) * reference::area(reference::positions(model.mesh, e));
    const Snapshot start = test::make_solver(model, 2)->snapshot();
    double off = 0;
    for (std::size_t n = 0; n < expected.size(); ++n) off = std::max(off, std::abs(start.mass[n] / expected[n] - 1));
    CHECK(off < 1e-13);
  }
}

TEST_CASE("a gathered run with all facets cut in groups keeps counts, masses and balance", "[gather][insertion]") {
  for (const ElementType type : {ElementType::t3, ElementType::t6}) {
    Case c = plate(type, Assembly::gather);
    c.cohesive->insertion.every = 1000000;  // only what the test cuts
    const Model model = make_model(c);
    const MeshCounts counts = count(model.mesh);
    const auto solver = test::make_solver(model, 2);
    double mass = 0;
    for (const double m : solver->snapshot().mass) mass += m;
    std::vector<Index> group;
    Index cut = 0;
    for (int part = 0; part < 7; ++part) {
      group.clear();
      for (Index code = part; code < 3 * counts.elements; code += 7)
        if (element_of(model.mesh.neighbours[code]) > element_of(code) && is_intact(model.mesh.neighbours[code]))
          group.push_back(code);
      solver->insert_cohesive(group);
      cut += static_cast<Index>(group.size());
      solver->advance(5);
      CHECK(solver->history().cohesive_elements == cut);
    }
    const Snapshot end = solver->snapshot();
    CHECK(cut == counts.interior_facets);
    CHECK(static_cast<Index>(end.position.size()) == nodes_per_element(type) * counts.elements);
    double after = 0;
    for (const double m : end.mass) after += m;
    CHECK(after == Approx(mass).epsilon(1e-13));
    CHECK(std::abs(solver->history().balance_error) < 1e-12);
  }
}
