/// What the mesh tests share: temporary files and small inspections.
#pragma once

#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "cleave/core/error.hpp"
#include "cleave/mesh/files.hpp"
#include "cleave/mesh/generators.hpp"

namespace cleave::test {

/// A directory of its own for one test, removed at its end.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "cleave_mesh_XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~TemporaryDirectory() { std::filesystem::remove_all(path_); }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return path_ / name;
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Lets the host compute with that many threads, until its end.
class Threads {
 public:
  explicit Threads(int count) { setenv("OMP_NUM_THREADS", std::to_string(count).c_str(), 1); }
  ~Threads() { unsetenv("OMP_NUM_THREADS"); }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
};
/// What make() gives on one thread and on four.
template <class Make>
auto on_one_and_four_threads(const Make& make) {
  const auto on = [&](int count) {
    const Threads threads(count);
    return make();
  };
  return std::pair(on(1), on(4));
}

/// The text of the InputError that `action` throws; empty when it throws none.
template <class Action>
std::string input_error(Action action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

inline std::filesystem::path mesh_file(const std::string& name) {
  return std::filesystem::path(CLEAVE_SOURCE_DIR) / "meshes" / name;
}

/// The strip of 192 x 48 quads on 16 mm x 4 mm, with a notch of 2 mm.
inline Mesh coarse_strip(ElementType type = ElementType::t6) {
  return rectangle(type, {192, 48}, {16e-3, 4e-3}, {0, 0}, 2e-3);
}

/// Middle of a facet and its outward normal times its length.
struct FacetGeometry {
  Point middle;
  Point normal;
};

inline FacetGeometry facet_geometry(const Mesh& mesh, Index code) {
  const Index e = element_of(code);
  const int last = nodes_per_facet(mesh.type) - 1;
  const Point a = mesh.nodes[mesh.node(e, facet_node_slot(mesh.type, facet_of(code), 0))];
  const Point b = mesh.nodes[mesh.node(e, facet_node_slot(mesh.type, facet_of(code), last))];
  return {{(a.x + b.x) / 2, (a.y + b.y) / 2}, {b.y - a.y, a.x - b.x}};
}

/// Every facet entry points back, and both sides hold the same nodes in opposite order.
inline bool neighbours_match(const Mesh& mesh) {
  const int count = nodes_per_facet(mesh.type);
  for (Index e = 0; e < mesh.element_count(); ++e) {
    for (int k = 0; k < 3; ++k) {
      const Index code = mesh.neighbour(e, k);
      if (!is_intact(code)) continue;
      const Index other = element_of(code);
      if (other == e || mesh.neighbour(other, facet_of(code)) != facet_code(e, k)) return false;
      for (int i = 0; i < count; ++i) {
        if (mesh.node(e, facet_node_slot(mesh.type, k, i)) !=
            mesh.node(other, facet_node_slot(mesh.type, facet_of(code), count - 1 - i))) {
          return false;
        }
      }
    }
  }
  return true;
}

/// Every mid-side node is exactly on the middle of its edge.
inline bool mid_sides_in_the_middle(const Mesh& mesh) {
  for (Index e = 0; e < mesh.element_count(); ++e) {
    for (int k = 0; k < 3; ++k) {
      const Point middle = facet_geometry(mesh, facet_code(e, k)).middle;
      const Point p = mesh.nodes[mesh.node(e, facet_node_slot(mesh.type, k, 1))];
      if (p.x != middle.x || p.y != middle.y) return false;
    }
  }
  return true;
}

}  // namespace cleave::test
