#include <fmt/format.h>

#include <random>

#include "cleave/mesh/topology.hpp"
#include "formats.hpp"

using namespace cleave;
using namespace cleave::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

struct Grid {
  std::string points = "0 0 0  1 0 0  1 1 0  0 1 0";
  std::string connectivity = "0 1 2  0 2 3";
  std::string offsets = "3 6";
  std::string types = "5 5";
  std::string point_data;
  std::string cell_data;
  int point_count = 4;
  int cell_count = 2;
};

std::string array(const std::string& type, const std::string& name, const std::string& values, int components = 1) {
  return "<DataArray type=\"" + type + "\" Name=\"" + name + "\" NumberOfComponents=\"" + std::to_string(components) +
         "\" format=\"ascii\">" + values + "</DataArray>\n";
}

std::string vtu(const Grid& grid) {
  return "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
         "<UnstructuredGrid>\n<Piece NumberOfPoints=\"" +
         std::to_string(grid.point_count) + "\" NumberOfCells=\"" + std::to_string(grid.cell_count) +
         "\">\n<PointData>\n" + grid.point_data + "</PointData>\n<CellData>\n" + grid.cell_data +
         "</CellData>\n<Points>\n" + array("Float64", "Points", grid.points, 3) + "</Points>\n<Cells>\n" +
         array("Int32", "connectivity", grid.connectivity) + array("Int32", "offsets", grid.offsets) +
         array("UInt8", "types", grid.types) + "</Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";
}

std::string vtu_error(const std::string& text) {
  const TemporaryDirectory directory;
  const auto file = directory.write("plate.vtu", text);
  std::string error = input_error([&] { read_mesh(file); });
  const auto where = error.find(directory.path().string() + "/");
  if (where == 0) error = error.substr(directory.path().string().size() + 1);
  return error;
}

/// A mesh as a .vtu file, with its groups as arrays.
Grid grid_of(const Mesh& mesh) {
  Grid grid{"", "", "", "", "", "", mesh.node_count(), mesh.element_count()};
  for (const Point& p : mesh.nodes) grid.points += fmt::format("{} {} 0 ", p.x, p.y);
  for (Index node : mesh.elements) grid.connectivity += fmt::format("{} ", node);
  for (Index e = 1; e <= mesh.element_count(); ++e) {
    grid.offsets += fmt::format("{} ", e * nodes_per_element(mesh.type));
    grid.types += mesh.type == ElementType::t6 ? "22 " : "5 ";
  }
  const auto members = [](const Group& group, const std::vector<Index>& ids, Index count) {
    std::vector<int> member(count);
    for (Index id : ids) member[id] = 1;
    return array("Int32", "group:" + group.name, fmt::format("{}", fmt::join(member, " ")));
  };
  for (const Group& group : mesh.groups) {
    if (!group.nodes.empty()) grid.point_data += members(group, group.nodes, mesh.node_count());
    if (!group.elements.empty()) grid.cell_data += members(group, group.elements, mesh.element_count());
  }
  return grid;
}

}  // namespace

TEST_CASE("a .vtu file is read as the mesh with its groups") {
  const TemporaryDirectory directory;
  for (const Mesh& mesh : {rectangle(ElementType::t6, {8, 4}, {2, 1}, {0, 0}, 0.75),
                           rectangle(ElementType::t3, {8, 4}, {2, 1}, {0, 0}, 0.75),
                           ring(ElementType::t6, {2, 16}, 0.5, 1), read_mesh(mesh_file("plate_t6.msh"))}) {
    const Mesh read = read_mesh(directory.write("mesh.vtu", vtu(grid_of(mesh))));
    CHECK(read.type == mesh.type);
    CHECK(read.elements == mesh.elements);
    CHECK(read.neighbours == mesh.neighbours);
    bool positions = read.nodes.size() == mesh.nodes.size();
    for (std::size_t n = 0; positions && n < mesh.nodes.size(); ++n) {
      positions = read.nodes[n].x == mesh.nodes[n].x && read.nodes[n].y == mesh.nodes[n].y;
    }
    CHECK(positions);
    CHECK(read.original_nodes.back() == mesh.node_count() - 1);
    CHECK(read.original_elements.back() == mesh.element_count() - 1);
    REQUIRE(read.groups.size() == mesh.groups.size());
    for (std::size_t g = 0; g < mesh.groups.size(); ++g) {
      CHECK(read.groups[g].name == mesh.groups[g].name);
      CHECK(read.groups[g].facets == mesh.groups[g].facets);
      CHECK(read.groups[g].nodes == mesh.groups[g].nodes);
      CHECK(read.groups[g].elements == mesh.groups[g].elements);
    }
  }
}

TEST_CASE("single nodes of a .vtu file are read, other arrays are ignored") {
  Grid grid;
  grid.point_data = array("Int32", "group:corner", "0 0 7 0") + array("Float64", "temperature", "1 2 3 4") +
                    array("Int32", "facets:odd", "1 1 1 1");
  const TemporaryDirectory directory;
  const Mesh mesh = read_mesh(directory.write("mesh.vtu", vtu(grid)));
  REQUIRE(mesh.groups.size() == 1);
  CHECK(mesh.groups[0].name == "corner");
  CHECK(mesh.groups[0].nodes == std::vector<Index>{2});
  CHECK(mesh.groups[0].facets.empty());
}

TEST_CASE("cell data of a .vtu file give groups of triangles") {
  Grid grid;
  grid.point_data = array("Int32", "group:both", "1 1 0 0");
  grid.cell_data =
      array("Int32", "group:plate", "0 3") + array("Int32", "group:both", "1 0") + array("Float64", "density", "1 2");
  const TemporaryDirectory directory;
  const Mesh mesh = read_mesh(directory.write("mesh.vtu", vtu(grid)));
  REQUIRE(mesh.groups.size() == 2);
  CHECK(mesh.groups[0].name == "both");
  CHECK(mesh.groups[0].nodes == std::vector<Index>{0, 1});
  CHECK(mesh.groups[0].facets == std::vector<Index>{facet_code(0, 2)});
  CHECK(mesh.groups[0].elements == std::vector<Index>{0});
  CHECK(mesh.groups[1].name == "plate");
  CHECK(mesh.groups[1].nodes.empty());
  CHECK(mesh.groups[1].elements == std::vector<Index>{1});
}

TEST_CASE("integer cell data, lines and points of a .vtu file give groups by their numbers") {
  Grid grid;
  grid.points = "9 9 0  0 0 0  1 0 0  1 1 0  0 1 0";  // the first is of no triangle
  grid.point_count = 5;
  grid.connectivity = "0  1  1 2  2 3  4 1  1 2 3  1 3 4  1 3";
  grid.offsets = "1 2 4 6 8 11 14 16";
  grid.types = "1 1 3 3 3 5 5 3";
  grid.cell_count = 8;
  const auto facets = [](const Mesh& mesh, const std::string& name) { return mesh.find_group(name)->facets; };
  grid.cell_data = array("Int64", "gmsh:physical", "9 9 1 2 2 3 4 4") + array("Float64", "density", "1 1 1 1 1 1 1 1") +
                   array("Int32", "vtkOriginalCellIds", "0 1 2 3 4 5 6 7") +
                   array("Int32", "vector", "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0", 2);
  const Mesh mesh = test::read_text("mesh.vtu", vtu(grid));
  CHECK(mesh.elements == std::vector<Index>{0, 1, 2, 0, 2, 3});
  CHECK(mesh.original_nodes == std::vector<Index>{1, 2, 3, 4});
  REQUIRE(mesh.groups.size() == 5);
  CHECK(facets(mesh, "gmsh:physical=1") == std::vector<Index>{facet_code(0, 2)});
  CHECK(facets(mesh, "gmsh:physical=2") == std::vector<Index>{facet_code(0, 0), facet_code(1, 1)});
  CHECK(mesh.find_group("gmsh:physical=3")->elements == std::vector<Index>{0});
  CHECK(mesh.find_group("gmsh:physical=4")->elements == std::vector<Index>{1});
  CHECK(mesh.find_group("gmsh:physical=4")->inside == std::vector<Index>{facet_code(0, 1)});
  CHECK(mesh.find_group("gmsh:physical=9")->nodes == std::vector<Index>{0});

  grid.cell_data = "";
  const Mesh plain = test::read_text("mesh.vtu", vtu(grid));
  REQUIRE(plain.groups.size() == 1);
  CHECK(facets(plain, "lines").size() == 3);
  // A file that names groups has numbers for other ends.
  grid.cell_data = array("Int32", "group:edge", "0 0 1 0 0 0 1 0") + array("Int32", "colour", "1 1 1 1 1 1 2 1");
  const Mesh named = test::read_text("mesh.vtu", vtu(grid));
  REQUIRE(named.groups.size() == 1);
  CHECK(facets(named, "edge") == std::vector<Index>{facet_code(0, 2)});
  CHECK(named.find_group("edge")->elements == std::vector<Index>{1});
}

TEST_CASE("cell data with a number for each cell are no groups") {
  const Mesh mesh = rectangle(ElementType::t3, {6, 5}, {6, 5});  // 120 triangles
  Grid grid = grid_of(mesh);
  grid.point_data = "";
  std::string ids, thirds;
  for (Index e = 0; e < mesh.element_count(); ++e) {
    ids += fmt::format("{} ", e);
    thirds += fmt::format("{} ", e % 3 - 1);
  }
  grid.cell_data = array("Int32", "id", ids) + array("Int32", "third", thirds);
  const Mesh read = test::read_text("mesh.vtu", vtu(grid));
  REQUIRE(read.groups.size() == 3);
  CHECK(read.find_group("third=-1")->elements.size() == 40);
}

TEST_CASE("facets of turned triangles of a .vtu file stay where they are") {
  Grid grid;
  grid.cell_data = array("Int32", "facets:right", "4 0") + array("Int32", "facets:left", "0 2");
  grid.connectivity = "0 2 1  0 2 3";  // the first is clockwise: its facet 2 is the diagonal
  const Mesh mesh = test::read_text("mesh.vtu", vtu(grid));
  CHECK(mesh.turned == 1);
  CHECK(mesh.elements == std::vector<Index>{0, 1, 2, 0, 2, 3});
  CHECK(mesh.find_group("right")->inside == std::vector<Index>{facet_code(0, 1)});
  CHECK(mesh.find_group("right")->nodes == std::vector<Index>{0, 2});
  CHECK(mesh.find_group("left")->facets == std::vector<Index>{facet_code(1, 1)});
}

TEST_CASE("the diagonal of a square is no boundary facet of a group") {
  Grid grid;
  grid.point_data = array("Int32", "group:g", "1 1 1 0");
  const TemporaryDirectory directory;
  const Mesh mesh = read_mesh(directory.write("mesh.vtu", vtu(grid)));
  CHECK(mesh.groups[0].facets == std::vector<Index>{facet_code(0, 0), facet_code(0, 2)});
}

TEST_CASE("wrong .vtu files are explained") {
  Grid grid;
  REQUIRE(vtu_error(vtu(grid)).empty());
  SECTION("missing") {
    CHECK_THAT(input_error([] { read_mesh("/nowhere/plate.vtu"); }), Contains("there is no such file"));
  }
  SECTION("empty") { CHECK_THAT(vtu_error(""), StartsWith("plate.vtu: the file is empty")); }
  SECTION("not XML") { CHECK_THAT(vtu_error("solid cube\n"), StartsWith("plate.vtu: ") && Contains("VTK XML")); }
  SECTION("truncated") {
    const std::string text = vtu(grid);
    CHECK_THAT(vtu_error(text.substr(0, text.find("<Cells>"))),
               StartsWith("plate.vtu: ") && Contains("truncated") && Contains("at line ") && !Contains("0x"));
  }
  SECTION("too few coordinates") {
    grid.points = "0 0 0  1 0 0";
    CHECK_THAT(vtu_error(vtu(grid)), StartsWith("plate.vtu: ") && Contains("truncated"));
  }
  SECTION("no cells") {
    grid.cell_count = 0;
    grid.connectivity = grid.offsets = grid.types = "";
    CHECK_THAT(vtu_error(vtu(grid)), StartsWith("plate.vtu: ") && Contains("there are no triangles"));
  }
  SECTION("quadrangle") {
    grid.connectivity = "0 1 2 3";
    grid.offsets = "4";
    grid.types = "9";
    grid.cell_count = 1;
    CHECK_THAT(vtu_error(vtu(grid)), StartsWith("plate.vtu: cell 0") && Contains("quadrangle"));
  }
  SECTION("solid among triangles") {
    grid.connectivity = "0 1 2 0 1 2 3";
    grid.offsets = "3 7";
    grid.types = "5 10";
    CHECK_THAT(vtu_error(vtu(grid)), StartsWith("plate.vtu: cell 1 has VTK type 10"));
  }
  SECTION("line that is no side") {
    grid.connectivity += " 1 3";
    grid.offsets = "3 6 8";
    grid.types = "5 5 3";
    grid.cell_count = 3;
    CHECK_THAT(vtu_error(vtu(grid)), StartsWith("plate.vtu: line 2 between nodes 1 and 3 is no side of a triangle"));
  }
  SECTION("line of the other order") {
    grid.connectivity += " 1 2 3";
    grid.offsets = "3 6 9";
    grid.types = "5 5 21";
    grid.cell_count = 3;
    CHECK_THAT(vtu_error(vtu(grid)),
               StartsWith("plate.vtu: line 2 has 3 nodes, but the sides of the triangles have 2"));
  }
  SECTION("mixed orders") {
    grid.connectivity = "0 1 2 0 2 3 0 1 2";
    grid.offsets = "3 9";
    grid.types = "5 22";
    CHECK_THAT(vtu_error(vtu(grid)),
               Contains("element 1 has 6 nodes, but element 0 has corners only: use one element order"));
  }
  SECTION("wrong number of nodes") {
    grid.offsets = "2 6";
    CHECK_THAT(vtu_error(vtu(grid)), Contains("cell 0 lists 2 nodes"));
  }
  SECTION("node out of range") {
    grid.connectivity = "0 1 2  0 2 4";
    CHECK_THAT(vtu_error(vtu(grid)),
               StartsWith("plate.vtu: ") && Contains("element 1 refers to node 4, which is not among the nodes"));
  }
  SECTION("not a number") {
    grid.points = "0 0 0  1 0 0  nan 1 0  0 1 0";
    CHECK_THAT(vtu_error(vtu(grid)), StartsWith("plate.vtu: ") && Contains("node 2"));
  }
  SECTION("not plane") {
    grid.points = "0 0 0  1 0 0  1 1 1  0 1 0";
    CHECK_THAT(vtu_error(vtu(grid)), Contains("node 2 is at z = 1"));
  }
  SECTION("node that 32 bits would wrap to a right one") {
    grid.connectivity = "0 1 2  0 2 4294967299";
    std::string text = vtu(grid);
    const std::string name = "type=\"Int32\" Name=\"connectivity\"";
    text.replace(text.find(name), name.size(), "type=\"Int64\" Name=\"connectivity\"");
    CHECK_THAT(vtu_error(text), StartsWith("plate.vtu: element 1 refers to node 4294967299"));
  }
  SECTION("group of nothing") {
    grid.point_data = array("Int32", "group:left", "0 0 0 0");
    CHECK_THAT(vtu_error(vtu(grid)), Contains("point data 'group:left' is 0 at every point"));
  }
  SECTION("group of no triangles") {
    grid.cell_data = array("Int32", "group:plate", "0 0");
    CHECK_THAT(vtu_error(vtu(grid)), Contains("cell data 'group:plate' is 0 at every cell"));
  }
  SECTION("group given twice") {
    grid.point_data = array("Int32", "group:left", "1 0 0 1") + array("Int32", "group:left", "0 1 1 0");
    CHECK_THAT(vtu_error(vtu(grid)), Contains("point data 'group:left' is there twice"));
  }
  SECTION("group of vectors") {
    grid.point_data = array("Int32", "group:left", "0 0 1 1 0 0 1 1", 2);
    CHECK_THAT(vtu_error(vtu(grid)), Contains("group:left") && Contains("one integer per point"));
  }
  SECTION("group of vectors by cell") {
    grid.cell_data = array("Int32", "group:plate", "0 0 1 1", 2);
    CHECK_THAT(vtu_error(vtu(grid)), Contains("cell data 'group:plate' must hold one integer per cell"));
  }
  SECTION("sizes that no file holds") {
    std::string text = vtu(grid);
    const std::string count = "NumberOfPoints=\"4\"";
    text.replace(text.find(count), count.size(), "NumberOfPoints=\"99999999999999\"");
    CHECK_THAT(vtu_error(text),
               Contains("array 'Points' has 12 numbers, 3 for each of 99999999999999 points are needed"));
    text.replace(text.find("99999999999999"), 14, "-4");
    CHECK_THAT(vtu_error(text), Contains("NumberOfPoints of Piece must be a whole number, found '-4'"));
  }
  SECTION("offsets that do not fit") {
    grid.offsets = "3 7";
    CHECK_THAT(vtu_error(vtu(grid)), Contains("the offset 7 does not fit between 3 and the 6 numbers"));
    grid.offsets = "6 3";
    CHECK_THAT(vtu_error(vtu(grid)), Contains("the offset 3 does not fit between 6 and the 6 numbers"));
  }
  SECTION("an array that is not there") {
    std::string text = vtu(grid);
    text.replace(text.find("\"types\""), 7, "\"kinds\"");
    CHECK_THAT(vtu_error(text), StartsWith("plate.vtu: ") && Contains("lack the array 'types'"));
  }
  SECTION("tags that cross") {
    std::string text = vtu(grid);
    text.replace(text.find("</Cells>"), 8, "</Piece>");
    CHECK_THAT(vtu_error(text), Contains("Piece is closed, but Cells is open"));
    text = vtu(grid);
    text.replace(text.find("<Cells>"), 7, "<Cells a=b>");
    CHECK_THAT(vtu_error(text), Contains("this is no tag of XML"));
  }
  SECTION("whole numbers as fractions") {
    grid.connectivity = "0 1 2  0 2 3.5";
    CHECK_THAT(vtu_error(vtu(grid)), Contains("'3.5' is no number that is expected here"));
  }
}

namespace {

std::string base64(const std::string& bytes) {
  constexpr const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) out += i + k <= bytes.size() ? digits[group >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

template <class T>
std::string bytes_of(std::initializer_list<T> values) {
  return {reinterpret_cast<const char*>(values.begin()), values.size() * sizeof(T)};
}

/// The file of Grid, its points as appended data that begin with these words.
std::string appended(std::initializer_list<std::uint32_t> words, const std::string& data, const std::string& attributes,
                     bool raw) {
  std::string text = vtu({});
  const std::size_t from = text.find("<DataArray type=\"Float64\" Name=\"Points\"");
  const std::string end = "</DataArray>";
  text.replace(
      from, text.find(end, from) + end.size() - from,
      "<DataArray type=\"Float64\" Name=\"Points\" NumberOfComponents=\"3\" format=\"appended\" offset=\"0\"/>");
  text.insert(text.find(" byte_order"), attributes);
  const std::string encoded = raw ? bytes_of(words) + data : base64(bytes_of(words)) + base64(data);
  text.replace(
      text.find("</VTKFile>"), 0,
      std::string("<AppendedData encoding=\"") + (raw ? "raw" : "base64") + "\">\n_" + encoded + "\n</AppendedData>\n");
  return text;
}

}  // namespace

TEST_CASE("appended data with a wrong size are refused without taking memory") {
  const std::string points = bytes_of<double>({0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0});
  const std::string zlib = " compressor=\"vtkZLibDataCompressor\"", lz4 = " compressor=\"vtkLZ4DataCompressor\"";
  CHECK(vtu_error(appended({96}, points, "", true)).empty());
  CHECK_THAT(vtu_error(appended({97}, points.substr(0, 96), "", true)), Contains("array 'Points'"));
  CHECK_THAT(vtu_error(appended({0xffffffff}, points, "", true)),
             Contains("4294967295 bytes are promised, more than follow"));
  CHECK_THAT(vtu_error(appended({90}, points, "", true)), Contains("the last number is cut"));
  for (const std::string& compressor : {zlib, lz4}) {
    for (const bool raw : {true, false}) {
      CHECK_THAT(vtu_error(appended({0xffffffff, 96, 0}, points, compressor, raw)),
                 Contains("4294967295 blocks are promised, more than follow"));
      CHECK_THAT(vtu_error(appended({1, 0xffffffff, 0, 96}, points, compressor, raw)),
                 Contains("a block is too short for what it promises"));
      CHECK_THAT(vtu_error(appended({1, 96, 0, 0xffffff}, points, compressor, raw)),
                 Contains("a block is longer than what follows"));
      CHECK_THAT(vtu_error(appended({1, 96, 0, 96}, points, compressor, raw)), Contains("compressed data are damaged"));
    }
  }
  CHECK_THAT(vtu_error(appended({1, 96, 0, 96}, points, " compressor=\"vtkLZMADataCompressor\"", true)),
             Contains("compressed by vtkLZMADataCompressor, of which zlib and LZ4 are read"));
  std::string text = appended({96}, points, "", true);
  text.replace(text.find("offset=\"0\""), 10, "offset=\"99999\"");
  CHECK_THAT(vtu_error(text), Contains("begins behind the end of the appended data"));
}

TEST_CASE("several pieces of a .vtu file are one mesh") {
  Grid grid;
  grid.point_data = array("Int32", "group:left", "1 0 0 1");
  const std::string first = vtu(grid);
  grid.points = "1 0 0  2 0 0  2 1 0  1 1 0";
  grid.point_data = array("Int32", "group:left", "0 0 0 0");
  const std::string second = vtu(grid), piece = "<Piece ", end = "</Piece>\n";
  std::string both = first;
  const std::size_t from = second.find(piece);
  both.insert(both.find(end) + end.size(), second.substr(from, second.find(end) + end.size() - from));
  // The bodies touch, but share no nodes: what may touch is for the case to say.
  CHECK(vtu_error(both).empty());
  const std::string away = "1 0 0  2 0 0  2 1 0  1 1 0";
  both.replace(both.find(away), away.size(), "3 0 0  4 0 0  4 1 0  3 1 0");
  const TemporaryDirectory directory;
  const Mesh mesh = read_mesh(directory.write("mesh.vtu", both));
  CHECK(mesh.elements == std::vector<Index>{0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7});
  CHECK(mesh.groups.at(0).nodes == std::vector<Index>{0, 3});
}

TEST_CASE("a .vtu file with wrong bytes is read or refused, and so is one that ends too early") {
  const std::string points = bytes_of<double>({0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0});
  Grid grid;
  grid.point_data = array("Int32", "group:left", "1 0 0 1");
  grid.cell_data = array("Int32", "facets:left", "0 2");
  const std::vector<std::string> files{vtu(grid), appended({96}, points, "", true), appended({96}, points, "", false)};
  std::mt19937 random(5);
  int refused = 0;
  for (const std::string& text : files) {
    for (int trial = 0; trial < 300; ++trial) {
      std::string wrong = text;
      for (int i = 0; i < 3; ++i) wrong[random() % wrong.size()] = static_cast<char>(random());
      refused += vtu_error(wrong).empty() ? 0 : 1;
    }
    const std::size_t whole = std::min(text.find("\n</AppendedData"), text.rfind("</VTKFile>"));
    for (std::size_t size = 1; size < whole; ++size) {
      INFO(text.substr(0, size));
      CHECK_THAT(vtu_error(text.substr(0, size)), StartsWith("plate.vtu: "));
    }
  }
  CHECK(refused > 300);
}
