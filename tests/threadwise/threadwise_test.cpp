/// Blocks of a GPU, computed worker by worker, have the bits that a CPU computes in lanes.
#include <catch2/catch.hpp>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "backend/models.hpp"
#include "backend/solver_backend.hpp"
#include "body/packed_blocks.hpp"
#include "cleave/mesh/topology.hpp"
#include "solvers/make_solver.hpp"
#include "threadwise/threadwise_backend.hpp"

namespace cleave::test {
namespace {

std::unique_ptr<Solver> make_threadwise_solver(const Model& model) {
  const bool is_t3 = model.mesh.type == ElementType::t3;
  return (is_t3 ? make_gather_solver<ThreadwiseBackend, T3> : make_gather_solver<ThreadwiseBackend, T6>)(model, 1,
                                                                                                         one_rank());
}

/// Several blocks of elements with a notch, which breaks all over.
Model shattering_plate(ElementType type) {
  Model m = model_of(plate_mesh(type, {16, 8}, true));
  m.cohesive = brittle(5);
  add_velocity(m, {1, -0.5}, {2500, 300, -200, 1500}, {8e-3, 4e-3});
  prescribe(m, "left", 1, -4);
  prescribe(m, "right", 3, 6);
  m.loads.push_back({5e6, Curve::exponential(8e-6), m.mesh.find_group("top")->facets});
  return m;
}

/// A closed fan of triangles, the first ones of which come at once and the others later.
struct Fan {
  Mesh& mesh;
  int triangles;
  Point hub;
  Index first;  ///< node: the hub, then the rim

  Fan(Mesh& to, int of_triangles, Point at) : mesh(to), triangles(of_triangles), hub(at), first(to.node_count()) {
    mesh.nodes.push_back(hub);
    for (int i = 0; i < triangles; ++i) mesh.nodes.push_back(on_rim(i, 5e-3));
  }
  Point on_rim(double i, double radius) const {
    const double angle = 2 * std::acos(-1.0) * i / triangles;
    return {hub.x + radius * std::cos(angle), hub.y + radius * std::sin(angle)};
  }
  Index rim(int i) const { return first + 1 + i % triangles; }
  void add(int begin, int end) const {
    for (int i = begin; i < end; ++i) mesh.elements.insert(mesh.elements.end(), {first, rim(i), rim(i + 1)});
  }
  void add_tooth(int i) const {
    mesh.elements.insert(mesh.elements.end(), {rim(i + 1), rim(i), mesh.node_count()});
    mesh.nodes.push_back(on_rim(i + 0.5, 7e-3));
  }
};
/// Two blocks with four fans of 32 triangles, of which the first block has 28 and eight nodes of the border: the hub,
/// which comes first, the two ends, and five with teeth. So the rows of the four hubs differ by multiples of eight.
Model fans() {
  Mesh mesh;
  mesh.type = ElementType::t3;
  std::vector<Fan> all;
  for (int f = 0; f < 4; ++f) all.push_back(Fan(mesh, 32, {20e-3 * f, 0}));
  for (const Fan& fan : all) fan.add(0, 28);
  for (int f = 0; f < 2; ++f) Fan(mesh, 8, {20e-3 * f, 20e-3}).add(0, 8);
  for (const Fan& fan : all) {
    fan.add(28, 32);
    for (const int tooth : {4, 5, 10}) fan.add_tooth(tooth);
  }
  connect(mesh);
  Model m = model_of(mesh);
  for (std::size_t n = 0; n < m.velocity.size(); ++n)
    m.velocity[n] = {300 * m.mesh.nodes[n].y, -200 * m.mesh.nodes[n].x * m.mesh.nodes[n].x};
  return m;
}

/// The same triangles, each with nodes of its own.
Mesh in_pieces(const Mesh& whole) {
  Mesh mesh;
  mesh.type = whole.type;
  for (Index e = 0; e < whole.element_count(); ++e)
    for (int k = 0; k < nodes_per_element(mesh.type); ++k) {
      mesh.elements.push_back(mesh.node_count());
      mesh.nodes.push_back(whole.nodes[whole.node(e, k)]);
    }
  connect(mesh);
  return mesh;
}

/// Advances both solvers, and compares what they have saved and their rows of history. Returns the last row.
HistoryRow compare(const Model& model, int rows, int steps_of_row) {
  const auto cpu = make_solver(model, 1), threadwise = make_threadwise_solver(model);
  HistoryRow found;
  for (int row = 0; row < rows; ++row) {
    CAPTURE(row);
    cpu->advance(steps_of_row);
    threadwise->advance(steps_of_row);
    found = threadwise->history();
    const HistoryRow expected = cpu->history();
    REQUIRE(found.balance_error == expected.balance_error);
    REQUIRE(found.cohesive_elements == expected.cohesive_elements);
    const bool same = state_of(*threadwise) == state_of(*cpu);
    REQUIRE(same);
  }
  return found;
}

}  // namespace

TEST_CASE("a body computed worker by worker has the bits of one computed in lanes", "[threadwise]") {
  ThreadwiseBackend::backwards = GENERATE(false, true);
  ThreadwiseBackend::resident = false;
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  CAPTURE(type, ThreadwiseBackend::backwards);
  SECTION("while it breaks") {
    const Model model = shattering_plate(type);
    CHECK(compare(model, 3, 30).cohesive_elements > 100);
  }
  SECTION("with springs, which push all nodes") {
    Model model = shattering_plate(type);
    model.support.assign(model.mesh.nodes.size(), 1e10);
    compare(model, 2, 15);
  }
  SECTION("with loads, of laws of finite strains and with states") {
    Model model = shattering_plate(type);
    MaterialCase& material = model.materials.front();
    material.parameters.plane = PlaneType::stress;
    material.law = GENERATE("neo_hookean", "j2");
    CAPTURE(material.law);
    if (material.law == "j2") material.values = {1e7};
    model.loads.front().follows = material.law != "j2";
    CHECK(compare(model, 2, 15).external_work != 0);
  }
  SECTION("with two materials") { compare(breaking_plate(type, true), 2, 15); }
  SECTION("intact") {
    Model model = shattering_plate(type);
    model.cohesive.reset();
    ThreadwiseBackend::block_kernels = 0;
    compare(model, 2, 10);
    const std::size_t in_launches = ThreadwiseBackend::block_kernels;
    ThreadwiseBackend::resident = true;
    compare(model, 2, 10);
    CHECK(ThreadwiseBackend::block_kernels - in_launches < in_launches);  // several steps a launch
  }
}

/// The most rows that a block can have: of its border or, of separate triangles, of its interior nodes. There is no
/// room for positions then, but for those of T6 that have broken.
TEST_CASE("a block whose elements share no node has the bits of one computed in lanes", "[threadwise]") {
  ThreadwiseBackend::backwards = GENERATE(false, true);
  ThreadwiseBackend::resident = false;
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  CAPTURE(type, ThreadwiseBackend::backwards);
  SECTION("after every facet has broken") {
    Model model = shattering_plate(type);
    model.cohesive->parameters.normal.strength = model.cohesive->parameters.tangential.strength = 1e4;
    CHECK(compare(model, 2, 15).cohesive_elements == count(model.mesh).interior_facets);
  }
  SECTION("of separate triangles") {
    Model model = model_of(in_pieces(plate_mesh(type, {16, 8})));
    add_velocity(model, {1, -0.5}, {2500, 300, -200, 1500}, {8e-3, 4e-3});
    compare(model, 2, 10);
  }
}

/// Slots of one bank would lie beyond the shared memory of the block: the slots of a row follow each other there.
TEST_CASE("a block whose hubs share a bank has the bits of one computed in lanes", "[threadwise]") {
  ThreadwiseBackend::backwards = GENERATE(false, true);
  ThreadwiseBackend::resident = false;
  REQUIRE(4 * 28 > PackedBlocks<T3>::slots_of_bank);
  compare(fans(), 3, 20);
}

}  // namespace cleave::test
