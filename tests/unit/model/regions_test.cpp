#include "cleave/mesh/topology.hpp"
#include "cleave/solver/model.hpp"
#include "unit/mesh/helpers.hpp"

using namespace cleave;
using namespace cleave::test;
using Catch::Matchers::Contains;

namespace {

/// 4 x 2 quads of 1 m, numbered along the Hilbert curve, and one region.
Case with_region(const std::string& name, std::array<double, 4> box) {
  Case c;
  c.file = "case.yaml";
  c.mesh.divisions = {4, 2};
  c.mesh.size = {4, 2};
  c.mesh.regions = {{name, box, 7}};
  return c;
}

}  // namespace

TEST_CASE("a region holds the triangles whose centroid lies in its box") {
  // The lower left quad has its centroids at (1/2, 1/6), (5/6, 1/2), (1/2, 5/6), (1/6, 1/2).
  struct Expected {
    std::array<double, 4> box;
    std::size_t triangles;
  };
  for (const auto& [box, triangles] :
       {Expected{{0, 0, 4, 2}, 32}, Expected{{0, 0, 1, 1}, 4}, Expected{{1, 0, 3, 2}, 16},
        Expected{{0.2, 0.2, 0.9, 0.9}, 2}, Expected{{-10, -10, 0.51, 0.2}, 1}}) {
    const Mesh mesh = make_mesh(with_region("coating", box));
    const Group* group = mesh.find_group("coating");
    REQUIRE(group != nullptr);
    CHECK(group->elements.size() == triangles);
    CHECK(group->facets.empty());
    CHECK(group->nodes.empty());
    CHECK(std::is_sorted(group->elements.begin(), group->elements.end()));
    for (const Index e : group->elements) {
      const Point p = centroid(mesh, e);
      CHECK((p.x >= box[0] && p.x <= box[2] && p.y >= box[1] && p.y <= box[3]));
    }
  }
}

TEST_CASE("regions work on a mesh file and on a perturbed mesh") {
  Case c = with_region("half", {-1, -1, 1, 9});
  c.mesh.perturbation_amplitude = 0.3;
  const Mesh moved = make_mesh(c);  // chosen where the triangles are at the end
  for (Index e = 0; e < moved.element_count(); ++e) {
    const std::vector<Index>& elements = moved.find_group("half")->elements;
    CHECK(std::binary_search(elements.begin(), elements.end(), e) == (centroid(moved, e).x <= 1));
  }

  c = with_region("half", {-1, -1, 0.05, 1});
  c.mesh.shape = MeshShape::file;
  c.mesh.file = mesh_file("plate_t6.msh");
  const Mesh mesh = make_mesh(c);
  CHECK(mesh.find_group("plate")->elements.size() == 30);
  const std::size_t half = mesh.find_group("half")->elements.size();
  CHECK(half > 10);
  CHECK(half < 20);
}

TEST_CASE("wrong regions of a mesh are explained") {
  CHECK(input_error([] {
          make_mesh(with_region("empty", {0.6, 0.6, 0.7, 0.7}));
        }) ==
        "case.yaml:7: mesh.regions.empty: no triangle has its centroid in the box from (0.6, 0.6) to (0.7, 0.7): move "
        "it, or make it larger than an element");
  CHECK(input_error([] {
          make_mesh(with_region("left", {0, 0, 1, 1}));
        }) == "case.yaml:7: mesh.regions.left: the mesh has a group of that name: choose another");
  Case c = with_region("a", {9, 9, 10, 10});
  c.mesh.regions.push_back({"top", {0, 0, 1, 1}, 8});
  CHECK_THAT(input_error([&] { make_mesh(c); }),
             Contains("regions.a: ") && Contains("\ncase.yaml:8: mesh.regions.top"));
}
