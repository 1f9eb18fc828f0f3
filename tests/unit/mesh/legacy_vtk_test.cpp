#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <initializer_list>
#include <random>

#include "formats.hpp"

using namespace cleave;
using namespace cleave::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

/// A square of two triangles, as version 4.2 stores cells, with attributes of all kinds between its groups.
const std::string old_text =
    "# vtk DataFile Version 4.2\n"
    "a square\n"
    "ASCII\n"
    "DATASET UNSTRUCTURED_GRID\n"
    "FIELD FieldData 1\n"
    "TIME 1 1 double\n0.5\n"
    "POINTS 4 double\n0 0 0 1 0 0\n1 1 0\n0 1 0\n"
    "METADATA\nINFORMATION 0\n\n"
    "CELLS 2 8\n3 0 1 2\n3 0 2 3\n"
    "CELL_TYPES 2\n5\n5\n"
    "POINT_DATA 4\n"
    "SCALARS temperature float\nLOOKUP_TABLE cold\n1 2 3 4\n"
    "LOOKUP_TABLE cold 1\n0 0 0 1\n"
    "VECTORS velocity double\n1 2 3  1 2 3  1 2 3  1 2 3\n"
    "SCALARS group:left int 1\nLOOKUP_TABLE default\n1 0 0 1\n"
    "CELL_DATA 2\n"
    "FIELD FieldData 3\n"
    "density 2 2 float\n1 2 3 4\n"
    "METADATA\nCOMPONENT_NAMES\na\nb\n\n"
    "group:upper%20half 1 2 unsigned_char\n0 1\n"
    "facets:right 1 2 int\n1 0\n";

/// The same as version 5.1 stores cells.
std::string new_text() {
  return with(with(old_text, "Version 4.2", "Version 5.1"), "CELLS 2 8\n3 0 1 2\n3 0 2 3\n",
              "CELLS 3 6\nOFFSETS vtktypeint64\n0 3 6\nCONNECTIVITY vtktypeint64\n0 1 2 0 2 3\n");
}

template <class T>
std::string big_endian(std::initializer_list<T> values) {
  std::string out;
  for (const T value : values) {
    auto bytes = std::bit_cast<std::array<char, sizeof(T)>>(value);
    std::reverse(bytes.begin(), bytes.end());
    out.append(bytes.data(), bytes.size());
  }
  return out;
}

/// The square as a binary file of version 5.1.
std::string binary_text() {
  return "# vtk DataFile Version 5.1\n\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 float\n" +
         big_endian<float>({0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}) + "\nCELLS 3 6\nOFFSETS vtktypeint64\n" +
         big_endian<std::int64_t>({0, 3, 6}) + "\nCONNECTIVITY vtktypeint64\n" +
         big_endian<std::int64_t>({0, 1, 2, 0, 2, 3}) + "\nCELL_TYPES 2\n" + big_endian<std::int32_t>({5, 5}) +
         "\nPOINT_DATA 4\nCOLOR_SCALARS shade 2\n" + big_endian<std::uint8_t>({10, 13, 10, 32, 0, 0, 10, 10}) +
         "\nFIELD FieldData 1\ngroup:left 1 4 vtkIdType\n" + big_endian<std::int32_t>({1, 0, 0, 1}) + "\n";
}

std::string vtk_error(const std::string& text) { return error_of("plate.vtk", text); }

}  // namespace

TEST_CASE("a legacy .vtk file gives nodes, triangles and groups, whatever else it holds") {
  for (const std::string& text : {old_text, new_text()}) {
    const Mesh mesh = read_text("plate.vtk", text);
    CHECK(mesh.elements == std::vector<Index>{0, 1, 2, 0, 2, 3});
    CHECK(mesh.nodes.at(2).x == 1);
    CHECK(mesh.original_nodes == std::vector<Index>{0, 1, 2, 3});
    CHECK(mesh.original_elements == std::vector<Index>{0, 1});
    REQUIRE(mesh.groups.size() == 3);
    CHECK(mesh.find_group("left")->nodes == std::vector<Index>{0, 3});
    CHECK(mesh.find_group("left")->facets == std::vector<Index>{facet_code(1, 1)});
    CHECK(mesh.find_group("upper half")->elements == std::vector<Index>{1});
    CHECK(mesh.find_group("right")->facets == std::vector<Index>{facet_code(0, 0)});
  }
  const Mesh mesh = read_text("plate.vtk", binary_text());
  CHECK(mesh.elements == std::vector<Index>{0, 1, 2, 0, 2, 3});
  CHECK(mesh.find_group("left")->nodes == std::vector<Index>{0, 3});
}

TEST_CASE("integer cell data and lines of a legacy .vtk file give groups by their numbers") {
  const Mesh mesh = read_text("plate.vtk",
                              "# vtk DataFile Version 2.0\nb\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 float\n"
                              "0 0 0 1 0 0 1 1 0 0 1 0\nCELLS 3 11\n3 0 1 2\n3 0 2 3\n2 2 1\nCELL_TYPES 3\n5\n5\n3\n"
                              "CELL_DATA 3\nSCALARS part int\nLOOKUP_TABLE default\n7 8 8\n"
                              "FIELD FieldData 2\nweight 1 3 float\n1 1 1\nother 1 1 int\n5\n");
  REQUIRE(mesh.groups.size() == 2);
  CHECK(mesh.find_group("part=7")->elements == std::vector<Index>{0});
  CHECK(mesh.find_group("part=8")->elements == std::vector<Index>{1});
  CHECK(mesh.find_group("part=8")->facets == std::vector<Index>{facet_code(0, 0)});
}

TEST_CASE("cell data of a legacy .vtk file before its cells are refused") {
  const std::string text =
      "# vtk DataFile Version 2.0\nb\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 3 float\n0 0 0 1 0 0 1 1 0\n"
      "CELL_DATA 0\nSCALARS part int\nLOOKUP_TABLE default\n\nCELLS 1 4\n3 0 1 2\nCELL_TYPES 1\n5\n";
  CHECK_THAT(vtk_error(text), StartsWith("plate.vtk: cell data 'part' has 0 values, 1 are needed"));
  CHECK_THAT(vtk_error(with(text, "part", "group:part")), Contains("'group:part' has 0 values, 1 are needed"));
}

TEST_CASE("keywords of a legacy .vtk file may be small, and its lines may end as Windows ends them") {
  std::string text = with(with(old_text, "CELL_TYPES", "cell_types"), "ASCII", "ascii");
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) text.insert(at, 1, '\r');
  require_same(read_text("plate.vtk", text), read_text("plate.vtk", old_text));
}

TEST_CASE("wrong legacy .vtk files are explained") {
  const auto changed = [](const std::string& from, const std::string& to, const std::string& text = old_text) {
    return vtk_error(with(text, from, to));
  };
  CHECK_THAT(vtk_error("solid cube\n"), StartsWith("plate.vtk:1: this is no legacy .vtk file"));
  CHECK_THAT(changed("4.2", "6.0"), StartsWith("plate.vtk:1: expected a version from 1.0 to 5.1, found '6.0'"));
  CHECK_THAT(changed("ASCII", "TEXT"), StartsWith("plate.vtk:3: expected ASCII or BINARY, found 'text'"));
  CHECK_THAT(changed("DATASET UNSTRUCTURED_GRID", "DATASET POLYDATA"),
             StartsWith("plate.vtk:4: the data set is POLYDATA: only an UNSTRUCTURED_GRID is read"));
  CHECK_THAT(changed("POINTS 4 double", "POINTS 4 bit"), StartsWith("plate.vtk:8: values of the type 'bit'"));
  CHECK_THAT(changed("POINTS 4", "POINTS four"), Contains("expected the number of points, found 'four'"));
  CHECK_THAT(changed("POINTS 4", "POINTS -4"), Contains("expected the number of points, found '-4'"));
  CHECK_THAT(changed("POINTS 4", "POINTS 99999999999999999999"),
             Contains("the number 99999999999999999999 is too large"));
  CHECK_THAT(changed("POINTS 4", "POINTS 4000000"), Contains("but only") && Contains("bytes do"));
  CHECK_THAT(changed("POINTS 4", "POINTS 3"), StartsWith("plate.vtk:11: '0' is not expected here"));
  CHECK_THAT(changed("POINTS 4", "POINTS 5"),
             StartsWith("plate.vtk:12: expected a number of coordinates of points, found 'METADATA'"));
  CHECK_THAT(changed("1 1 0\n0 1 0", "1 1 0\n0 1 one"), StartsWith("plate.vtk:11: ") && Contains("found 'one'"));
  CHECK_THAT(changed("CELLS 2 8", "CELLS 3 8"), StartsWith("plate.vtk:15: cell 2 does not end within the 8 numbers"));
  CHECK_THAT(changed("CELLS 2 8\n3", "CELLS 2 8\n-3"), Contains("cell 0 does not end"));
  CHECK_THAT(changed("CELLS 2 8\n3", "CELLS 2 8\n2"), StartsWith("plate.vtk:15: the 2 cells have 6 of the 8 numbers"));
  CHECK_THAT(changed("3 0 2 3\n", "3 0 2 4\n"),
             StartsWith("plate.vtk: element 1 refers to node 4, which is not among the nodes"));
  CHECK_THAT(changed("3 0 2 3\n", "3 0 2 3.5\n"), StartsWith("plate.vtk:17: ") && Contains("found '3.5'"));
  CHECK_THAT(changed("CELL_TYPES 2\n5\n5", "CELL_TYPES 2\n5\n9"), Contains("cell 1 has VTK type 9, a quadrangle"));
  CHECK_THAT(changed("CELL_TYPES 2\n5\n5", "CELL_TYPES 1\n5"), Contains("there are 2 CELLS, but 1 CELL_TYPES"));
  CHECK_THAT(changed("CELL_TYPES 2\n5\n5\n", ""), Contains("there are 2 CELLS, but 0 CELL_TYPES"));
  CHECK_THAT(changed("POINT_DATA 4", "POINT_DATA 5"), Contains("data of 5 points must not follow: there are 4"));
  CHECK_THAT(changed("CELL_DATA 2", "CELL_DATA 1"), Contains("data of 1 cells must not follow: there are 2"));
  CHECK_THAT(changed("group:left int 1\nLOOKUP_TABLE default\n", "group:left int 1\n"),
             Contains("expected LOOKUP_TABLE and its name"));
  CHECK_THAT(changed("1 0 0 1\nCELL_DATA", "0 0 0 0\nCELL_DATA"),
             Contains("point data 'group:left' is 0 at every point"));
  CHECK_THAT(changed("group:left int 1", "group:left int 0"), Contains("there are 0 components, expected 1 to 1000"));
  CHECK_THAT(changed("facets:right 1 2 int\n1 0", "facets:right 1 2 int\n8 0"), Contains("expected 0 to 7"));
  CHECK_THAT(changed("facets:right 1 2 int\n1 0", "group:upper%20half 1 2 int\n1 0"),
             Contains("cell data 'group:upper half' is there twice"));
  CHECK_THAT(changed("facets:right 1 2 int", "facets:right 1 1 int"),
             Contains("array 'facets:right' has 1 values, 2 are needed"));
  CHECK_THAT(changed("density 2 2 float", "density 2 2 string"), Contains("values of the type 'string' are not read"));
  CHECK_THAT(changed("density 2 2 float", "density 2 2000 float"), Contains("2000 values must follow"));
  CHECK_THAT(changed("SCALARS temperature", "SKALARS temperature"), Contains("'skalars' is not expected here"));

  CHECK_THAT(changed("0 3 6", "0 7 6", new_text()), Contains("the offset 7 of CELLS does not fit between 0 and the 6"));
  CHECK_THAT(changed("0 3 6", "1 3 6", new_text()), Contains("the offsets of CELLS begin with 1, not with 0"));
  CHECK_THAT(changed("0 3 6", "0 3 5", new_text()), Contains("the offsets of CELLS end at 5 of 6 numbers"));
  CHECK_THAT(changed("OFFSETS", "OFSETS", new_text()), StartsWith("plate.vtk:16: expected OFFSETS and its type"));
  CHECK_THAT(changed("4.2", "5.1"), StartsWith("plate.vtk:16: expected OFFSETS and its type"));
  CHECK_THAT(changed("OFFSETS vtktypeint64", "OFFSETS double", binary_text()),
             StartsWith("plate.vtk: byte ") && Contains("numbers of the type 'Float64' are not expected here"));
  CHECK_THAT(changed("POINTS 4 float", "POINTS 4 double", binary_text()), StartsWith("plate.vtk: byte "));
  CHECK_THAT(changed("CELLS 3 6", "CELLS 3 6000000", binary_text()), Contains("but only") && Contains("bytes do"));
}

TEST_CASE("a legacy .vtk file with wrong bytes is read or refused, and so is one that ends too early") {
  std::mt19937 random(5);
  int refused = 0;
  for (const std::string& text : {old_text, new_text(), binary_text()}) {
    for (int trial = 0; trial < 300; ++trial) {
      std::string wrong = text;
      for (int i = 0; i < 3; ++i) wrong[random() % wrong.size()] = static_cast<char>(random());
      refused += vtk_error(wrong).empty() ? 0 : 1;
    }
    for (std::size_t size = 1; size < text.find("CELL_TYPES"); ++size) {
      INFO(text.substr(0, size));
      CHECK_THAT(vtk_error(text.substr(0, size)), StartsWith("plate.vtk:"));
    }
  }
  CHECK(refused > 300);
}
