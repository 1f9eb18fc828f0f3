#include <cmath>
#include <set>

#include "cleave/mesh/numbering.hpp"
#include "cleave/mesh/topology.hpp"
#include "helpers.hpp"

using namespace cleave;
using namespace cleave::test;
using Catch::Matchers::Contains;

namespace {

Mesh notched() { return rectangle(ElementType::t6, {8, 4}, {2, 1}, {0, 0}, 0.75); }

std::set<Index> boundary_nodes(const Mesh& mesh) {
  std::set<Index> nodes;
  for (const Group& group : mesh.groups) nodes.insert(group.nodes.begin(), group.nodes.end());
  return nodes;
}

}  // namespace

TEST_CASE("perturbation moves interior corners and nothing else") {
  const Mesh before = notched();
  Mesh after = before;
  perturb(after, 0.1, 7);
  const std::set<Index> fixed = boundary_nodes(before);
  std::vector<bool> corner(before.node_count());
  for (Index e = 0; e < before.element_count(); ++e) {
    for (int k = 0; k < 3; ++k) corner[before.node(e, k)] = true;
  }
  const double cell = 0.25 * std::sqrt(0.5);  // half a diagonal
  double largest = 0;
  for (Index n = 0; n < before.node_count(); ++n) {
    const double moved = distance(before.nodes[n], after.nodes[n]);
    if (fixed.contains(n)) {
      CHECK(moved == 0);
    } else if (corner[n]) {
      CHECK(moved > 0);
      CHECK(std::abs(after.nodes[n].x - before.nodes[n].x) <= 0.1 * cell * (1 + 1e-12));
      CHECK(std::abs(after.nodes[n].y - before.nodes[n].y) <= 0.1 * cell * (1 + 1e-12));
      largest = std::max(largest, moved);
    }
  }
  CHECK(largest > 0.1 * cell);  // both directions are drawn, up to the amplitude
  CHECK(mid_sides_in_the_middle(after));
  CHECK_NOTHROW(check_mesh(after, "perturbed"));
  CHECK(quality(after).area == Approx(2));
}

TEST_CASE("perturbation repeats with its seed and changes with it") {
  Mesh a = notched();
  Mesh b = notched();
  Mesh c = notched();
  perturb(a, 0.1, 1);
  perturb(b, 0.1, 1);
  perturb(c, 0.1, 2);
  bool differ = false;
  for (Index n = 0; n < a.node_count(); ++n) {
    CHECK(distance(a.nodes[n], b.nodes[n]) == 0);
    differ = differ || distance(a.nodes[n], c.nodes[n]) > 0;
  }
  CHECK(differ);
}

TEST_CASE("perturbation draws what splitmix64 draws") {
  // One interior corner: the centre, at the first two numbers of seed 0, 0xe220a8397b1dcdaf and 0x6e789e6aa1b965f4.
  Mesh mesh = rectangle(ElementType::t3, {1, 1}, {1, 1});
  perturb(mesh, 0.1, 0);
  const double cell = std::sqrt(0.5);
  auto symmetric = [](double number) { return number / 0x1p63 - 1; };
  CHECK(mesh.nodes[4].x == Approx(0.5 + 0.1 * cell * symmetric(0xe220a8397b1dcdafp0)).epsilon(1e-15));
  CHECK(mesh.nodes[4].y == Approx(0.5 + 0.1 * cell * symmetric(0x6e789e6aa1b965f4p0)).epsilon(1e-15));
}

TEST_CASE("perturbation does not depend on the numbering") {
  Mesh given = notched();
  perturb(given, 0.1, 3);
  Mesh numbered = notched();
  renumber_hilbert(numbered);
  perturb(numbered, 0.1, 3);
  for (Index n = 0; n < given.node_count(); ++n) {
    CHECK(distance(numbered.nodes[n], given.nodes[numbered.original_nodes[n]]) == 0);
  }
}

TEST_CASE("no perturbation leaves the mesh as it is") {
  Mesh mesh = notched();
  perturb(mesh, 0, 1);
  const Mesh same = notched();
  for (Index n = 0; n < mesh.node_count(); ++n) CHECK(distance(mesh.nodes[n], same.nodes[n]) == 0);
}

TEST_CASE("a perturbation that breaks the mesh is refused") {
  Mesh mesh = notched();
  CHECK_THAT(input_error([&] { perturb(mesh, 3, 1); }),
             Contains("amplitude 3") && Contains("lower the amplitude") && Contains("is clockwise"));
  for (double amplitude : {-0.1, double(NAN), double(INFINITY)}) {
    CHECK_THAT(input_error([&] { perturb(mesh, amplitude, 1); }), Contains("mesh perturbation of amplitude"));
  }
}
