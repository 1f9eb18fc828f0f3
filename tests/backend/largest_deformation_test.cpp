/// The largest strain and rotation of a body.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <numbers>

#include "backend/models.hpp"
#include "backend/solver_backend.hpp"

namespace cleave::test {
namespace {

/// A plate whose nodes are displaced by a uniform gradient.
Model moved_plate(ElementType type, std::array<double, 4> gradient) {
  Model m = model_of(plate_mesh(type, {24, 12}));
  for (std::size_t n = 0; n < m.mesh.nodes.size(); ++n) {
    const Point p = m.mesh.nodes[n];
    m.displacement[n] = {gradient[0] * p.x + gradient[1] * p.y, gradient[2] * p.x + gradient[3] * p.y};
  }
  return m;
}

}  // namespace

TEST_CASE("uniform strains and rotations are measured", "[deformation]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const auto of = [&](std::array<double, 4> gradient) {
    return make_solver(moved_plate(type, gradient), 1)->largest_deformation();
  };
  CHECK(of({0, 0, 0, 0}).strain == 0);
  CHECK(of({0, 0, 0, 0}).rotation == 0);
  CHECK(of({0.03, 0, 0, 0.01}).strain == Approx(0.03));
  CHECK(of({0.01, 0, 0, -0.04}).strain == Approx(0.04));
  CHECK(of({0, 0.02, 0.02, 0}).strain == Approx(0.02));
  CHECK(of({0, 0.02, 0.02, 0}).rotation == Approx(0).margin(1e-7));
  for (const double angle : {0.05, -0.2, 2.5, std::numbers::pi}) {
    const double c = std::cos(angle), s = std::sin(angle);
    CHECK(of({c - 1, -s, s, c - 1}).rotation == Approx(std::abs(angle)).epsilon(1e-6));
  }
}

TEST_CASE("norms of the strains of elements are exact", "[deformation]") {
  Model m = moved_plate(GENERATE(ElementType::t3, ElementType::t6), {0.01, 0, 0, -0.04});
  m.assembly = GENERATE(Assembly::gather, Assembly::coloured);
  const auto norms_of_strain = [](const Model& model) {
    const FieldNorms field = make_solver(model, 1)->field_norms().at(2);
    CHECK(field.name == "strain");
    return field.norms;
  };
  const Norms uniform = norms_of_strain(m);
  CHECK(uniform.least == Approx(0.04));
  CHECK(uniform.largest == Approx(0.04));
  CHECK(uniform.linf == uniform.largest);
  CHECK(uniform.l0 == 24 * 12 * 4);
  CHECK(uniform.l1 == Approx(24 * 12 * 4 * 0.04));
  CHECK(uniform.l2 == Approx(std::sqrt(24 * 12 * 4) * 0.04));
  CHECK(uniform.not_finite == 0);

  const auto around = [&](Index node) { return std::count(m.mesh.elements.begin(), m.mesh.elements.end(), node); };
  const Index node = m.mesh.node(100, 0);
  m.displacement[node].x = std::numeric_limits<double>::quiet_NaN();
  const Norms spoilt = norms_of_strain(m);
  CHECK(spoilt.not_finite == around(node));
  CHECK(spoilt.l0 == 24 * 12 * 4 - around(node));
  CHECK(spoilt.largest == Approx(0.04));
}

TEST_CASE("the largest deformation is found on any number of threads", "[deformation]") {
  Model m = moved_plate(GENERATE(ElementType::t3, ElementType::t6), {0.01, 0, 0, 0});
  m.assembly = GENERATE(Assembly::gather, Assembly::coloured);
  m.precision = GENERATE(Precision::double_precision, Precision::single_precision);
  const Index far = m.mesh.element_count() - 3;     // not in the first block of a kernel
  m.displacement[m.mesh.node(far, 1)].x += 0.1e-3;  // the cells are 0.67 mm wide
  const Deformation one = make_solver(m, 1)->largest_deformation(), four = make_solver(m, 4)->largest_deformation();
  CHECK(one.strain > 0.05);
  const std::vector<Index> nodes(m.mesh.elements.begin() + one.strain_element * nodes_per_element(m.mesh.type),
                                 m.mesh.elements.begin() + (one.strain_element + 1) * nodes_per_element(m.mesh.type));
  CHECK(std::find(nodes.begin(), nodes.end(), m.mesh.node(far, 1)) != nodes.end());
  CHECK(one.strain == four.strain);
  CHECK(one.rotation == four.rotation);
  CHECK(one.strain_element == four.strain_element);
  CHECK(one.rotation_element == four.rotation_element);
}

TEST_CASE("an element that turns inside out is named with the checks around it", "[deformation]") {
  Model m = model_of(plate_mesh(ElementType::t6, {8, 4}));
  m.assembly = GENERATE(Assembly::gather, Assembly::coloured);
  add_velocity(m, {0, 0}, {-4e5, 0, 0, 0}, {8e-3, 4e-3});
  const auto solver = make_solver(m, 1);
  std::vector<Step> rows;
  try {
    solver->advance(4000, Output::history, {5, [&](const HistoryRow& row) { rows.push_back(row.step); }});
    FAIL("nothing turns inside out");
  } catch (const ElementFailure& failure) {
    CHECK(failure.element >= 0);
    CHECK(failure.element < m.mesh.element_count());
    while (!rows.empty() && rows.back() >= failure.found) rows.pop_back();  // the coloured solver hands it out
    REQUIRE(!rows.empty());
    CHECK(failure.good == rows.back());
    CHECK(failure.found == rows.back() + 5);
    const Snapshot left = solver->capture_failed()(1);
    CHECK(left.step >= failure.found);
    CHECK(left.displacement.size() == m.mesh.nodes.size());
  }
}

}  // namespace cleave::test
