/// What must not matter: orientation, handedness, numbering, number of threads, assembly.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "cleave/mesh/numbering.hpp"
#include "cleave/mesh/topology.hpp"
#include "support.hpp"

namespace cleave::verification {
namespace {

/// A 2 x 2 matrix applied to positions, velocities and displacements.
struct Map {
  double xx = 1, xy = 0, yx = 0, yy = 1;
  Point operator()(Point p) const { return {xx * p.x + xy * p.y, yx * p.x + yy * p.y}; }
  bool mirrors() const { return xx * yy - xy * yx < 0; }
};

/// The mesh under a map; a mirror image swaps two corners of every element to keep them counter-clockwise.
Mesh mapped(Mesh mesh, const Map& map) {
  for (Point& p : mesh.nodes) p = map(p);
  mesh.groups.clear();
  mesh.structured_colours.clear();
  if (map.mirrors()) {
    const int n = nodes_per_element(mesh.type);
    for (Index e = 0; e < mesh.element_count(); ++e) {
      Index* row = mesh.elements.data() + static_cast<std::size_t>(e) * n;
      std::swap(row[1], row[2]);
      if (n == 6) std::swap(row[3], row[5]);  // mid-sides of (0,1) and (2,0)
    }
    connect(mesh);
  }
  return mesh;
}

struct Result {
  HistoryRow elastic, broken;
};

/// A perturbed plate that is stretched, sheared and spun: elastic for 15 steps, then well into fragmentation.
Model plate(const Mesh& mesh, const Map& map, const std::string& law) {
  const ElasticParameters material{3.24e9, 0.35, 1190, PlaneType::strain};
  Model m = make_model(mesh, material, mesh.type == ElementType::t3 ? 0.2 : 0.5, 1e-3);
  CohesiveCase c;
  c.law = law;
  c.parameters.normal = {10e6, 8, 2};
  c.parameters.tangential = {12e6, 11, 2};
  c.insertion.every = 5;
  m.cohesive = c;
  const Map back{map.xx, map.yx, map.xy, map.yy};  // orthogonal
  set_velocity(m, [&](Point p) {
    const Point q = back(p);
    return map(Point{1500 * (q.x - 8e-3) + 300 * (q.y - 4e-3), -200 * (q.x - 8e-3) + 500 * (q.y - 4e-3)});
  });
  return m;
}
Result run(const Model& m, const std::string& backend, int threads = 1) {
  const auto solver = make_solver(m, backend, threads);
  Result r;
  solver->advance(15);
  r.elastic = solver->history();
  solver->advance(385);
  r.broken = solver->history();
  return r;
}

Mesh plate_mesh(ElementType type) {
  Mesh mesh = rectangle(type, {12, 6}, {16e-3, 8e-3});
  perturb(mesh, 0.2, 5);
  return mesh;
}

double difference(const HistoryRow& a, const HistoryRow& b) {
  double largest = 0;
  for (const auto energy : {&HistoryRow::kinetic_energy, &HistoryRow::strain_energy, &HistoryRow::internal_work})
    largest = std::max(largest, std::abs(a.*energy - b.*energy) / a.kinetic_energy);
  return largest;
}

void compare(const std::string& what, const Result& a, const Result& b) {
  INFO(what);
  REQUIRE(a.elastic.cohesive_elements == 0);
  CHECK(difference(a.elastic, b.elastic) < 1e-9);
  CHECK(a.broken.cohesive_elements > 50);
  CHECK(b.broken.cohesive_elements == a.broken.cohesive_elements);
  CHECK(b.broken.nodes == a.broken.nodes);
  record("indifference", what + ": energies before insertion, largest difference", 0, difference(a.elastic, b.elastic),
         "relative", "1e-9");
  record("indifference", what + ": cohesive elements after 400 steps", a.broken.cohesive_elements,
         b.broken.cohesive_elements, "", "0");
}

}  // namespace

TEST_CASE("results do not depend on orientation, handedness, numbering and threads", "[symmetry]") {
  CLEAVE_ON_EVERY_BACKEND();
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const std::string law = GENERATE(std::string("ppr"), std::string("linear"));
  CAPTURE(law, name_of(type));
  const Mesh mesh = plate_mesh(type);
  const std::string name = law + " " + name_of(type) + ", ";
  const Result plain = run(plate(mesh, {}, law), backend);

  const Map quarter{0, -1, 1, 0}, mirror{-1, 0, 0, 1};
  compare(name + "turned by 90 degrees", plain, run(plate(mapped(mesh, quarter), quarter, law), backend));
  compare(name + "mirrored", plain, run(plate(mapped(mesh, mirror), mirror, law), backend));

  Mesh shuffled = mesh;
  shuffled.structured_colours.clear();
  std::vector<Index> nodes(mesh.nodes.size()), elements(static_cast<std::size_t>(mesh.element_count()));
  std::iota(nodes.begin(), nodes.end(), 0);
  std::iota(elements.begin(), elements.end(), 0);
  std::mt19937 random(4);
  std::shuffle(nodes.begin(), nodes.end(), random);
  std::shuffle(elements.begin(), elements.end(), random);
  renumber(shuffled, nodes, elements);
  compare(name + "renumbered at random", plain, run(plate(shuffled, {}, law), backend));

  Mesh hilbert = mesh;
  hilbert.structured_colours.clear();
  renumber_hilbert(hilbert);
  compare(name + "renumbered along a Hilbert curve", plain, run(plate(hilbert, {}, law), backend));

  compare(name + "2 threads", plain, run(plate(mesh, {}, law), backend, 2));
  const std::string device = backend.substr(0, backend.find(' '));
  compare(name + "coloured assembly", plain, run(plate(mesh, {}, law), device));
  compare(name + "gather assembly", plain, run(plate(mesh, {}, law), device + " gather"));
  Model atomic = plate(mesh, {}, law);
  atomic.assembly = Assembly::atomic;
  compare(name + "atomic assembly", plain, run(atomic, device, 2));
}

}  // namespace cleave::verification
