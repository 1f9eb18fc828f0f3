/// Places of partial forces in memory.
#include <catch2/catch.hpp>
#include <vector>

#include "backend/backend.hpp"
#include "backend/packed_mesh.hpp"

namespace cleave::test {

/// An unstructured mesh, where about half of the corners have an odd number of elements.
TEMPLATE_TEST_CASE("nodes between blocks of the intact mesh begin at even slots, behind each other", "[slots]", T3,
                   T6) {
  const Mesh mesh = numbered_by_blocks(delaunay(rectangle(ElementType::t3, {30, 20}, {3, 2}), TestType::type, 1));
  std::vector<Index> elements_at(mesh.node_count(), 0);
  for (const Index n : mesh.elements) ++elements_at[n];

  Backend backend;
  DeviceMesh<TestType> device(mesh);
  Fields<Backend> fields;
  GatherState<Backend, TestType> gather;
  list_slots(backend, device, gather, fields, mesh.node_count());
  const std::vector<NodeAssembly> assembly = gather.assembly.download(mesh.node_count());
  Index next = 0, odd = 0;
  for (Index n = gather.first_interface; n < mesh.node_count(); ++n) {
    CHECK(assembly[n].first_slot == next);
    CHECK(assembly[n].slots == elements_at[n]);
    odd += elements_at[n] % 2;
    next += elements_at[n] + elements_at[n] % 2;
  }
  CHECK(odd > 20);
  CHECK(gather.unused_slots == odd);
  CHECK(gather.interface_slots == next);
}

}  // namespace cleave::test
