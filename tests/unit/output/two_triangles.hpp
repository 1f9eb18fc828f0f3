/// A unit square of two triangles that a cohesive element parts along the diagonal, with numbers in every field.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>
#include <string>

#include "cleave/solver/snapshot.hpp"

namespace cleave::test {

/// The mesh of a snapshot's own nodes and elements; ids in the input numbering are 0, 1, ...
inline Mesh mesh_of(const Snapshot& s) {
  Mesh mesh;
  mesh.type = s.type;
  mesh.nodes = s.position;
  mesh.elements = s.elements;
  mesh.original_nodes.resize(mesh.nodes.size());
  std::iota(mesh.original_nodes.begin(), mesh.original_nodes.end(), 0);
  mesh.original_elements.resize(mesh.element_count());
  std::iota(mesh.original_elements.begin(), mesh.original_elements.end(), 0);
  return mesh;
}

/// Element 0 has corners (0,0), (1,0), (1,1), element 1 (0,0), (1,1), (0,1); no node is shared. All nodal fields
/// differ from node to node, all element fields from element to element.
inline Snapshot two_triangles(ElementType type) {
  Snapshot s;
  s.step = 40;
  s.time = 4.0e-8;
  s.type = type;
  if (type == ElementType::t3) {
    s.position = {{0, 0}, {1, 0}, {1, 1}, {0, 0}, {1, 1}, {0, 1}};
    s.elements = {0, 1, 2, 3, 4, 5};
  } else {
    s.position = {{0, 0}, {1, 0}, {1, 1}, {0.5, 0},   {1, 0.5}, {0.5, 0.5},
                  {0, 0}, {1, 1}, {0, 1}, {0.5, 0.5}, {0.5, 1}, {0, 0.5}};
    s.elements = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  }
  for (std::size_t i = 0; i < s.position.size(); ++i) {
    const double x = static_cast<double>(i) + 1;
    s.displacement.push_back({1e-3 * x, -2e-3 * x});
    s.velocity.push_back({0.1 * x, 0.3 * x});
    s.mass.push_back(1 + x);
    s.nodal_stress.push_back({1e6 * x, 2e6 * x, 3e6 * x, 4e6 * x});
  }
  s.neighbours = {boundary_facet, cohesive_code(0, 0), boundary_facet,
                  boundary_facet, boundary_facet,      cohesive_code(0, 1)};
  s.element_stress = {{1, 2, 3, 9}, {4, 5, 6, 8}};
  s.energy_density = {7, 1.0 / 3};
  s.fragment = {0, 1};

  // The diagonal is facet 1 of element 0 (from node 2 to 0) and facet 2 of element 1.
  Snapshot::Cohesive c;
  c.facet_a = facet_code(0, 1);
  c.facet_b = facet_code(1, 2);
  if (type == ElementType::t3) c.nodes = {2, 0, 4, 3, 0, 0};
  if (type == ElementType::t6) c.nodes = {2, 5, 0, 7, 9, 6};
  c.opening_normal = 1e-6;
  c.opening_tangential = -2e-6;
  c.traction_normal = 3e6;
  c.traction_tangential = -4e6;
  c.damage = 0.5;
  c.failed = true;
  c.insertion_step = 5'000'000'000;
  c.length = 1.4142135623730951;
  s.cohesive = {c};
  return s;
}

/// An empty directory of its own for a test, removed at the end.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "cleave_output_XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~TemporaryDirectory() { std::filesystem::remove_all(path_); }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  operator const std::filesystem::path&() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

/// The whole text of a file.
inline std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace cleave::test
