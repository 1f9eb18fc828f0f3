#include "mesh/io/gmsh.hpp"

#include "mesh/io/formats.hpp"

namespace cleave {
namespace {

constexpr std::string_view how_to_export = "save it as version 4.1 (gmsh FILE -save -format msh41) or 2.2 (msh22)";

/// Gmsh's types of elements that are not simulated.
constexpr struct {
  int first, last;
  std::string_view name;
} other_types[] = {{4, 7, "a solid: mesh in 2D only (gmsh -2)"},
                   {11, 14, "a solid: mesh in 2D only (gmsh -2)"},
                   {17, 19, "a solid: mesh in 2D only (gmsh -2)"},
                   {20, 28, "of order 3 or higher: set the element order to 1 or 2"}};

std::string name_of(int type) {
  for (const auto& [first, last, name] : other_types)
    if (first <= type && type <= last) return std::string(name);
  if (type == 3 || type == 10 || type == 16)
    return fmt::format("a quadrangle: {}, or switch recombination off", how_to_split);
  return "not known here";
}

std::string end_of(std::string_view header) { return "$End" + std::string(header.substr(1)); }

/// Reads the last line of a section.
void read_end(InputFile& file, std::string_view header) {
  const std::string end = end_of(header);
  if (file.require(end) == end) return;
  file.fail(file.is_binary() ? fmt::format("expected {} here: the section holds more or less than it says", end)
                             : fmt::format("expected {}, found '{}'", end, file.line()));
}

/// Reads $MeshFormat; returns the version, 2 or 4.
int read_format(InputFile& file) {
  if (!file.next() || file.line() != "$MeshFormat") {
    file.fail("expected $MeshFormat: this is no Gmsh mesh, or one of version 1; " + std::string(how_to_export));
  }
  Words words(file.require("the version of the format"));
  const std::string_view version = words.next(), file_type = words.next(), real_size = words.next();
  const int major = version == "4.1" ? 4 : version == "2.2" || version == "2.1" || version == "2" ? 2 : 0;
  if (major == 0) file.fail(fmt::format("this is version {} of the Gmsh format: {}", version, how_to_export));
  if (file_type != "0" && file_type != "1")
    file.fail(fmt::format("expected the file type 0 (ASCII) or 1 (binary), found '{}'", file_type));
  if (real_size != "8") file.fail(fmt::format("expected 8 as the size of real numbers, found '{}'", real_size));
  if (file_type == "1") {
    file.set_binary();
    const auto one = file.value<std::uint32_t>("the number 1, which shows the order of bytes");
    if (one == 0x01000000U)
      file.fail("the file comes from a machine with the other order of bytes (endianness): save it as ASCII there");
    if (one != 1) file.fail("expected the number 1, which shows the order of bytes: the file is damaged");
  }
  read_end(file, "$MeshFormat");
  return major;
}

/// A text section in both versions.
void read_physical_names(InputFile& file, FileMesh& mesh) {
  Index count = 0;
  Words header(file.require("the number of physical names"));
  if (!header.read(count) || count < 0)
    file.fail_numbers(header, fmt::format("expected the number of physical names, found '{}'", file.line()));
  for (Index i = 0; i < count; ++i) {
    const std::string what = fmt::format("physical name {} of {}", i + 1, count);
    Words words(file.require(what));
    if (file.line().starts_with('$'))
      file.fail(fmt::format("expected {}, found '{}': the section is truncated", what, file.line()));
    int dimension = 0;
    Index number = 0;
    const bool numbers = words.read(dimension) && words.read(number) && dimension >= 0;
    const std::string_view rest = words.rest();
    const auto open = rest.find('"');
    const auto close = rest.rfind('"');
    if (!numbers || open == close)
      file.fail_numbers(words, fmt::format("expected 'dimension number \"name\"', found '{}'", file.line()));
    if (dimension > 2) continue;
    mesh.add_name({dimension, number}, rest.substr(open + 1, close - open - 1), file.place());
  }
}

/// Skips results and other sections.
void skip_section(InputFile& file) {
  const std::string end = end_of(file.line());
  if (file.is_binary()) return file.skip_past("\n" + end);
  while (file.require(end) != end) continue;
}

void read_section(InputFile& file, FileMesh& mesh, GmshSections& sections) {
  const std::string header(file.line());
  if (!header.starts_with('$') || header.starts_with("$End")) {
    file.fail(file.is_binary()
                  ? "expected the start of a section such as $Nodes: the section before it holds more than it says"
                  : fmt::format("expected the start of a section such as $Nodes, found '{}'", header));
  }
  if (header == "$PhysicalNames")
    read_physical_names(file, mesh);
  else if (!sections.read(header))
    return skip_section(file);
  read_end(file, header);
}

}  // namespace

Shape gmsh_shape(const InputFile& file, int type, bool quads, const std::string& what) {
  if (quads && type == 3) return Shape::quad4;
  if (quads && type == 10) return Shape::quad9;
  if (quads && type == 16) return Shape::quad8;
  switch (type) {
    case 1:
      return Shape::line2;
    case 2:
      return Shape::triangle3;
    case 8:
      return Shape::line3;
    case 9:
      return Shape::triangle6;
    case 15:
      return Shape::point;
    default:
      file.fail(fmt::format("{} Gmsh type {}, {}; only triangles with 3 or 6 nodes are simulated", what, type,
                            name_of(type)));
  }
}

Mesh read_gmsh(const std::filesystem::path& path, const MeshReading& how) {
  InputFile file(path);
  FileMesh mesh(file, {"physical point", "physical line", "physical surface"}, how);
  const auto sections = read_format(file) == 4 ? gmsh4_sections(file, mesh) : gmsh2_sections(file, mesh);
  while (file.next()) read_section(file, mesh, *sections);
  return mesh.make(
      "mesh the surface (gmsh -2) and, if the file has physical groups, give the surface one too, because "
      "Gmsh writes nothing else");
}

}  // namespace cleave
