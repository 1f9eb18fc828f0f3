/// INRIA's formats .mesh and .meshb: sections of numbers after a keyword, or, in binary files, after the keyword's
/// number and the position of the next section.
#include <array>

#include "mesh/io/file_mesh.hpp"
#include "mesh/io/formats.hpp"
#include "mesh/io/inria_keywords.hpp"
#include "mesh/io/numbers.hpp"

namespace cleave {
namespace {

constexpr char comment = '#';
constexpr const char* no_triangles = "mesh the surface, and save its triangles too";

/// Numbers with the width given by the version of a binary file.
class InriaNumbers {
 public:
  explicit InriaNumbers(InputFile& file) : file_(file), numbers_(file, comment) {}

  void set_version(int version) { version_ = version; }

  std::int64_t whole(std::string_view what) {
    return !file_.is_binary() || version_ == 4 ? numbers_.large(what) : numbers_.integer(what);
  }
  double real(std::string_view what) {
    return file_.is_binary() && version_ == 1 ? static_cast<double>(file_.value<float>(what)) : numbers_.real(what);
  }
  /// 32 bits in all versions.
  std::int64_t dimension() { return numbers_.integer("the dimension"); }
  std::int64_t count(std::string_view what) {
    const std::int64_t count = whole(what);
    numbers_.check_count(count, what, 8);
    return count;
  }
  std::int64_t next_section() {
    constexpr const char* what = "the place of the next section";
    return version_ >= 3 ? numbers_.large(what) : numbers_.integer(what);
  }

 private:
  InputFile& file_;
  NumberReader numbers_;
  int version_ = 2;
};

/// Reader of sections in either format.
class InriaSections {
 public:
  InriaSections(InputFile& file, InriaNumbers& numbers, FileMesh& mesh) : file_(file), numbers_(numbers), mesh_(mesh) {}

  /// Reads the numbers of a section after its keyword.
  void read(int keyword) {
    if (keyword == inria::dimension) return read_dimension();
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

 private:
  void read_dimension() {
    dimension_ = numbers_.dimension();
    if (dimension_ != 2 && dimension_ != 3)
      file_.fail(fmt::format("expected the dimension 2 or 3, found {}", dimension_));
  }

  void read_vertices(std::int64_t count) {
    if (dimension_ == 0) file_.fail("expected Dimension before Vertices");
    mesh_.expect_nodes(count);
    for (std::int64_t i = 1; i <= count; ++i) {
      const double x = numbers_.real("a vertex's x");
      const Place place = file_.place();
      const double y = numbers_.real("a vertex's y");
      mesh_.add_node(i, {x, y}, dimension_ == 3 ? numbers_.real("a vertex's z") : 0, place);
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
  InriaNumbers& numbers_;
  FileMesh& mesh_;
  std::int64_t dimension_ = 0;
};

FileMesh empty_mesh(InputFile& file, const MeshReading& how) {
  return {file, {"vertex reference", "edge reference", "triangle reference"}, how};
}

/// The number of the next known keyword; unknown sections are skipped by reading on to the next word that is no number.
int next_keyword(InputFile& file) {
  while (file.has_word(comment)) {
    const std::string_view word = file.word("a keyword", comment);
    for (const inria::Name& n : inria::names)
      if (word == n.name) return n.keyword;
  }
  return inria::end;
}

}  // namespace

Mesh read_inria(const std::filesystem::path& path, const MeshReading& how) {
  InputFile file(path);
  FileMesh mesh = empty_mesh(file, how);
  InriaNumbers numbers(file);
  const std::string_view first = file.has_word(comment) ? file.word("MeshVersionFormatted", comment) : "";
  if (first == "MFEM")
    file.fail("expected MeshVersionFormatted: this is a mesh of MFEM; write it as .vtu by MFEM's Mesh::PrintVTU");
  if (first != "MeshVersionFormatted") file.fail("expected MeshVersionFormatted: this is no .mesh file");
  const std::int64_t version = numbers.whole("the version of the format");
  if (version < 1 || version > 4) file.fail(fmt::format("expected the version 1, 2, 3 or 4, found {}", version));
  InriaSections sections(file, numbers, mesh);
  for (int keyword = next_keyword(file); keyword != inria::end; keyword = next_keyword(file)) sections.read(keyword);
  return mesh.make(no_triangles);
}

Mesh read_inria_binary(const std::filesystem::path& path, const MeshReading& how) {
  InputFile file(path);
  file.set_binary();
  FileMesh mesh = empty_mesh(file, how);
  InriaNumbers numbers(file);
  const auto one = file.value<std::uint32_t>("the number 1, which shows the order of bytes");
  if (one == 0x01000000U)
    file.fail("the file comes from a machine with the other order of bytes (endianness): save it as .mesh there");
  if (one != 1) file.fail("expected the number 1, which shows the order of bytes: this is no .meshb file");
  const auto version = file.value<std::int32_t>("the version of the format");
  if (version < 1 || version > 4) file.fail(fmt::format("expected the version 1, 2, 3 or 4, found {}", version));
  numbers.set_version(version);

  InriaSections sections(file, numbers, mesh);
  while (true) {
    const auto keyword = file.value<std::int32_t>("the number of a section, or 54, the end");
    const Place place = file.place();
    if (keyword == inria::end) break;
    const std::int64_t next = numbers.next_section();
    if (next <= file.position())
      file.fail_at(place, fmt::format("the section behind this one must lie further on, not at byte {}", next));
    if (inria::name_of(keyword)[0] == '\0') {
      file.seek(next);
      continue;
    }
    sections.read(keyword);
    if (file.position() != next)
      file.fail_at(place, fmt::format("the section {} ends at byte {}, but the next begins at byte {}: its counts or "
                                      "the version of the format are wrong",
                                      inria::name_of(keyword), file.position(), next));
  }
  return mesh.make(no_triangles);
}

}  // namespace cleave
