/// INRIA's mesh formats .mesh and .meshb.
#include <array>

#include "mesh/io/file_mesh.hpp"
#include "mesh/io/formats.hpp"
#include "mesh/io/inria_sections.hpp"

namespace cleave {
namespace {

constexpr const char* no_triangles = "mesh the surface, and save its triangles too";

/// Reader of the sections of a mesh.
class InriaMesh {
 public:
  InriaMesh(InputFile& file, const MeshReading& how)
      : file_(file),
        numbers_(file),
        mesh_(file, {"vertex reference", "edge reference", "triangle reference"}, how),
        sections_(file, numbers_, inria::names) {}

  Mesh read() {
    sections_.for_each([this](int keyword) { read_section(keyword); });
    return mesh_.make(no_triangles);
  }

 private:
  /// Reads the numbers of a section after its keyword.
  void read_section(int keyword) {
    const char* const name = inria::name_of(keyword);
    const std::int64_t count = numbers_.count(fmt::format("the number of {}", name));
    switch (keyword) {
      case inria::vertices:
        return read_vertices(count);
      case inria::edges:
        return read_elements(Shape::line2, count);
      case inria::edges_p2:
        return read_elements(Shape::line3, count);
      case inria::triangles:
        return read_elements(Shape::triangle3, count);
      case inria::triangles_p2:
        return read_elements(Shape::triangle6, count);
      case inria::quadrilaterals:
        return read_quads(Shape::quad4, count, name);
      case inria::quadrilaterals_q2:
        return read_quads(Shape::quad9, count, name);
      default:
        if (count > 0)
          file_.fail(fmt::format("there are {} {}; only triangles with 3 or 6 nodes are simulated", count, name));
    }
  }

  void read_vertices(std::int64_t count) {
    const Index dimension = sections_.dimension_before(inria::vertices);
    mesh_.expect_nodes(count);
    for (std::int64_t i = 1; i <= count; ++i) {
      const double x = numbers_.real("a vertex's x");
      const Place place = file_.place();
      const double y = numbers_.real("a vertex's y");
      mesh_.add_node(i, {x, y}, dimension == 3 ? numbers_.real("a vertex's z") : 0, place);
      numbers_.whole("a vertex's reference");
    }
  }

  void read_quads(Shape shape, std::int64_t count, const char* name) {
    if (count > 0 && !mesh_.splits_quads()) file_.fail(fmt::format("there are {} {}: {}", count, name, how_to_split));
    read_elements(shape, count);
  }

  void read_elements(Shape shape, std::int64_t count) {
    mesh_.expect_elements(count);
    for (std::int64_t i = 1; i <= count; ++i) {
      FileNodes nodes{};
      Place place = 0;
      for (int n = 0; n < nodes_of(shape); ++n) {
        nodes[n] = numbers_.whole("a node of an element");
        if (n == 0) place = file_.place();
      }
      const std::int64_t reference = numbers_.whole("an element's reference");
      const auto group = static_cast<Index>(reference);
      if (group != reference) file_.fail(fmt::format("the reference {} has more than 32 bits", reference));
      mesh_.add_element(i, shape, std::span(nodes).first(nodes_of(shape)), {&group, 1}, place);
    }
  }

  InputFile& file_;
  InriaNumbers numbers_;
  FileMesh mesh_;
  InriaSections sections_;
};

}  // namespace

Mesh read_inria(const std::filesystem::path& path, const MeshReading& how) {
  InputFile file(path);
  return InriaMesh(file, how).read();
}

}  // namespace cleave
