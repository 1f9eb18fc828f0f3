/// What tests of mesh files share.
#pragma once

#include <algorithm>
#include <string>

#include "helpers.hpp"

namespace cleave::test {

/// `text` with its only occurrence of `from` replaced.
inline std::string with(std::string text, const std::string& from, const std::string& to) {
  REQUIRE(text.find(from) != std::string::npos);
  REQUIRE(text.find(from) == text.rfind(from));
  return text.replace(text.find(from), from.size(), to);
}

inline Mesh read_text(const std::string& name, const std::string& text, const MeshReading& how = {}) {
  const TemporaryDirectory directory;
  return read_mesh(directory.write(name, text), how);
}

/// The error of reading a file of that name and content, without its folder.
inline std::string error_of(const std::string& name, const std::string& text) {
  const TemporaryDirectory directory;
  const auto file = directory.write(name, text);
  const std::string folder = directory.path().string() + "/";
  std::string error = input_error([&] { read_mesh(file); });
  return error.starts_with(folder) ? error.substr(folder.size()) : error;
}
inline std::string gmsh_error(const std::string& text) { return error_of("plate.msh", text); }

inline bool same_group(const Group& a, const Group& b) {
  return a.facets == b.facets && a.nodes == b.nodes && a.elements == b.elements && a.inside == b.inside;
}

/// The same nodes, to the last bit, elements and neighbours.
inline void require_same_triangles(const Mesh& a, const Mesh& b) {
  REQUIRE(a.type == b.type);
  REQUIRE(std::equal(a.nodes.begin(), a.nodes.end(), b.nodes.begin(), b.nodes.end(),
                     [](const Point& p, const Point& q) { return p.x == q.x && p.y == q.y; }));
  REQUIRE(a.elements == b.elements);
  REQUIRE(a.neighbours == b.neighbours);
}

/// The same groups under the same names, in the same order, too.
inline void require_same(const Mesh& a, const Mesh& b) {
  require_same_triangles(a, b);
  REQUIRE(a.groups.size() == b.groups.size());
  for (std::size_t g = 0; g < a.groups.size(); ++g) {
    INFO(a.groups[g].name);
    CHECK(a.groups[g].name == b.groups[g].name);
    CHECK(same_group(a.groups[g], b.groups[g]));
  }
}

}  // namespace cleave::test
