/// Reductions of a backend, and norms of fields, against plain loops.
#include "body/norms.hpp"

#include <catch2/catch.hpp>
#include <limits>

#include "backend/backend.hpp"
#include "backend/device_mesh.hpp"
#include "backend/models.hpp"

namespace cleave::norms_test {

struct IndexSquared {
  CLEAVE_HD std::int64_t operator()(Index i) const { return std::int64_t{i} * i; }
};

}  // namespace cleave::norms_test

namespace cleave::test {
namespace {

Norms plain_norms(const std::vector<double>& values) {
  Norms n;
  bool first = true;
  for (const double v : values) {
    if (!std::isfinite(v)) {
      ++n.not_finite;
      continue;
    }
    n.least = first ? v : std::min(n.least, v);
    n.largest = first ? v : std::max(n.largest, v);
    first = false;
    n.l0 += v != 0;
    n.l1 += std::abs(v);
    n.l2 += v * v;
    n.linf = std::max(n.linf, std::abs(v));
  }
  n.l2 = std::sqrt(n.l2);
  return n;
}

/// Extremes and counts are exact; sums have another order.
void require_norms(const Norms& got, const Norms& expected) {
  CHECK(got.least == expected.least);
  CHECK(got.largest == expected.largest);
  CHECK(got.l0 == expected.l0);
  CHECK(got.linf == expected.linf);
  CHECK(got.not_finite == expected.not_finite);
  CHECK(std::abs(got.l1 - expected.l1) <= 1e-13 * expected.l1);
  CHECK(std::abs(got.l2 - expected.l2) <= 1e-13 * expected.l2);
}

}  // namespace

TEST_CASE("a reduction takes every value once", "[norms]") {
  Backend backend;
  for (const Index size : {0, 1, 31, 33, 4095, 4096, 4097, 100000}) {
    const std::int64_t n = size, expected = (n - 1) * n * (2 * n - 1) / 6;
    CHECK(backend.reduce(size, norms_test::IndexSquared{}, std::int64_t{0}) == expected);
  }
}

TEST_CASE("norms are those of values, components of rows, and lengths", "[norms]") {
  Backend backend;
  for (const Index size : {0, 1, 31, 33, 9000}) {
    CAPTURE(size);
    auto values = random_numbers(3 * size, -2, 1, 7);
    for (Index i = 0; i < size; i += 5) values[3 * i + 1] = 0;
    std::vector<double> component;
    for (Index i = 0; i < size; ++i) component.push_back(values[3 * i + 1]);
    auto buffer = upload(values);
    require_norms(backend.reduce(3 * size, NormsOfValues{buffer.data()}, NormSums{}).norms(), plain_norms(values));
    const Norms of_component = backend.reduce(size, NormsOfValues{buffer.data() + 1, 3}, NormSums{}).norms();
    require_norms(of_component, plain_norms(component));
    if (size == 9000) CHECK(of_component.l0 == 7200);

    const auto vectors = random_vectors(size, 3, 8);
    std::vector<double> lengths;
    for (const Vec2& v : vectors) lengths.push_back(std::sqrt(v.x * v.x + v.y * v.y));
    auto of_vectors = upload(vectors);
    require_norms(backend.reduce(size, NormsOfLengths{of_vectors.data()}, NormSums{}).norms(), plain_norms(lengths));
  }
}

TEST_CASE("values that are not finite are counted and spoil nothing", "[norms]") {
  Backend backend;
  auto values = random_numbers(5000, -2, -1, 9);
  values[17] = std::numeric_limits<double>::quiet_NaN();
  values[4999] = std::numeric_limits<double>::infinity();
  values[0] = -std::numeric_limits<double>::infinity();
  auto buffer = upload(values);
  const Norms n = backend.reduce(5000, NormsOfValues{buffer.data()}, NormSums{}).norms();
  CHECK(n.not_finite == 3);
  require_norms(n, plain_norms(values));
  auto nothing = filled<double>(40, std::numeric_limits<double>::quiet_NaN());
  const Norms none = backend.reduce(40, NormsOfValues{nothing.data()}, NormSums{}).norms();
  CHECK((none.not_finite == 40 && none.least == 0 && none.largest == 0 && none.l2 == 0));
}

TEST_CASE("sums are the same bits on every call", "[norms]") {
  Backend backend;
  const auto values = random_numbers(70000, -1, 1, 10);
  auto buffer = upload(values);
  const Norms once = backend.reduce(70000, NormsOfValues{buffer.data()}, NormSums{}).norms();
  const Norms again = backend.reduce(70000, NormsOfValues{buffer.data()}, NormSums{}).norms();
  CHECK((once.l1 == again.l1 && once.l2 == again.l2));
#if !defined(__CUDACC__)
  for (const int threads : {1, 2, 5}) {
    Backend other(threads);
    const Norms n = other.reduce(70000, NormsOfValues{buffer.data()}, NormSums{}).norms();
    CHECK((n.l1 == once.l1 && n.l2 == once.l2));
  }
#endif
}

TEST_CASE("a solver returns the norms of its displacements, velocities and strains", "[norms]") {
  const Assembly assembly = GENERATE(Assembly::gather, Assembly::coloured);
  Case c;
  c.file = "norms";
  c.mesh.divisions = {12, 7};
  c.mesh.size = {0.02, 0.012};
  c.material = {{"", {"linear_elastic", {3e9, 0.3, 1200, PlaneType::strain}}}};
  c.initial.strain = {1e-3, -5e-4, 2e-4};
  c.run.assembly = assembly;
  const auto solver = make_solver(make_model(c), 2);
  solver->advance(37);
  const Snapshot s = solver->snapshot();
  const std::vector<FieldNorms> fields = solver->field_norms();
  REQUIRE(fields.size() == 3);
  const auto lengths = [](const std::vector<Point>& points) {
    std::vector<double> out;
    for (const Point& p : points) out.push_back(std::sqrt(p.x * p.x + p.y * p.y));
    return out;
  };
  CHECK(fields[0].name == "displacement");
  require_norms(fields[0].norms, plain_norms(lengths(s.displacement)));
  CHECK(fields[1].name == "velocity");
  require_norms(fields[1].norms, plain_norms(lengths(s.velocity)));
  CHECK(fields[1].norms.linf > 0);
  CHECK(fields[2].name == "strain");  // largest_deformation_test.cpp has its norms
}

}  // namespace cleave::test
