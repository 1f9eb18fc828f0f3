#include "cleave/mesh/colouring.hpp"

#include <algorithm>

#include "cleave/core/error.hpp"
#include "cleave/mesh/generators.hpp"
#include "cleave/mesh/numbering.hpp"
#include "cleave/mesh/topology.hpp"
#include "helpers.hpp"

using namespace cleave;
using namespace cleave::test;

namespace {

std::vector<Index> sizes(const Colouring& colouring) {
  std::vector<Index> result;
  for (int c = 0; c < colouring.count; ++c) result.push_back(colouring.offsets[c + 1] - colouring.offsets[c]);
  return result;
}

/// `order` and `offsets` say the same as `colour`.
void require_consistent(const Colouring& c, const Mesh& mesh) {
  REQUIRE(c.offsets.size() == static_cast<std::size_t>(c.count) + 1);
  REQUIRE(c.order.size() == static_cast<std::size_t>(mesh.element_count()));
  CHECK(c.offsets.front() == 0);
  CHECK(c.offsets.back() == mesh.element_count());
  bool right_colour = true;
  bool ascending = true;
  for (int colour = 0; colour < c.count; ++colour) {
    for (Index i = c.offsets[colour]; i < c.offsets[colour + 1]; ++i) {
      right_colour = right_colour && c.colour[c.order[i]] == colour;
      ascending = ascending && (i == c.offsets[colour] || c.order[i - 1] < c.order[i]);
    }
  }
  CHECK(right_colour);
  CHECK(ascending);
}

void require_welsh_powell(const Mesh& mesh, int colours) {
  const Colouring c = colour_elements(mesh, ColouringMethod::welsh_powell);
  CHECK(c.count == colours);
  CHECK(c.count >= max_incidence(mesh));
  CHECK(is_valid(c, mesh));
  CHECK(c.method == ColouringMethod::welsh_powell);
  require_consistent(c, mesh);
}

}  // namespace

TEST_CASE("Welsh-Powell needs the known numbers of colours") {
  require_welsh_powell(coarse_strip(), 9);
  require_welsh_powell(ring(ElementType::t6, {20, 160}, 0.08, 0.15), 9);
  require_welsh_powell(ring(ElementType::t3, {20, 160}, 0.08, 0.15), 9);
  require_welsh_powell(ring(ElementType::t6, {6, 10}, 0.02, 0.15), 9);
  require_welsh_powell(ring(ElementType::t6, {20, 787}, 0.08, 0.15), 8);
}

TEST_CASE("Welsh-Powell gives the same colours in any numbering") {
  const Mesh given = ring(ElementType::t6, {20, 161}, 0.08, 0.15);
  Mesh numbered = given;
  renumber_hilbert(numbered);
  const Colouring a = colour_elements(given, ColouringMethod::welsh_powell);
  const Colouring b = colour_elements(numbered, ColouringMethod::welsh_powell);
  bool same = a.count == b.count;
  for (Index e = 0; e < numbered.element_count(); ++e) {
    same = same && b.colour[e] == a.colour[numbered.original_elements[e]];
  }
  CHECK(same);
  CHECK(is_valid(b, numbered));
  require_consistent(b, numbered);
}

TEST_CASE("Welsh-Powell gives the colours found by hand") {
  // A strip of three triangles over nodes 0..4; the middle one has the highest degree, so it is coloured first. All
  // three share node 2.
  Mesh mesh;
  mesh.type = ElementType::t3;
  mesh.nodes.resize(6);
  mesh.elements = {0, 1, 2, 1, 3, 2, 2, 3, 4};
  connect(mesh, "strip");
  CHECK(colour_elements(mesh, ColouringMethod::welsh_powell).colour == std::vector<int>{0, 1, 2});
  CHECK(max_incidence(mesh) == 3);
  mesh.elements = {0, 1, 2, 2, 1, 3, 3, 4, 5};  // the last one only meets the middle one
  connect(mesh, "strip");
  CHECK(colour_elements(mesh, ColouringMethod::welsh_powell).colour == std::vector<int>{1, 0, 1});
}

TEST_CASE("colouring by id is greedy in the order of the input") {
  Mesh mesh;
  mesh.type = ElementType::t3;
  mesh.nodes.resize(6);
  mesh.elements = {0, 1, 2, 2, 3, 1, 3, 4, 5};  // the middle one has the most neighbours, but the first comes first
  CHECK(colour_elements(mesh, ColouringMethod::by_id).colour == std::vector<int>{0, 1, 0});
  mesh.original_elements = {2, 0, 1};
  CHECK(colour_elements(mesh, ColouringMethod::by_id).colour == std::vector<int>{1, 0, 1});
}

TEST_CASE("every method of colouring is valid and within its bound") {
  Mesh unstructured = delaunay(rectangle(ElementType::t3, {60, 40}, {3, 2}), ElementType::t6, 1);
  for (Mesh mesh : {coarse_strip(), ring(ElementType::t6, {20, 160}, 0.08, 0.15),
                    ring(ElementType::t3, {20, 787}, 0.08, 0.15), unstructured}) {
    renumber_hilbert(mesh);
    const int least = max_incidence(mesh);
    for (const ColouringMethod method :
         {ColouringMethod::automatic, ColouringMethod::structured, ColouringMethod::welsh_powell,
          ColouringMethod::by_id, ColouringMethod::balanced}) {
      if (method == ColouringMethod::structured && !has_structured_colours(mesh)) {
        CHECK_THROWS_AS(colour_elements(mesh, method), InputError);
        continue;
      }
      const Colouring c = colour_elements(mesh, method);
      CAPTURE(mesh.element_count(), static_cast<int>(method), c.count);
      CHECK(is_valid(c, mesh));
      CHECK(c.count >= least);
      CHECK(c.count <= least + 5);
      CHECK(c.method != ColouringMethod::automatic);
      require_consistent(c, mesh);
    }
  }
}

TEST_CASE("balanced colours are as many as those of Welsh-Powell, of about equal size") {
  Mesh unstructured = delaunay(rectangle(ElementType::t3, {60, 40}, {3, 2}), ElementType::t6, 1);
  for (const Mesh& mesh : {coarse_strip(), ring(ElementType::t6, {20, 160}, 0.08, 0.15),
                           ring(ElementType::t3, {20, 787}, 0.08, 0.15), unstructured}) {
    const Colouring before = colour_elements(mesh, ColouringMethod::welsh_powell);
    const std::vector<Index> uneven = sizes(before);
    const Colouring c = colour_elements(mesh, ColouringMethod::balanced);
    const std::vector<Index> even = sizes(c);
    const auto [least, most] = std::minmax_element(even.begin(), even.end());
    const auto [fewest, largest] = std::minmax_element(uneven.begin(), uneven.end());
    CAPTURE(mesh.element_count(), *least, *most, *fewest, *largest);
    CHECK(c.count == before.count);
    CHECK(*largest - *fewest > mesh.element_count() / 100);  // there was something to do
    CHECK(*most - *least <= 1);
  }
}

TEST_CASE("structured meshes are coloured by the exact formula") {
  for (const Mesh& mesh : {coarse_strip(), ring(ElementType::t6, {20, 160}, 0.08, 0.15)}) {
    const Colouring c = colour_elements(mesh);
    CHECK(c.method == ColouringMethod::structured);
    CHECK(c.count == 8);
    CHECK(is_valid(c, mesh));
    CHECK(sizes(c) == std::vector<Index>(8, mesh.element_count() / 8));
    require_consistent(c, mesh);
  }
  const Colouring coarse = colour_elements(coarse_strip());
  CHECK(sizes(coarse).front() == 4608);
  // Triangle 2 of quad (3, 1) and of quad (4, 1).
  CHECK(coarse.colour[4 * (192 + 3) + 2] == 2);
  CHECK(coarse.colour[4 * (192 + 4) + 2] == 6);
}

TEST_CASE("rings with an odd number of quads around are coloured by Welsh-Powell") {
  const Mesh mesh = ring(ElementType::t6, {20, 787}, 0.08, 0.15);
  CHECK(mesh.structured_colours.empty());
  const Colouring c = colour_elements(mesh);
  CHECK(c.method == ColouringMethod::welsh_powell);
  CHECK(is_valid(c, mesh));
}

TEST_CASE("structured colours follow a renumbering") {
  Mesh mesh = coarse_strip();
  renumber_hilbert(mesh);
  const Colouring c = colour_elements(mesh);
  CHECK(c.method == ColouringMethod::structured);
  CHECK(c.count == 8);
  CHECK(is_valid(c, mesh));
}

TEST_CASE("an invalid colouring is found") {
  const Mesh mesh = rectangle(ElementType::t6, {4, 4}, {1, 1});
  Mesh wrong = mesh;
  wrong.structured_colours[1] = wrong.structured_colours[0];
  CHECK(is_valid(colour_elements(mesh), mesh));
  CHECK_FALSE(is_valid(colour_elements(wrong), mesh));
}

TEST_CASE("the largest number of elements at a node is found") {
  CHECK(max_incidence(coarse_strip()) == 8);
  CHECK(max_incidence(rectangle(ElementType::t6, {1, 1}, {1, 1})) == 4);
}
